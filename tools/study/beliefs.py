"""How much the others' play tells of their cards: reports/beliefs.md and reports/beliefs.csv.

First rounds are played at three kinds of tables. In each, one decision is picked at random, and
what its player can infer about the others' hands is compared to the hands that they really held.
The same is done for what `advise` assumes without a past: unseen cards at random, players who have
quit with hands that the model would quit with.
"""

from __future__ import annotations

import math
import random
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import comb
from typing import Any

import numpy as np

from lab.best_response import Response, best_response
from lama_odds.core.policies import Policy
from lama_odds.games.lama.game import GAME
from lama_odds.games.lama.policies.catalogue import tables_of
from lama_odds.games.lama.records.record import read_record
from lama_odds.games.lama.rules.position import Position
from lama_odds.games.lama.rules.ruleset import VALUES, LamaRules
from lama_odds.games.lama.solvers import beliefs
from lama_odds.games.lama.solvers.hidden_hands import find_quitters, root_table
from tools.publishing.target import EQUITY, POLICIES, Making, Target

RULES = "lama/amigo"
PLAYED, ROLLOUTS = "lama/egmont", 1_024  # of best responses, as in reports/best_response.md
BEST = "best"
TABLES = {
    "all play best": (BEST,),
    "rules of thumb": ("threshold:4", "matching:10", "threshold:8", "matching:6"),
    "mixed": (BEST, "threshold:8", "random", "matching:6"),
}
STAGES = ("first turns", "middle", "late")  # by the actions of a player so far: 1, 2 to 4, more
EPSILONS = (0.001, 0.005, 0.01, 0.02, 0.05, 0.1)
SHARES = (0.25, 0.5, 0.75, 0.9)
LEAST = 0.001  # chances below this, and above 1 minus this, count as this
BINS = 10
HOLDS, PLAYS = "holds a card", "can play now"
LEFT = "has quit with a card"
PAST, EVEN = "from play", "at random"


@dataclass
class Scored:
    """Chances that were stated, and whether each came true, of one decision."""

    players: int
    table: str
    stage: str
    told: dict[tuple[str, str], list[tuple[float, bool]]] = field(default_factory=dict)
    seconds: float = 0.0

    def loss(self, what: str, how: str) -> float:
        """The mean log loss of one kind of statement."""
        return float(np.mean([log_loss(p, true) for p, true in self.told[what, how]]))


def log_loss(chance: float, true: bool) -> float:
    """Minus the logarithm of the chance given to what was the case."""
    stated = chance if true else 1 - chance
    return -math.log(min(1 - LEAST, max(stated, LEAST)))


@dataclass(frozen=True)
class Look:
    """A decision: what its player knows, and what the others hold."""

    position: Position
    hands: tuple[int, ...]
    stage: str


def looks(rules: LamaRules, policies: Sequence[Policy], seed: int, game: int) -> Iterator[Look]:
    """One decision of a first round, if others have acted before any."""
    lines = GAME.record(rules, policies, seed, game, True).splitlines()
    begin = next(i for i, line in enumerate(lines) if line.startswith("top")) + 1
    end = next(i for i, line in enumerate(lines) if line.startswith("end"))
    ahead = range(begin + len(policies), end)
    if not ahead:
        return
    cut = random.Random(f"{seed} {game}").choice(ahead)
    state = read_record("\n".join(lines[:cut])).rounds[-1]
    position = GAME.position_after(rules, "\n".join(lines[:cut]))
    if not position.others_in:
        return
    seats = [(state.seat + step) % len(policies) for step in range(1, len(policies))]
    acted = (cut - begin) / len(policies)
    stage = STAGES[0 if acted < 2 else 1 if acted < 5 else 2]
    yield Look(position, tuple(rules.pack(state.hands[seat]) for seat in seats), stage)


