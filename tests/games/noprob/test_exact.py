"""What is exact, last turns and chances of the next card, against every way in fractions."""

import random
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

from lama_odds.analysis.advice.advise import advise
from lama_odds.analysis.advice.rollouts import Limits
from lama_odds.games.noprob.game import GAME
from lama_odds.games.noprob.rules import transition
from lama_odds.games.noprob.rules.position import Past
from lama_odds.games.noprob.rules.transition import KINDS, take_card
from lama_odds.games.noprob.solvers.exact import PAST_LEFT_OUT, best_uses, solve_last
from tests.games.cases import product_rules
from tests.games.noprob.cases import END, STARNBERGER, TINY, id_of
from tests.games.noprob.hidden import cases
from tests.reference.noprob_players import LINES, NUMBERS, grid_points

HIDDEN = "?,?,?/?,?,?/?,?,?"
UP = "3,3,4/4,5,5/6,6,7"


def values_of(solution):
    return {action.action: action.values["points"].value for action in solution.actions}


# The last turn of the last player


@pytest.mark.one_in(2)
@pytest.mark.parametrize("drawn", [False, True])
def test_the_last_turn_is_worth_what_all_hidden_cards_come_to(drawn):
    seen = Counter()
    for case in cases(40, 11 + drawn, drawn=drawn):
        found = values_of(solve_last(case.rules, case.position))
        assert found == {
            name: pytest.approx(float(value), abs=1e-9) for name, value in case.last_turn().items()
        }, case.text()
        seen[min(found, key=found.get).split()[0]] += 1
    # A special drawn is given; one on the discards is worth nothing.
    wanted = ("replace", "discard", "give") if drawn else ("draw", "take")
    assert all(seen[name] for name in wanted)


def test_four_cards_hidden_are_solved_and_five_are_not():
    (case,) = cases(1, 3, hidden=(4, 0), pile=1)
    assert values_of(solve_last(case.rules, case.position)) == {
        name: pytest.approx(float(value), abs=1e-9) for name, value in case.last_turn().items()
    }
    (case,) = cases(1, 3, hidden=(5, 0), pile=1)
    assert solve_last(case.rules, case.position) is None


def test_it_says_that_it_leaves_out_what_others_did():
    """Only the exact values do: what is sampled beside them draws hidden cards by the past."""
    (case,) = cases(1, 3, hidden=(2, 0), pile=1)
    past = Past(seat=0, top=0, looked=(0, *(3,) * (case.position.players - 1)), turns=(), closed=())
    recorded = replace(case.position, past=past)
    found = solve_last(case.rules, recorded)
    assert found.assumptions[-1] == PAST_LEFT_OUT
    assert found.actions == solve_last(case.rules, case.position).actions
    assert PAST_LEFT_OUT not in solve_last(case.rules, case.position).assumptions
    _, notes = best_uses(case.rules, recorded)
    assert PAST_LEFT_OUT not in notes
    nobody_looked = past._replace(looked=(0,) * case.position.players)
    bare = solve_last(case.rules, replace(case.position, past=nobody_looked))
    assert PAST_LEFT_OUT not in bare.assumptions


@pytest.mark.one_in(3)
@pytest.mark.parametrize("hidden", [0, 1, 2])
def test_an_empty_pile_is_made_anew_for_the_last_turn(hidden):
    """Of cards that I remember, and of some that I do not: those may lie in my grid as well."""
    for case in cases(6, 50 + hidden, hidden=(hidden, 0), pile=0, lost=2):
        found = values_of(solve_last(case.rules, case.position))
        drawing, among = Fraction(0), len(case.seen) + 2
        for card in case.seen:
            drawing += min(case.uses(card, case.pool, drawn=True).values()) / among
        left = Counter(case.pool)
        # A card that may be one remembered or not is put where it is best on the whole.
        drawing = Fraction(0)
        for card in {*case.seen, *case.pool}:
            known = Fraction(case.seen.count(card), among)
            other = Fraction(2 * left[card], among * len(case.pool))
            rest = list(case.pool)
            if left[card]:
                rest.remove(card)
            one, two = (case.uses(card, pool, drawn=True) for pool in (case.pool, rest))
            drawing += min(known * one[use] + (other * two[use] if other else 0) for use in one)
        assert found["draw"] == pytest.approx(float(drawing), abs=1e-9), case.text()
        assert found["pass"] == pytest.approx(float(case.mean(case.grids[0], case.pool)), abs=1e-9)


def test_what_others_hold_hidden_is_part_of_the_pool():
    for case in cases(12, 5, hidden=(1, 0, 2), pile=2, last=1, lost=1):
        solution = solve_last(case.rules, case.position)
        assert values_of(solution) == {
            name: pytest.approx(float(value), abs=1e-9) for name, value in case.last_turn().items()
        }


