"""The contract: what a game, an observation, an agent and a match are.

Standard library only, so that rules and agents can be read, tested and reused
without any front end.
"""
