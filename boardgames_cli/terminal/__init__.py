"""What every front end needs of a terminal: prose, streams, signals."""
