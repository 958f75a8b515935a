"""Policies against each other."""
