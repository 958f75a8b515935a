"""A game of `play`, as a terminal shows it."""
