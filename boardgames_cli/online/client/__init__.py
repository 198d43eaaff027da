"""A client's side: the connection, and the match as its seat knows it."""
