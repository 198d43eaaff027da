"""Reviews of games that are over: where they were won, what was luck, what were mistakes."""
