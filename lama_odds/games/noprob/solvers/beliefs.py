"""What the others' turns tell of cards that they have looked at: listed, weighed, redrawn.

At the start each player looks at some own cards. A player who knows a 7 puts sevens beside it. The
weight of a hand (see `engine.beliefs`) is found for each player separately, because a
player's turns depend on nothing else that is hidden. Cards that nobody has looked at are as likely
as any unseen cards: no turn can depend on them.

Players may not be like the policy that is assumed. So each is a mixture: the policy with a share of
SHARE, the policy if it had looked at other cards, and PLAYERS. What a player does shifts the
shares. A player like none of them would still seem to be one of them, with cards that fit by
chance, and more surely so with every turn. So chances are raised to the power of POWER before they
are compared: what a player does counts as if it were fewer turns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from lama_odds.core.estimate import Estimate
from lama_odds.core.language import say
from lama_odds.core.policies import Policy, read_policy
from lama_odds.core.wording import decimal, in_percent
from lama_odds.games.interface.objectives import Held, HeldByOthers
from lama_odds.games.noprob.engine import kernels
from lama_odds.games.noprob.engine.learned import HeldTables, TrailTables
from lama_odds.games.noprob.policies import FAMILIES, policy_rows, tables_of
from lama_odds.games.noprob.rules import transition
from lama_odds.games.noprob.rules.odds import cell_name
from lama_odds.games.noprob.rules.position import Past, Position
from lama_odds.games.noprob.rules.ruleset import CELLS, NoprobRules
from lama_odds.games.noprob.rules.transition import (
    DRAMA,
    KINDS,
    UNKNOWN,
    pack_up,
    unpacked,
    with_card,
)

# Chosen on trial games, for tables like and unlike the policy. `tools/publish noprob-beliefs`
# measures what other values would save or cost.
EPSILON = 0.02
SHARE = 0.5
POWER = 0.7
PLAYERS = ("planner:chase=40,lead=6,deny=18,haste=6", "random")

MOST_CELLS = 2  # cards of a player that are face down and known to it: all hands are listed
MOST_DEALS = 20_000  # of hands that are combined one by one
SAMPLED = 16_384
STEPS = tuple(n**0.5 % 1.0 for n in (2, 3, 5, 7, 11))  # of each player: what represents all deals
LEAST = 1e-300
UNKNOWN_GRID = sum(UNKNOWN << 4 * cell for cell in range(CELLS))

Array = np.ndarray


@dataclass(frozen=True)
class Believed:
    """Hands that another player may hold, and what it plays like.

    hidden: mask of the cells. hands: int64[n], kinds in these cells.
    chances: float64[n], of each if nobody else held cards.
    shares: of each model in `Beliefs.models`.
    """

    hidden: int
    hands: Array
    chances: Array
    shares: tuple[float, ...]

    @property
    def cells(self) -> list[int]:
        """The cells."""
        return [cell for cell in range(CELLS) if self.hidden >> cell & 1]

    @property
    def mask(self) -> int:
        """A grid with all ones in the cells."""
        return sum(15 << 4 * cell for cell in self.cells)


@dataclass(frozen=True)
class Beliefs:
    """What all others probably hold. players: in turn order. models: names of the policies."""

    players: tuple[Believed, ...]
    models: tuple[str, ...]
    tables: HeldTables

    @property
    def listed(self) -> bool:
        """Whether all deals are listed; otherwise SAMPLED of them represent all."""
        return all_listed(self.players)

    @property
    def notes(self) -> tuple[str, ...]:
        """How the cards are found, in words."""
        return (
            say(
                "cards that the others have looked at are drawn by what they did this round, all "
                "other unseen cards at random"
            ),
            say(
                "each of them is assumed to play {policy} with a chance of {share} at first, or "
                "else {others}. What a player does shifts that, and {random} of all choices are "
                "made at random. Turns tell {power} of what they would, as players may be like "
                "none of these",
                policy=self.models[0],
                share=in_percent(f"{100 * SHARE:.0f}"),
                others=", ".join(self.models[1:]),
                random=in_percent(decimal(f"{100 * EPSILON:g}")),
                power=in_percent(f"{100 * POWER:.0f}"),
            ),
        )


def all_listed(players: Sequence[Believed]) -> bool:
    """Return whether all combinations of the players' hands are listed."""
    return bool(np.prod([player.hands.size for player in players], dtype=float) <= MOST_DEALS)


