"""The policy `learned`: what players have shown, what it sees of that, and its network."""
