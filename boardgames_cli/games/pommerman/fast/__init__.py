"""Whole steps of Pommerman, compiled: a copy of the rules for search and for mass simulation.

Needs the extra ``fast``. `stepping.play_step` is the readable truth; tests hold this copy to it.
"""
