"""Turns tried in two ways: what is noted as played is what other code finds in the same rounds."""

from __future__ import annotations

import numpy as np
import pytest

from lama_odds.games.noprob.engine.foretelling import line_kinds
from lama_odds.games.noprob.engine.learned import OFFER
from lama_odds.games.noprob.engine.learning import COLUMNS as SEEN
from lama_odds.games.noprob.engine.learning import collect
from lama_odds.games.noprob.engine.trials import (
    OTHER_STAGE,
    PLAYED,
    STAGE,
    TRIED,
    try_rounds,
)
from lama_odds.games.noprob.game import GAME
from lama_odds.games.noprob.policies.learned import Weights, learned
from tools.fit.learned_tables import RULES, rows_of, seatings, tables_with
from tools.fit.trial_weights import Trials, lead_of

SEED = 6
ROUNDS = 300


def weights_of(seats):
    known = learned(GAME.rules(RULES), seats)
    kinds, where = np.unique(line_kinds(), return_index=True)
    assert len(kinds) == kinds[-1] + 1
    return Weights(known.own[:, where], known.theirs[:, where], known.share, known.chance)


def tried(seats, every, seating=0, rounds=ROUNDS, room=40_000):
    rules = GAME.rules(RULES)
    plays, _ = seatings(seats)[seating]
    found = Trials.room(room)
    who = np.empty(room, np.int8)
    count, played = try_rounds(
        rules.columns, rows_of(plays), tables_with(rules, seats, weights_of(seats)), SEED, rounds,
        plays, every, *found, who,
    )  # fmt: skip
    return found.first(count), who[:count], played


def leads_of(trials, seats, way):
    weights, kinds = weights_of(seats), line_kinds()
    return np.array([
        lead_of(weights, kinds, view, numbers)
        for view, numbers in zip(trials.views[:, way], trials.numbers[:, way], strict=True)
    ])  # fmt: skip


def chances_of(trials, seats, way):
    slope, height = weights_of(seats).chance[trials.views[:, way, STAGE]].T
    return 1 / (1 + np.exp(-slope * leads_of(trials, seats, way) - height))


@pytest.mark.long
@pytest.mark.parametrize(("seats", "seating"), [(2, 0), (3, 0), (3, 2)])
def test_what_is_played_is_what_is_learned_from_in_the_same_rounds(seats, seating):
    rules, rounds = GAME.rules(RULES), 40
    plays, _ = seatings(seats)[seating]
    tables = tables_with(rules, seats, weights_of(seats))
    room = 400_000
    found = np.empty((room, SEEN), np.int16)
    leads = np.empty((room // 4, 3), np.float32)
    _, led, played = collect(
        rules.columns, rows_of(plays), tables, tables, SEED, 0, rounds, plays, found,
        np.empty((room, 2), np.float32), leads,
    )  # fmt: skip
    trials, who, same = tried(seats, 1, seating, rounds)
    assert same == played == rounds
    assert len(who) == led > 20 * rounds
    assert set(who) == set(np.flatnonzero(plays))
    assert np.array_equal(trials.views[:, PLAYED, STAGE], leads[:led, 0])
    assert np.array_equal(trials.won[:, PLAYED], leads[:led, 2])
    offered = leads[:led, 1] - leads_of(trials, seats, PLAYED)
    assert offered.min() > -1e-3
    # A card saves the next player at most a row and a column, and its own points.
    most = 2 * np.ptp(tables.learned.worth) + np.ptp(tables.points)
    assert offered.max() < most * OFFER
    assert np.mean(offered < 1e-3) > 0.2


@pytest.mark.long
@pytest.mark.parametrize("seats", [2, 4])
def test_the_policy_plays_what_seems_best_and_is_right(seats):
    trials, *_ = tried(seats, 5 * seats)
    played, other = (chances_of(trials, seats, way) for way in (PLAYED, TRIED))
    stages = trials.views[:, :, STAGE]
    assert np.mean(other <= played + 1e-6) > 0.75  # where a draw is tried, luck decides
    assert trials.won[:, PLAYED].mean() > trials.won[:, TRIED].mean() + 0.01
    off = np.abs(played.mean() - trials.won[:, PLAYED].mean())
    assert off < 0.06
    assert stages.min() >= 0
    assert ((trials.views[:, :, OTHER_STAGE] >= 0).mean()) > 0.9


def test_trials_are_the_same_again_and_stop_when_there_is_no_room():
    trials, who, rounds = tried(2, 12, rounds=60)
    again, same, _ = tried(2, 12, rounds=60)
    assert rounds == 60
    assert all(np.array_equal(*parts) for parts in zip(trials, again, strict=True))
    assert np.array_equal(who, same)
    few, _, stopped = tried(2, 12, rounds=60, room=1_020)
    assert stopped < 60
    assert np.array_equal(few.won, trials.won[: len(few.won)])
