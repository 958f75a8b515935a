"""Answers as text and CSV."""
