"""Tests of the page for the phone."""
