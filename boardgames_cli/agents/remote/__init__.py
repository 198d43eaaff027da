"""Agents in other processes: programs of any language, and agents of other packages."""
