"""Sections about No Prob-Lama."""
