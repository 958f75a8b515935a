"""Sweeps as text and as a CSV file."""
