"""A page writes no files: what training keeps comes and goes with each question."""

from __future__ import annotations
