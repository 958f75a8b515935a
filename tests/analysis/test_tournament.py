"""Tables of players: tournaments against plain loops, and policies by name or from a file."""

from __future__ import annotations

import itertools
import json
import math
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import lama_odds
from lama_odds.analysis import tournament as module
from lama_odds.analysis.policy_files import named_policy
from lama_odds.analysis.tournament import (
    PILOT_GAMES,
    Tournament,
    all_seatings,
    number_of_seatings,
    schedule_of,
    some_seatings,
    tournament,
)
from lama_odds.core.errors import LimitError, ReadError
from lama_odds.games.interface import best
from lama_odds.games.interface.objectives import OF_PENALTIES
from lama_odds.games.interface.tally_layout import WIN
from lama_odds.games.registry import GAMES, game_of
from lama_odds.games.shared.measures import game_measures
from lama_odds.jit.job import Job
from lama_odds.simulation.run import Play
from lama_odds.statistics.ranking import critical_value, games_to_separate

LAMA = game_of("lama/egmont")
RULES = LAMA.rules("lama/egmont")
VARY = ("threads", "seconds")


def ask(
    *names: str, players: int = 3, seed: int = 0, threads: int | None = None, **options: Any
) -> Tournament:
    policies = [LAMA.policy(name) for name in names]
    play = Play(seed, threads, options.pop("progress", None))
    return tournament(LAMA, RULES, policies, players, play=play, **options)


def same(found: Tournament) -> dict[str, Any]:
    """What depends on the question alone."""
    return {name: value for name, value in found.to_json().items() if name not in VARY}


# Who sits where.
@pytest.mark.parametrize(
    ("policies", "players", "mixes"),
    [(4, 4, 1), (5, 3, 10), (2, 4, 1), (3, 4, 3), (2, 5, 2), (4, 6, 6), (2, 2, 1)],
)
def test_all_seatings_of_all_even_mixes(policies: int, players: int, mixes: int) -> None:
    found = all_seatings(policies, players)
    assert len(set(found)) == len(found) == number_of_seatings(policies, players)
    by_mix = Counter(tuple(sorted(seating)) for seating in found)
    assert len(by_mix) == mixes
    for mix, seatings in by_mix.items():
        times = [mix.count(policy) for policy in range(policies)]
        assert max(times) - min(times) <= 1
        assert seatings == len(set(itertools.permutations(mix)))


