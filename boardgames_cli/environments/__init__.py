"""Every game as an environment for learning programs: PettingZoo, Gymnasium and OpenSpiel.

Everything here is built from the game and its encoder alone, so a game of another package needs
nothing of its own.
"""
