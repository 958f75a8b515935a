"""Tokens of the L.A.M.A. family, shared by its games: what a score consists of.

A score determines the tokens: as many of the most valuable kind as fit, and so on down to the white
ones of 1 (rule books, exchange of tokens). The functions are compiled.

pink: the value of a 20-point token, or 0 without such tokens. black: the value of a 10-point one.
"""

from __future__ import annotations

from lama_odds.jit import inlined

# When going out returns a token: a house rule of cards and dice. Compiled code has its index.
OUT_TOKENS = ("always", "llama", "never")
ALWAYS, LLAMA_LAST, NEVER = range(3)


@inlined
def returned_token(score, black, pink):
    """Return the value of the most valuable token that a score contains (0: none)."""
    if pink and score >= pink:
        return pink
    if score >= black:
        return black
    return min(score, 1)


@inlined
def token_going_out(when, llama, score, black, pink):
    """Return the value of the token that going out returns (0: none).

    when: the place of the rule in OUT_TOKENS. llama: whether a llama is among the last cards.
    """
    if when == NEVER or (when == LLAMA_LAST and not llama):
        return 0
    return returned_token(score, black, pink)


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
