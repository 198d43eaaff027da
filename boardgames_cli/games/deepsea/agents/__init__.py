"""Agents that dive: fixed policies, one that works out the odds, and Monte Carlo search."""
