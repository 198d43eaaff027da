"""Analysts for games without one of their own."""
