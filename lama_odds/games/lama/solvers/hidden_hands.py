"""Find the hands that players who have quit can hold, and their probabilities.

Let h be the hands of all players who have quit, h_j(k) the cards of kind k in the j-th, and u(k)
the unseen cards of that kind. Hands are dealt at random from these. Each hand is kept with the
chance q_j(h_j) that the policy of its seat would quit with it (see `engine.beliefs`). Then hands
have the probability

    P(h) ∝ prod_j [q_j(h_j) / prod_k h_j(k)!] · prod_k u(k)! / (u(k) − sum_j h_j(k))!

The last factor depends only on the sum of all hands. So hands are added one after the other, and
equal sums are combined. A draw goes back from the total to the single hands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import comb, isqrt, perm

import numpy as np

from lama_odds.core.estimate import Estimate, exact
from lama_odds.core.language import say
from lama_odds.core.policies import Policy
from lama_odds.games.interface.from_scores import AS_GIVEN
from lama_odds.games.interface.match_equity import PLAYED_ON
from lama_odds.games.interface.objectives import Solution, Valued
from lama_odds.games.interface.tally_layout import RolloutLayout, RolloutTally, rollout_layout
from lama_odds.games.lama.engine import kernels, policy_kernels, steps
from lama_odds.games.lama.engine.beliefs import weigh_hands
from lama_odds.games.lama.engine.tables import (
    NOT_HELD,
    HeldTables,
    PlayTables,
    QuitterTables,
    RolloutTables,
)
from lama_odds.games.lama.engine.trained import shown_after_draw, shown_after_play, shown_of
from lama_odds.games.lama.policies.catalogue import MEANFIELD, policy_rows, tables_of
from lama_odds.games.lama.rules import transition
from lama_odds.games.lama.rules.odds import legal_actions
from lama_odds.games.lama.rules.position import Opponent, Position, Turn, can_play, pile_left
from lama_odds.games.lama.rules.ruleset import KINDS, NAMES, Counts, LamaRules
from lama_odds.games.shared import drivers
from lama_odds.games.shared.seating import lay_seats
from lama_odds.jit.job import Job

MOST_HANDS = 200_000  # listed for one player who has quit
MOST_PAIRS = 400_000  # of hands added so far with hands of one more player
CHEAPEST = 0.05  # share of all hands; used for a player whose policy would quit with none

Array = np.ndarray


@dataclass(frozen=True)
class Quitters:
    """Hands of players who have quit, as `redraw.deal_hidden` draws them.

    left: the mean number of cards of each kind that none of them holds.
    strangers: the number of players with a hand with which their policy would not quit.
    spread: whether the tables have only some hands, which represent similar ones.
    held: hands that are proposed again in each game, if the tables have a sample of all deals.
    """

    tables: QuitterTables
    left: tuple[float, ...]
    strangers: int = 0
    spread: bool = False
    held: HeldTables = NOT_HELD


@dataclass(frozen=True)
class Hands:
    """Packed hands, in order, with their own factors of P(h)."""

    keys: Array
    weights: Array


@dataclass(frozen=True)
class Level:
    """Sums of hands; for each sum its entries: the sum before, and the hand added."""

    sums: Hands
    first: Array
    before: Array
    hands: Array
    upto: Array


class Pack:
    """The unseen cards, and how hands are taken from them."""

    def __init__(self, rules: LamaRules, unseen: Counts) -> None:
        kinds = zip(rules.shifts, unseen, strict=True)
        self.kinds = sorted((shift, there) for shift, there in kinds if there)
        self.spread = False

    def ways(self, keys: Array) -> Array:
        """Return the last factor of P(h), for sums of hands."""
        count = np.ones(keys.size)
        for shift, there in self.kinds:
            count *= np.array([perm(there, n) for n in range(there + 1)], float)[keys >> shift & 15]
        return count

    def fewer(self, weights: Array, most: int) -> tuple[Array, Array]:
        """Return at most `most` entries that represent all: their places and their weights.

        Weights are cut into equal parts, in order; the entry in the middle of each part is used.
        """
        if weights.size <= most:
            return np.arange(weights.size), weights
        self.spread = True
        upto = np.cumsum(weights)
        middles = (np.arange(most) + 0.5) / most * upto[-1]
        places, times = np.unique(np.searchsorted(upto, middles, "right"), return_counts=True)
        return places, times * (upto[-1] / most)

    def hands_of(self, cards: int) -> Hands:
        """Return all hands of this many cards, with their frequencies in deals."""
        keys, held, ways = np.zeros(1, np.int64), np.zeros(1, np.int64), np.ones(1)
        rest = sum(there for _, there in self.kinds)
        for shift, there in reversed(self.kinds):
            rest -= there
            grown = held[:, None] + np.arange(there + 1)
            at, more = np.nonzero((grown <= cards) & (grown + rest >= cards))
            of_kind = np.array([comb(there, n) for n in range(there + 1)], float)
            keys, held, ways = keys[at] + (more << shift), grown[at, more], ways[at] * of_kind[more]
            to_come = np.array([comb(rest, cards - n) for n in range(cards + 1)], float)[held]
            places, weights = self.fewer(ways * to_come, MOST_HANDS)
            keys, held, ways = keys[places], held[places], weights / to_come[places]
        return Hands(keys, ways / self.ways(keys))

    def shortened(self, hands: Hands, most: int) -> tuple[Hands, Array]:
        """Return some hands that represent all of these, and their places."""
        ways = self.ways(hands.keys)
        places, weights = self.fewer(hands.weights * ways, most)
        return Hands(hands.keys[places], weights / ways[places]), places

    def add(self, sums: Hands, hands: Hands) -> Level | None:
        """Return sums with one more hand, as far as the cards suffice; None if there are none."""
        side = isqrt(MOST_PAIRS)
        sums, places = self.shortened(sums, max(side, MOST_PAIRS // hands.keys.size))
        hands, _ = self.shortened(hands, max(side, MOST_PAIRS // sums.keys.size))
        fits = np.ones((sums.keys.size, hands.keys.size), bool)
        for shift, there in self.kinds:
            fits &= (sums.keys >> shift & 15)[:, None] + (hands.keys >> shift & 15) <= there
        before, added = np.nonzero(fits)
        if not before.size:
            return None
        keys = sums.keys[before] + hands.keys[added]
        order = np.argsort(keys, kind="stable")
        before, added = before[order], added[order]
        distinct, first, sizes = np.unique(keys[order], return_index=True, return_counts=True)
        weights = sums.weights[before] * hands.weights[added]
        totals = np.add.reduceat(weights, first)
        upto = np.cumsum(weights / np.repeat(totals, sizes))
        upto -= np.repeat(upto[first] - weights[first] / totals, sizes)
        return Level(
            Hands(distinct, totals / totals.max()),
            first,
            places[before],
            hands.keys[added],
            upto,
        )


def any_card(rules: LamaRules, position: Position) -> Quitters:
    """Return one player who has quit with one card, any that is unseen; for what needs no more."""
    unseen = position.unseen(rules)
    card = next(shift for shift, there in zip(rules.shifts, unseen, strict=True) if there)
    tables = QuitterTables(
        seats=np.array([1], dtype=np.int64),
        first=np.array([0, 0, 1, 2], dtype=np.int64),
        following=np.array([0, 1], dtype=np.int64),
        hands=np.array([1 << card, 0], dtype=np.int64),
        upto=np.ones(2),
    )
    return Quitters(tables, ())


def find_quitters(
    rules: LamaRules,
    position: Position,
    policies: Sequence[Policy | None],
    tables: PlayTables,
    root: Array,
) -> Quitters:
    """Return the hands of all players who have quit; policies: one for each seat (None: any hand).

    root: int64[TABLE_SIZE], the table at the position. If a policy would quit with no possible
    hand, its player holds one of the CHEAPEST.
    """
    seats = [seat for seat, other in enumerate(position.opponents, 1) if other.quit]
    pack = Pack(rules, position.unseen(rules))
    dealt = {
        cards: pack.hands_of(cards) for cards in {position.opponents[s - 1].cards for s in seats}
    }
    fitting, cheap, listed = [], [], []
    for seat in seats:
        hands = dealt[position.opponents[seat - 1].cards]
        chances, costs = _weighed(rules, position, policies, tables, root, seat, hands.keys)
        listed.append(hands)
        cheap.append(_cheapest(hands, hands.weights * pack.ways(hands.keys), costs))
        fitting.append(_kept(hands, chances) if chances.any() else cheap[-1])
    strangers = sum(f is c for f, c in zip(fitting, cheap, strict=True))
    for hands_of_each in (fitting, cheap, listed):
        levels = _levels(pack, hands_of_each)
        if levels is not None:
            break
        strangers = len(seats)  # no hand of one leaves the cards that the others need
    assert levels is not None, "some hands can always be dealt"
    return _linked(rules, pack, seats, levels, strangers)


def _weighed(
    rules: LamaRules,
    position: Position,
    policies: Sequence[Policy | None],
    tables: PlayTables,
    root: Array,
    seat: int,
    hands: Array,
) -> tuple[Array, Array]:
    """Return the chance that a seat's policy quits with each of some hands, and their costs."""
    policy = policies[seat]
    if policy is None:
        penalties = [rules.penalty(rules.unpack(int(hand))) for hand in hands]
        return np.ones(hands.size), np.array(penalties, dtype=np.int64)
    table = root.copy()
    row = policy_rows([one or policy for one in policies])[seat]
    for at, value in zip(
        (policy_kernels.FAMILY, policy_kernels.PARAMETER, policy_kernels.BLOCK), row, strict=True
    ):
        table[at + seat] = value
    staying = [sum(position.hand), *(o.cards for o in position.opponents if not o.quit)]
    chances, costs = np.empty(hands.size), np.empty(hands.size, np.int64)
    weigh_hands(
        rules.columns, tables, table, position.players, seat, len(staying), min(staying), hands,
        chances, costs,
    )  # fmt: skip
    return chances, costs


