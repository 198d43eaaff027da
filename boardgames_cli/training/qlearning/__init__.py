"""Q-learning: a table of values for small perfect-information games without chance."""
