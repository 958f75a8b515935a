"""`learned`, which plays cards with three to six players."""
