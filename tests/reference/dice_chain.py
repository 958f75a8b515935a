"""Chances of every way a round of Lama Dice can end, in fractions, for players of fixed policies.

A policy sees the whole situation and decides two things: `quits(state)` and, for a roll,
`choose(state, case, choices)`, which picks one of the solver's (action, hand, row).
"""

from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from heapq import heapify, heappop, heappush
from itertools import count

from .dice_solver import BLOWN, DISCARD, LLAMAS, TAKE, choices_of, roll_of


@dataclass(frozen=True)
class State:
    """A situation: all cards, the players still in (the one to decide first), the scores."""

    hands: tuple
    row: str
    waiting: tuple
    scores: tuple

    @property
    def seat(self):
        """The seat that decides."""
        return self.waiting[0]

    @property
    def hand(self):
        """The cards of the one to decide."""
        return self.hands[self.seat]

    @property
    def alone(self):
        """Whether all others have quit."""
        return len(self.waiting) == 1


@dataclass(frozen=True)
class End:
    """How a round ended ("out", "blown", "row", "quit"), by whom, and what it costs everybody."""

    how: str
    seat: int
    penalties: tuple
    scores: tuple


class Threshold:
    """Quit at this many points or fewer, discard all one can, take the lowest card."""

    def __init__(self, solver, limit):
        self.solver = solver
        self.limit = limit

    def quits(self, state):
        return self.solver.penalty(state.hand) <= self.limit

    def choose(self, state, case, choices):
        return min(choices, key=lambda choice: len(choice[1])) if case == DISCARD else choices[0]


class Best:
    """Play as the solver says, alone or against one other; of equal choices most cards go.

    Where the best is not settled by this, `tied` says so afterwards.
    """

    def __init__(self, solver):
        self.solver = solver
        self.tied = False

    def quits(self, state):
        if state.alone:
            score = state.scores[state.seat]
            values = self.solver.alone_actions(state.hand, state.row, score)
        else:
            values = self.solver.pair_actions(state.hand, *_facing(state))
        self.tied |= values["quit"] == values["roll"]
        return values["quit"] <= values["roll"]

    def choose(self, state, case, choices):
        ranked = sorted(
            (self._value(state, case, choice), len(choice[1]), number)
            for number, choice in enumerate(choices)
        )
        best = ranked[0]
        if len(ranked) > 1 and ranked[1][:2] == best[:2]:
            self.tied = True
        return choices[best[2]]

    def _value(self, state, case, choice):
        if state.alone:
            return self.solver.alone_after(case, *choice, state.scores[state.seat])
        other, _, *scores = _facing(state)
        return self.solver.pair_after(case, *choice, other, *scores)


def _facing(state):
    """What the one to decide faces: the other's cards, the row, both scores."""
    other = state.waiting[1]
    return state.hands[other], state.row, state.scores[state.seat], state.scores[other]


class AsIfWithoutTokens:
    """Play alone as the solver says for somebody without tokens."""

    def __init__(self, solver):
        self.best = Best(solver)

    def quits(self, state):
        return self.best.quits(self._without_tokens(state))

    def choose(self, state, case, choices):
        return self.best.choose(self._without_tokens(state), case, choices)

    def _without_tokens(self, state):
        assert state.alone
        return replace(state, scores=(0,) * len(state.scores))


