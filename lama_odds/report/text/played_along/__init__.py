"""A game played along, as a terminal shows it."""
