"""What turns tell of hidden cards in No Prob-Lama: reports/noprob_beliefs.md and its CSV.

First rounds are played at three kinds of tables. In each, one turn is picked at random. What its
player can infer of the cards that the others have looked at is compared to the cards that they
really have. Then rollouts say what the round will bring, with cards drawn in both ways, and the
rest of the round as it was played says what it did bring.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from lab.best_response import Response, best_response
from lama_odds.core.policies import Policy
from lama_odds.games.interface.capabilities import Situation
from lama_odds.games.interface.jobs import Effort
from lama_odds.games.interface.tally_layout import WIN
from lama_odds.games.noprob.game import GAME
from lama_odds.games.noprob.records.live import QUERY
from lama_odds.games.noprob.records.record import read_record
from lama_odds.games.noprob.records.round import Round
from lama_odds.games.noprob.rules.odds import legal_actions
from lama_odds.games.noprob.rules.position import Position
from lama_odds.games.noprob.rules.ruleset import CELLS, NoprobRules
from lama_odds.games.noprob.solvers import beliefs
from tools.publishing.target import POLICIES, Making, Target

RULES = "noprob/starnberger"
BEST = "learned"
PAGE, TABLE = "reports/noprob_beliefs.md", "reports/noprob_beliefs.csv"
TABLES = {
    "all play learned": (BEST,),
    "other policies": (
        "greedy",
        "low-cards:4",
        "planner:chase=40,lead=6,deny=18,haste=6",
        "low-cards:2",
    ),
    "mixed": (
        BEST,
        "greedy",
        "random",
        "low-cards:3",
        "planner:chase=20,lead=0,deny=0,haste=10",
    ),
}
EPSILONS = (0.005, 0.02, 0.05, 0.1)
POWERS = (1.0, 0.7, 0.5, 0.4, 0.3)
KNOWN, UNKNOWN = "its player knows", "nobody knows"
OUTCOMES = ("points", "round")
LEAST = 1e-6  # chances below this count as this


@dataclass(frozen=True)
class Look:
    """A turn: what its player knows, the state of the round, and how it ended for this player.

    turns: played by each so far. among: turns of the round that could have been picked. ended:
    penalty, and the share of the lowest total.
    """

    position: Position
    state: Round
    turns: int
    among: int
    ended: tuple[float, float]


@dataclass
class Scored:
    """A turn and what was stated there.

    told: for each card of a kind of cell, the chances of each kind of card at random and from play,
    and what it is. expected: by outcome, what rollouts expect in both ways.
    """

    players: int
    table: str
    turns: int
    among: int
    ended: tuple[float, float]
    seconds: float = 0.0
    told: dict[str, list[tuple[Any, Any, int]]] = field(default_factory=dict)
    expected: dict[str, tuple[float, float]] = field(default_factory=dict)
    best: tuple[str, str] = ("", "")
    lost: float = 0.0

    def losses(self, what: str) -> tuple[float, float, int]:
        """The sums of log loss at random and from play, and the number of cards."""
        told = self.told.get(what, [])
        even = sum(loss(chances[kind]) for chances, _, kind in told)
        past = sum(loss(chances[kind]) for _, chances, kind in told)
        return even, past, len(told)


def loss(chance: float) -> float:
    """The log loss of a chance given to what was the case."""
    return -math.log(max(float(chance), LEAST))


def look(rules: NoprobRules, policies: Sequence[Policy], seed: int, game: int) -> Look | None:
    """One turn of a first round, after everybody has had one; None if there is none."""
    lines = GAME.record(rules, policies, seed, game, True).splitlines()
    begin = next(i for i, line in enumerate(lines) if line.startswith("top")) + 1
    end = next((i for i, line in enumerate(lines) if line.startswith("end")), 0)
    ahead = range(begin + len(policies), end)
    if not ahead:
        return None
    cut = random.Random(f"{seed} {game}").choice(ahead)
    text = "\n".join(lines[:cut])
    state, whole = (read_record(t).rounds[-1] for t in (text, "\n".join(lines[: end + 2])))
    mine, lowest = whole.penalties[state.seat], min(whole.penalties)
    turns = (cut - begin) // len(policies)
    ended = (mine, float(mine == lowest))
    return Look(GAME.position_after(rules, text), state, turns, len(ahead), ended)


def seated(table: str, players: int, game: int) -> list[Policy]:
    """The policies of a table, moved on by a seat from game to game."""
    names = TABLES[table]
    return [GAME.policy(names[(seat + game) % len(names)]) for seat in range(players)]


def score(rules: NoprobRules, seen: Look, players: int, table: str) -> Scored | None:
    """What can be stated of the cards face down; None if nothing is inferred."""
    position, state = seen.position, seen.state
    began = time.process_time()
    found = beliefs.beliefs_of(rules, position, [GAME.policy(BEST)] * players)
    spent = time.process_time() - began
    scored = Scored(players, table, seen.turns, seen.among, seen.ended, spent)
    if found is None:
        return None
    ways = np.array(position.pool(rules), float)
    even = ways / ways.sum()
    for step, player in enumerate(found.players, 1):
        seat = (state.seat + step) % players
        for cell in range(CELLS):
            if state.up[seat][cell]:
                continue
            known = player.hidden >> cell & 1
            chances = player.of_cell(cell) if known else even
            true = state.hands[seat][cell]
            scored.told.setdefault(KNOWN if known else UNKNOWN, []).append((even, chances, true))
    return scored


def expect(rules: NoprobRules, seen: Look, scored: Scored, games: int, seed: int) -> None:
    """Play the turn out in both ways; `learned` plays, and decides on the card too."""
    position = seen.position
    policies = [GAME.policy(BEST)] * position.players
    values: list[dict[str, list[float]]] = []
    for past in (None, position.past):
        asked = replace(position, past=past)
        names: list[str] = [
            name for name in ("draw", "take", "pass") if name in legal_actions(rules, asked)
        ]
        job = GAME.rollouts(rules, asked, policies, False, "round", Effort(only=tuple(names)))
        tally = job.job.play(seed, 0, games)
        sums = {name: job.sums(tally, name)[:, 0] for name in OUTCOMES}
        values.append({name: (sums[name] * unit(name) / games).tolist() for name in OUTCOMES})
        scored.best = (scored.best[1], names[int(np.argmax(values[-1]["round"]))])
    usual = names.index(usual_of(rules, position))
    for name in OUTCOMES:
        scored.expected[name] = (values[0][name][usual], values[1][name][usual])
    at_random, from_play = (names.index(name) for name in scored.best)
    scored.lost = values[1]["round"][from_play] - values[1]["round"][at_random]


def unit(outcome: str) -> float:
    """What one count of an outcome is worth."""
    return 1 / WIN if outcome == "round" else 1.0


def usual_of(rules: NoprobRules, position: Position) -> str:
    """What `learned` does first."""
    player = QUERY.player(rules, GAME.policy(BEST), position.players)
    assert position.past is not None
    return player.decides(Situation(0, position, len(position.past.turns)), 0)


def play(making: Making, rules: NoprobRules) -> list[Scored]:
    """All turns scored; at tables of `learned`, played out too."""
    found = []
    for table in TABLES:
        for players in range(2, int(making["players"]) + 1):
            first = table == next(iter(TABLES))
            for game in range(int(making["played" if first else "games"])):
                seen = look(rules, seated(table, players, game), int(making["seed"]), game)
                scored = seen and score(rules, seen, players, table)
                if not seen or not scored:
                    continue
                if first:
                    expect(rules, seen, scored, int(making["rollouts"]), int(making["seed"]) + game)
                found.append(scored)
            making.tell(f"{table}, {players} players")
    return found


def fits(making: Making, rules: NoprobRules) -> dict[tuple[float, float], list[tuple[str, float]]]:
    """Log losses of one player's cards, by epsilon and power, with the table; fresh games."""
    models = beliefs.models_of(GAME.policy(BEST))
    shares = beliefs.shares_of(models)
    found: dict[tuple[float, float], list[tuple[str, float]]] = {}
    for table in TABLES:
        for players in (2, 3, 4):
            for game in range(int(making["fits"])):
                seen = look(rules, seated(table, players, game), int(making["seed"]) + 1, game)
                if seen is None:
                    continue
                past = seen.position.past
                assert past is not None
                seat = (past.seat + 1 + game % (players - 1)) % players
                ways = beliefs.ways_of(rules, seen.position)
                for epsilon in EPSILONS:
                    followed = beliefs.follow(rules, past, seat, models, epsilon)
                    for power in POWERS:
                        player = beliefs.weighed(*followed, ways, shares, power)
                        if player is None or not player.hidden:
                            continue
                        cards = seen.state.hands[seat]
                        lost = [loss(player.of_cell(c)[cards[c]]) for c in player.cells]
                        found.setdefault((epsilon, power), []).append((table, float(np.mean(lost))))
        making.tell(f"fit: {table}")
    return found


