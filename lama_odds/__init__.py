"""Strategy analyzer and odds calculator for push-your-luck games."""

__version__ = "0.1.0"
