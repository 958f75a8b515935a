"""Match equity tables."""
