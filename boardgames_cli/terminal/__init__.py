"""Terminal support shared by all front ends: text wrapping, streams, signals."""
