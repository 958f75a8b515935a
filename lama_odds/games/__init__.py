"""The games: one folder each, with the same rooms. A game never imports another game."""
