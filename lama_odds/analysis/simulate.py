"""What happens when these policies play: rounds or whole games, counted, or as rows of a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import lama_odds
from lama_odds.analysis.search import games_of
from lama_odds.core.errors import LimitError
from lama_odds.core.estimate import Estimate
from lama_odds.core.plain import Plain
from lama_odds.core.policies import Policy
from lama_odds.games.interface.game import Game, P, R
from lama_odds.games.shared.decisions import decisions, is_turn, recorded_of, shares
from lama_odds.jit.job import Job, Measure
from lama_odds.simulation.run import USUAL, Play, default_threads
from lama_odds.statistics.intervals import mean_of, mean_of_counts, share_of


@dataclass(frozen=True)
class Simulated(Plain):
    """Measures by seat and for the whole table. records: of the first games, if wanted."""

    KEYS = (
        "rules players games seed threads seconds games_per_second seats=seats_in_order *table "
        "version"
    )

    rules: str
    players: int
    rounds: bool
    policies: tuple[str, ...]
    seats: tuple[dict[str, Estimate], ...]
    table: dict[str, Estimate]
    games: int
    seed: int
    threads: int
    seconds: float
    interrupted: bool = False
    records: tuple[str, ...] = ()
    version: str = field(default=lama_odds.__version__)
    variant: str = ""  # the name of the rule set in a file of variants

    @property
    def games_per_second(self) -> float:
        """How fast games were played; 0 if it took no time."""
        return self.games / self.seconds if self.seconds else 0.0

    @property
    def seats_in_order(self) -> list[dict[str, Any]]:
        """The measures of each seat, with its number and policy."""
        return [
            {"seat": seat, "policy": self.policies[seat], **measures}
            for seat, measures in enumerate(self.seats)
        ]


def simulate(
    game: Game[R, P],
    rules: R,
    policies: Sequence[Policy],
    games: int,
    *,
    rounds: bool = False,
    play: Play = USUAL,
) -> Simulated:
    """Play games (or first rounds) of these policies, one a seat.

    Raises LimitError if a game does not end within the rounds that random numbers are numbered for.
    """
    job = games_of(game, rules, policies, rounds)

    def figures(tally: np.ndarray, games: int) -> Mapping[str, Any]:
        return {
            m.name if m.seat is None else f"{m.name} seat {m.seat}": estimate.to_json()
            for m, estimate in _estimates(job, tally, games)
        }

    played = play.run(job, games, figures=figures)
    if played.games == 0:
        raise LimitError("stopped before the first game was played")
    seats: list[dict[str, Estimate]] = [{} for _ in policies]
    table: dict[str, Estimate] = {}
    for measure, estimate in _estimates(job, played.tally, played.games):
        if measure.name == "unfinished":
            if estimate.value > 0:
                raise LimitError(
                    f"a share of {estimate.value:.3g} of the games did not end: "
                    "nobody reaches the target with these policies"
                )
        elif measure.seat is None:
            table[measure.name] = estimate
        else:
            seats[measure.seat][measure.name] = estimate
    return Simulated(
        rules=rules.id,
        players=len(policies),
        rounds=rounds,
        policies=tuple(policy.name for policy in policies),
        seats=tuple(seats),
        table=table,
        games=played.games,
        seed=play.seed,
        threads=play.threads or default_threads(),
        seconds=played.seconds,
        interrupted=played.interrupted,
    )


def _estimates(job: Job, tally: np.ndarray, games: int) -> list[tuple[Measure, Estimate]]:
    estimates = []
    for measure, (total, squares) in zip(job.measures, tally.tolist(), strict=True):
        if measure.share:
            estimate = share_of(total * measure.unit, games)
            if measure.unit != 1.0:
                # Shared wins vary less than whole ones.
                spread = mean_of(total, squares, games, measure.unit).stderr
                low, high = estimate.low, estimate.high
                estimate = Estimate.from_interval(estimate.value, spread, low, high, games)
        else:
            bounds = measure.least, measure.most
            estimate = mean_of_counts(total, squares, games, measure.unit, *bounds)
        estimates.append((measure, estimate))
    return estimates


# Simulated games as rows: of each seat in a game or a round, or of each decision.

GAMES, ROUNDS, DECISIONS = "games", "rounds", "decisions"
KINDS = (GAMES, ROUNDS, DECISIONS)

Row = dict[str, Any]


@dataclass(frozen=True)
class GameRows:
    """Rows of simulated games; without `rows` if they were written to a file.

    written: the number of rows. kind: what each row is of.
    """

    rules: str
    kind: str
    games: int
    seed: int
    rows: tuple[Mapping[str, Any], ...]
    written: int
    file: str = ""
    version: str = field(default=lama_odds.__version__)

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "rules": self.rules,
            "games": self.games,
            "seed": self.seed,
            self.kind: list(self.rows),
            "version": self.version,
        }


def check_kind(game: Game[R, P], kind: str, first_rounds: bool) -> None:
    """Raise LimitError if a game has no rows of this kind, with or without whole games."""
    recorded_of(game)
    if kind == GAMES and first_rounds:
        raise LimitError("first rounds are not games: expected rows of rounds or decisions")
    if kind == ROUNDS and not game.has_rounds:
        raise LimitError(f"{game.name} has no rounds: expected rows of games or decisions")


def rows_of(
    game: Game[R, P],
    rules: R,
    policies: Sequence[Policy],
    seed: int,
    number: int,
    kind: str,
    first_round: bool = False,
) -> list[Row]:
    """Return the rows of one game, by its number.

    kind: one of KINDS. first_round: whether only its first round is played.
    """
    text = game.record(rules, policies, seed, number, first_round)
    names = [policy.name for policy in policies]
    if kind == GAMES:
        rows = _game(game, text, names)
    elif kind == ROUNDS:
        rows = _rounds(game, text, names)
    else:
        rows = _decisions(game, rules, text, names)
    return [{"game": number, **row} for row in rows]


def _game(game: Game[R, P], text: str, policies: Sequence[str]) -> Iterator[Row]:
    """Yield a row for each seat."""
    record = recorded_of(game).reader().read(text)
    unknown = [None] * len(policies)
    won: Sequence[float | None] = shares(game, record) or unknown
    scores: Sequence[int | None] = record.outcome or unknown
    costs = _penalties(text)
    turns = sum(map(is_turn, text.splitlines()))
    for seat, policy in enumerate(policies):
        yield {
            "seat": seat,
            "policy": policy,
            "win": won[seat],
            "score": scores[seat],
            "penalty": sum(of_round[seat] for of_round in costs) if costs else None,
            "rounds": len(costs) if game.has_rounds else None,
            "turns": turns,
        }


def _rounds(game: Game[R, P], text: str, policies: Sequence[str]) -> Iterator[Row]:
    """Yield a row for each seat of each round."""
    standing = (*recorded_of(game).standing, "final")
    rounds: list[dict[str, list[str]]] = []
    for name, words in _statements(text):
        if name == "round":
            rounds.append({"round": words})
        elif name in standing and len(rounds) > (name != "final"):
            # It ends one round, and begins the next one.
            rounds[-1 if name == "final" else -2]["score"] = words
        elif rounds:
            rounds[-1][name] = words
    for round_ in rounds:
        number, _, first = round_["round"]
        for seat, policy in enumerate(policies):
            yield {
                "round": int(number),
                "seat": seat,
                "policy": policy,
                "starts": int(seat == int(first)),
                "hand": round_["deal"][seat],
                "ended": round_["end"][0],
                "penalty": int(round_["penalties"][seat]),
                "score": int(round_["score"][seat]) if "score" in round_ else None,
            }


def _decisions(game: Game[R, P], rules: R, text: str, policies: Sequence[str]) -> Iterator[Row]:
    """Yield a row for each decision."""
    costs = _penalties(text)
    for decision in decisions(game, rules, text):
        yield {
            "round": decision.round,
            "turn": decision.turn,
            "seat": decision.seat,
            "policy": policies[decision.seat],
            "position": decision.position.format(),
            "action": decision.chosen,
            "shown": decision.rolled,
            "penalty": costs[decision.round][decision.seat] if costs else None,
        }


def _statements(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the lines of a record other than turns: their names, and their other words."""
    for line in text.splitlines():
        words = line.split()
        if words and not is_turn(line):
            yield words[0], words[1:]


def _penalties(text: str) -> list[list[int]]:
    """Return the penalties of all rounds, by seat."""
    return [list(map(int, words)) for name, words in _statements(text) if name == "penalties"]


def question_of(
    rules: R, policies: Sequence[Policy], seed: int, kind: str, first_rounds: bool
) -> Mapping[str, Any]:
    """Return everything that the rows of a game depend on, besides its number; plain JSON."""
    return {
        "command": "simulate",
        "rules": rules.id,
        "policies": [policy.name for policy in policies],
        "seed": seed,
        "rows": kind,
        "rounds": first_rounds,
    }
