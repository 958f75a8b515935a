"""Tests of lab/: what makes the shipped tables."""
