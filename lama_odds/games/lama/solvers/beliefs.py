"""What the others probably hold, from all that was played, drawn and not played in a round.

Let h_j(k) be the cards of kind k that player j holds now, and u(k) the unseen ones. A_j(h_j) sums,
over all orders in which j may have got its cards, the chances of j's actions (see
`engine.beliefs`). Cards were shuffled, so hands have the probability

    P(h) ∝ prod_j A_j(h_j) · prod_k u(k)! / (u(k) − sum_j h_j(k))!

A_j is found for each player separately, because a player's actions depend on nothing else that is
hidden. Only the last factor, the common deck, connects the hands. Where the hands are few, they are
all combined, exactly. Otherwise hands are dealt together, PARTICLES times.

Players may not be like the policy that is assumed. So each is a mixture: the policy with a share of
SHARE, and PLAYERS. What a player did shifts the shares.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from math import factorial, perm

import numpy as np

from lama_odds.core.estimate import Estimate
from lama_odds.core.language import say
from lama_odds.core.policies import Policy, read_policy
from lama_odds.core.wording import decimal, in_percent, thousands
from lama_odds.games.interface.capabilities import named
from lama_odds.games.interface.objectives import Held, HeldByOthers
from lama_odds.games.lama.engine import beliefs, policy_kernels
from lama_odds.games.lama.engine.tables import HeldTables, QuitterTables, TrailTables
from lama_odds.games.lama.policies.catalogue import FAMILIES, policy_rows, tables_of
from lama_odds.games.lama.rules.position import NO_CARDS, Opponent, Past, Position, Turn
from lama_odds.games.lama.rules.ruleset import KINDS, NAMES, LamaRules
from lama_odds.games.lama.solvers.hidden_hands import Array, Hands, Pack, Quitters, link, root_table

# Chosen on trial rounds, by the log loss at tables like and unlike the policy. `tools/publish
# beliefs` measures what other values would save or cost.
EPSILON = 0.01
SHARE = 0.5
PLAYERS = ("threshold:3", "threshold:7", "matching:5", "matching:9", "random")

MOST_HANDS = 100_000  # of one player; beyond, some represent the others
MOST_PAIRS = 20_000  # of hands that are combined one by one
PARTICLES = 4_096
TRIES = 8  # hands of a player, from which one that fits is selected
# If fewer deals than ENOUGH come out alike, FEWER are made, each from all hands of each player.
ENOUGH = 256
FEWER = 1_024
SEED = 0x1A3A  # of hands dealt together: the same for the same past


@dataclass(frozen=True)
class Believed:
    """Hands that another player may hold now, and what it plays like.

    hands, chances: packed hands, ascending, and how likely each is if nobody else held cards.
    by_model: float64[models, hands], the same for each model in `Beliefs.models`; sums to chances.
    thinned: whether some hands represent the others.
    """

    cards: int
    hands: Array
    chances: Array
    by_model: Array
    thinned: bool

    def shares(self, held: Array, weights: Array) -> tuple[float, ...]:
        """Return the share of each model if these hands are held with these weights."""
        at = np.searchsorted(self.hands, held)
        by_model = (self.by_model[:, at] / self.chances[at]) @ weights
        return tuple(float(share) for share in by_model)


@dataclass(frozen=True)
class Beliefs:
    """What all others probably hold.

    players: in turn order. models: names of the policies. sampled: how many deals chances come
    from; 0 if all hands are combined. dealt: hands of all others as rollouts deal them.
    """

    players: tuple[Believed, ...]
    models: tuple[str, ...]
    sampled: int
    dealt: Quitters

    def estimate(self, chance: float) -> Estimate:
        """Return a chance: exact for these models, or with the error of the deals sampled."""
        return Estimate.share(chance, self.sampled)

    @cached_property
    def shares(self) -> tuple[tuple[float, ...], ...]:
        """Return for each player how likely each model is, by all cards of all players."""
        deals, weights = self.deals()
        return tuple(p.shares(deals[:, at], weights) for at, p in enumerate(self.players))

    def holding(self, masks: Sequence[int]) -> list[list[float]]:
        """Return for each player the chances of any card of each mask (of packed hands)."""
        deals, weights = self.deals()
        players = range(len(self.players))
        return [[float(weights @ (deals[:, p] & m != 0)) for m in masks] for p in players]

    @property
    def notes(self) -> tuple[str, ...]:
        """How the hands are found, in words."""
        if self.sampled:
            made = say("at least as exact as {deals} deals", deals=thousands(self.sampled))
        else:
            made = say("all of them")
        unlike = [
            say(
                "{player} plays more like {policy} ({share})",
                player=named([seat]),
                policy=self.models[most],
                share=in_percent(f"{100 * share:.0f}"),
            )
            for seat, most, share in self.unlike
        ]
        return (
            say("hidden hands are drawn by what the others did this round ({made})", made=made),
            say(
                "each of them is assumed to play {policy} with a chance of {share} at first, or "
                "else {others}. What a player does shifts that, and {random} of all actions are "
                "taken at random",
                policy=self.models[0],
                share=in_percent(f"{100 * SHARE:.0f}"),
                others=", ".join(self.models[1:]),
                random=in_percent(decimal(f"{100 * EPSILON:g}")),
            ),
            *unlike,
        )

    @property
    def unlike(self) -> list[tuple[int, int, float]]:
        """Players who act more like another policy than the one assumed: seat, model, share."""
        best = [(s, int(np.argmax(shares)), shares) for s, shares in enumerate(self.shares, 1)]
        return [(s, most, shares[most]) for s, most, shares in best if most]

    def deals(self) -> tuple[Array, Array]:
        """Return int64[deals, players], packed hands of all others together, and their chances."""
        return all_deals(self.dealt.tables)


def beliefs_of(rules: LamaRules, position: Position, policies: Sequence[Policy]) -> Beliefs | None:
    """Return what the past of a position tells of the hands; None if nobody else has acted.

    policies: one for each seat.
    """
    past = position.past
    if past is None or all(turn.seat == past.seat for turn in past.turns):
        return None
    return _beliefs(rules, position, past, tuple(p.name for p in policies[1:]))


@lru_cache(maxsize=16)  # long lists: some 20 MB each at most
def _beliefs(
    rules: LamaRules, position: Position, past: Past, policies: tuple[str, ...]
) -> Beliefs | None:
    """Return the beliefs; policies: names, by which they are kept."""
    pack = Pack(rules, position.unseen(rules))
    others = []
    for seat, name in enumerate(policies, 1):
        models = models_of(read_policy(name, FAMILIES))
        believed = follow(rules, position, past, seat, models)
        if believed is None:
            return None
        others.append(believed)
    names = tuple(model.name for model in models)
    sizes = [player.hands.size for player in others]
    if np.prod(sizes, dtype=float) <= MOST_PAIRS or len(sizes) == 1:
        return _combined(rules, pack, others, names)
    return _sampled(rules, pack, others, names)


def models_of(policy: Policy) -> tuple[Policy, ...]:
    """Return the policy that is assumed, and those that a player may follow instead."""
    others = (read_policy(name, FAMILIES) for name in PLAYERS)
    return (policy, *(other for other in others if other != policy))


def shares_of(models: Sequence[Policy]) -> Array:
    """Return how likely each model is before anything is played."""
    rest = (1 - SHARE) / (len(models) - 1)
    return np.array([SHARE] + [rest] * (len(models) - 1))


def follow(
    rules: LamaRules,
    position: Position,
    past: Past,
    seat: int,
    models: Sequence[Policy],
    epsilon: float = EPSILON,
    shares: Array | None = None,
) -> Believed | None:
    """Return what one other player may hold; None if no hand fits.

    seat: counted from the one to decide. shares: of the models before anything is played.
    """
    turns = [t for t in past.turns if (t.seat - past.seat) % position.players == seat]
    tokens = any(any(turn.scores) or turn.pot for turn in past.turns)
    tables = tables_of(rules, models, tokens, players=position.players)
    trail, most = trail_of(rules, position, past, seat, turns)
    keys = Pack(rules, most).hands_of(rules.dealt).keys
    room = max(keys.size, min(_most_listed(trail), MOST_HANDS * trail.kinds.size))
    hands, weights = np.zeros(room, np.int64), np.zeros((len(models), room))
    hands[: keys.size] = keys
    prior = shares_of(models) if shares is None else shares
    weights[:, : keys.size] = prior[:, None] / _orders(keys, trail.kinds)
    count, thinned = beliefs.follow(
        rules.columns, tables, policy_rows(models), epsilon, position.players, trail,
        MOST_HANDS, hands, weights, keys.size,
    )  # fmt: skip
    hands, weights = hands[:count], weights[:, :count]
    weights = weights * Pack(rules, position.unseen(rules)).ways(hands)
    kept = weights.sum(axis=0) > 0
    hands, weights = hands[kept], weights[:, kept]
    if not hands.size:
        return None
    total = weights.sum()
    cards = position.opponents[seat - 1].cards
    return Believed(cards, hands, weights.sum(axis=0) / total, weights / total, bool(thinned))


def _most_listed(trail: TrailTables) -> int:
    """Return how many hands can be possible after a draw at most, of any number of cards."""
    counts = np.ones(1)
    for most in trail.bounds.max(axis=0, initial=0):
        counts = np.convolve(counts, np.ones(most + 1))
    return int(counts.max())


def _orders(keys: Array, kinds: Array) -> Array:
    """Return the product of the factorials of the cards of each kind, for hands."""
    products = np.ones(keys.size)
    factorials = np.array([factorial(n) for n in range(16)], float)
    for kind in kinds:
        products *= factorials[keys >> int(kind) & 15]
    return products


def trail_of(
    rules: LamaRules, position: Position, past: Past, seat: int, turns: Sequence[Turn]
) -> tuple[TrailTables, tuple[int, ...]]:
    """Return the actions of a player as they are followed, and the most cards dealt by kind."""
    players, unseen = position.players, position.unseen(rules)
    kinds = sorted(k for k in range(KINDS) if rules.deck[k])
    kinds.sort(key=lambda k: rules.shifts[k])
    # Backwards: what others have not played yet may be in hands, and in this one if it plays it.
    later: Counter[int] = Counter()
    mine: Counter[int] = Counter()
    bounds, ways = [], []
    for turn in reversed(past.turns):
        if turn.seat == past.seat:
            continue
        own = (turn.seat - past.seat) % players == seat
        if own:
            bounds.append([unseen[k] + mine[k] for k in kinds])
        if turn.move >= 0:
            later[turn.move] += 1
            mine[turn.move] += own
        if own:  # a card that is played now is still in the hand
            ways.append([falling(unseen[k] + later[k])[: beliefs.COUNTS] for k in kinds])
    trail = TrailTables(
        tables=np.array(_tables(rules, past, turns), dtype=np.int64).reshape(
            len(turns), policy_kernels.TABLE_SIZE
        ),
        moves=np.array([t.move if t.move < 0 else rules.shifts[t.move] for t in turns], np.int64),
        others=np.array([players - 1 - len(turn.quitters) for turn in turns], np.int64),
        bounds=np.array(bounds[::-1], np.int64).reshape(len(turns), len(kinds)),
        ways=np.array(ways[::-1]).reshape(len(turns), len(kinds), beliefs.COUNTS),
        kinds=np.array([rules.shifts[k] for k in kinds], np.int64),
    )
    return trail, tuple(unseen[k] + mine[k] for k in range(KINDS))


@cache
def falling(there: int) -> Array:
    """Return, by the number of cards taken in order, the ways to take them."""
    return np.array([perm(there, n) for n in range(2 * beliefs.COUNTS)], float)


@cache
def _fits(there: int) -> Array:
    """Return `HeldTables.fits` of a kind with this number of unseen cards."""
    ways, some = falling(there), np.arange(beliefs.COUNTS)
    apart = np.outer(ways[some], ways[some])
    together: Array = ways[some[:, None] + some] / np.where(apart > 0, apart, 1.0)
    return together


def _tables(rules: LamaRules, past: Past, turns: Sequence[Turn]) -> list[Array]:
    """Return the table of the compiled loop before each action of a player, who is seat 0."""
    return [_table(rules, turn, past.turns[: past.turns.index(turn)]) for turn in turns]


def _table(rules: LamaRules, turn: Turn, before: tuple[Turn, ...]) -> Array:
    """Return the table of the compiled loop before an action, no hand known; it is seat 0's."""
    seats = [(turn.seat + step) % len(turn.cards) for step in range(len(turn.cards))]
    seen = Position(
        hand=NO_CARDS,
        top=turn.top,
        opponents=tuple(Opponent(turn.cards[s], s in turn.quitters) for s in seats[1:]),
        pile=turn.pile,
        seen=turn.seen,
        pot=turn.pot,
        running=turn.running,
        scores=tuple(turn.scores[s] for s in seats),
        past=Past(turn.seat, before),
    )
    return root_table(rules, seen)


