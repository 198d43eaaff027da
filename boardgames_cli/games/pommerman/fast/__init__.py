"""Whole steps of Pommerman, compiled: a copy of the rules for search and for mass simulation.

Needs the extra ``fast``. `rules.step.play_step` is the readable truth; tests hold this copy to it.
"""
