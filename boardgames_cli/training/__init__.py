"""Training of agents by playing."""
