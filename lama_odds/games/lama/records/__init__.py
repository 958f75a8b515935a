"""A game as text, and step by step."""
