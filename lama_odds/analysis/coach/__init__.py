"""Playing along, and reviewing a recorded game."""
