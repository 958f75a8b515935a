"""Pikomino (Heckmeck): eight worm dice and a row of tiles."""
