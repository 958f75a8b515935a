"""What makes the tables that policies and answers read; README.md says which comes from what."""
