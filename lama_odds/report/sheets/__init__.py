"""Sheets to print: the short answers of each game, for players without a computer."""
