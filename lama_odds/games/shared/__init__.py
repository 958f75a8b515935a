"""What games have in common."""
