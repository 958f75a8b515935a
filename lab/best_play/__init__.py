"""Two-player Lama Dice solved: the table of best play, and what other play loses to it."""