def _kept(hands: Hands, chances: Array) -> Hands:
    """Return hands kept with these chances."""
    kept = chances > 0
    return Hands(hands.keys[kept], hands.weights[kept] * chances[kept])


def _cheapest(hands: Hands, weights: Array, costs: Array) -> Hands:
    """Return the hands with the lowest cost: a share of CHEAPEST, and those of equal cost."""
    order = np.argsort(costs, kind="stable")
    upto = np.cumsum(weights[order])
    limit = costs[order][np.searchsorted(upto, CHEAPEST * upto[-1])]
    return _kept(hands, (costs <= limit).astype(float))


def _levels(pack: Pack, hands_of_each: Sequence[Hands]) -> list[Level] | None:
    """Return hands added one after the other; None if they cannot all be held at once."""
    sums, levels = Hands(np.zeros(1, np.int64), np.ones(1)), []
    for hands in hands_of_each:
        level = pack.add(sums, hands)
        if level is None:
            return None
        levels.append(level)
        sums = level.sums
    return levels


def link(
    rules: LamaRules, pack: Pack, seats: Sequence[int], hands_of_each: Sequence[Hands]
) -> Quitters | None:
    """Return the hands of some players with the chances of all their combinations; None if none
    fits.
    """
    levels = _levels(pack, hands_of_each)
    return None if levels is None else _linked(rules, pack, seats, levels, 0)


