"""Pages of studies: what they count and say, on made-up figures."""

from __future__ import annotations

import math
from dataclasses import replace
from math import inf
from pathlib import Path

import numpy as np
import pytest

from lab.best_play.pair_walk import PLACES
from lab.learned_pikomino.thumb_rules import (
    COSTS,
    FOR_LEAD,
    LEAD,
    PLAIN,
    PLANS,
    SHIFTS,
    TILES_LEFT,
    TOP,
    Rule,
    choose_rules,
    costs_with,
    places,
    turns_for_worms,
)
from lama_odds.core.estimate import Estimate
from lama_odds.games.dice.game import GAME as DICE
from lama_odds.games.interface import match_equity
from lama_odds.games.interface.match_equity import MatchEquity, best_play
from lama_odds.games.noprob.game import GAME as NOPROB
from lama_odds.games.pikomino.engine.look_ahead import BEST, COLUMNS, PLAN, SEAT, judge_games
from lama_odds.games.pikomino.game import GAME as PIKOMINO
from lama_odds.games.pikomino.policies import learned, play_tables, policy_rows
from tests.games.cases import product_rules
from tools.publishing.noprob_choices import LEADS, leads_part, runs, signed, sorted_out
from tools.publishing.pikomino_risk import risk_map, rules_of_thumb
from tools.publishing.targets import dice_exploitability as exploited_page
from tools.publishing.targets import luck
from tools.study import exploited_games, solved_games
from tools.study import noprob_beliefs as study
from tools.study import noprob_beliefs_page as beliefs_page
from tools.study.exploited_games import Errors, gained_in_game, lost_by_errors
from tools.study.solved_games import lost_in_game
from tools.study.turned_decisions import Turned, lines_of, stakes_of
from tools.study.unlike_players import tables_between

# Solved games of Lama Dice


DICE_RULES = DICE.rules("dice/amigo")


@pytest.mark.long
def test_a_bad_policy_loses_more(monkeypatch: pytest.MonkeyPatch) -> None:
    small = DICE.rules("dice/amigo+dealt=2")
    table = match_equity.best_play("dice/amigo")
    monkeypatch.setattr(solved_games, "best_play", lambda _: table)
    policies = [DICE.policy(name) for name in ("meanfield:out=1,even=3", "threshold:2")]
    lost = [
        np.array([lost_in_game(small, policy, 3, number, 1, 30).costs for number in (0, 1)])
        for policy in policies
    ]
    assert all(each.shape == (2, PLACES) for each in lost)
    assert 0 < lost[0].sum() < lost[1].sum()
    again = lost_in_game(small, policies[1], 3, 1, 1, 30)
    assert np.array_equal(again.costs, lost[1][1])
    assert again.rounds > 1


def test_what_is_at_stake_is_told_in_points_and_chances() -> None:
    position = DICE.position(DICE_RULES, "hand=5 row=23456L opp=2 scores=21,39")
    found = stakes_of(DICE_RULES, position)
    assert (found.gained, found.lost) == (15, 25)  # 5 and a black token; 2, 3, 4, 6 and the llama
    assert (found.quits, found.out, found.blown) == (100, 100, 0)
    assert not found.pays_more
    lines = lines_of(DICE_RULES, [Turned(position, ("roll", "roll", "quit"), (4.86, 3.05, 0.045))])
    assert "roll (4.86) | roll (3.05) | quit (4.5 %)" in lines[2]
    assert lines[-1].startswith("1. At 21:39, if the other stops too, quitting wins 100 %")


def test_a_player_who_is_far_behind_has_little_to_lose() -> None:
    position = DICE.position(DICE_RULES, "hand=56L row=1 opp=2 scores=36,20")
    found = stakes_of(DICE_RULES, position)
    assert found.quits == 0  # the game would be over, and lost
    assert found.out > 0
    assert found.pays_more


# What best responses gain in games


DICE_RULES = DICE.rules("dice/amigo")
SMALL = DICE.rules("dice/amigo+dealt=2")


def table() -> MatchEquity:
    found = best_play(DICE_RULES.id)
    assert found is not None
    return found


