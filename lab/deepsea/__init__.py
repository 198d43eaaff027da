"""Divers that the benchmarks of Deep Sea Adventure measure agents against."""
