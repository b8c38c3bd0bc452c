"""One file per verb: options become values; the work is done below."""
