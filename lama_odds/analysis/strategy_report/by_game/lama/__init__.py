"""Sections about the card games."""