def nothing_held(seats: int) -> HeldTables:
    """Return the tables of a position without inference."""
    none, by_seat = np.zeros((0, seats), np.int64), np.zeros(seats, np.int64)
    return HeldTables(np.zeros(0), none, none[:, :2].copy(), by_seat, by_seat)


def all_known(hidden: Sequence[int]) -> HeldTables:
    """Return the tables of the one deal in which the others have looked at these cards.

    hidden: their grids in turn order, UNKNOWN wherever it is not such a card face down.
    """
    grids = [unpacked(grid) for grid in (UNKNOWN_GRID, *hidden)]
    looked = [sum(1 << c for c in range(CELLS) if grid[c] != UNKNOWN) for grid in grids]
    cells = np.array([sum(15 << 4 * c for c in range(CELLS) if m >> c & 1) for m in looked])
    counts = [sum(grid.count(kind) for grid in grids) for kind in range(KINDS)]
    return HeldTables(
        upto=np.ones(1),
        hands=np.array([[UNKNOWN_GRID, *hidden]]) & cells,
        packs=np.array([pack_up(counts)]),
        cells=cells,
        looked=np.array(looked),
    )


def held_tables(
    rules: NoprobRules, position: Position, policies: Sequence[Policy], hidden: Sequence[int] = ()
) -> HeldTables:
    """Return the deals that rollouts draw from; hidden: what the others have looked at, if known.

    policies: one for each seat.
    """
    if hidden:
        return all_known(hidden)
    believed = beliefs_of(rules, position, policies)
    return nothing_held(position.players) if believed is None else believed.tables


def beliefs_of(
    rules: NoprobRules, position: Position, policies: Sequence[Policy]
) -> Beliefs | None:
    """Return what the past of a position tells of the others' cards; None if nothing.

    policies: one for each seat.
    """
    past = position.past
    if past is None or not told_of_all(past):
        return None
    if all(entry & 15 == past.seat for entry in past.turns):
        return None
    ways = ways_of(rules, position)
    return _beliefs(rules, past, ways, tuple(policy.name for policy in policies[1:]))


def told_of_all(past: Past) -> bool:
    """Return whether a record says which cards the others have looked at."""
    return all(mask for seat, mask in enumerate(past.looked) if seat != past.seat)


def ways_of(rules: NoprobRules, position: Position) -> tuple[int, ...]:
    """Return the cards that may be what others have looked at, by kind: no discard ever again."""
    assert position.past is not None
    mine = position.grids[0]
    known = [k for k, up in zip(mine.cards, mine.up, strict=True) if not up and k != UNKNOWN]
    pool = position.pool(rules)
    return tuple(min(n - known.count(k), pool[k]) for k, n in enumerate(position.past.closed))


@lru_cache(maxsize=64)
def _beliefs(
    rules: NoprobRules, past: Past, ways: tuple[int, ...], policies: tuple[str, ...]
) -> Beliefs | None:
    """Return the beliefs; policies: names, by which they are kept."""
    players = []
    models: tuple[Policy, ...] = ()
    for step, name in enumerate(policies, 1):
        models = models_of(read_policy(name, FAMILIES))
        seat = (past.seat + step) % len(past.looked)
        believed = weighed(*_followed(rules, past, seat, name), ways, shares_of(models))
        if believed is None:
            return None
        players.append(believed)
    if not any(player.hidden for player in players):
        return None
    names = (models[0].name, f"{models[0].name}, other cards known", *(m.name for m in models[1:]))
    dealt = _dealt_together(past, players, ways)
    return Beliefs(tuple(players), names, dealt) if dealt.upto.size else None


def models_of(policy: Policy) -> tuple[Policy, ...]:
    """Return the policy that is assumed, and those that a player may follow instead."""
    others = (read_policy(name, FAMILIES) for name in PLAYERS)
    return (policy, *(other for other in others if other != policy))