def masks_of(rules: LamaRules, position: Position) -> list[int]:
    """The bits of the cards of each value, then those of all that can be played now."""
    values = [
        0xF << rules.shifts[2 * value] | 0xF << rules.shifts[2 * value + 1]
        for value in range(VALUES)
    ]
    return [*values, int(rules.playable[rules.places[position.top // 2]])]


def from_play(
    rules: LamaRules, position: Position, model: Policy, masks: Sequence[int]
) -> list[list[float]]:
    """Chances that each other player holds any card of each mask."""
    found = beliefs.beliefs_of(rules, position, [model] * position.players)
    assert found is not None, "others have acted"
    deals, weights = found.deals()
    return [[float(weights @ (deals[:, j] & mask != 0)) for mask in masks] for j in columns(deals)]


def columns(deals: np.ndarray) -> range:
    """The players of some deals."""
    return range(deals.shape[1])


def at_random(
    rules: LamaRules, position: Position, model: Policy, masks: Sequence[int]
) -> list[list[float]]:
    """The same as `advise` assumes without a past, exactly."""
    policies = [model] * position.players
    root = root_table(rules, position)
    quitters = find_quitters(
        rules, position, policies, tables_of(rules, policies, tokens=False), root
    )
    unseen = position.unseen(rules)
    quit_seats = quitters.tables.seats.tolist()
    if quit_seats:
        deals, weights = beliefs.all_deals(quitters.tables)
    else:
        deals, weights = np.zeros((1, 0), np.int64), np.ones(1)
    rest = sum(unseen) - sum(position.opponents[s - 1].cards for s in quit_seats)
    found = []
    for seat, other in enumerate(position.opponents, 1):
        if other.quit:
            held = deals[:, quit_seats.index(seat)]
            found.append([float(weights @ (held & mask != 0)) for mask in masks])
            continue
        chances = []
        for mask in masks:
            there = sum(
                n for n, shift in zip(unseen, rules.shifts, strict=True) if mask >> shift & 1
            )
            gone = sum(
                (deals >> shift & 15).sum(axis=1) for shift in rules.shifts if mask >> shift & 1
            )
            left = np.bincount(there - gone, weights, there + 1)
            none = sum(
                w * comb(rest - n, other.cards) / comb(rest, other.cards)
                for n, w in enumerate(left)
                if w
            )
            chances.append(1 - none)
        found.append(chances)
    return found


def score(rules: LamaRules, look: Look, model: Policy, players: int, table: str) -> Scored:
    """What was stated of one decision, in both ways."""
    position = look.position
    masks = masks_of(rules, position)
    began = time.process_time()
    told = {PAST: from_play(rules, position, model, masks)}
    scored = Scored(players, table, look.stage, seconds=time.process_time() - began)
    told[EVEN] = at_random(rules, position, model, masks)
    for how, chances in told.items():
        for at, hand in enumerate(look.hands):
            what = LEFT if position.opponents[at].quit else HOLDS
            for mask, chance in zip(masks[:-1], chances[at][:-1], strict=True):
                scored.told.setdefault((what, how), []).append((chance, bool(hand & mask)))
            if not position.opponents[at].quit:
                true = bool(hand & masks[-1])
                scored.told.setdefault((PLAYS, how), []).append((chances[at][-1], true))
    return scored


def seated(rules: LamaRules, table: str, players: int, game: int) -> list[Policy]:
    """The policies of a table, moved on by a seat from game to game."""
    names = TABLES[table]
    best = GAME.best_policy(rules, players)
    named = [names[(seat + game) % len(names)] for seat in range(players)]
    return [best if name == BEST else GAME.policy(name) for name in named]


def play(making: Making, rules: LamaRules) -> list[Scored]:
    """All decisions scored."""
    found = []
    for table in TABLES:
        for players in range(2, int(making["players"]) + 1):
            model = GAME.best_policy(rules, players)
            for game in range(int(making["games"])):
                policies = seated(rules, table, players, game)
                for look in looks(rules, policies, int(making["seed"]), game):
                    found.append(score(rules, look, model, players, table))
            making.tell(f"{table}, {players} players")
    return found


def fits(making: Making, rules: LamaRules) -> dict[tuple[float, float], list[float]]:
    """Log losses of the hand that a player held, by epsilon and share, games of all tables alike.

    Fresh games: not those that are scored.
    """
    found: dict[tuple[float, float], list[float]] = defaultdict(list)
    for table in TABLES:
        for players in (2, 4):
            models = beliefs.models_of(GAME.best_policy(rules, players))
            for game in range(int(making["fits"])):
                policies = seated(rules, table, players, game)
                for look in looks(rules, policies, int(making["seed"]) + 1, game):
                    seat = 1 + game % (players - 1)
                    for epsilon in EPSILONS:
                        for share in SHARES:
                            loss = hand_loss(rules, look, seat, models, epsilon, share)
                            found[epsilon, share].append(loss)
        making.tell(f"fit: {table}")
    return found


def hand_loss(
    rules: LamaRules, look: Look, seat: int, models: Sequence[Policy], epsilon: float, share: float
) -> float:
    """Minus the logarithm of the chance given to the hand that a player held."""
    position = look.position
    assert position.past is not None
    rest = (1 - share) / (len(models) - 1)
    shares = np.array([share] + [rest] * (len(models) - 1))
    found = beliefs.follow(rules, position, position.past, seat, models, epsilon, shares)
    assert found is not None
    at = int(np.searchsorted(found.hands, look.hands[seat - 1]))
    there = at < found.hands.size and found.hands[at] == look.hands[seat - 1]
    return -math.log(max(float(found.chances[at]) if there else 0.0, 1e-9))


def mean_of(values: Sequence[float]) -> tuple[float, float]:
    """Mean and standard error."""
    if len(values) < 2:
        return (float(np.mean(values)) if values else math.nan), math.nan
    return float(np.mean(values)), float(np.std(values, ddof=1) / math.sqrt(len(values)))


def losses(found: Sequence[Scored], what: str) -> list[tuple[float, float]]:
    """Mean log loss at random and from play, and what the latter saves; each with its error."""
    there = [scored for scored in found if (what, PAST) in scored.told]
    even = [scored.loss(what, EVEN) for scored in there]
    past = [scored.loss(what, PAST) for scored in there]
    saved = [a - b for a, b in zip(even, past, strict=True)]
    return [mean_of(even), mean_of(past), mean_of(saved)]


def groups(found: Sequence[Scored]) -> Iterator[tuple[str, str, str, list[Scored]]]:
    """Table, players and stage of each row of the page, and its decisions."""
    for table in TABLES:
        here = [scored for scored in found if scored.table == table]
        for players in sorted({scored.players for scored in here}):
            yield table, str(players), "all", [s for s in here if s.players == players]
        for stage in STAGES:
            yield table, "all", stage, [s for s in here if s.stage == stage]


def calibration(found: Sequence[Scored], what: str, how: str) -> list[tuple[int, float, float]]:
    """By tenths of the stated chance: statements, mean chance stated, share that came true."""
    told = [one for scored in found for one in scored.told.get((what, how), [])]
    rows = []
    for at in range(BINS):
        inside = [one for one in told if min(int(one[0] * BINS), BINS - 1) == at]
        if inside:
            stated, true = (float(np.mean([one[k] for one in inside])) for k in (0, 1))
            rows.append((len(inside), stated, true))
    return rows


def off(rows: Sequence[tuple[int, float, float]]) -> float:
    """The mean distance of stated chances from what came true, by tenths."""
    total = sum(n for n, _, _ in rows)
    return sum(n * abs(stated - true) for n, stated, true in rows) / total


def seconds(found: Sequence[Scored]) -> str:
    """Processor time of a decision, by the number of players."""
    told = []
    for players in sorted({scored.players for scored in found}):
        spent = [1000 * s.seconds for s in found if s.players == players]
        told.append(f"{np.median(spent):.0f} ms ({players} players)")
    return ", ".join(told)


def response(making: Making, recalls: bool) -> Response:
    """What a player gains who thinks a step ahead, with or without inference from the round."""
    found = best_response(
        GAME,
        GAME.rules(PLAYED),
        2,
        "points",
        games=int(making["responses"]),
        most=ROLLOUTS,
        seed=int(making["seed"]),
        threads=making.threads,
        recalls=recalls,
    )
    making.tell(f"best response, {PAST if recalls else EVEN}")
    return found


def make(making: Making) -> None:
    """Score decisions, and write the page and the table."""
    rules: Any = GAME.rules(RULES)
    found = play(making, rules)
    making.tell(f"processor time for a decision: {seconds(found)}")
    fitted = fits(making, rules)
    responses = {how: response(making, how == PAST) for how in (EVEN, PAST)}
    from tools.study import beliefs_page

    making.write_rows("reports/beliefs.csv", beliefs_page.rows_of(found))
    page = beliefs_page.page_of(found, fitted, responses, making.made_by)
    making.write("reports/beliefs.md", page)


TARGET = Target(
    name="beliefs",
    what="what the others' play tells of their cards: log loss and calibration",
    make=make,
    writes=("reports/beliefs.md", "reports/beliefs.csv"),
    reads=(*POLICIES, *EQUITY),
    options={"games": 120, "fits": 100, "players": 6, "responses": 2_500, "seed": 11},
    quick={"games": 8, "fits": 4, "players": 3, "responses": 10},
)
