"""The line-by-line front end: for pipes, dumb terminals and screen readers."""
