"""Q-learning: a table of values for small games without chance or secrets."""
