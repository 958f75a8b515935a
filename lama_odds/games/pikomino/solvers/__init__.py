"""What is solved exactly."""
