"""Agents for Pommerman: a rule-based one, and two that search."""
