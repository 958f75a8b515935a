"""How many cards can have been drawn, against a search of all orders of turns."""

from __future__ import annotations

from collections import defaultdict

import pytest

from lama_odds.games.lama.rules.draw_bounds import pile_left, possible_draws
from lama_odds.games.lama.rules.feasibility import parse_position
from lama_odds.games.lama.rules.position import Opponent, Position
from lama_odds.games.lama.rules.ruleset import parse_rules

MOST = 6  # cards drawn that the search tries
LARGEST = 5  # hands that the search goes on with


def drawn_in_all_orders(players, dealt, first):
    """Cards drawn in all orders of turns that leave seat 0 to act.

    By the sizes of the hands and who has quit: the numbers of cards drawn. Which cards they are is
    left out; a hand is never played to its end.
    """
    found = defaultdict(set)
    begun = (first, (dealt,) * players, (False,) * players, 0)
    seen, left = {begun}, [begun]
    while left:
        seat, sizes, gone, drawn = left.pop()
        if seat == 0:
            found[sizes, gone].add(drawn)
        alone = sum(gone) == players - 1
        for change, quits in ((-1, False), (1, False), (0, True)):
            if change == 1 and (alone or drawn == MOST):
                continue
            grown = tuple(n + change * (s == seat) for s, n in enumerate(sizes))
            out = tuple(g or (quits and s == seat) for s, g in enumerate(gone))
            if not 0 < grown[seat] <= LARGEST or all(out) or out[0]:
                continue
            after = next(s % players for s in range(seat + 1, seat + 9) if not out[s % players])
            state = (after, grown, out, drawn + (change == 1))
            if state not in seen:
                seen.add(state)
                left.append(state)
    return found


@pytest.mark.long
@pytest.mark.parametrize(("players", "dealt"), [(2, 3), (3, 2)])
def test_the_fewest_cards_drawn_are_those_of_some_order_of_turns(players, dealt):
    rules = parse_rules(f"lama/egmont+dealt={dealt}")
    there = sum(rules.deck) - players * dealt - 1
    alone = many = 0
    for first in range(players):
        found = drawn_in_all_orders(players, dealt, first)
        for (sizes, gone), drawn in found.items():
            opponents = tuple(Opponent(*pair) for pair in zip(sizes[1:], gone[1:], strict=True))
            hand = (sizes[0], *(0,) * (len(rules.deck) - 1))
            position = Position(hand, 2, opponents, first=first)
            bounds = list(possible_draws(rules, position))
            assert min(low for low, _ in bounds) == min(drawn), (first, sizes, gone)
            assert all(any(low <= n <= high for low, high in bounds) for n in drawn)
            assert pile_left(rules, position) == there - min(drawn)
            alone += all(gone[1:])
            many += min(drawn) > max(0, sum(sizes) - players * dealt)
    assert alone > 10
    assert many > 10  # the sizes of the hands alone do not tell


def test_the_last_quitter_has_acted_as_often_as_i_could_draw():
    # Five cards more than dealt are five draws with the other still in: four turns of playing and
    # drawing, to have two cards less.
    rules = parse_rules("lama/egmont")
    position = parse_position(rules, "hand=522L545LL16 top=5 opp=q4")
    assert pile_left(rules, position) == 36
