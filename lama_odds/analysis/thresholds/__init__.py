"""When to quit and when to continue."""