def _combined(
    rules: LamaRules, pack: Pack, others: Sequence[Believed], models: tuple[str, ...]
) -> Beliefs | None:
    """Return beliefs in which all hands are combined."""
    hands_of_each = [Hands(p.hands, p.chances / pack.ways(p.hands)) for p in others]
    seats = range(1, len(others) + 1)
    dealt = link(rules, pack, seats, hands_of_each)
    if dealt is None:
        return None
    # A list that was thinned out gives chances that are more exact than those of PARTICLES deals.
    sampled = PARTICLES if any(player.thinned for player in others) else 0
    return Beliefs(tuple(others), models, sampled, dealt)


def all_deals(tables: QuitterTables) -> tuple[Array, Array]:
    """Return all deals of a tree of hands, and their chances."""
    first, upto = tables.first, tables.upto
    chance = np.diff(upto, prepend=0.0)
    chance[first[:-1][np.diff(first) > 0]] = upto[first[:-1][np.diff(first) > 0]]
    top = len(first) - 2
    entries = np.arange(first[top], first[top + 1])
    nodes, weights = tables.following[entries], chance[entries]
    columns: list[Array] = []
    for _ in tables.seats:
        sizes = first[nodes + 1] - first[nodes]
        starts = np.repeat(first[nodes] - np.concatenate(([0], np.cumsum(sizes)[:-1])), sizes)
        entries = np.arange(sizes.sum()) + starts
        columns = [np.repeat(column, sizes) for column in columns]
        columns.append(tables.hands[entries])
        weights = np.repeat(weights, sizes) * chance[entries]
        nodes = tables.following[entries]
    return np.stack(columns[::-1], axis=1), weights