@pytest.mark.parametrize(("policies", "players"), [(4, 3), (9, 4), (12, 6), (3, 5)])
def test_every_policy_has_every_seat_equally_often(policies: int, players: int) -> None:
    schedule = schedule_of(policies, players)
    for policy, seats in enumerate(schedule.league):
        assert len(set(Counter((seats % players).tolist()).values())) == 1
        assert all(schedule.seatings[s // players][s % players] == policy for s in seats)
    assert schedule.league.size == schedule.league_tables * players
    assert len(set(schedule.seatings)) == len(schedule.seatings)
    for (i, j), seats in schedule.matrix.items():
        tables = [schedule.seatings[s // players] for s in seats]
        assert sorted(s % players for s in seats) == list(range(players))
        assert all(Counter(table) == Counter([i] + [j] * (players - 1)) for table in tables)
        assert all(schedule.seatings[s // players][s % players] == i for s in seats)
    assert len(schedule.matrix) == policies * (policies - 1)


def test_too_many_seatings_are_chosen_from_evenly() -> None:
    assert schedule_of(8, 4).complete
    schedule = schedule_of(12, 5)
    assert not schedule.complete
    found = some_seatings(12, 5)
    assert found == some_seatings(12, 5)
    assert len(found) == 12 * module.ORDERS == schedule.league_tables
    for seat in range(5):
        assert set(Counter(s[seat] for s in found).values()) == {module.ORDERS}
    assert all(len(set(seating)) == 5 for seating in found)
    met = Counter(pair for s in found for pair in itertools.combinations(sorted(s), 2))
    assert len(met) == 66
    assert max(met.values()) < 1.12 * min(met.values())


# Figures.
def loop(names: Sequence[str], players: int, games: int, seed: int) -> dict[tuple[str, ...], Any]:
    """Win shares and scores by seating, float[games, seats, 2]: one game a call."""
    found = {}
    for seating in itertools.product(names, repeat=players):
        job = LAMA.simulation(RULES, [LAMA.policy(name) for name in seating], False)
        rows = np.zeros((games, players, 2))
        for game in range(games):
            tally = job.play(seed, PILOT_GAMES + game, 1)
            rows[game, :, 0] = tally[:players, 0] / WIN
            rows[game, :, 1] = tally[2 * players : 3 * players, 0]
        found[seating] = rows
    return found


def league_of(
    played: dict[tuple[str, ...], Any], names: Sequence[str], mixes: Sequence[tuple[str, ...]]
) -> dict[str, np.ndarray]:
    """By policy, its mean over the league of each game: float[games, 2]."""
    tables = {order for mix in mixes for order in itertools.permutations(mix)}
    return {
        name: np.mean(
            [played[t][:, seat] for t in sorted(tables) for seat in range(3) if t[seat] == name],
            axis=0,
        )
        for name in names
    }


@pytest.mark.parametrize("count", [2, 3])
def test_figures_are_those_of_a_plain_loop(count: int) -> None:
    names = ("meanfield", "matching:5", "random")[:count]
    games = 60
    played = loop(names, 3, games, 7)
    mixes = [names] if count == 3 else [(*names, name) for name in names]
    league = league_of(played, names, mixes)
    found = ask(*names, games=games, seed=7)
    assert {s.policy for s in found.standings} == set(names)
    for standing in found.standings:
        means = league[standing.policy]
        assert standing.win.n == standing.points.n == games * found.schedule.league.shape[1]
        for at, estimate in enumerate((standing.win, standing.points)):
            error = means[:, at].std(ddof=1) / math.sqrt(games)
            assert estimate.value == pytest.approx(means[:, at].mean(), rel=1e-12, abs=1e-12)
            assert estimate.stderr == pytest.approx(error, rel=1e-9, abs=1e-12)
            assert estimate.low <= estimate.value <= estimate.high
    for pair in found.pairs:
        steps = league[pair.first][:, 0] - league[pair.second][:, 0]
        assert pair.difference.value == pytest.approx(steps.mean(), abs=1e-12)
        assert pair.difference.value >= 0
        assert pair.difference.stderr == pytest.approx(steps.std(ddof=1) / math.sqrt(games))
        z = critical_value(len(found.pairs), games)
        half = (pair.difference.high - pair.difference.low) / 2
        assert half == pytest.approx(z * pair.difference.stderr)
        more = games_to_separate(pair.difference, len(found.pairs))
        assert pair.games_to_separate == (None if pair.separated else more)
    for standing in found.standings:
        half = (standing.points.high - standing.points.low) / 2
        assert half == pytest.approx(critical_value(count, games) * standing.points.stderr)
    for i, j in itertools.permutations(names, 2):
        seats = [[j] * seat + [i] + [j] * (2 - seat) for seat in range(3)]
        shares = np.mean([played[tuple(s)][:, at, 0] for at, s in enumerate(seats)], axis=0)
        entry = found.matrix[i][j]
        assert entry.value == pytest.approx(shares.mean(), abs=1e-12)
        assert entry.stderr == pytest.approx(shares.std(ddof=1) / math.sqrt(games), abs=1e-12)
        assert found.matrix[i][i].to_json()["method"] == "exact"


def test_blocks_change_nothing_but_how_errors_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    single = ask("matching:5", "threshold:5", games=800)
    monkeypatch.setattr(module, "SINGLE", 0)
    blocks = ask("matching:5", "threshold:5", games=800)
    for one, other in zip(single.standings, blocks.standings, strict=True):
        assert one.win.value == other.win.value
        assert one.win.stderr != other.win.stderr == pytest.approx(one.win.stderr, rel=0.25)


def test_identical_policies_are_not_told_apart() -> None:
    # Both quit whenever they have nothing to play.
    found = ask("threshold:500", "threshold:1000", "random", players=4, games=400)
    alike = found.standings[:2]
    assert {s.policy for s in alike} == {"threshold:500", "threshold:1000"}
    assert [(s.rank, s.worst) for s in found.standings] == [(1, 2), (1, 2), (3, 3)]
    assert alike[0].win == alike[1].win
    by_names = {(p.first, p.second): p for p in found.pairs}
    pair = by_names.get((alike[0].policy, alike[1].policy))
    assert pair is not None
    assert (pair.difference.value, pair.separated, pair.games_to_separate) == (0, False, None)
    assert pair.difference.low < 0 < pair.difference.high
    for i, j in itertools.permutations((alike[0].policy, alike[1].policy)):
        assert found.matrix[i][j].value == pytest.approx(0.25, abs=1e-12)
    only = ask("threshold:500", "threshold:1000", players=4, games=100)
    assert [s.win.value for s in only.standings] == pytest.approx([0.25, 0.25], rel=1e-12)
    assert [s.rank for s in only.standings] == [1, 1]


# How many games.
@pytest.mark.long
def test_ctrl_c_gives_the_games_so_far() -> None:
    def stop(done: int, of: int) -> None:
        del of
        if done >= at:
            raise KeyboardInterrupt

    at = 200
    found = ask("matching:5", "threshold:5", games=10**6, progress=stop)
    assert found.interrupted
    assert 200 <= found.games < 10**5
    again = ask("matching:5", "threshold:5", games=found.games)
    assert [s.win.value for s in again.standings] == [s.win.value for s in found.standings]
    with pytest.raises(LimitError, match="stopped before"):
        ask("matching:5", "threshold:5", progress=stop)


@pytest.mark.parametrize(
    ("score", "unfinished", "said"),
    [(5, 1, "a game of b, a did not end"), (10**9, 0, "fewer games")],
)
def test_what_cannot_be_counted_is_named(score: int, unfinished: int, said: str) -> None:
    measures = game_measures(2, 100)

    def play(own: Any, row: Any, tables: Any, seed: int, first: int, n: int, tally: Any) -> None:
        del own, tables, seed, first
        tally[:2, 0] += n * WIN // 2
        tally[4, 0] += n * score
        tally[-1, 0] += unfinished * (row.tolist() == [1, 0])

    def simulation(rules: Any, policies: Sequence[Any], rounds: bool) -> Job:
        del rules, rounds
        rows = np.array([policy.number for policy in policies])
        return Job(play, rows, rows, (), (len(measures), 2), measures)

    game: Any = SimpleNamespace(simulation=simulation, objectives=OF_PENALTIES)
    policies: Any = [SimpleNamespace(name=n, number=i, family=None) for i, n in enumerate("ab")]
    with pytest.raises(LimitError, match=said):
        tournament(game, SimpleNamespace(id="made/up"), policies, 2, games=40)


# What is said.
@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_tournaments(name: str) -> None:
    game = game_of(f"{name}/")
    rules = game.rules(f"{name}/{next(iter(game.editions))}")
    players = rules.players[0]
    policies = [game.policy("random"), game.best_policy(rules, players)]
    found = tournament(game, rules, policies, players, games=30)
    assert found.standings[0].policy == policies[1].name
    best, worst = found.standings
    higher = game.objectives["points"].higher
    assert (best.points.value > worst.points.value) is higher is found.points_higher
    assert found.points_name in ("score", "worms")


# Policies by name.
TUNED = {
    "kind": "lama-odds policy 1",
    "rules": "lama/egmont",
    "players": 2,
    "objective": "points",
    "policy": "threshold:5",
}


@pytest.mark.parametrize(
    ("players", "objective", "version", "said"),
    [
        (2, "points", None, []),
        (2, "margin", None, []),
        (3, "points", None, ["was tuned for 2 players, not for 3: it may be weaker"]),
        (2, "points", "0.0.1", ["was tuned by version 0.0.1, not by "]),
        (4, "win", None, ["for 2 players, not for 4, for points, not for win: it may"]),
    ],
)
def test_a_file_for_something_else_is_taken_with_a_word(
    players: int, objective: str, version: str | None, said: list[str], tmp_path: Path
) -> None:
    told: list[str] = []
    made = {"version": version or lama_odds.__version__}
    path = tmp_path / "policy.json"
    path.write_text(json.dumps({**TUNED, "made": made}), encoding="utf-8")
    found = named_policy(LAMA, RULES, f"@{path}", players, objective, told.append)
    assert found.name == "threshold:5"
    assert [words in each for words, each in zip(said, told, strict=True)] == [True] * len(said)


def test_card_alone_is_the_published_one(monkeypatch: pytest.MonkeyPatch) -> None:
    published = {"cards": {"dice": {"amigo": {"3": {"policy": "card:others=0:9/never"}}}}}
    monkeypatch.setattr(best, "data_json", lambda name: published)
    game = game_of("dice")
    amigo = game.rules("dice/amigo")
    assert named_policy(game, amigo, "card", 3).name == "card:others=0:9/never"
    other_faces = game.rules("dice/amigo+faces=1235LL.1346LL.2456LL")
    assert named_policy(game, other_faces, "card", 3).name == "card:others=0:9/never"
    for text, players, why in (
        ("dice/amigo", 2, "none is published"),
        ("dice/egmont", 3, "none is published"),
        ("dice/amigo+target=50", 3, "none suits these options"),
        ("dice/amigo+faces=123456L", 3, "none suits these options"),
    ):
        with pytest.raises(ReadError, match=why) as refused:
            named_policy(game, game.rules(text), "card", players)
        assert f"lama-odds tune {text} card --players {players}" in str(refused.value)
    with pytest.raises(ReadError, match="did you mean card"):
        named_policy(game, amigo, "crd", 3)


@pytest.mark.long
def test_the_precision_asked_for_is_reached() -> None:
    precision = 0.025
    names = ("matching:5", "threshold:5", "random")  # win rates known better and less well
    found = ask(*names, players=2, precision=precision, seed=3)
    assert 0.8 * precision < found.half_width < 1.03 * precision
    # The games of the pilot are not among those counted: the same without one.
    again = ask(*names, players=2, games=found.games, seed=3)
    assert same(again) | {"precision": precision} == same(found)
