"""Estimates from samples: intervals, paired differences, stopping. Knows samples, not games."""
