"""The games: one folder each, with the same rooms; a game never imports another game."""