def shares_of(models: Sequence[Policy]) -> Array:
    """Return how likely each model is at first, as `follow` orders them: the blind one last."""
    rest = (1 - SHARE) / len(models)
    return np.array([SHARE] + [rest] * len(models))


@lru_cache(maxsize=64)
def _followed(rules: NoprobRules, past: Past, seat: int, policy: str) -> tuple[int, Array, Array]:
    """Return what `follow` finds with the constants; kept, as it does not depend on the viewer."""
    return follow(rules, past, seat, models_of(read_policy(policy, FAMILIES)), EPSILON)


def follow(
    rules: NoprobRules, past: Past, seat: int, models: Sequence[Policy], epsilon: float
) -> tuple[int, Array, Array]:
    """Return the cells, the hands of a player, and the logarithms of their weights.

    These are float64[models + 1, hands]; the last row is that of the first model if it had looked
    at other cards. If too many cells are left to list all hands, no cell counts as hidden.
    """
    shown = _turned_up(past, seat)
    cells = [c for c in range(CELLS) if past.looked[seat] >> c & 1 and c not in shown]
    if len(cells) > MOST_CELLS:
        cells = []
    hands = np.zeros(1, np.int64)
    for cell in cells:
        hands = (hands[:, None] | np.arange(KINDS) << 4 * cell).ravel()
    weights, scales = np.ones((len(models) + 1, hands.size)), np.zeros(len(models) + 1)
    hidden = sum(1 << cell for cell in cells)
    if cells:
        seats = len(past.looked)
        trail = TrailTables(seat, past.looked[seat], hands, np.array(past.turns, np.int64), epsilon)
        rows = policy_rows(models)
        kernels.follow(
            rules.columns, tables_of(rules, models, seats=seats),
            np.zeros((seats, rows.shape[1]), np.int64), rows, trail,
            _dealt(rules, past, seat, shown, hidden), weights, scales,
        )  # fmt: skip
    with np.errstate(divide="ignore"):
        return hidden, hands, np.log(weights) + scales[:, None]


def _turned_up(past: Past, seat: int) -> dict[int, int]:
    """Return the cards that a player has turned up, by cell."""
    cards: dict[int, int] = {}
    for entry in past.turns:
        kind, place, replaced = entry >> 8 & 15, entry >> 12 & 15, entry >> 16
        if entry & 15 == seat and kind < DRAMA and place < CELLS:
            cards.setdefault(place, replaced)
    return cards


def _dealt(rules: NoprobRules, past: Past, seat: int, shown: dict[int, int], hidden: int) -> Array:
    """Return the table of the compiled loop as it was dealt, with what a player has shown later."""
    seats = len(past.looked)
    table = np.zeros(transition.TABLE_SIZE, np.int64)
    for other in range(seats):
        grid = 0
        for cell in range(CELLS):
            kind = shown.get(cell, UNKNOWN) if other == seat else UNKNOWN
            grid = with_card(grid, cell, 0 if other == seat and hidden >> cell & 1 else kind)
        table[transition.GRID + other] = grid
    table[transition.PILE] = rules.cards - CELLS * seats - 1
    table[transition.HEIGHT] = 1
    table[transition.STACK] = past.top
    table[transition.UNSEEN] = rules.columns[transition.DECK] - (1 << 4 * past.top)
    table[transition.LAST] = table[transition.CLOSER] = -1
    return table


def weighed(
    hidden: int,
    hands: Array,
    logs: Array,
    ways: Sequence[int],
    shares: Array,
    power: float = POWER,
) -> Believed | None:
    """Return hands with their chances, from what is followed; None if no hand fits.

    ways: cards of each kind that they may be. shares: of the models at first.
    """
    dealt = np.ones(hands.size)
    counts = np.tile(np.array(ways, float), (hands.size, 1))
    row = np.arange(hands.size)
    for cell in range(CELLS):
        if hidden >> cell & 1:
            kinds = hands >> 4 * cell & 15
            dealt *= np.maximum(counts[row, kinds], 0.0)
            counts[row, kinds] -= 1
    joint = np.exp(power * (logs - logs.max())) * shares[:, None] * dealt
    total = joint.sum()
    if not total > 0:
        return None
    by_model = joint.sum(axis=1) / total
    chances = joint.sum(axis=0) / total
    kept = chances > 0
    named = (by_model[0], by_model[-1], *by_model[1:-1])
    return Believed(hidden, hands[kept], chances[kept], tuple(float(share) for share in named))


