"""A match with its people, agents, log and save: what both front ends share."""
