"""The words every layer uses."""
