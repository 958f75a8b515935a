"""Rows of data: written to files that a stopped command resumes, or to stdout."""
