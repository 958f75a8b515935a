"""What rule sets of cards and dice share: points of the values, house rules, hands of values."""

from __future__ import annotations

from functools import lru_cache
from math import comb
from typing import Any

import numpy as np

from lama_odds.core.language import say
from lama_odds.core.notation import Part
from lama_odds.core.rulesets import Option, said_option
from lama_odds.jit import inlined

KINDS = 7  # the values of cards and dice: 1 to 6, and the llama


@lru_cache(maxsize=1)
def hand_ranks() -> np.ndarray:
    """Return int16[2**14], the index of a hand in a values table: its counts in base three.

    It is found by the kinds held, and, seven bits higher, the kinds held more than once.
    """
    masks = np.arange(1 << KINDS, dtype=np.int32)
    digits = np.zeros_like(masks)
    for kind in range(KINDS):
        digits += (masks >> kind & 1) * 3**kind
    ranks = digits + digits[masks[:, None] & masks]
    return ranks.ravel().astype(np.int16)


# Tokens of the L.A.M.A. family, shared by its games: what a score consists of.
#
# A score determines the tokens: as many of the most valuable kind as fit, and so on down to the
# white ones of 1 (rule books, exchange of tokens). The functions are compiled.
#
# pink: the value of a 20-point token, or 0 without such tokens. black: the value of a 10-point one.

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


NUMBERS = 6


def read_points(part: Part) -> tuple[int, ...]:
    """Return points of the values 1 to 6, written as ``1.2.3.4.5.6``: six numbers from 1 to 40."""
    values = tuple(piece.integer(said_option("points")) for piece in part.split("."))
    if len(values) != NUMBERS or not all(1 <= value <= 40 for value in values):
        raise part.fail(say("six numbers from 1 to 40 between dots"), what=said_option("points"))
    return values


POINTS = Option(
    "text",
    "points of the values 1-6",
    "amigo, gigamic, egmont",
    read=read_points,
    write=lambda points: ".".join(map(str, points)),
)


HOUSE = "a house rule"


def read_out_token(part: Part) -> str:
    """Return when going out returns a token."""
    if part.text not in OUT_TOKENS:
        raise part.fail(say("always, llama or never"), what=said_option("out_token"))
    return part.text


OUT_TOKEN = Option(
    "text",
    "when going out returns a token: always, llama (with a llama as the last card) or never",
    HOUSE,
    read=read_out_token,
)
QUIT_COST = Option("number", "points that quitting costs besides the cards", HOUSE, 0, 40)
# The values of both that no rule book changes.
AS_IN_THE_BOOKS: dict[str, Any] = {"out_token": OUT_TOKENS[0], "quit_cost": 0}


def hands_of(counts: tuple[int, ...], size: int) -> list[tuple[tuple[int, ...], int]]:
    """Return all hands of `size` cards from a pack with these counts, each with its ways."""
    hands: list[tuple[tuple[int, ...], int]] = [((), 1)]
    for at, count in enumerate(counts):
        rest = sum(counts[at + 1 :])
        hands = [
            ((*hand, held), ways * comb(count, held))
            for hand, ways in hands
            for held in range(count + 1)
            if sum(hand) + held <= size <= sum(hand) + held + rest
        ]
    return hands
