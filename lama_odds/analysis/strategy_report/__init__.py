"""A strategy report: sections as data."""
