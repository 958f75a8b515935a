"""Lama Dice in its Polish, English and French editions."""