@pytest.mark.long
def test_the_better_player_has_better_chances() -> None:
    both = DICE.policy("meanfield"), DICE.policy("threshold:2")
    first, second = tables_between(DICE_RULES, both, 20, 1, 1)
    assert first.values[0, 0] > 0.55
    assert second.values[0, 0] < 0.45
    assert first.values[0, 0] + second.values[0, 0] == pytest.approx(1, abs=0.1)
    assert np.mean(first.values > second.values) > 0.8


@pytest.mark.long
def test_more_is_gained_against_a_bad_policy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exploited_games, "GAME", _Like())
    tables = table(), table()
    good, bad = (
        gained_in_game(SMALL, DICE.policy(name), tables, tables, 3, 1, 300)
        for name in ("meanfield:out=1,even=3", "threshold:2")
    )
    assert min(*good, *bad) > -1e-12
    assert 0 < np.mean(good) < np.mean(bad)


class _Like:
    """Where `copy` is not fitted, another policy goes on."""

    def policy(self, _name: str) -> object:
        return DICE.policy("meanfield")


@pytest.mark.long
def test_best_play_loses_by_errors_of_its_table_only() -> None:
    sizes = Errors(0, 0), Errors(1, 0), Errors(6, 7)
    found = np.array(lost_by_errors(SMALL, table(), sizes, 3, 0, 1, 600))
    none, some, large = found.mean(axis=0)
    assert np.abs(found[:, 0]).max() < 1e-12
    assert none < large
    assert abs(some) < large
    assert large < 0.01


def test_errors_are_as_large_as_they_say() -> None:
    flat = replace(table(), values=np.full((40, 40), 0.5), stderr=np.full((40, 40), 0.01))
    random = np.random.default_rng(1)
    for alike in (0, 7):
        off = np.array([Errors(2, alike).applied(flat, random).values for _ in range(50)]) - 0.5
        assert off.std() == pytest.approx(0.02, rel=0.1)
        together = (off[:, :, :-1] * off[:, :, 1:]).mean() / off.var()
        assert together == pytest.approx(float(np.exp(-1 / 98)) if alike else 0, abs=0.05)


def test_means_of_games_come_from_their_rounds() -> None:
    found = exploited_page.of_game([[0.01, 0.03], [0.02]], 6.0)
    assert found.value == pytest.approx(0.12)
    assert found.stderr == pytest.approx(6 * 0.01 / 3**0.5)
    assert found.shown("+") == "+12.0 ± 6.8"


def test_the_page_says_who_wins_how_often() -> None:
    half = exploited_page.Played(exploited_page.Mean(0.5, 0.0), 6.4)
    better = exploited_page.Played(exploited_page.Mean(0.63, 0.001), 6.0)
    found = [
        exploited_page.Exploited("copy", half, [[0.001, 0.002]]),
        exploited_page.Exploited("meanfield", better, [[0.005, 0.007], [0.006]]),
    ]
    lines = exploited_page.by_policy(found)
    assert lines[2].startswith("| `copy` | +0.96 ±")
    assert "**16.6 ± 0.7**" in lines[3]
    assert lines[3].endswith("| 2 | 3 |")
    rows = exploited_page.rows_of(found, [[[0.0, 0.1, 0.2]]])
    assert len(rows) == 1 + 2 + 3 + len(exploited_page.ERRORS)


# The page on luck


ROOT = Path(__file__).resolve().parents[2]


def published() -> str:
    return (ROOT / luck.TABLE).read_text(encoding="utf-8")


def test_the_table_is_read_as_it_was_written() -> None:
    rows = luck.rows_from(published())
    assert luck.csv_of(rows) == published()
    assert len({row.case for row in rows}) == len(luck.CASES)


@pytest.mark.parametrize(
    ("most", "rows", "chance"),
    [(1.959964, 1, 0.05), (1.959964, 2, 1 - 0.95**2), (0.0, 3, 1.0), (inf, 3, 0.0)],
)
def test_how_far_chance_takes_the_farthest_of_some_rows(
    most: float, rows: int, chance: float
) -> None:
    assert luck.any_as_far(most, rows) == pytest.approx(chance, abs=1e-6)


