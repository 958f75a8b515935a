"""Sections about Lama Dice."""
