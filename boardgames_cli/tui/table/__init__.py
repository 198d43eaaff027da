"""The table: what is shown of a session, and what moves it."""
