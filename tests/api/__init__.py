"""Tests of the functions for notebooks and programs."""
