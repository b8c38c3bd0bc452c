"""Statistics of pairs: what one thing measured twice says about a change."""
