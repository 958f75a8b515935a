"""Measures of rule sets in words."""
