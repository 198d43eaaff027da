"""The laws of the contract by subject; `check` decides which are checked when."""
