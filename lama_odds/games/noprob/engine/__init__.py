"""Compiled play: rounds, policies' decisions, kernels."""
