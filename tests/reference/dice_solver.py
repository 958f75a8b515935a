"""Lama Dice solved in exact fractions, by recursion over the rules of the plain twin.

A hand and a row are sorted strings of cards, for example "25L". What a round is played for goes by
the scores it leaves: the higher the better. The last player to act starts the next round.
"""

from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from heapq import heapify, heappop, heappush
from itertools import count, product

from .dice import all_rolls, full_pack, judge, penalty_of, points_of_kinds, score_after_return

LLAMAS, DISCARD, TAKE, BLOWN = "llamas", "discard", "take", "blown"
CASES = {LLAMAS: "three llamas", DISCARD: "match", TAKE: "miss", BLOWN: "blown"}


def choices_of(rules, hand, row, roll, alone):
    """Judge a roll ({kind: dice}); list what can be done: (action, hand after, row after)."""
    case, allowed = judge(rules, roll, Counter(hand), set(row), alone)
    if case == DISCARD:
        numbers = product(*[range(most + 1) for _, most in allowed])
        chosen = [_cards(allowed, number) for number in numbers if any(number)]
        return case, tuple((f"discard {cards}", without(hand, cards), row) for cards in chosen)
    if case == TAKE:
        return case, tuple(
            (f"take {kind}", "".join(sorted(hand + kind)), without(row, kind)) for kind in allowed
        )
    if case == BLOWN:
        return case, (("blown", "".join(sorted(hand + row)), ""),)
    return case, (("three llamas", hand, row),)


def _cards(allowed, numbers):
    return "".join(kind * number for (kind, _), number in zip(allowed, numbers, strict=True))


def without(cards, removed):
    for card in removed:
        cards = cards.replace(card, "", 1)
    return cards


def roll_of(shown):
    """Read dice written as cards, for example "13L"."""
    return dict(Counter(sorted(shown)))


def next_chances(rules, hand, row, alone, shown=None):
    """Add up the outcomes of the next roll, or of the dice shown, by everything they allow."""
    rolls = all_rolls(rules.faces) if shown is None else [roll_of(shown)]
    ways = Counter({name: 0 for name in (*CASES.values(), "out")})
    for roll in rolls:
        case, choices = choices_of(rules, hand, row, roll, alone)
        ways[CASES[case]] += 1
        if case in (DISCARD, TAKE):
            ways.update(action for action, _, _ in choices)
            ways["out"] += any(not left for _, left, _ in choices)
        if case == DISCARD:
            ways.update(f"match {kind}" for kind in roll if kind in hand)
    return {name: Fraction(count, len(rolls)) for name, count in ways.items()}


def deal_chances(rules):
    """Give each hand its chance to be dealt, one card after another."""
    chances = {"": Fraction(1)}
    for _ in range(rules.dealt):
        longer = Counter()
        for hand, chance in chances.items():
            left = Counter(full_pack(rules)) - Counter(hand)
            for card, number in left.items():
                longer["".join(sorted(hand + card))] += chance * number / left.total()
        chances = longer
    return chances


class Dice:
    """What one rule set makes of hands, rolls and scores."""

    def __init__(self, rules):
        self.rules = rules
        self.points = points_of_kinds(rules)
        self.rolls = all_rolls(rules.faces)
        self.outcomes = cache(self._outcomes)

    def penalty(self, hand):
        return penalty_of(self.points, set(hand))

    def token(self, score):
        """Value of the token returned at a score; 0 if there is none."""
        return score - score_after_return(self.rules, score)

    def _outcomes(self, hand, row, alone):
        """List (chance, case, choices) of a roll, outcomes that allow the same together."""
        found = Counter(choices_of(self.rules, hand, row, roll, alone) for roll in self.rolls)
        return [(Fraction(ways, len(self.rolls)), *key) for key, ways in found.items()]

    def llamas(self, hand, row, alone):
        """Chance of three llamas that are not blown."""
        return sum(chance for chance, case, _ in self.outcomes(hand, row, alone) if case == LLAMAS)


# --- Best play -------------------------------------------------------------------------------


