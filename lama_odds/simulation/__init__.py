"""From a job to its tally: chunks of games, threads, merging. This layer knows no games."""
