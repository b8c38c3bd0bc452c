"""Kept experiments, read again: summed up, written out, joined and compared. Nothing is scored here."""
