"""`learned`, which plays No Prob-Lama."""
