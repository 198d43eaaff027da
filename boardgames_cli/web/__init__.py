"""Games in a browser: a server with a separate session for each visitor."""