def test_specials_beside_my_grid_are_counted():
    rules = product_rules(STARNBERGER)
    for more, points in (("", 0), ("mine=DD", 6), ("mine=DDK", 3), ("mine=KK", -6)):
        text = f"grid=6,6,6/3,4,5/7,8,(10) top=10 opp={UP} last=1 {more}"
        found = values_of(solve_last(rules, GAME.position(rules, text)))
        assert found["pass"] == -6 + 37 + points
        assert found["take"] == -6 + 37 + points


@pytest.mark.parametrize(
    ("rules_id", "text"),
    [
        (STARNBERGER, f"grid={HIDDEN} top=4 opp={HIDDEN}"),
        (STARNBERGER, f"grid=6,6,6/3,4,5/7,8,? top=4 opp={HIDDEN};{UP} last=2"),
        (STARNBERGER, f"grid={HIDDEN} top=4 opp={UP} last=1"),
    ],
)
def test_nothing_else_is_solved(rules_id, text):
    rules = product_rules(rules_id)
    assert solve_last(rules, GAME.position(rules, text)) is None


def test_only_points_are_solved():
    rules = product_rules(STARNBERGER)
    position = GAME.position(rules, f"grid=6,6,6/3,4,5/7,8,? top=4 opp={UP} last=1")
    assert GAME.solve(rules, position, "points", 1)
    assert GAME.solve(rules, position, "margin", 1) is None
    answer = advise(GAME, rules, position, objective="points", limits=Limits(games=1000))
    assert answer.method == "exact"
    assert {action.value.method for action in answer.actions} == {"exact"}
    assert all(action.regret.stderr == 0 for action in answer.actions)


# Chances of the next card


def total_of(case, grid, mean):
    """Points of my grid, cards not known at a mean and in no line."""
    drama = case.deck.joker + 1
    shown = [drama if card is None else card for card in grid]
    unknown = grid.count(None)
    return grid_points(case.deck, shown) + unknown * (mean - case.deck.values[drama])


def lines_of(case, grid):
    """The lines of a grid, by number."""
    found = set()
    for number, line in enumerate(LINES):
        cards = {grid[cell] for cell in line} - {case.deck.joker}
        real = len(cards) == 1 and None not in cards and min(cards) < NUMBERS
        if real or (not cards and case.deck.triple_joker):
            found.add(number)
    return found


def expected_odds(case):
    """The chances of the next card, each card of the pool tried."""
    deck, grid, pool = case.deck, case.grids[0], case.pool
    mean = Fraction(sum(deck.values[card] for card in pool), len(pool))
    found, before = Counter(), total_of(case, grid, mean)
    for card in pool:
        found[f"draw {deck.texts[card]}"] += 1
        if card > deck.joker:
            found["draw a special"] += 1
            continue
        after = [[*grid[:cell], card, *grid[cell + 1 :]] for cell in range(9)]
        gain = before - min(total_of(case, one, mean) for one in after)
        found["improves"] += gain > 0
        for least in (3, 5, 10, 15, 20):
            found[f"improves by {least} or more"] += gain >= least
        found["completes a line"] += any(
            lines_of(case, one) - lines_of(case, grid) for one in after
        )
    return {name: Fraction(ways, len(pool)) for name, ways in found.items()}


def test_chances_of_the_next_card():
    seen = Counter()
    for case in cases(120, 21, pile=6, last=None, hidden=(2, 1)):
        found = {name: value.value for name, value in GAME.odds(case.rules, case.position).items()}
        expected = expected_odds(case)
        for name, chance in expected.items():
            assert found[name] == pytest.approx(float(chance), abs=1e-12), (name, case.text())
            seen[name] += 0 < chance < 1
        others = {f"draw {text}" for text in case.deck.texts} - expected.keys()
        assert all(found[name] == 0 for name in others)
    for name in ("improves", "improves by 3 or more", "improves by 20 or more"):
        assert seen[name] > 5
    assert seen["completes a line"] > 5


def test_sums_of_hidden_cards():
    for case in cases(25, 31, pile=2, last=None, hidden=(3, 1)):
        groups = GAME.odds_groups(case.rules, case.position)
        means = GAME.odds(case.rules, case.position)
        for name, hidden in (("my hidden cards", 3), ("hidden cards of 1", 1)):
            ways = list(permutations(case.pool, hidden))
            sums = Counter(sum(case.deck.values[card] for card in way) for way in ways)
            bins = Counter()
            for total, n in sums.items():
                bins[f"{total // 5 * 5} to {total // 5 * 5 + 4}"] += n
            found = {key: value.value for key, value in groups[name].items() if value.value}
            assert found == {key: pytest.approx(n / len(ways)) for key, n in bins.items()}
            mean = sum(total * n for total, n in sums.items()) / len(ways)
            told = means[f"mean of {'the ' if hidden == 1 else ''}{name}"].value
            assert told == pytest.approx(mean)


