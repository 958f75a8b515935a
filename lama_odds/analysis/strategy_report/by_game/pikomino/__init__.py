"""Sections about Pikomino."""
