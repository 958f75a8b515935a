"""Fit answers to a terminal: its width, its characters, tables that fit."""
