"""Tests of Lama Dice: against its twin, its rule books and its records."""
