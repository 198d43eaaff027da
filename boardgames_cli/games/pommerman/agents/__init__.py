"""Agents that know bombs: the rules they act by, and the searches ahead."""