def _sampled(
    rules: LamaRules, pack: Pack, others: Sequence[Believed], models: tuple[str, ...]
) -> Beliefs | None:
    """Return beliefs in which hands are dealt together, PARTICLES times."""
    sizes = [player.hands.size for player in others]
    upto = np.concatenate([np.cumsum(player.chances) for player in others])
    held = HeldTables(
        first=np.concatenate(([0], np.cumsum(sizes))),
        hands=np.concatenate([player.hands for player in others]),
        upto=upto,
        kinds=np.array([shift for shift, _ in pack.kinds], np.int64),
        fits=np.array([_fits(there) for _, there in pack.kinds]),
    )
    for deals, tries in ((PARTICLES, TRIES), (FEWER, 0)):
        dealt, weights = np.zeros((len(others), deals), np.int64), np.zeros(deals)
        beliefs.deal_together(held, SEED, tries, dealt, weights)
        total = weights.sum()
        if total > 0 and total**2 >= ENOUGH * np.square(weights).sum():
            break
    if not total > 0:
        return None
    kept = weights > 0
    quitters = _as_quitters(rules, pack, dealt.T[kept], weights[kept] / total)
    return Beliefs(tuple(others), models, int(kept.sum()), replace(quitters, held=held))


def known_hands(rules: LamaRules, position: Position, hands: Sequence[int]) -> Quitters:
    """Return the hands of all others as rollouts deal them, if these are theirs for sure."""
    pack = Pack(rules, position.unseen(rules))
    return _as_quitters(rules, pack, np.array([hands], np.int64), np.ones(1))


