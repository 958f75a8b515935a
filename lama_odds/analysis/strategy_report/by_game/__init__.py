"""The sections of one game each."""