def test_only_a_row_that_chance_does_not_explain_is_named() -> None:
    first, *others = [row for row in luck.rows_from(published()) if not row.case.control]
    near = replace(first, means={**first.means, "luck": (0.0, 0.01)})
    far = replace(first, means={**first.means, "luck": (-0.05, 0.01)})
    usual = [replace(row, means={**row.means, "luck": (0.01, 0.01)}) for row in others]
    assert luck.told_apart([near, *usual]) == ""
    assert luck.told_apart([far, *usual]).count("`") == 4  # a rule set and a policy
    assert "(-5.0 ± 1.0 %)" in luck.told_apart([far, *usual])


@pytest.mark.long
def test_rounds_in_which_all_play_alike_take_the_mean_result_of_other_rounds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(luck, "MANY", 20_000)
    for row in luck.rows_from(published()):
        found = luck.sharpened(row)
        if row.seat == luck.ANY or row.case.objective != "points":
            assert found is row
            continue
        start, error = row.means["adjusted"]
        value, stderr = found.means["luck"]
        assert stderr > error
        result, spread = row.means["result"]
        assert value + start == pytest.approx(result, abs=4 * (spread + stderr))


# What turns of No Prob-Lama tell


EVEN = np.array([0.25, 0.25, 0.5])


def scored(chances, kinds, expected=(4.0, 2.0), ended=3.0, among=1):
    """Make up a turn at which cards have been told."""
    told = [(EVEN, np.array(c), kind) for c, kind in zip(chances, kinds, strict=True)]
    both = {"points": expected, "round": (0.0, 0.0)}
    table = next(iter(study.TABLES))
    return study.Scored(2, table, 5, among, (ended, 0.0), 0.0, {study.KNOWN: told}, both)


def test_log_losses_are_by_card():
    found = [
        scored([[0.5, 0.5, 0.0]], [0]),
        scored([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]], [0, 2]),
    ]
    even, past, saved = beliefs_page.losses(found, study.KNOWN)
    assert even[0] == pytest.approx((2 * math.log(4) + math.log(2)) / 3)
    assert past[0] == pytest.approx(math.log(2) / 3)
    assert saved[0] == pytest.approx(even[0] - past[0])
    assert study.loss(0.0) == -math.log(study.LEAST)


def test_rounds_count_with_their_turns():
    found = [scored([EVEN], [0], among=1), scored([EVEN], [0], (10.0, 3.0), 4.0, among=3)]
    row = next(line for line in beliefs_page.expected_table(found).splitlines() if "points" in line)
    at_random, from_play = (cell.split()[0] for cell in row.split("|")[4:6])
    assert float(at_random) == pytest.approx((1 * 1 + 3 * 6) / 4)
    assert float(from_play) == pytest.approx((-1 * 1 - 3 * 1) / 4)


def test_calibration_counts_every_kind_of_card():
    table = beliefs_page.calibration([scored([[0.7, 0.3, 0.0]], [0])])
    rows = [[cell.strip() for cell in line.split("|")[2:5]] for line in table.splitlines()[2:]]
    assert rows == [["0.0 %", "0.0 %", "1"], ["30.0 %", "0.0 %", "1"], ["70.0 %", "100.0 %", "1"]]


@pytest.mark.long
def test_a_turn_is_looked_at_with_the_cards_as_they_are():
    rules = NOPROB.rules(study.RULES)
    table = "all play learned"
    looked = (study.look(rules, study.seated(table, 2, game), 3, game) for game in range(1, 9))
    turns = ((seen, study.score(rules, seen, 2, table)) for seen in looked if seen is not None)
    seen, found = next((seen, found) for seen, found in turns if found is not None)
    other = 1 - seen.state.seat
    down = [kind for kind, up in zip(seen.state.hands[other], seen.state.up[other], strict=True)
            if not up]  # fmt: skip
    told = [kind for cards in found.told.values() for _, _, kind in cards]
    assert sorted(told) == sorted(down)
    for _, chances, _ in (one for cards in found.told.values() for one in cards):
        assert chances.sum() == pytest.approx(1)


def test_seats_move_on_from_game_to_game():
    names = [policy.name for policy in study.seated("mixed", 3, 1)]
    assert names == ["greedy", "random", "low-cards:3"]


# Choices in No Prob-Lama


def about(value: float, half: float = 1.0) -> Estimate:
    return Estimate.from_half(value, half / 2, half, 100)


