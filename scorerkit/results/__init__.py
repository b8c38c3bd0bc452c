"""Results as lines of files."""
