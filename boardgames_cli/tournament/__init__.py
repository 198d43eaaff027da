"""Tournaments: many games between agents, on many workers, with statistics of the results.

A game is a pure function of the game, its options, the agents and the seed, so results never depend
on the number of workers or on their order.
"""
