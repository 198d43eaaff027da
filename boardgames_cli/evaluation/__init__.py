"""How good is this? Analysts, hints, reviews of finished games, and puzzles."""
