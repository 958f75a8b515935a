"""What is exact: last turns, chances of the next card, and what llamas are worth."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest

from lama_odds.analysis.advice.advise import advise
from lama_odds.analysis.advice.rollouts import Limits
from lama_odds.games.interface.match_equity import chances_by_seat, table_for
from lama_odds.games.interface.rounds_won import RoundsWonEquity, rounds_won
from lama_odds.games.interface.tally_layout import EQUITY
from lama_odds.games.noprob.game import GAME
from lama_odds.games.noprob.rules.position import Past
from lama_odds.games.noprob.solvers.exact import PAST_LEFT_OUT, best_uses, solve_last
from tests.games.cases import product_rules
from tests.games.noprob.cases import END, STARNBERGER, TINY, id_of, twin_rules
from tests.games.noprob.hidden import cases
from tests.reference.noprob import Standing
from tests.reference.noprob_players import LINES, NUMBERS, grid_points

HIDDEN = "?,?,?/?,?,?/?,?,?"
UP = "3,3,4/4,5,5/6,6,7"


def solved(case):
    return values_of(solve_last(case.rules, case.position))


def values_of(solution):
    return {action.action: action.values["points"].value for action in solution.actions}


def last_turn(case):
    return {name: pytest.approx(float(v), abs=1e-9) for name, v in case.last_turn().items()}


def odds_at(rules, text):
    found = GAME.odds(rules, GAME.position(rules, text))
    return {name: value.value for name, value in found.items()}


# The last turn of the last player


@pytest.mark.parametrize("drawn", [False, True])
def test_the_last_turn_is_worth_what_all_hidden_cards_come_to(drawn):
    seen = Counter()
    for case in cases(20, 11 + drawn, drawn=drawn):
        found = solved(case)
        assert found == last_turn(case), case.text()
        seen[min(found, key=found.get).split()[0]] += 1
    # A special drawn is given; one on the discards is worth nothing.
    assert seen.keys() >= ({"replace", "give"} if drawn else {"draw", "take"})


@pytest.mark.parametrize(
    "told",
    [
        {"hidden": (4, 0), "pile": 1},
        # What others hold hidden is part of the pool.
        {"hidden": (1, 0, 2), "pile": 2, "last": 1, "lost": 1},
    ],
)
def test_many_hidden_cards_are_solved_too(told):
    for case in cases(2, 3, **told):
        assert solved(case) == last_turn(case), case.text()


@pytest.mark.one_in(3)
@pytest.mark.parametrize("hidden", [0, 1, 2])
def test_an_empty_pile_is_made_anew_for_the_last_turn(hidden):
    """Of cards that I remember, and of some that I do not: those may lie in my grid as well."""
    for case in cases(6, 50 + hidden, hidden=(hidden, 0), pile=0, lost=2):
        found, drawing = solved(case), Fraction(0)
        among, left = len(case.seen) + 2, Counter(case.pool)
        # A card that may be one remembered or not is put where it is best on the whole.
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


def test_specials_beside_my_grid_are_counted():
    rules = product_rules(STARNBERGER)
    for more, points in (("", 0), ("mine=DD", 6), ("mine=DDK", 3), ("mine=KK", -6)):
        text = f"grid=6,6,6/3,4,5/7,8,(10) top=10 opp={UP} last=1 {more}"
        found = values_of(solve_last(rules, GAME.position(rules, text)))
        assert found["pass"] == found["take"] == -6 + 37 + points


def test_it_says_that_it_leaves_out_what_others_did():
    """Only the exact values do: what is sampled beside them draws hidden cards by the past."""
    (case,) = cases(1, 3, hidden=(2, 0), pile=1)
    past = Past(seat=0, top=0, looked=(0, 3), turns=(), closed=())
    plain = solve_last(case.rules, case.position)
    for looked in ((0, 3), (0, 0)):
        recorded = replace(case.position, past=past._replace(looked=looked))
        found = solve_last(case.rules, recorded)
        assert (PAST_LEFT_OUT in found.assumptions) == any(looked)
        assert found.actions == plain.actions
        assert PAST_LEFT_OUT not in best_uses(case.rules, recorded)[1]
    assert PAST_LEFT_OUT not in plain.assumptions


@pytest.mark.parametrize(
    "text",
    [
        f"grid={HIDDEN} top=4 opp={HIDDEN}",
        f"grid=6,6,6/3,4,5/7,8,? top=4 opp={HIDDEN};{UP} last=2",
        f"grid=6,6,6/3,?,?/?,?,? top=4 opp={UP} last=1",
    ],
)
def test_nothing_else_is_solved(text):
    rules = product_rules(STARNBERGER)
    assert solve_last(rules, GAME.position(rules, text)) is None


def test_only_points_are_solved():
    rules = product_rules(STARNBERGER)
    position = GAME.position(rules, f"grid=6,6,6/3,4,5/7,8,? top=4 opp={UP} last=1")
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
    for case in cases(60, 21, pile=6, last=None, hidden=(2, 1)):
        found, expected = odds_at(case.rules, case.text()), expected_odds(case)
        for name, chance in expected.items():
            assert found[name] == pytest.approx(float(chance), abs=1e-12), (name, case.text())
            seen[name] += 0 < chance < 1
        others = {f"draw {text}" for text in case.deck.texts} - expected.keys()
        assert all(found[name] == 0 for name in others)
    for name in ("improves", "improves by 3 or more", "improves by 20 or more", "completes a line"):
        assert seen[name] > 2


def test_sums_of_hidden_cards():
    for case in cases(8, 31, pile=2, last=None, hidden=(3, 1)):
        groups = GAME.odds_groups(case.rules, case.position)
        means = odds_at(case.rules, case.text())
        for name, hidden in (("my hidden cards", 3), ("hidden cards of 1", 1)):
            ways = list(permutations(case.pool, hidden))
            sums = [sum(case.deck.values[card] for card in way) for way in ways]
            bins = Counter(f"{total // 5 * 5} to {total // 5 * 5 + 4}" for total in sums)
            found = {key: value.value for key, value in groups[name].items() if value.value}
            assert found == {key: pytest.approx(n / len(ways)) for key, n in bins.items()}
            told = means[f"mean of {'the ' if hidden == 1 else ''}{name}"]
            assert told == pytest.approx(sum(sums) / len(ways))


def test_an_empty_pile_is_made_of_the_discards():
    rules = product_rules(id_of(TINY))
    text = f"grid={HIDDEN} opp={HIDDEN} pile=0 top=7"
    odds = odds_at(rules, f"{text} seen=7,8,8,9,9,J")
    ways = {"7": 1, "8": 2, "9": 2, "J": 1}
    assert {name: odds[f"draw {name}"] for name in rules.names} == pytest.approx(
        {name: ways.get(name, 0) / 6 for name in rules.names}
    )
    # Of the six discards two are remembered: four are any of the 22 cards that I do not know.
    odds = odds_at(rules, f"{text} seen=7,J")
    assert odds["draw 3"] == pytest.approx(4 / 6 * 2 / 22)
    assert odds["draw J"] == pytest.approx(1 / 6 + 4 / 6 * 1 / 22)
    rules = product_rules(id_of(TINY | END))
    odds = odds_at(rules, text.replace("pile=0", "pile=2"))
    assert sum(odds[f"draw {name}"] for name in rules.names) == pytest.approx(1)


def test_who_can_end_the_round():
    rules = product_rules(STARNBERGER)
    for theirs, chance in (
        ("?,3,4/4,5,5/6,6,7", lambda pool: 1 - 14 / pool),  # all but specials
        ("?,?,4/4,5,5/6,6,7", lambda pool: 0),
        (f"{UP} last=1", lambda pool: 0),
    ):
        text = f"grid={HIDDEN} top=4 opp={theirs}"
        pool = sum(GAME.position(rules, text).pool(rules))
        found = odds_at(rules, text)["1 can end the round by drawing"]
        assert found == pytest.approx(chance(pool))
    # Once the last turns have begun, nobody ends the round again.
    text = f"grid={HIDDEN} top=4 opp=?,3,4/4,5,5/6,6,7;{UP} last=2"
    assert odds_at(rules, text)["1 can end the round by drawing"] == 0


@pytest.mark.parametrize("word", ["drawn", "taken"])
def test_with_a_card_in_hand_it_is_that_card_which_improves(word):
    rules = product_rules(STARNBERGER)
    text = f"grid=3,?,5/?,(7),?/J,5,? top=4 opp={HIDDEN} {word}="
    found = odds_at(rules, f"{text}5")
    pool = GAME.position(rules, f"{text}5").pool(rules)
    mean = sum(n * p for n, p in zip(pool, rules.points, strict=True)) / sum(pool)
    saved = {at: found[f"mean points saved by replace {at}"] for at in ("1,1", "1,2", "2,2", "3,3")}
    # J 5 5 are a line of -5, of which the last card was unknown.
    expected = {"1,1": 3 - 5, "1,2": mean - 5, "2,2": 7 - 5, "3,3": mean + 5 + 5}
    assert saved == pytest.approx(expected)
    assert found["5 improves"] == found["5 completes a line"] == 1
    assert found["5 completes a line in 3,3"] == 1
    assert "5 completes a line in 1,1" not in found
    # The next card is not for my grid.
    assert not {"improves", "completes a line", "draw 3"} & found.keys()
    assert found["next draw 3"] == pytest.approx(pool[0] / sum(pool))
    assert not any("improves" in name or "saved" in name for name in odds_at(rules, f"{text}D"))


def test_chances_of_the_deal():
    rules = product_rules(STARNBERGER)
    odds = {name: value.value for name, value in GAME.deal_odds(rules).items()}
    assert odds["J"] == 5 / 156
    assert sum(odds[name] for name in rules.names) == pytest.approx(1)
    mean = (14 * sum(range(3, 11)) - 10 - 20 - 25 + 3 * 6 - 3 * 8) / 156
    assert odds["mean points of a card"] == pytest.approx(mean)


# What llamas are worth


def by_hand(shares, players, target, rounds):
    """Chances by the llamas of all and the starter, if the game ends within some more rounds."""
    later = {}

    def chance(llamas, needed, starter, left):
        if not left:
            return np.full(players, 1 / players)
        at = tuple(needed - n for n in llamas), starter, left
        if at not in later:
            found = np.zeros(players)
            for winners in np.flatnonzero(shares):
                standing = Standing(twin_rules({}), players)
                standing.llamas, standing.target = list(llamas), needed
                turns = [(seat - starter) % players for seat in range(players)]
                standing.settle([1 - (int(winners) >> turn & 1) for turn in turns])
                after = standing.llamas, standing.target, (starter + 1) % players, left - 1
                won = np.array(standing.shares()) / 420 if standing.winners else chance(*after)
                found += shares[winners] * won
            later[at] = found
        return later[at]

    return {
        (llamas, starter): chance(llamas, target, starter, rounds)
        for llamas in product(range(target), repeat=players)
        for starter in range(players)
    }


@pytest.mark.parametrize(("players", "target", "rounds"), [(2, 3, 60), (3, 2, 30)])
def test_chances_are_those_of_a_plain_iteration(players, target, rounds):
    counts = np.random.default_rng(5).integers(1, 9, size=1 << players) * 10
    counts[0] = 0
    table = RoundsWonEquity("greedy", players, target, counts, 1, 0.0, 0.0)
    for (llamas, starter), chances in by_hand(
        counts / counts.sum(), players, target, rounds
    ).items():
        found = table.by_seat(llamas, starter)
        assert found == pytest.approx(chances, abs=2e-3)  # far behind after ties is cut off
        mine, *others = (target - n - 1 for n in llamas)
        at = sum(n * (target + 1) ** place for place, n in enumerate(reversed(others)))
        assert table.counted[starter, mine, at] / EQUITY == pytest.approx(found[0], abs=1e-5)


def test_shipped_tables_are_for_the_best_policy_at_every_table():
    rules = product_rules(STARNBERGER)
    for players in rules.players:
        best = GAME.best_policy(rules, players)
        table = table_for(STARNBERGER, [best] * players)
        assert isinstance(table, RoundsWonEquity)
        assert table.target == rules.target_of(players)
        level = chances_by_seat(table, [0] * players, 0)
        assert level.sum() == pytest.approx(1)
        assert max(level) - min(level) < 0.06
        ahead = chances_by_seat(table, [1, *[0] * (players - 1)], 0)
        assert ahead[0] > level[0] + 0.1
    assert rounds_won(STARNBERGER, 2, "greedy") is None
    assert table_for(STARNBERGER + "+target=5", [GAME.best_policy(rules, 2)] * 2) is None


@pytest.mark.long
def test_looked_up_and_played_out_games_agree():
    rules, limits = product_rules(STARNBERGER), Limits(games=4_000, threads=1)
    text = "grid=3,6,5/?,(7),4/J,9,-2 top=4 opp=?;? drawn=5 llamas=1,2,0"
    how = {"objective": "win", "limits": limits, "thorough": False}
    found, played = (
        advise(GAME, rules, GAME.position(rules, text), look_up=up, seed=int(up), **how)
        for up in (True, False)
    )
    others = {action.action: action.value for action in played.actions}
    for action in found.actions:
        mine, other = action.value, others[action.action]
        assert abs(mine.value - other.value) < 4.5 * np.hypot(mine.stderr, other.stderr) + 0.005
    told = ["match equity table" in answer.assumptions[0] for answer in (found, played)]
    assert told == [True, False]
