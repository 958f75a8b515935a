"""Rounds of the twin from a position on: the first action forced, `random` from there."""

import re
from random import Random

import numpy as np

from tests.games.noprob.cases import twin_rules
from tests.reference import noprob as twin
from tests.reference.noprob_cards import CELLS
from tests.reference.noprob_policies import DRAW, PASS, PUT_AWAY, TAKE


class First:
    """A policy that does what it is told at its first turn, and then plays as another."""

    def __init__(self, then, source, plan):
        self.then, self.told, self.plan = then, source, plan

    def source(self, view):
        if view.state.turns:
            return self.then.source(view)
        return self.told

    def place(self, view, card, source):
        return self.then.place(view, card, source) if view.state.turns else self.plan[source][card]

    def give(self, view, card):
        return self.then.give(view, card) if view.state.turns else self.plan[self.told][card]


def place_of(use):
    """Read a use of a card: a cell, PUT_AWAY, or the seat that a special goes to."""
    verb, _, rest = use.partition(" ")
    if verb == "discard":
        return PUT_AWAY
    if verb == "give":
        return int(rest.split()[-1])
    row, column = rest.split(",")
    return 3 * int(row) + int(column) - 4


def plan_of(case, notes):
    """The plan that an answer tells: by source and card the place."""
    texts, plan = case.deck.texts, {DRAW: {}, TAKE: {}, PASS: {}}
    for note in notes:
        note = re.sub(r" \(.*", "", note)
        if note.startswith("take: then "):
            plan[TAKE][case.top] = place_of(note.removeprefix("take: then "))
        elif note.startswith("draw: then "):
            for piece in note.removeprefix("draw: then ").split("; "):
                cards, use = piece.split(": ")
                plan[DRAW] |= {texts.index(card): place_of(use) for card in cards.split()}
    return plan


def begun(case, table, game, luck):
    """A round of the twin at the position, what is hidden dealt anew."""
    state = twin.Round(table, game, 0)
    pool = list(case.pool)
    luck.shuffle(pool)
    unknown = sum(grid.count(None) for grid in case.grids)
    state.grids = case.filled(pool[:unknown])
    state.pile = sorted(pool[unknown : unknown + case.pile])
    state.discards = [*pool[unknown + case.pile :], *case.seen, case.top]
    state.up = [sum(1 << cell for cell in range(CELLS) if up[cell]) for up in case.up]
    if case.last:
        state.closer = case.last - len(case.grids) + 1
    return state


def finished(case, state, action, plan):
    """Play a round to its end after an action; my points, and those less the mean of the others."""
    first = state.table.policies[0]
    if case.drawn is not None:
        # The card in my hand is the only one that I can draw.
        pile, state.pile = state.pile, [case.drawn]
        state.table.policies[0] = First(first, DRAW, {DRAW: {case.drawn: place_of(action)}})
        state.play_turn(0)
        state.pile = pile
        state.turns = 1
        up = state.up[0] == twin.ALL_UP
        if state.closer is None and up:
            state.closer = 1
        state.table.policies[0] = first
        if case.last != 1:
            state.play()
    else:
        state.table.policies[0] = First(first, action, plan)
        state.play()
        state.table.policies[0] = first
    mine, *others = state.penalties()
    return mine, mine - sum(others) / len(others), float(mine <= min(others))


def means_of(case, action, plan, games, seed):
    """Mean and standard error of points, margin and share of lowest totals after an action."""
    luck = Random(seed)
    table = twin.Table(twin_rules(case.options), ("random",) * len(case.grids), seed)
    found = [finished(case, begun(case, table, game, luck), action, plan) for game in range(games)]
    return np.mean(found, axis=0), np.std(found, axis=0, ddof=1) / games**0.5