class Alone:
    """Best play of the last player. worth: of the own score after the round."""

    def __init__(self, dice, worth=lambda own: -own):
        self.dice, self.worth = dice, worth
        self.value = cache(lambda *situation: max(self.actions(*situation).values()))

    def after(self, case, action, hand, row, score):
        if case == BLOWN:
            return self.worth(score + self.dice.penalty(hand))
        if not hand:
            return self.worth(score - self.dice.token(score))
        return self.value(hand, row, score)

    def actions(self, hand, row, score, shown=None):
        dice, total, llamas = self.dice, Fraction(0), Fraction(0)
        if shown is not None:
            case, choices = choices_of(dice.rules, hand, row, roll_of(shown), True)
            return {choice[0]: self.after(case, *choice, score) for choice in choices}
        quits, token = self.worth(score + dice.penalty(hand)), dice.token(score)
        for chance, case, choices in dice.outcomes(hand, row, True):
            if case != LLAMAS:
                total += chance * max(self.after(case, *choice, score) for choice in choices)
            elif token:
                total += chance * self.value(hand, row, score - token)
            else:
                llamas += chance
        # After three llamas without a token the decision is the same again.
        return {"quit": quits, "roll": max(total / (1 - llamas), total + llamas * quits)}


class Pair:
    """Best play of two players; the one named first decides.

    worth: (own score, other's) of the one who acted last. whole: what both have together.
    """

    def __init__(self, dice, worth=lambda own, other: other - own, whole=0):
        self.dice, self.worth, self.whole = dice, worth, whole
        self.alone = cache(lambda other: Alone(dice, lambda own: worth(own, other)))
        self.value = cache(self._value)
        self.rest = cache(self._rest)

    def quitting(self, mine, other, row, score, others):
        """The other plays on alone, and acts last whatever follows."""
        final = score + self.dice.penalty(mine)
        return self.whole - self.alone(final).value(other, row, others)

    def _value(self, mine, other, row, score, others):
        if self.dice.token(score) or self.dice.token(others):
            return max(self.actions(mine, other, row, score, others).values())
        # Nothing changes by three llamas: find the decisions that neither would change.
        llamas, whole = self.dice.llamas(mine, row, False), self.whole
        quits = self.quitting(mine, other, row, score, others)
        they_quit = self.quitting(other, mine, row, others, score)
        rest = self.rest(mine, other, row, score, others)
        their_rest = self.rest(other, mine, row, others, score)
        rolling = (rest + llamas * (whole - their_rest - llamas * whole)) / (1 - llamas**2)
        found = set()
        for value, theirs in (
            (quits, they_quit),
            (quits, their_rest + llamas * (whole - quits)),
            (rest + llamas * (whole - they_quit), they_quit),
            (rolling, their_rest + llamas * (whole - rolling)),
        ):
            mine_best = max(quits, rest + llamas * (whole - theirs))
            theirs_best = max(they_quit, their_rest + llamas * (whole - value))
            if (value, theirs) == (mine_best, theirs_best):
                found.add(value)
        (value,) = found
        return value

    def _rest(self, mine, other, row, score, others):
        """What all rolls but three llamas add to the value of rolling."""
        total = Fraction(0)
        for chance, case, choices in self.dice.outcomes(mine, row, False):
            if case != LLAMAS:
                total += chance * max(
                    self.after(case, *choice, other, score, others) for choice in choices
                )
        return total

    def after(self, case, action, mine, row, other, score, others):
        against = others + self.dice.penalty(other)
        if not mine:
            return self.worth(score - self.dice.token(score), against)
        if case == BLOWN or (case == TAKE and not row and self.dice.rules.empty_row_ends):
            return self.worth(score + self.dice.penalty(mine), against)
        return self.whole - self.value(other, mine, row, others, score)

    def actions(self, mine, other, row, score, others, shown=None):
        if shown is not None:
            case, choices = choices_of(self.dice.rules, mine, row, roll_of(shown), False)
            return {
                choice[0]: self.after(case, *choice, other, score, others) for choice in choices
            }
        left = score - self.dice.token(score)
        again = self.whole - self.value(other, mine, row, others, left)
        llamas = self.dice.llamas(mine, row, False)
        return {
            "quit": self.quitting(mine, other, row, score, others),
            "roll": self.rest(mine, other, row, score, others) + llamas * again,
        }


def shared(own, others):
    """Of a game that ends: the win, shared by all who are equally low."""
    lowest = min(own, *others)
    equal = sum(score == lowest for score in (own, *others))
    return Fraction(int(own == lowest), equal)


# --- Chances of every way a round can end, for players of fixed policies ---------------------


