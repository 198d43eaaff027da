"""The full-screen front end."""
