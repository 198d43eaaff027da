"""Random campaigns against the whole program, from outside; see docs/testing.md."""