def _linked(
    rules: LamaRules, pack: Pack, seats: Sequence[int], levels: Sequence[Level], strangers: int
) -> Quitters:
    """Return the levels as one set of nodes: the first without entries, draws begin at the last."""
    first, following, hands, upto = [0], [], [], []
    nodes, entries = 0, 0  # where those of the level before begin, and this one's
    for level in levels:
        following.append(level.before + nodes)
        hands.append(level.hands)
        upto.append(level.upto)
        nodes = len(first)
        first += (level.first + entries).tolist()
        entries += level.hands.size
    keys = levels[-1].sums.keys if levels else np.zeros(1, np.int64)
    chances = pack.ways(keys)
    if levels:
        chances *= levels[-1].sums.weights
    chances /= chances.sum()
    first += [entries, entries + keys.size]
    following.append(np.arange(keys.size) + nodes)
    hands.append(np.zeros(keys.size, np.int64))
    upto.append(np.cumsum(chances))
    gone = {shift: float((chances * (keys >> shift & 15)).sum()) for shift, _ in pack.kinds}
    there = dict(pack.kinds)
    left = tuple(there.get(shift, 0) - gone.get(shift, 0.0) for shift in rules.shifts)
    tables = QuitterTables(
        seats=np.array(seats, dtype=np.int64),
        first=np.array(first, dtype=np.int64),
        following=np.concatenate(following),
        hands=np.concatenate(hands),
        upto=np.concatenate(upto),
    )
    return Quitters(tables, left, strangers, pack.spread)


