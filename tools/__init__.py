"""What makes the files that are kept, and studies; no part of the package that is installed."""
