"""What trains `equilibrium`, which plays cards for two."""
