"""A grid of variants on the same games: what grows with what, and where a wish is fulfilled."""
