"""The kinds of step, one module each; ``build.steps.KINDS`` is their table."""
