"""What fills the terminal: the launcher, the table, help and dialogs."""
