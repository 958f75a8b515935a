"""Pages: strategy reports and reviews."""
