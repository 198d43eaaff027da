"""What agents, training and analysis share: trees, graphs, tables, strategies, solvers."""
