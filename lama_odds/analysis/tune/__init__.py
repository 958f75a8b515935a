"""Searching policies' numbers."""
