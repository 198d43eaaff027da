"""Networks that learn to value positions, and their files."""
