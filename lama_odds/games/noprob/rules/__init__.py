"""What the rule book says: rule sets, positions, turns, chances."""
