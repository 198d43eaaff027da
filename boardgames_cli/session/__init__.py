"""A table with people and agents at it: all that both front ends share, without drawing."""
