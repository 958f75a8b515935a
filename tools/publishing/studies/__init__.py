"""Worked studies for game designers: what is played, and what the figures say in sentences."""
