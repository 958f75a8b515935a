"""Let policies of No Prob-Lama decide situations (see `games.shared.policy_query`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from lama_odds.core.notation import Part
from lama_odds.core.policies import Policy
from lama_odds.games.interface.capabilities import PolicyQuery
from lama_odds.games.interface.records import Situation
from lama_odds.games.noprob.engine.grids import DRAW, PASS, PUT_AWAY
from lama_odds.games.noprob.engine.policy_kernels import FAMILY, RANDOM, choose_place, choose_source
from lama_odds.games.noprob.policies.catalogue import policy_rows, tables_of
from lama_odds.games.noprob.records import record
from lama_odds.games.noprob.rules import transition
from lama_odds.games.noprob.rules.odds import cell_name, legal_actions
from lama_odds.games.noprob.rules.position import Position, is_special, read_card
from lama_odds.games.noprob.rules.ruleset import NoprobRules
from lama_odds.games.noprob.solvers.root_state import root_table
from lama_odds.games.shared.policy_query import Asking, fewer_cards
from lama_odds.jit import compiled


@compiled
def asked_source(tables, policies, table, seats, word):
    """Return draw, take or pass; see `policy_kernels.choose_source`."""
    return choose_source(tables, policies, table, 0, seats, word)[0]


@compiled
def asked_place(tables, policies, table, seats, kind, drawn, word):
    """Return what to do with a card; see `policy_kernels.choose_place`."""
    return choose_place(tables, policies, table, 0, seats, kind, drawn, word)


class Player:
    """A policy under a rule set; see `games.interface.records.Player`."""

    def __init__(self, rules: NoprobRules, policy: Policy, players: int) -> None:
        seats = [policy] * players
        self.rules = rules
        self.rows = policy_rows(seats)
        self.tables = tables_of(rules, seats)

    @property
    def basis(self) -> tuple[Any, ...]:
        """The policy's row; values of cards and lines, and weights, unless it plays at random."""
        chance = self.rows[0, FAMILY] == RANDOM
        if chance:
            return (self.rows[0],)
        own, known = self.tables, self.tables.learned
        fitted = () if known is None else (known.own, known.theirs, known.share, known.chance)
        return (self.rows[0], own.points, own.spread, own.worth, *fitted)

    def decides(self, situation: Situation, word: int) -> str:
        """Return draw, take or pass, or what to do with the card."""
        position: Position = situation.position
        seats = position.players
        table, _ = root_table(self.rules, position)
        table[transition.TURNS] = situation.turns
        if position.drawn is None:
            source = asked_source(self.tables, self.rows, table, seats, np.uint64(word))
            return "pass" if source == PASS else "draw" if source == DRAW else "take"
        kind = position.drawn
        drawn = not position.taken
        place = int(asked_place(self.tables, self.rows, table, seats, kind, drawn, np.uint64(word)))
        if is_special(kind):
            return f"give {self.rules.names[kind]} to {place}"
        return "discard" if place == PUT_AWAY else f"replace {cell_name(place)}"


class Reader(Asking, record.Reader):
    """The situations of a record; see `games.shared.policy_query.Asking`."""

    def positions(self, words: list[Part]) -> list[Callable[[], Any]]:
        """Return the choice of a source, then of a use."""
        assert self.record is not None
        at_turn = partial(record.position_after, self.record)

        def with_card() -> Position:
            found = at_turn()
            kind = read_card(self.rules, words[2], words[1].text)
            if words[1].text == "draw":
                return replace(found, drawn=kind, pile=(found.pile or 0) - 1)
            top = found.seen[0] if found.seen else None
            return replace(found, drawn=kind, taken=True, top=top, seen=found.seen[1:])

        return [at_turn, with_card] if len(words) > 3 else [at_turn]

    def turns_played(self) -> int:
        """Return the turns of the round so far: policies become more urgent."""
        return int(self.state.turns_played)


def _before_a_card(position: Position) -> bool:
    return position.drawn is None


def unlike(a: NoprobRules, b: NoprobRules) -> str:
    """Return why situations of rule set a cannot be put to a player of b; empty if they can."""
    if a.names != b.names:
        return "other kinds of cards"
    if a.peeks != b.peeks:
        return f"{a.peeks} own cards are looked at, {b.peeks} under the other rules"
    return fewer_cards(a.deck, b.deck, a.names)


QUERY = PolicyQuery(Player, Reader, legal_actions, unlike, _before_a_card)
