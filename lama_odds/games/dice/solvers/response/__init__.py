"""Best responses in rounds of two players: one player is fixed, the other plays best against it."""
