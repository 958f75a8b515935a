"""What the documentation site needs besides its pages."""