def responses(making: Making, rules: NoprobRules) -> Iterator[tuple[str, Response]]:
    """What a player gains who thinks a step ahead, and what rollouts promise, in both ways."""
    for how, recalls in (("at random", False), ("from play", True)):
        yield (
            how,
            best_response(
                GAME,
                rules,
                2,
                "points",
                games=int(making["responses"]),
                most=64,
                seed=int(making["seed"]),
                threads=making.threads,
                recalls=recalls,
                policy=GAME.policy(BEST),
            ),
        )
        making.tell(f"best response, {how}")


def make(making: Making) -> None:
    """Score turns, and write the page and the table."""
    rules: Any = GAME.rules(RULES)
    found = play(making, rules)
    fitted = fits(making, rules)
    gained = dict(responses(making, rules))
    from tools.study import noprob_beliefs_page as page

    spent = [1000 * scored.seconds for scored in found]
    making.tell(f"processor time for a decision: {np.median(spent):.0f} ms")
    making.write_rows(TABLE, page.rows_of(found))
    making.write(PAGE, page.page_of(found, fitted, gained, making.made_by))


TARGET = Target(
    name="noprob-beliefs",
    what="what turns of No Prob-Lama tell of hidden cards: log loss, calibration, rollouts",
    make=make,
    writes=(PAGE, TABLE),
    reads=POLICIES,
    options={
        "played": 1_000, "games": 300, "fits": 80, "players": 4, "rollouts": 64, "responses": 60,
        "seed": 17,
    },
    quick={"played": 12, "games": 12, "fits": 4, "players": 3, "responses": 2},
)  # fmt: skip
