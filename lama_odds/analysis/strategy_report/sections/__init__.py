"""Sections that several games share."""
