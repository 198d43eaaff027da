"""The laws of the contract, by what they are about; `check` says which are checked when."""