class Chain:
    """The ends of a round of players who follow these policies, with their chances.

    Chance flows from situation to situation. Each move makes tokens, the row, the cards or the
    players waiting fewer; where three llamas make nothing fewer, they are followed round the table.
    """

    def __init__(self, solver, policies):
        self.solver = solver
        self.rules = solver.rules
        self.policies = policies

    def after(self, state, action, shown=None):
        """Chances of the ends after this action of the one to decide: {End: chance}."""
        if action == "quit":
            return self._flow({self.after_quitting(state): Fraction(1)})
        if action == "roll":
            return self._flow(self._one_roll(state))
        case, choices = choices_of(self.rules, state.hand, state.row, roll_of(shown), state.alone)
        (choice,) = [choice for choice in choices if choice[0] == action]
        return self._flow({self._after_choice(state, case, choice): Fraction(1)})

    def _flow(self, waiting):
        """Let the chances of situations flow, those of most tokens and cards first."""
        ends, number = Counter(), count()
        order = [(_urgency(state), next(number), state) for state in waiting]
        heapify(order)
        while order:
            *_, state = heappop(order)
            chance = waiting.pop(state)
            if isinstance(state, End):
                ends[state] += chance
                continue
            for after, part in self._decided(state).items():
                if after not in waiting:
                    waiting[after] = 0
                    heappush(order, (_urgency(after), next(number), after))
                waiting[after] += chance * part
        return ends

    def _decided(self, state):
        """Where a decision leads: {situation or end: chance}."""
        if self.policies[state.seat].quits(state):
            return {self.after_quitting(state): Fraction(1)}
        total, chance, now = Counter(), Fraction(1), state
        while True:
            self._add_moves(total, chance, now)
            chance *= self.solver.llamas(now.hand, now.row, now.alone)
            now = self._after_llamas(now)
            if now == state:
                return {after: part / (1 - chance) for after, part in total.items()}
            if not chance:
                return total
            if now.scores != state.scores or self.policies[now.seat].quits(now):
                total[now] += chance
                return total

    def _one_roll(self, state):
        """Where one roll leads, whatever the policy says to rolling."""
        total = Counter()
        self._add_moves(total, 1, state)
        llamas = self.solver.llamas(state.hand, state.row, state.alone)
        if llamas:
            total[self._after_llamas(state)] += llamas
        return total

    def _add_moves(self, total, chance, state):
        """Add what every roll but three llamas leads to."""
        for part, case, choices in self.solver.outcomes(state.hand, state.row, state.alone):
            if case != LLAMAS:
                total[self._chosen(state, case, choices)] += chance * part

    def after_roll(self, state, roll):
        """Where a roll ({kind: dice}) leads."""
        case, choices = choices_of(self.rules, state.hand, state.row, roll, state.alone)
        if case == LLAMAS:
            return self._after_llamas(state)
        return self._chosen(state, case, choices)

    def _chosen(self, state, case, choices):
        choice = choices[0]
        if len(choices) > 1:
            choice = self.policies[state.seat].choose(state, case, choices)
        return self._after_choice(state, case, choice)

    def after_quitting(self, state):
        """Where quitting leads."""
        if state.alone:
            return self._end("quit", state.seat, state.hands, state.scores)
        return replace(state, waiting=state.waiting[1:])

    def _after_llamas(self, state):
        scores = list(state.scores)
        scores[state.seat] -= self.solver.token(scores[state.seat])
        waiting = (*state.waiting[1:], state.seat)
        return replace(state, scores=tuple(scores), waiting=waiting)

    def _after_choice(self, state, case, choice):
        _, hand, row = choice
        seat, hands, scores = state.seat, list(state.hands), list(state.scores)
        hands[seat] = hand
        how = None
        if not hand:
            how = "out"
            scores[seat] -= self.solver.token(scores[seat])
        elif case == BLOWN:
            how = "blown"
        elif case == TAKE and not row and self.rules.empty_row_ends:
            how = "row"
        if how:
            return self._end(how, seat, hands, scores)
        return State(tuple(hands), row, (*state.waiting[1:], seat), tuple(scores))

    def _end(self, how, seat, hands, scores):
        penalties = tuple(self.solver.penalty(hand) for hand in hands)
        return End(how, seat, penalties, tuple(scores))


def _urgency(state):
    """Rank what lies on the table, most first; ends are last."""
    if isinstance(state, End):
        return (1,)
    cards = sum(len(hand) for hand in state.hands)
    return -sum(state.scores), -len(state.row), -cards, -len(state.waiting)


# --- What the ends come to -------------------------------------------------------------------


def share(ends, holds):
    """Chance of the ends of which something holds."""
    return sum((chance for end, chance in ends.items() if holds(end)), Fraction(0))


def points(ends, seat, before):
    """Expected change of a seat's score to the end of the round."""
    return sum(
        chance * (end.penalties[seat] + end.scores[seat] - before[seat])
        for end, chance in ends.items()
    )


def margin(ends, before):
    """Points of seat 0 minus the mean of the others'."""
    mine, *others = [points(ends, seat, before) for seat in range(len(before))]
    return mine - sum(others) / len(others)


def event_chances(ends):
    """Chances of what can happen to seat 0, by the names of the product."""
    found = {
        "out": share(ends, lambda end: (end.how, end.seat) == ("out", 0)),
        "blown": share(ends, lambda end: (end.how, end.seat) == ("blown", 0)),
        "last": share(ends, lambda end: end.penalties[0] == max(end.penalties)),
        "other out": share(ends, lambda end: end.how == "out" and end.seat != 0),
        "other blown": share(ends, lambda end: end.how == "blown" and end.seat != 0),
    }
    for end, chance in ends.items():
        name = f"penalty {end.penalties[0]}"
        found[name] = found.get(name, 0) + chance
    return found
