"""What is kept on disk, as text."""