# A position as the kernel of rollouts needs it: the table, the actions, the hidden hands.


def job_of(
    rules: LamaRules,
    position: Position,
    policies: Sequence[Policy],
    play_out: bool,
    actions: Sequence[str],
    quit_by: Sequence[Policy | None] | None = None,
    quitters: Quitters | None = None,
) -> tuple[Job, Quitters]:
    """Return the kernel with its arguments, and the hands of quitters that it deals.

    quitters: these hands, if they are known.
    """
    counts = [sum(position.hand), *(opponent.cards for opponent in position.opponents)]
    starter = -1 if position.first is None else position.first
    tokens = play_out or bool(position.pot) or any(position.scores or ())
    own, root = tables_of(rules, policies, tokens=tokens), root_table(rules, position)
    if quitters is None:
        quitters = find_quitters(rules, position, quit_by or policies, own, root)
    layout = layout_of(rules, len(actions))
    tables = RolloutTables(
        play=own,
        root=root,
        actions=np.array([_move(rules, action) for action in actions], dtype=np.int64),
        counts=np.array(counts, dtype=np.int64),
        others=position.others_in,
        starter=starter,
        quitters=quitters.tables,
        held=quitters.held,
        layout=layout,
        equities=PLAYED_ON,
        starts=AS_GIVEN,
    )
    kernel = kernels.roll_out_games if play_out else kernels.roll_out
    job = Job(kernel, rules.columns, policy_rows(policies), tables, layout.shape)
    return job, quitters


def layout_of(rules: LamaRules, actions: int) -> RolloutLayout:
    """Return the layout of the tally for these actions; counters: see `kernels.roll_out`."""
    draws = 1 + sum(rules.deck)
    results = rules.most_points + 1
    return rollout_layout(drivers.OBJECTIVES, actions, steps.EVENTS, results, actions * draws)


def _move(rules: LamaRules, action: str) -> int:
    """Return an action's code in the compiled loop."""
    verb, _, card = action.partition(" ")
    if verb == "play":
        return rules.shifts[NAMES.index(card)]
    return transition.DRAW if verb == "draw" else transition.QUIT


def root_table(rules: LamaRules, position: Position) -> np.ndarray:
    """Return the table of the compiled loop at a position; the others hold placeholder cards."""
    table = np.zeros(policy_kernels.TABLE_SIZE, dtype=np.int64)
    hands = [_some_cards(opponent.cards) for opponent in position.opponents]
    penalties = [0 if opponent.quit else -1 for opponent in position.opponents]
    lay_seats(table, [rules.pack(position.hand), *hands], [-1, *penalties], position.scores or ())
    for seat, shown in enumerate(_shown(rules, position)):
        table[policy_kernels.SHOWN + seat] = shown
    pot, pack = position.pot or (), position.unseen(rules)
    pile = pile_left(rules, position)
    lay_place(rules, table, position.top, position.seen, pot, position.running, pack, pile)
    return table


