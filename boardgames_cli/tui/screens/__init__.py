"""The screens: menu, game, replay, puzzles, help and dialogs."""
