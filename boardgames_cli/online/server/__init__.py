"""The server of tables, which owns the matches."""
