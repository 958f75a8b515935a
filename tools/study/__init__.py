"""Studies of lama-odds itself: how often intervals are right, how fast it is."""
