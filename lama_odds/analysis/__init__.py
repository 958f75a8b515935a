"""One module a question; the only place that chooses a method."""
