"""Ratings with confidence intervals; docs/ratings.md has the formulas and reasons."""
