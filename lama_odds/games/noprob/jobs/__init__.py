"""What is handed out to be played: positions and policies as jobs."""
