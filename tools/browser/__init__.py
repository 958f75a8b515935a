"""Builds the page that answers in the browser itself, without a server."""
