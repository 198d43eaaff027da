"""Reviews of finished games: evaluations, luck and mistakes."""