@dataclass(frozen=True)
class State:
    """A situation: all cards, the players still in (the one to decide first), the scores."""

    hands: tuple
    row: str
    waiting: tuple
    scores: tuple

    @property
    def seat(self):
        return self.waiting[0]

    @property
    def hand(self):
        return self.hands[self.seat]

    @property
    def alone(self):
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

    def __init__(self, dice, limit):
        self.dice, self.limit = dice, limit

    def quits(self, state):
        return self.dice.penalty(state.hand) <= self.limit

    def choose(self, state, case, choices):
        return min(choices, key=lambda choice: len(choice[1])) if case == DISCARD else choices[0]


class Best:
    """Play for points, alone or against one other; alone one quits if that is as good.

    Of equal choices most cards go. Where this does not settle the best, `tied` says so afterwards.
    """

    def __init__(self, dice):
        self.alone, self.pair = Alone(dice), Pair(dice)
        self.tied = False

    def solved(self, state):
        """What solves a situation, and what it asks besides the own cards and the row."""
        if state.alone:
            return self.alone, (), (state.scores[state.seat],)
        other = state.waiting[1]
        return self.pair, (state.hands[other],), (state.scores[state.seat], state.scores[other])

    def quits(self, state):
        solver, others, scores = self.solved(state)
        values = solver.actions(state.hand, *others, state.row, *scores)
        self.tied |= not state.alone and values["quit"] == values["roll"]
        return values["quit"] >= values["roll"]

    def choose(self, state, case, choices):
        solver, others, scores = self.solved(state)
        ranked = sorted(
            (-solver.after(case, *choice, *others, *scores), len(choice[1]), number)
            for number, choice in enumerate(choices)
        )
        self.tied |= len(ranked) > 1 and ranked[1][:2] == ranked[0][:2]
        return choices[ranked[0][2]]


class Chain:
    """The ends of a round of players who follow these policies, with their chances.

    Chance flows from situation to situation. Each move makes tokens, the row, the cards or the
    players waiting fewer; where three llamas make nothing fewer, they are followed round the table.
    """

    def __init__(self, dice, policies):
        self.dice, self.rules, self.policies = dice, dice.rules, policies

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
        if self.policies[state.seat].quits(state):
            return {self.after_quitting(state): Fraction(1)}
        total, chance, now = Counter(), Fraction(1), state
        while True:
            self._add_moves(total, chance, now)
            chance *= self.dice.llamas(now.hand, now.row, now.alone)
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
        llamas = self.dice.llamas(state.hand, state.row, state.alone)
        if llamas:
            total[self._after_llamas(state)] += llamas
        return total

    def _add_moves(self, total, chance, state):
        for part, case, choices in self.dice.outcomes(state.hand, state.row, state.alone):
            if case != LLAMAS:
                total[self._chosen(state, case, choices)] += chance * part

    def _chosen(self, state, case, choices):
        choice = choices[0]
        if len(choices) > 1:
            choice = self.policies[state.seat].choose(state, case, choices)
        return self._after_choice(state, case, choice)

    def after_quitting(self, state):
        if state.alone:
            return self._end("quit", state.seat, state.hands, state.scores)
        return replace(state, waiting=state.waiting[1:])

    def _after_llamas(self, state):
        scores = list(state.scores)
        scores[state.seat] -= self.dice.token(scores[state.seat])
        waiting = (*state.waiting[1:], state.seat)
        return replace(state, scores=tuple(scores), waiting=waiting)

    def _after_choice(self, state, case, choice):
        _, hand, row = choice
        seat, hands, scores = state.seat, list(state.hands), list(state.scores)
        hands[seat] = hand
        how = None
        if not hand:
            how = "out"
            scores[seat] -= self.dice.token(scores[seat])
        elif case == BLOWN:
            how = "blown"
        elif case == TAKE and not row and self.rules.empty_row_ends:
            how = "row"
        if how:
            return self._end(how, seat, hands, scores)
        return State(tuple(hands), row, (*state.waiting[1:], seat), tuple(scores))

    def _end(self, how, seat, hands, scores):
        penalties = tuple(self.dice.penalty(hand) for hand in hands)
        return End(how, seat, penalties, tuple(scores))


def _urgency(state):
    """Rank what lies on the table, most first; ends are last."""
    if isinstance(state, End):
        return (1,)
    cards = sum(len(hand) for hand in state.hands)
    return -sum(state.scores), -len(state.row), -cards, -len(state.waiting)


# --- What the ends come to -------------------------------------------------------------------


def share(ends, holds):
    return sum((chance for end, chance in ends.items() if holds(end)), Fraction(0))


def points(ends, seat, before):
    return sum(
        chance * (end.penalties[seat] + end.scores[seat] - before[seat])
        for end, chance in ends.items()
    )


def margin(ends, before):
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
