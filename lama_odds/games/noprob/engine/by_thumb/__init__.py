"""Policies that play by rules of thumb: those of another program, and cards of rules."""