def _dealt_together(past: Past, players: Sequence[Believed], ways: Sequence[int]) -> HeldTables:
    """Return hands of all players together, with the chances that the common deck gives them.

    If there are few, they are all listed. Otherwise some represent them, spread evenly.
    """
    seats = len(past.looked)
    if all_listed(players):
        sizes = [player.hands.size for player in players]
        chosen = [index.ravel() for index in np.indices(sizes)]
        weights = np.ones(chosen[0].size)
        for player, at in zip(players, chosen, strict=True):
            weights = weights * player.chances[at]
    else:
        points = np.arange(1, SAMPLED + 1)
        chosen = [
            np.searchsorted(np.cumsum(player.chances)[:-1], points * step % 1.0, "right")
            for player, step in zip(players, STEPS, strict=False)
        ]
        weights = np.ones(SAMPLED)
    counts = np.zeros((weights.size, KINDS), np.int64)
    hands = np.zeros((weights.size, seats), np.int64)
    rows = np.arange(weights.size)
    for seat, (player, at) in enumerate(zip(players, chosen, strict=True), 1):
        hands[:, seat] = player.hands[at]
        alone = np.zeros_like(counts)
        for cell in player.cells:
            kinds = hands[:, seat] >> 4 * cell & 15
            here = np.array(ways)[kinds]
            together = np.maximum(here - counts[rows, kinds], 0)
            weights = weights * together / (here - alone[rows, kinds])
            counts[rows, kinds] += 1
            alone[rows, kinds] += 1
    kept = weights > 0
    looked = [past.looked[(past.seat + step) % seats] for step in range(seats)]
    return HeldTables(
        upto=np.cumsum(weights[kept]) / max(weights.sum(), LEAST),
        hands=hands[kept],
        packs=_packs(counts[kept]),
        cells=np.array([0, *(player.mask for player in players)]),
        looked=np.array(looked),
    )


def _packs(counts: Array) -> Array:
    """Return int64[n, 2], `pack_up` of int64[n, KINDS]."""
    kinds = np.array([pack_up([int(k == kind) for k in range(KINDS)]) for kind in range(KINDS)])
    packs: Array = counts @ kinds
    return packs


# What the others' turns tell of cards that they know and have face down, as `odds` shows it.


def held_by_others(
    rules: NoprobRules, position: Position, policies: Sequence[Policy]
) -> HeldByOthers | None:
    """Return what the others' known cards probably are; None if nothing is inferred."""
    beliefs = beliefs_of(rules, position, policies)
    if beliefs is None:
        return None
    weights = np.diff(beliefs.tables.upto, prepend=0.0)
    deals = 0 if beliefs.listed else SAMPLED
    players = []
    for at, player in enumerate(beliefs.players, 1):
        hands = beliefs.tables.hands[:, at]
        kinds = {cell: hands >> 4 * cell & 15 for cell in player.cells}
        players.append(
            Held(
                opponent=at,
                cards=len(kinds),
                quit=False,
                holds=_chances(rules, deals, weights, list(kinds.values())),
                can_play=None,
                models=dict(zip(beliefs.models, player.shares, strict=True)),
                cells={
                    cell_name(cell): _chances(rules, deals, weights, [there])
                    for cell, there in kinds.items()
                },
            )
        )
    return HeldByOthers(tuple(players), beliefs.notes)


def _chances(
    rules: NoprobRules, deals: int, weights: np.ndarray, cells: Sequence[np.ndarray]
) -> Mapping[str, Estimate]:
    """Return the chance of each kind that may be in any of some cells.

    deals: how many were sampled; 0: all are listed.
    """
    chances = {}
    for kind in range(KINDS):
        there = np.zeros(weights.size, dtype=bool)
        for kinds in cells:
            there |= kinds == kind
        chance = float(weights @ there)
        if chance:
            chances[rules.names[kind]] = Estimate.share(chance, deals)
    return chances
