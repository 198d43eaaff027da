"""Reads untrusted JSON within limits, and converts values to JSON and back."""
