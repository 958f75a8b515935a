"""What a report says of cards in hand, of seats and of other editions."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence

import numpy as np
import pytest

from lama_odds.analysis.strategy_report.by_game.lama.cards import cards_section
from lama_odds.analysis.strategy_report.by_game.lama.chains import (
    FEWEST,
    Studied,
    better,
    findings,
    headlines,
    next_first,
    pairs_of,
    saved_by_top,
)
from lama_odds.analysis.strategy_report.document import Ask, Budget, from_plain, to_plain
from lama_odds.analysis.strategy_report.sections.games import seats_said
from lama_odds.analysis.strategy_report.sections.variants import variants_of, variants_section
from lama_odds.core.estimate import Estimate
from lama_odds.games.interface.tally_layout import HandTally
from lama_odds.games.registry import game_of
from lama_odds.report.pages.pages import table_csv

RULES = "lama/egmont"


def studies_of(rules: str = RULES, players: int = 3) -> Studied:
    """Studies with an empty tally."""
    game = game_of(rules)
    found = game.hand_studies(game.rules(rules), [game.policy("threshold:5")] * players)
    assert found is not None
    return Studied(found, np.zeros(found.job.shape, dtype=np.int64))


def put(found: Studied, values: Sequence[int], **keys: object) -> None:
    """Differences of situations of one row; keys with _ for a space."""
    named = {name.replace("_", " "): value for name, value in keys.items()}
    row = HandTally(found.tally).row(found.studies.rows.index(named))
    row[:] = (len(values), sum(values), sum(v * v for v in values))


def put_hands(found: Studied, size: int, points: np.ndarray) -> None:
    """Points of all hands of a size, int64[situations, hands]."""
    hands = found.studies.hands[size - 3]
    k = len(hands.names)
    sums = np.concatenate([points.sum(axis=0)[:, None], points.T @ points], axis=1)
    found.tally[hands.at] = len(points)
    HandTally(found.tally).sums(hands.at, k)[:] = sums


def points_by_tops(found: Studied, size: int, a_top: int) -> np.ndarray:
    """Points that are the penalty, less so much for each top, and a luck that all share."""
    hands = found.studies.hands[size - 3]
    base = np.array(hands.penalties) - a_top * np.array(hands.tops)
    luck = np.random.default_rng(5).integers(-8, 9, (60, 1))
    return 100 + luck + base


def test_rows_are_means_of_differences_and_add_up() -> None:
    found = studies_of()
    put(found, [1, 2, 3] * 20, card="6", first=True, cards=1)
    put(found, [5] * 40, card="6", first=True, cards=2)
    one, two = ({"card": "6", "first": True, "cards": n} for n in (1, 2))
    alone = found.row(one)
    assert alone is not None
    assert (alone.value, alone.n) == (2.0, 60)
    assert alone.stderr == pytest.approx(np.std([1, 2, 3] * 20, ddof=1) / np.sqrt(60))
    both = found.row(one, two)
    assert both is not None
    assert (both.value, both.n) == (pytest.approx(3.2), 100)
    assert found.row({"card": "5"}) is None
    put(found, [1] * (FEWEST - 1), card="5")
    assert found.row({"card": "5"}) is None


def test_chains_are_compared_on_the_same_luck_at_the_same_penalty() -> None:
    found = studies_of()
    hands = found.studies.hands[0]
    put_hands(found, 3, points_by_tops(found, 3, 2))
    pairs = {(pair.narrow, pair.wide): pair for pair in pairs_of(found, hands)}
    pair = pairs[("345",), ("246",)]
    assert (pair.penalty, pair.tops) == (12, 2)
    # The luck of a situation, 5 points of spread, is out of the difference.
    assert (pair.more.value, pair.more.stderr, pair.more.n) == (4.0, 0.0, 60)
    assert (("6L1",), ("25L",)) in pairs
    assert all(pair.more.value == 2 * pair.tops for pair in pairs.values())
    saved = saved_by_top(found, hands)
    assert saved is not None
    assert saved.value == pytest.approx(2.0)
    assert saved.stderr == pytest.approx(0.0, abs=1e-9)


def test_a_contrast_has_the_error_of_the_differences() -> None:
    found = studies_of()
    hands = found.studies.hands[1]
    points = np.random.default_rng(1).integers(0, 20, (50, len(hands.names)))
    put_hands(found, 4, points)
    weights = [0] * len(hands.names)
    weights[3], weights[7], weights[9] = 2, -1, -1
    told = found.contrast(hands, weights, 0.5)
    each = 0.5 * (points @ np.array(weights))
    assert told is not None
    assert told.value == pytest.approx(each.mean())
    assert told.stderr == pytest.approx(each.std(ddof=1) / np.sqrt(50))
    one = found.points(hands, 4)
    assert one is not None
    assert one.value == pytest.approx(points[:, 4].mean())


def test_the_short_version_says_what_the_figures_show() -> None:
    found = studies_of()
    for card, costs in (("L", [2, 3]), ("6", [1, 2]), ("1", [0, 1])):
        put(found, costs * 50, card=card)
    put(found, [2, 4] * 50, top="L", next="1")
    put(found, [-1, 1] * 50, top="6", next="L")
    duel = studies_of(players=2)
    for size, a_top in ((3, 2), (4, 1)):
        put_hands(found, size, points_by_tops(found, size, a_top))
        put_hands(duel, size, points_by_tops(duel, size, -1))
    first, costs = headlines(found)
    assert "One llama more in your hand costs you 2.50 ± 0.10 points" in costs
    assert first == (
        "On a 6, it makes no clear difference if the 6 or the llama goes first. On a llama, play "
        "the llama before the 1: the other order costs 3.0 ± 0.2 points."
    )
    (said,) = findings(found, {2: duel, 3: found})
    assert "345 costs 4.00 points more than 246" in said
    assert "costs 2.00 points with three cards and 1.00 with four cards" in said
    assert said.endswith("Chains are better with 2 players; gaps are better with 3 players.")


def test_what_is_not_clear_is_not_claimed() -> None:
    found = studies_of()
    luck = np.random.default_rng(11).integers(-9, 10, (60, 35))  # seems to favour gaps
    for size in (3, 4):
        put_hands(found, size, luck)
    assert better(found) == "either"
    assert not headlines(found)
    said = findings(found, {3: found, 2: found})
    assert len(said) == 1
    assert said[0].startswith("Chains and gaps are about equally good: ")
    assert "players" not in said[0]


def test_which_card_goes_first_by_cards_in_hand() -> None:
    found = studies_of()
    for cards, difference in ((3, 4), (4, 1), (6, -3)):
        put(found, [difference] * 40, top="5", next="6", cards=cards)
    few, many = (next_first(found, "5", "6", side) for side in (True, False))
    assert few is not None
    assert many is not None
    assert (few.value, many.value) == (2.5, -3.0)


@pytest.mark.long
def test_the_section_of_a_run() -> None:
    game = game_of(RULES)
    ask = Ask(game, game.rules(RULES), 3, Budget(1.0))
    section = cards_section(ask)
    assert section is not None
    assert section.games == 4 * ask.games  # half of them with other numbers of players
    assert [figure.name for figure in section.figures] == [
        *("card_values", "card_values_by_cards", "hands_of_3", "hands_of_4"),
        *("chain_or_gaps", "chain_by_players", "which_first"),
    ]
    # Far outside of the error: a llama costs most, and a high hand more than a low one.
    values = {dot.label: dot.value for dot in section.figures[0].dots if "first" in dot.group}
    assert values["1"] < values["3"] < values["L"]
    tables = {table.name: table for table in section.tables}
    rows = {
        row["hand"]: row for row in csv.DictReader(io.StringIO(table_csv(tables["other_hands"])))
    }
    assert len(rows) == 70
    assert (rows["456L"]["penalty"], rows["456L"]["tops it fits"]) == ("25", "5")
    name = "points if you play on"
    assert float(rows["456L"][name]) > float(rows["246L"][name])
    assert [row[0] for row in tables["chain_by_players"].rows] == [2, 3, 4, 5, 6]
    assert from_plain(json.loads(json.dumps(to_plain(section)))) == section


def win(value: float, stderr: float) -> Estimate:
    return Estimate(value, stderr, value - 1.96 * stderr, value + 1.96 * stderr, 10_000)


@pytest.mark.parametrize("errors", [2.0, 2.4])
def test_seats_within_their_errors_are_not_called_different(errors: float) -> None:
    far = 0.004 * errors
    wins = [win(0.25 + far, 0.004), win(0.25, 0.004), win(0.25, 0.004), win(0.25 - far, 0.004)]
    said = seats_said(wins, 0.25)
    assert said.startswith(
        "No seat is known to be better than another: each wins 25.0 % of games, within "
    )
    # What it says of the farthest seat holds for all that its interval allows.
    within = float(said.split("within ")[1].split()[0])
    assert within / 100 == pytest.approx(far + 2.49 * 0.004, abs=0.0006)


def test_a_seat_far_out_is_named_and_one_of_six_has_to_be_further_out() -> None:
    wins = [win(0.27, 0.004), win(0.25, 0.004), win(0.245, 0.004), win(0.235, 0.004)]
    said = seats_said(wins, 0.25)
    assert said.startswith("The seats are not equal: player 1 (starts) wins 27.0 ± 1.0 % of games")
    out = 0.01 * 2.3
    two = [win(0.5 + out, 0.01), win(0.5 - out, 0.01)]
    six = [win(1 / 6 + out, 0.01), win(1 / 6 - out, 0.01), *[win(1 / 6, 0.01)] * 4]
    assert seats_said(two, 0.5).startswith("The seats are not equal")
    assert seats_said(six, 1 / 6).startswith("No seat is known")


@pytest.mark.long
def test_other_editions_and_options_are_compared() -> None:
    game = game_of(RULES)
    ask = Ask(game, game.rules(RULES), 3, Budget(2.0))
    others = ["+drama", "+twenty", "lama/amigo", "lama/party"]
    ids = [f"{RULES}{each}" if each[0] == "+" else each for each in others]
    assert [rules.id for rules in variants_of(ask)] == [RULES, *ids]
    section = variants_section(ask)
    assert section is not None
    (figure,) = section.figures
    assert [dot.group for dot in figure.dots] == others * (len(figure.dots) // len(others))
    first = {(d.label, d.group): (d.low, d.value, d.high) for d in figure.dots}
    low, value, high = first["points per round", "+drama"]  # nobody has a token yet
    assert (value, low) == (0, -high)
    assert 0 < high < 0.1
    assert first["points per round", "lama/party"][1] != 0
    assert section.text[-1] == "All first rounds came out the same with +drama and +twenty."
    assert section.findings
