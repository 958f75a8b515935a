"""Positions and policies as jobs."""
