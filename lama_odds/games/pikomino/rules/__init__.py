"""The rule book: rule sets, positions, turns, chances."""
