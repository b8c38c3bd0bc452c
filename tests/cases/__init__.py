"""Behaviour cases: inputs as users had them, and the right behaviour for each."""
