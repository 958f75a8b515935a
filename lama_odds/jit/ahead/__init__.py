"""Two processors compile what the first question needs, where there are two."""
