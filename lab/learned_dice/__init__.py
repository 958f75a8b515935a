"""`learned`, which plays Lama Dice with three to six players."""