def test_an_empty_pile_is_made_of_the_discards():
    rules = product_rules(id_of(TINY))
    text = f"grid={HIDDEN} opp={HIDDEN} pile=0 top=7"
    odds = GAME.odds(rules, GAME.position(rules, f"{text} seen=7,8,8,9,9,J"))
    assert {name: odds[f"draw {name}"].value for name in ("7", "8", "9", "J", "3", "D")} == {
        **{"7": pytest.approx(1 / 6), "8": pytest.approx(2 / 6), "9": pytest.approx(2 / 6)},
        **{"J": pytest.approx(1 / 6), "3": 0, "D": 0},
    }
    # Of the six discards two are remembered: four are any of the 22 cards that I do not know.
    odds = GAME.odds(rules, GAME.position(rules, f"{text} seen=7,J"))
    assert odds["draw 3"].value == pytest.approx(4 / 6 * 2 / 22)
    assert odds["draw J"].value == pytest.approx(1 / 6 + 4 / 6 * 1 / 22)
    empty = product_rules(id_of(TINY | END))
    with_pile = GAME.odds(empty, GAME.position(empty, text.replace("pile=0", "pile=2")))
    assert sum(with_pile[f"draw {name}"].value for name in empty.names) == pytest.approx(1)


@pytest.mark.parametrize(
    ("theirs", "more", "chance"),
    [("?,3,4/4,5,5/6,6,7", "", 1 - 14 / 138), ("?,?,4/4,5,5/6,6,7", "", 0), (UP, "last=1", 0)],
)
def test_who_can_end_the_round(theirs, more, chance):
    rules = product_rules(STARNBERGER)
    position = GAME.position(rules, f"grid={HIDDEN} top=4 opp={theirs} {more}")
    pool = sum(position.pool(rules))
    expected = 1 - 14 / pool if chance else 0
    assert GAME.odds(rules, position)["1 can end the round by drawing"].value == pytest.approx(
        expected
    )


@pytest.mark.parametrize("word", ["drawn", "taken"])
def test_with_a_card_in_hand_it_is_that_card_which_improves(word):
    rules = product_rules(STARNBERGER)
    text = f"grid=3,?,5/?,(7),?/J,5,? top=4 opp={HIDDEN} {word}=5"
    position = GAME.position(rules, text)
    found = {name: value.value for name, value in GAME.odds(rules, position).items()}
    pool = position.pool(rules)
    mean = sum(n * p for n, p in zip(pool, rules.points, strict=True)) / sum(pool)
    saved = {at: found[f"mean points saved by replace {at}"] for at in ("1,1", "1,2", "2,2", "3,3")}
    # J 5 5 are a line of -5, of which the last card was unknown.
    assert saved == {
        **{"1,1": pytest.approx(3 - 5), "1,2": pytest.approx(mean - 5)},
        **{"2,2": pytest.approx(7 - 5), "3,3": pytest.approx(mean + 5 + 5)},
    }
    assert found["5 improves"] == found["5 completes a line"] == 1
    assert found["5 completes a line in 3,3"] == 1
    assert "5 completes a line in 1,1" not in found
    # The next card is not for my grid.
    assert not {"improves", "completes a line", "draw 3"} & found.keys()
    assert found["next draw 3"] == pytest.approx(pool[0] / sum(pool))
    special = GAME.odds(rules, GAME.position(rules, text.replace(f"{word}=5", f"{word}=D")))
    assert not any("improves" in name or "saved" in name for name in special)


def test_chances_of_the_deal():
    rules = product_rules(STARNBERGER)
    odds = {name: value.value for name, value in GAME.deal_odds(rules).items()}
    assert odds["J"] == 5 / 156
    assert sum(odds[name] for name in rules.names) == pytest.approx(1)
    mean = (14 * sum(range(3, 11)) - 10 - 20 - 25 + 3 * 6 - 3 * 8) / 156
    assert odds["mean points of a card"] == pytest.approx(mean)


PILES = {
    "starnberger": (*[14] * 8, 10, 10, 5, 5, 6, 8),
    "most": (15,) * KINDS,
    "few": (0, 0, 1, 0, 0, 0, 0, 2, 0, 1, 0, 0, 0, 3),
    "one": (0,) * 13 + (1,),
}


@pytest.mark.parametrize("name", PILES)
def test_cards_are_taken_as_from_a_sorted_list(name):
    chance = random.Random(name)
    cards = [kind for kind, number in enumerate(PILES[name]) for _ in range(number)]
    words = [int(word) for word in transition.pack_up(PILES[name])]
    while cards:
        assert words == [
            int(word) for word in transition.pack_up(np.bincount(cards, minlength=KINDS))
        ]
        at = chance.randrange(len(cards))
        kind, *words = take_card(*words, at)
        assert kind == cards.pop(at)
        for up_to in range(KINDS):
            assert transition.number_of(*words, up_to) == cards.count(up_to)
    assert list(words) == [0, 0]


def test_a_number_with_all_ones_takes_nothing():
    words = [int(word) for word in transition.pack_up(PILES["most"])]
    assert list(take_card(*words, -1))[1:] == words


def test_a_card_more():
    for kind in range(KINDS):
        counts = np.array(PILES["few"])
        words = [int(word) for word in transition.pack_up(counts)]
        counts[kind] += 1
        assert list(transition.one_more(*words, kind)) == [
            int(word) for word in transition.pack_up(counts)
        ]
