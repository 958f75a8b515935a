"""From a job to its tally: chunks of games, threads, merging. Knows no game."""
