"""Scorer files as they are and as they were: a revision taken out of git, and what changed in the definition."""
