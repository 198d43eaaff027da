"""Agents that can play many games, one algorithm per file."""
