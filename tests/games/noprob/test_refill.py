"""Cards counted as seen once, though a pile made of discards shows them a second time."""

from collections import Counter
from itertools import chain

import numpy as np
import pytest

from lama_odds.games.noprob.engine import beliefs as engine
from lama_odds.games.noprob.game import GAME
from lama_odds.games.noprob.policies.catalogue import policy_rows, tables_of
from lama_odds.games.noprob.records.live_turn import _table
from lama_odds.games.noprob.records.record import read_record, replay_entry
from lama_odds.games.noprob.records.stepper import ANY, LOG, play_on
from lama_odds.games.noprob.rules import transition
from lama_odds.games.noprob.solvers import beliefs
from tests.games.cases import product_record, product_rules
from tests.games.noprob.cases import TINY, id_of

FEW = TINY | {"peeks": 2}
SEED = 4


def first_round(game, policy):
    """Give the lines of a first round of two, and the numbers of those that are turns."""
    text = product_record(id_of(FEW), (policy,) * 2, SEED, game, rounds=True)
    lines = [line for line in text.splitlines() if not line.startswith("policies")]
    return lines, [at for at, line in enumerate(lines) if line[0].isdigit()]


def state_at(lines, at):
    """Give the round before a line."""
    return read_record("\n".join(lines[:at])).rounds[-1]


def never_open(state):
    """Count by kind what lies face down, and the pile as long as it is the first one."""
    cards = zip(chain(*state.hands), chain(*state.up), strict=True)
    found = Counter(kind for kind, up in cards if not up)
    if not state.recycled:
        found.update(dict(enumerate(state.pile)))
    return [found[kind] for kind in range(transition.KINDS)]


def unseen_in(table):
    """Give what the compiled round counts as never open, by kind."""
    return [int(table[transition.UNSEEN]) >> 4 * kind & 15 for kind in range(transition.KINDS)]


def refilled(policy):
    """Give a round in which several cards are drawn from a pile made of discards."""
    for game in range(40):
        lines, turns = first_round(game, policy)
        again = [at for at in turns if state_at(lines, at).recycled]
        if sum(lines[at].split()[1] == "draw" for at in again) > 3:
            return lines, turns, again
    return pytest.fail("no round is long enough")


def test_a_record_counts_a_card_as_seen_once():
    lines, turns, _ = refilled("random")
    for at in turns:
        state = state_at(lines, at)
        assert state.unseen == never_open(state)


def test_play_counts_a_card_as_seen_once():
    rules, policies = product_rules(id_of(FEW)), [GAME.policy("greedy")] * 2
    log, again = np.zeros(LOG, np.int64), 0
    tables = tables_of(rules, policies, log)
    for game in range(12):
        lines, turns = first_round(game, "greedy")
        record = read_record("\n".join(lines[: turns[0]]))
        table, state, log[0] = _table(record), record.rounds[-1], 0
        play_on(rules.columns, policy_rows(policies), tables, (SEED, game, 0), table, 0, ANY)
        for entry in log[1 : log[0] + 1].tolist():
            again += state.recycled
            replay_entry(state, entry)
        assert unseen_in(table) == state.unseen == never_open(state)
    assert again > 100


def test_beliefs_about_others_count_a_card_as_seen_once(monkeypatch):
    lines, _, again = refilled("random")
    rules, followed, usual = product_rules(id_of(FEW)), [], engine.follow
    monkeypatch.setattr(
        engine, "follow", lambda *given: followed.append(given[-3]) or usual(*given)
    )
    for at in again:
        past = GAME.position_after(rules, "\n".join(lines[:at])).past
        models = [GAME.policy("greedy")]
        hidden, *_ = beliefs.follow(rules, past, 1 - past.seat, models, beliefs.EPSILON)
        if hidden:
            assert unseen_in(followed[-1]) == list(past.closed)
    assert followed
