"""Tokens of the L.A.M.A. family, shared by its games: what a score consists of.

A score determines the tokens: as many of the most valuable kind as fit, and so on down to the white
ones of 1 (rule books, exchange of tokens). The functions are compiled.

pink: the value of a 20-point token, or 0 without such tokens. black: the value of a 10-point one.
"""

from __future__ import annotations

from lama_odds.jit import inlined


@inlined
def returned_token(score, black, pink):
    """Return the value of the most valuable token that a score contains (0: none)."""
    if pink and score >= pink:
        return pink
    if score >= black:
        return black
    return min(score, 1)


@inlined
def lowest_token(score, black, pink):
    """Return the value of the least valuable token that a score contains (0: none)."""
    if pink:
        rest = score % pink
        if rest % black > 0:
            return 1
        if rest > 0:
            return black
        return min(score, pink)
    if score % black > 0:
        return 1
    return min(score, black)
