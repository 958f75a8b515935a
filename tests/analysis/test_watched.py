"""What is counted along a game: against plain Python that reads the records of the same games."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest

from lama_odds.games.interface import watched
from lama_odds.games.interface.match_equity import SeveralEquity, chances_of, table_for
from lama_odds.games.lama.engine import kernels, policy_kernels, round_loop, steps
from lama_odds.games.lama.engine.round_loop import set_table
from lama_odds.games.lama.jobs import watched as lama_job
from lama_odds.games.registry import game_of
from lama_odds.games.shared import drivers
from lama_odds.jit import stamped
from lama_odds.luck.stream import stream_of
from lama_odds.simulation.run import run
from tests.games.cases import rounds_of
from tests.reference import lama as twin

# Rule set, policies, games. `LONG` is a length that some of these games have.
TABLES = (
    ("lama/amigo", "threshold:5 matching:8 random threshold:2", 12, 120),
    ("dice/egmont", "threshold:9 threshold:4 random", 12, 60),
    ("noprob/starnberger", "greedy greedy random", 6, 80),
    ("noprob/starnberger+four_rounds", "greedy greedy", 6, 80),
    ("pikomino/egmont", "first-tile random first-tile", 8, 60),
)


def job_of(rules_id: str, names: str, longer: int):
    game = game_of(rules_id)
    rules = game.rules(rules_id)
    best = game.best_policy(rules, len(names.split()))
    policies = [best if name == "best" else game.policy(name) for name in names.split()]
    job = game.watched(rules, policies, longer)
    return job, lambda at: game.record(rules, policies, 3, at, False)


def numbers(words: Sequence[str]) -> list[int]:
    return [int(word) for word in words]


class Story:
    """A game as its record tells it: who acts, and the standing after each stretch."""

    def __init__(self, text: str) -> None:
        lines = [line.split() for line in text.splitlines()]
        self.rules = lines[1][1]
        self.seats = int(lines[2][1])
        self.rounds = [[w for w in r if w[0].isdigit()] for r in rounds_of(text)]
        self.turns = [words for words in lines if words[0].isdigit()]
        penalties = [numbers(words[1:]) for words in lines if words[0] == "penalties"]
        self.standing: list[list[int]] = []
        if self.rules.startswith("pikomino"):
            self._worms()
        elif self.rules.startswith("noprob") and "four_rounds" not in self.rules:
            self._llamas(penalties)
        else:
            before = [numbers(words[1:]) for words in lines if words[0] == "scores"]
            if self.rules.startswith("noprob"):
                self.standing = np.cumsum(penalties, axis=0).tolist()
            else:
                final = next(numbers(words[1:]) for words in lines if words[0] == "final")
                self.standing = [*before[1:], final]
        self.shares = self._shares()

    def _worms(self) -> None:
        stacks: list[list[int]] = [[] for _ in range(self.seats)]
        for seat, *words in self.turns:
            own = stacks[int(seat)]
            if "stop" in words:
                own.append(int(words[words.index("stop") + 1]))
            elif "steal" in words:
                tile = int(words[words.index("steal") + 1])
                next(stack for stack in stacks if stack and stack[-1] == tile).pop()
                own.append(tile)
            elif own:
                own.pop()
            self.standing.append([-sum((tile - 17) // 4 for tile in stack) for stack in stacks])
        self.stacks = stacks

    def _llamas(self, penalties: list[list[int]]) -> None:
        llamas = [0] * self.seats
        for costs in penalties:
            llamas = [n - (cost == min(costs)) for n, cost in zip(llamas, costs, strict=True)]
            self.standing.append(llamas)

    def _shares(self) -> list[float]:
        """The share of the win of each seat."""
        results: list[tuple[int, ...]] = [(n,) for n in self.standing[-1]]
        if self.rules.startswith("pikomino"):
            results = [
                (n[0], -max(s, default=0)) for n, s in zip(results, self.stacks, strict=True)
            ]
        won = [result == min(results) for result in results]
        return [each / sum(won) for each in won]

    @property
    def lead_changes(self) -> int:
        leaders = [s.index(min(s)) for s in self.standing if s.count(min(s)) == 1]
        return sum(a != b for a, b in pairwise(leaders))

    @property
    def comeback(self) -> float:
        half = len(self.standing) // 2
        stood = self.standing[half - 1] if half else [0] * self.seats
        last = [n == max(stood) > min(stood) for n in stood]
        return sum(share for share, was in zip(self.shares, last, strict=True) if was)

    def watched(self) -> tuple[float, float]:
        """The part of the game that players watch after quitting, and the mean longest wait."""
        order = [(int(w[0]), "quit" in w) for turns in self.rounds for w in turns]
        waits = [0] * self.seats
        for seat in range(self.seats):
            own = [at for at, (who, _) in enumerate(order) if who == seat]
            steps = [own[0], *(b - a - 1 for a, b in pairwise(own))]
            waits[seat] = max(steps)
        sat = 0
        for turns in self.rounds:
            for at, words in enumerate(turns):
                if "quit" in words:
                    sat += len(turns) - at - 1
        return sat / (self.seats * len(order)), sum(waits) / self.seats


@pytest.mark.parametrize(("rules_id", "names", "games", "longer"), TABLES)
def test_what_is_counted_is_what_the_records_tell(rules_id, names, games, longer) -> None:
    job, text_of = job_of(rules_id, names, longer)
    rows = [measure.name for measure in job.measures]
    seen = set()
    for at in range(games):
        story = Story(text_of(at))
        found = job.play(3, at, 1)[:, 0] * [measure.unit for measure in job.measures]
        told = dict(zip(rows, found, strict=True))
        assert told["lead changes"] == story.lead_changes
        assert told["comebacks"] == pytest.approx(story.comeback)
        assert told["long games"] == (len(story.turns) > longer)
        if "sat out" in told:
            sat, wait = story.watched()
            assert told["sat out"] == pytest.approx(100 * sat, abs=50.1 / watched.PART)
            assert told["longest wait"] == pytest.approx(wait)
        seen.add((told["lead changes"] > 0, told["comebacks"] > 0, told["long games"]))
        assert (at % watched.ONE_IN == 0) or told["decided"] == told["drama"] == 0
    assert len(seen) > 1


@pytest.mark.long
@pytest.mark.parametrize(("rules_id", "players"), [("lama/amigo", 2), ("dice/egmont", 3)])
def test_players_are_looked_up_in_the_match_equity_table(rules_id: str, players: int) -> None:
    job, text_of = job_of(rules_id, " ".join(["best"] * players), 100)
    game = game_of(rules_id)
    rules = game.rules(rules_id)
    table = table_for(rules_id, [game.best_policy(rules, players)] * players)
    assert table is not None
    apart = set()
    for at in range(0, 33 if players == 2 else 121, watched.ONE_IN):
        text = text_of(at)
        story = Story(text)
        starters = [int(line.split()[3]) for line in text.splitlines() if line[:6] == "round "]
        chances = []
        for scores, starter in zip(story.standing, starters[1:], strict=False):
            if isinstance(table, SeveralEquity):
                chances.append(chances_of(table, np.array([scores]), np.array([starter]))[0])
                continue
            first = table.values[scores[starter], scores[1 - starter]]
            chances.append([first, 1 - first] if starter == 0 else [1 - first, first])
        last = len(story.standing)
        decided = last
        if 1.0 in story.shares:
            winner = story.shares.index(1.0)
            while decided > 1 and chances[decided - 2][winner] > watched.DECIDED / 100:
                decided -= 1
        behind = [0.0]
        for scores, chance in zip(story.standing, chances, strict=False):
            leaders = [c for c, n in zip(chance, scores, strict=True) if n == min(scores)]
            won = sum(c * share for c, share in zip(chance, story.shares, strict=True))
            behind.append(sum(leaders) / len(leaders) - won)
        found = job.play(3, at, 1)[:, 0]
        assert found[watched.DECIDED_AT] == round(decided * watched.PART / last)
        drama = sum(behind) / max(1, len(chances))
        assert found[watched.DRAMA] / watched.PART == pytest.approx(drama, abs=1e-4)
        apart.add(decided / last)
    assert len(apart) > 1


@pytest.mark.long
def test_chances_are_those_of_games_that_the_twin_plays_on() -> None:
    """Scores after a round of cards: what the kernel plays on against games of the twin."""
    game = game_of("lama")
    rules = game.rules("lama/egmont")
    names = ("threshold:5", "threshold:8", "threshold:2")
    job = lama_job(rules, [game.policy(name) for name in names], 1, True)
    before, result = set_table(job.policies)
    branch, _ = set_table(job.policies)
    scores = (21, 9, 17)
    before[policy_kernels.SCORE : policy_kernels.SCORE + 3] = scores
    total, wins = np.zeros(3, np.int64), np.zeros(3, np.int64)
    key, gamma = stream_of(5)
    watch = watched.Watch(
        *(np.zeros((9, 8), dtype) for dtype in (int, float, float)),
        np.zeros(9, int),
        np.zeros((3, 8), int),
        np.zeros(2, int),
    )
    look_ahead = stamped(drivers.look_ahead, kernels.__name__, loop=round_loop, steps=steps)
    looks = look_ahead(
        rules.columns, job.tables.play, key, gamma, before, branch, 3, 4, 0, result, wins, total,
        watch,
    )  # fmt: skip
    assert watched.FEWEST <= looks <= watched.MOST
    table = twin.Table(twin.edition("egmont"), names, seed=6)
    won = np.zeros(3)
    plays = 100
    for at in range(plays):
        now, starter, number = list(scores), 0, 4
        while max(now) < 40:
            *_, penalties = twin.play_turns(table, at, number, starter, now, [])
            now = [a + b for a, b in zip(now, penalties, strict=True)]
            starter, number = (starter + 1) % 3, number + 1
        lowest = [score == min(now) for score in now]
        won += np.array(lowest) / sum(lowest)
    expected, found = won / plays, total / (looks * watched.WIN)
    assert found.sum() == pytest.approx(1)
    error = np.sqrt(expected * (1 - expected) * (1 / plays + 1 / looks))
    assert (np.abs(found - expected) < 4 * error).all()


def test_threads_keep_logs_of_their_own() -> None:
    job, _ = job_of("lama/amigo", "threshold:5 matching:8 random threshold:2", 100)
    alone = run(job, 5, 400, threads=1).tally
    assert (run(job, 5, 400, threads=2, chunk=32).tally == alone).all()
