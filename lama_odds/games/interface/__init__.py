"""What a game offers: the face, jobs and the layout of tallies."""
