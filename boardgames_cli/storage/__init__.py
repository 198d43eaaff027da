"""Saves on disk: where they are, how they are written, and how they are listed."""
