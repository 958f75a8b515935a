"""A page that a designer can send around: what variants change, and what makes them good."""
