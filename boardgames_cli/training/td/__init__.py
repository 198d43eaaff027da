"""Temporal differences: the weights of a linear evaluation, learned from self-play."""
