"""Traces of other tools, read as runs: formats and conventions from elsewhere, and what an agent did in them."""