def test_a_change_has_its_sign_and_half_width() -> None:
    assert signed(about(0.123, 0.04), 100.0) == "+12.3 ± 4.0"
    assert signed(about(2.0), -1.0) == "-2.0 ± 1.0"


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ([], []),
        (["a", "b", "c"], ["a", "b", "c"]),
        (["a", "b", "c", "d"], ["a … d"]),
        (["a", "", "b", "c", "d", "e", ""], ["a", "b … e"]),
    ],
)
def test_runs_of_names(names: list[str], expected: list[str]) -> None:
    assert runs(names) == expected


def test_what_is_clear_is_sorted_out() -> None:
    found = [("3", about(-2)), ("4", about(-0.5)), ("5", about(2)), ("6", about(3))]
    told = sorted_out(found, "better", "worse")
    assert told == "Clearly better: 5, 6. Clearly worse: 3. Not clear: 4."
    assert sorted_out(found[2:], "better", "worse") == "Clearly better: all."
    assert sorted_out(found[1:2], "better", "worse") == "Not clear: all."


def test_leads_that_are_not_worse_than_the_best() -> None:
    wins = {(lead, "x"): about(0.5 - 0.1 * at, 0.06) for at, lead in enumerate(LEADS)}
    lines = leads_part(wins)
    assert "| any | 50.0 ± 6.0 % |" in lines
    assert "Not clearly worse than the best: any, 6 (against `x`)." in lines


# Rules of thumb for Pikomino


BEHIND = Rule(lead=(-99, -1), tiles=(1, 1), plan=FOR_LEAD)
NOTHING = Rule(top=(-1, -1), plan=SHIFTS.index(0.5))


def turns() -> np.ndarray:
    """Four turns: behind with one tile left, the same without a tile, without a tile, others."""
    found = np.zeros((4, COSTS + PLANS))
    found[:, LEAD] = (-3, -3, 2, 0)
    found[:, TILES_LEFT] = (1, 1, 9, 9)
    found[:, TOP] = (5, -1, -1, 5)
    found[:, COSTS:] = 0.04
    found[:2, COSTS + FOR_LEAD] = 0.0
    found[1:3, COSTS + SHIFTS.index(0.5)] = 0.01
    return found


def test_the_first_rule_that_fits_counts() -> None:
    assert list(places(turns(), [BEHIND, NOTHING])) == [0, 0, 1, -1]
    assert list(costs_with(turns(), [BEHIND, NOTHING])) == [0.0, 0.0, 0.01, 0.04]
    assert list(costs_with(turns(), [NOTHING, BEHIND])) == [0.0, 0.01, 0.01, 0.04]
    assert list(costs_with(turns(), [])) == [0.04] * 4


def test_what_saves_most_is_chosen_first() -> None:
    assert choose_rules(turns(), 2, [NOTHING, BEHIND]) == [BEHIND, NOTHING]


def test_rules_are_told_with_what_they_save() -> None:
    told = "\n".join(rules_of_thumb(turns(), [BEHIND, NOTHING], 10, 2))
    assert "1. **If you are behind and one tile is left in the centre: play for being in" in told
    assert "2. **If you have no tile to lose: play as if a bust cost 0.5 worm less" in told
    assert "It fits 50 % of the turns and saves 4.00" in told
    assert "so 2.50 are left" in told


@pytest.mark.long
def test_plans_for_worms_cost_what_the_other_judge_says() -> None:
    games = 1
    found = turns_for_worms(games, 4)
    rules, tables = product_rules("pikomino/egmont"), None
    tables = play_tables(rules, learned())
    for seat in range(2):
        names = ["learned", "learned"]
        names[seat] = "optimal-turn"
        rows, results = np.zeros((games * 120, COLUMNS)), np.zeros((games, 4))
        policies = policy_rows([PIKOMINO.policy(name) for name in names])
        filled = judge_games(rules.columns, policies, tables, 4, 0, games, rows, results)
        theirs = rows[:filled][rows[:filled, SEAT] == seat]
        here = found[found[:, 0] // games == seat]
        assert here[:, COSTS + PLAIN] == pytest.approx(theirs[:, BEST] - theirs[:, PLAN], abs=1e-9)
        # A shift of the bust changes something, and nothing is better than the best plan.
        assert here[:, COSTS:].min() > -1e-9
        assert np.abs(here[:, COSTS] - here[:, COSTS + PLAIN]).max() > 0.001
        assert risk_map(theirs).limit > 0
