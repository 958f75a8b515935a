"""JSON schemas of all answers, from their classes."""
