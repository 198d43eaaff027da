"""The games, one folder each; the registry knows their names."""
