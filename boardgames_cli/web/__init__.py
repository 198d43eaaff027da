"""Games in a browser: a server that gives each visitor a session of their own."""
