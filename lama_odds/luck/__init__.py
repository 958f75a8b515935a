"""Random numbers by address: the same address always gives the same number."""
