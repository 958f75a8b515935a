"""`equilibrium`, which plays cards for two."""
