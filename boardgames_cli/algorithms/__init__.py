"""Algorithms shared by agents, training and analysis: trees, tables, strategies, solvers."""
