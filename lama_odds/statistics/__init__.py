"""Estimates from samples: intervals, paired differences, stopping. This layer knows no games."""
