"""Slow, plain twins of the games, written from the rule books to check the compiled ones."""
