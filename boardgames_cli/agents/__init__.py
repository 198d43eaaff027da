"""Agents that can play many games: one algorithm a file."""
