"""Tests of the words every layer uses."""
