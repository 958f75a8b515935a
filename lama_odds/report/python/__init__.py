"""Answers as Python objects, frames and notebook cells."""
