"""A player that thinks at each decision, as `advise` does."""
