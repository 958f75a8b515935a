"""When to quit and when to go on."""
