"""What a game offers: its face, its jobs and the layout of tallies."""
