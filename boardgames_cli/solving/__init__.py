"""Exact values where a game is small enough, and the agent that plays by them."""
