"""How a game presents itself: views with their styles, and what it has for a home screen."""
