"""`learned`, which plays Pikomino."""
