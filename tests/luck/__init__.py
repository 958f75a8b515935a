"""Tests of luck."""
