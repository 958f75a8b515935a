"""The dice game Pig, as a game of lama-odds from another package."""
