"""Definition → Plan: everything compiled and resolved, for a definition that the checks found right."""
