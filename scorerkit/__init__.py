"""Scorers for language models and agents as files."""

from __future__ import annotations

__version__ = "0.1.0"
