"""Many games between agents: who plays whom, on which workers, and what the results are worth.

A game is a pure function of the game, its options, the agents and the seed, so results never depend
on the number of workers or on their order.
"""