def lay_place(
    rules: LamaRules,
    table: np.ndarray,
    top: int,
    seen: Sequence[int],
    pot: Sequence[int],
    running: bool,
    pack: Counts,
    pile: int,
) -> None:
    """Write on a table what lies between the seats.

    top: the kind of the card on top. seen: the cards before it, by kind. pot: tokens. running:
    whether the drama runs. pack: cards that nobody is known to hold and that have not been played,
    by kind. pile: how many of them can be drawn.
    """
    played = list(seen)
    played[top] += 1
    place = table[policy_kernels.PLACE :]
    place[policy_kernels.TOP] = rules.places[top // 2]
    place[policy_kernels.LEFT] = sum(pack)
    place[policy_kernels.PILE] = pile
    place[policy_kernels.POT] = sum(pot)
    place[policy_kernels.POT_TOKENS] = len(pot)
    place[policy_kernels.RUNNING] = running
    place[policy_kernels.PLAYED] = rules.pack(tuple(played))
    place[policy_kernels.PLAIN_PACK], place[policy_kernels.SPECIAL_PACK] = rules.pack_words(pack)


def _shown(rules: LamaRules, position: Position) -> list[int]:
    """Return what each player has shown of its hand; without a past, any cards may be there."""
    past = position.past
    if past is None:
        return [
            shown_of(cards)
            for cards in (sum(position.hand), *(o.cards for o in position.opponents))
        ]
    by_seat = shown_in(rules, position.players, past.turns)
    return by_seat[past.seat :] + by_seat[: past.seat]


def shown_in(rules: LamaRules, players: int, turns: Sequence[Turn]) -> list[int]:
    """Return what each seat has shown of its hand in the turns of a round, see `shown`."""
    by_seat = [shown_of(rules.dealt)] * players
    for turn in turns:
        before = by_seat[turn.seat]
        if turn.move == transition.DRAW:
            by_seat[turn.seat] = shown_after_draw(before, rules.places[turn.top // 2])
        elif turn.move >= 0:
            by_seat[turn.seat] = shown_after_play(before, rules.places[turn.move // 2])
    return by_seat


def _some_cards(count: int) -> int:
    """Return this many placeholder cards, packed: only the number of hidden cards is known."""
    packed, at = 0, 0
    while count:
        here = min(count, 15)
        packed |= here << 4 * at
        count -= here
        at += 1
    return packed


# Actions with certain results: quitting, going out at once, and everything when alone.


def known(rules: LamaRules, position: Position) -> dict[str, dict[str, Estimate]]:
    """Return points of actions with a certain result: quitting, going out at once; alone all."""
    if not position.others_in:
        return {valued.action: dict(valued.values) for valued in alone(rules, position)}
    taken = sum(position.pot or ()) if position.running else 0
    values = {"quit": {"points": exact(rules.quitting(position.hand) + taken)}}
    if rules.drama:
        return values
    score = position.scores[0] if position.scores else 0
    for kind in range(KINDS):
        last = _last_cards(position.hand, position.top, kind)
        if last:
            token = max(rules.token(score, card) for card in last)
            values[f"play {NAMES[kind]}"] = {"points": exact(-token)}
    return values


def _is_plus(kind: int) -> bool:
    return NAMES[kind].endswith("+")


def _less(hand: Counts, kind: int) -> Counts:
    return tuple(held - (k == kind) for k, held in enumerate(hand))


def _last_cards(hand: Counts, top: int, kind: int) -> set[int]:
    """Return the kinds that can be the last of all cards played within this turn.

    kind: of the first card: plus cards are followed by another. Empty if some cards must stay.
    """
    if not hand[kind] or not can_play(kind, top):
        return set()
    rest = _less(hand, kind)
    if not any(rest):
        return {kind}
    if not _is_plus(kind):
        return set()
    return set().union(*(_last_cards(rest, kind, following) for following in range(KINDS)))


def solve_alone(rules: LamaRules, position: Position, objective: str) -> Solution | None:
    """Return certain points of every action once all others have quit.

    The others' hands, and with them the margin, remain unknown.
    """
    if position.others_in or objective != "points":
        return None
    return Solution(
        alone(rules, position),
        (say("alone you play as long as you can: your score is then certain"),),
        False,
    )


def alone(rules: LamaRules, position: Position) -> tuple[Valued, ...]:
    """Return points and the end of the round for every action once all others have quit.

    After the action everything that can be played is played, see `last_move`: no order leaves
    cheaper cards. The others' cards and scores do not matter, so there is one other player with one
    card.
    """
    scores = None if position.scores is None else (position.scores[0], 0)
    position = replace(
        position, opponents=(Opponent(1, True),), scores=scores, first=None, past=None
    )
    actions = legal_actions(rules, position)
    policies, hidden = [Policy(MEANFIELD)] * 2, any_card(rules, position)
    job, _ = job_of(rules, position, policies, False, actions, quitters=hidden)
    tally = RolloutTally(layout_of(rules, len(actions)), job.play(0, 0, 1))
    valued = []
    for a, action in enumerate(actions):
        points = exact(float(tally.sums[drivers.POINTS, a, 0]))
        out = exact(float(tally.events[a, steps.I_GO_OUT]))
        penalty = np.flatnonzero(tally.results[a])[0]
        valued.append(
            Valued(action, {"points": points}, {"out": out, f"penalty {penalty}": exact(1.0)})
        )
    return tuple(valued)


def ends_alone(rules: LamaRules, position: Position) -> dict[str, dict[str, Estimate]]:
    """Return the end of the round after each action once all others have quit: chances 0 or 1."""
    return {valued.action: dict(valued.chances) for valued in alone(rules, position)}
