"""No Prob-Lama."""
