"""Random campaigns against the whole program, from outside: docs/testing.md says how to run them."""
