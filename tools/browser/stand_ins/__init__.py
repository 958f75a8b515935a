"""Modules that take the place of those of the package in a page."""