def _as_quitters(rules: LamaRules, pack: Pack, deals: Array, weights: Array) -> Quitters:
    """Return deals as a tree of hands, in which each deal has a branch of its own."""
    count, players = deals.shape
    # Nodes: an empty one, then those of the first player, of the second, … and the root.
    first = np.concatenate(([0], np.arange(count * players + 1), [count * (players + 1)]))
    step = np.arange(count)
    following = [np.zeros(count, np.int64)]
    following += [1 + count * at + step for at in range(players)]
    hands = [deals[:, at] for at in range(players)] + [np.zeros(count, np.int64)]
    upto = [np.ones(count)] * players + [np.cumsum(weights)]
    left = []
    for shift in rules.shifts:
        there = dict(pack.kinds).get(shift, 0)
        left.append(there - float(weights @ (deals >> shift & 15).sum(axis=1)))
    tables = QuitterTables(
        seats=np.arange(1, players + 1),
        first=first,
        following=np.concatenate(following),
        hands=np.concatenate(hands),
        upto=np.concatenate(upto),
    )
    return Quitters(tables, tuple(left))


# What each other player probably holds, as `odds` shows it.


def held_by_others(
    rules: LamaRules, position: Position, policies: Sequence[Policy]
) -> HeldByOthers | None:
    """Return what the others probably hold, by what they did; None if nobody else has acted."""
    belief = beliefs_of(rules, position, policies)
    if belief is None:
        return None
    kinds = [kind for kind in range(KINDS) if rules.deck[kind]]
    playable = int(rules.playable[rules.places[position.top // 2]])
    chances = belief.holding([*(0xF << rules.shifts[kind] for kind in kinds), playable])
    players = []
    for at, (other, shares) in enumerate(zip(position.opponents, belief.shares, strict=True)):
        *held, plays = map(belief.estimate, chances[at])
        players.append(
            Held(
                opponent=at + 1,
                cards=other.cards,
                quit=other.quit,
                holds={NAMES[kind]: chance for kind, chance in zip(kinds, held, strict=True)},
                can_play=None if other.quit else plays,
                models=dict(zip(belief.models, shares, strict=True)),
            )
        )
    return HeldByOthers(tuple(players), belief.notes)
