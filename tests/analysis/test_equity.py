"""Match equity tables: against a closed form, whole games, and games played out from a position."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest

from lama_odds.analysis.advice.advise import advise
from lama_odds.analysis.advice.rollouts import Limits
from lama_odds.analysis.equity import Equities, equities, match_equity
from lama_odds.core.data import data_json
from lama_odds.core.errors import LamaOddsError, LimitError, ReadError
from lama_odds.games.interface import match_equity as equity
from lama_odds.games.interface.from_scores import BLOCK, SCORE_BITS
from lama_odds.games.interface.tally_layout import EQUITY
from lama_odds.games.registry import game_of
from lama_odds.jit.job import Job
from lama_odds.report.text.equity import equity_csv
from lama_odds.simulation.run import run

TABLES: dict[str, Any] = {}  # of `best`: where a policy is fitted, it is that one
for folder in equity.FOLDERS:
    TABLES.update(data_json(f"{folder}/manifest.json")["tables"])
SHIPPED = sorted(TABLES)


class Coins:
    """A game to 1: every round the starter gets a point with chance 1/2, else the other starts."""

    class rules:
        id = "coins"
        target = 1
        players = range(2, 3)

    def most_points(self, rules: Any) -> int:
        return 1

    def rounds_from(self, rules: Any, policies: Any, starts: Any, most: int) -> Job:
        def kernel(
            rules: Any, policies: Any, tables: Any, seed: int, first: int, n: int, tally: Any
        ):
            for game in range(first, first + n):
                odd = game % 2
                tally[game % BLOCK] += (1 - odd) << SCORE_BITS | odd << SCORE_BITS // 2

        nothing = np.zeros(0, dtype=np.int64)
        return Job(kernel, nothing, np.zeros((2, 3), dtype=np.int64), (), (BLOCK,))


def test_closed_form() -> None:
    # T = ½·0 + ½·(1 − T); a round is worth 0 or ⅔ with equal chances, and the inverse is 1/(1 + ½).
    policy = game_of("dice").policy("random")
    found = match_equity(Coins(), Coins.rules, policy, 10_000, seed=0, threads=1)
    assert found.values == pytest.approx(1 / 3)
    assert found.stderr == pytest.approx(2 / 3 * (1 / 3) / 100)


# Points of the starter and of the other in a round, and whether the other starts the next one.
ENDS = ((1, 0, False), (0, 1, True), (1, 1, True), (0, 0, True))


class Ends(Coins):
    """A game to 3 whose rounds end in these ways by turns, from each pair of scores."""

    class rules(Coins.rules):
        id = "ends"
        target = 3

    def rounds_from(self, rules: Any, policies: Any, starts: Any, most: int) -> Job:
        def kernel(
            rules: Any, policies: Any, tables: Any, seed: int, first: int, n: int, tally: Any
        ):
            for game in range(first, first + n):
                mine, other, swaps = ENDS[game // len(starts) % len(ENDS)]
                scores = starts[game % len(starts)] + [mine, other]
                bits = SCORE_BITS // 2
                tally[game % BLOCK] += int(swaps) << 2 * bits | int(scores[0]) << bits | scores[1]

        return replace(super().rounds_from(rules, policies, starts, most), kernel=kernel)


def test_chances_and_their_errors_where_starters_swap_and_ties_are_shared() -> None:
    """Against the chances that repeating one round over and over comes to."""
    pairs = list(product(range(3), repeat=2))

    def worth(chances: Any, mine: int, other: int, swaps: bool) -> float:
        if max(mine, other) >= 3:
            return 0.5 if mine == other else float(mine < other)
        return 1 - chances[other, mine] if swaps else chances[mine, other]

    def left(chances: Any, mine: int, other: int) -> list[float]:
        return [worth(chances, mine + a, other + b, swaps) for a, b, swaps in ENDS]

    def solved(more: Any) -> Any:
        chances = np.zeros((3, 3))
        for _ in range(200):
            chances = more + [[np.mean(left(chances, a, b)) for b in range(3)] for a in range(3)]
        return chances

    rounds, variance = 8, np.zeros((3, 3))
    true = solved(np.zeros((3, 3)))
    for at, pair in enumerate(pairs):  # a round worth more from one pair of scores
        more = np.zeros((3, 3))
        more[pair] = 1
        effect = solved(more) - true
        variance += effect**2 * np.var(left(true, *pairs[at])) / rounds
    policy = game_of("dice").policy("random")
    found = match_equity(Ends(), Ends.rules, policy, rounds, seed=0, threads=1)
    assert found.values == pytest.approx(true, abs=1e-9)
    assert found.stderr == pytest.approx(np.sqrt(variance), abs=1e-9)
    assert not np.allclose(true, true.T)


@pytest.mark.long
@pytest.mark.parametrize("text", ["dice/amigo+target=6", "lama/egmont+target=9"])
@pytest.mark.parametrize("name", ["threshold:5", "meanfield"])
def test_whole_games_agree(text: str, name: str) -> None:
    game = game_of(text)
    rules, policy = game.rules(text), game.policy(name)
    table = match_equity(game, rules, policy, 4_000, seed=3)
    job = game.simulation(rules, [policy, policy], False)
    games = 60_000
    played = run(job, 7, games)
    wins = next(at for at, m in enumerate(job.measures) if m.name == "win" and m.seat == 0)
    share = played.tally[wins, 0] * job.measures[wins].unit / games
    error = float(np.hypot(table.stderr[0, 0], np.sqrt(share * (1 - share) / games)))
    assert abs(share - table.values[0, 0]) < 4 * error
    assert error < 0.01


@pytest.mark.long
@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("dice/amigo", "hand=25L row=1346L opp=13 scores=12,9"),
        ("dice/amigo", "hand=2 row=1346L opp=1345 scores=30,36"),
        ("dice/egmont", "hand=25L row=1346L opp=13 scores=1,0 rolled=25L"),
        ("lama/egmont", "hand=3356L top=4 opp=4 scores=12,30"),
        ("lama/egmont", "hand=12 top=4 opp=3 scores=33,31 first=1"),
        ("lama/amigo", "hand=3356L top=4 opp=4 scores=12,30"),
        ("lama/party", "hand=33+5LP top=4 opp=4 scores=0,25"),
    ],
)
def test_looking_up_agrees_with_playing_out(text: str, position: str) -> None:
    game = game_of(text)
    rules = game.rules(text)
    asked = game.position(rules, position)
    # Against given opponents nothing is solved, not even where both are still in.
    strong = game.best_policy(rules, 2, game.objectives["win"].aim)
    limits = Limits(games=40_000)
    answers = [
        advise(game, rules, asked, objective="win", opponents=strong, limits=limits, look_up=found)
        for found in (True, False)
    ]
    worst = float(TABLES[text]["largest stderr"])
    looked_up, played = ({a.action: a.value for a in answer.actions} for answer in answers)
    assert looked_up.keys() == played.keys()
    for action, value in looked_up.items():
        error = float(np.hypot(np.hypot(value.stderr, played[action].stderr), worst))
        assert abs(value.value - played[action].value) < 4 * error
        assert value.stderr < played[action].stderr
    assert any("match equity table" in line for line in answers[0].assumptions)
    assert not any("match equity table" in line for line in answers[1].assumptions)


@pytest.mark.parametrize("text", SHIPPED)
def test_shipped_tables(text: str) -> None:
    game = game_of(text)
    rules = game.rules(text)
    best = game.best_policy(rules, 2)
    table = equity.shipped(rules.id, [best, best])
    assert table is not None
    assert table.policy == best.name
    assert table.values.shape == table.stderr.shape == (rules.target, rules.target)
    assert float(f"{table.stderr.max():.2g}") == TABLES[text]["largest stderr"]
    # More points of the other are no disadvantage, as far as the errors can tell. (But a tenth
    # point makes a token that can be given back at once.)
    gains = np.diff(table.values[:, [0, 9, 19, 29, 39]], axis=1)
    assert gains.min() > -4 * table.stderr.max()
    other = game.policy("random")
    assert equity.shipped(rules.id, [best, other]) is None
    assert equity.shipped(rules.id, [best, best, best]) is None


def test_editions_that_play_alike_share_a_table() -> None:
    for folder in equity.FOLDERS:
        tables = data_json(f"{folder}/manifest.json")["tables"]
        assert tables["dice/gigamic"] == tables["dice/amigo"]


def test_same_bits_on_any_number_of_threads() -> None:
    game = game_of("dice")
    rules = game.rules("dice/amigo+target=4")
    policy = game.policy("threshold:3")
    found = [match_equity(game, rules, policy, 300, seed=5, threads=n).values for n in (1, 2)]
    assert np.array_equal(*found)


def test_a_foreign_table_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = data_json(f"{equity.FOLDERS[0]}/manifest.json")["tables"]["dice/amigo"]
    with pytest.raises(LamaOddsError, match="differs from its manifest"):
        equity.read_table(f"equity/{entry['file']}", "0" * 64)


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("pikomino/egmont", ReadError, "not played for points"),
        ("lama/egmont+drama", ReadError, "a pot"),
        ("dice/amigo+target=61", LimitError, "up to 60"),
    ],
)
def test_refused(text: str, error: type[Exception], message: str) -> None:
    game = game_of(text)
    rules = game.rules(text)
    policy = game.policy("random")
    with pytest.raises(error, match=message):
        equities(game, rules, policy, rounds=100)


def test_answer() -> None:
    game = game_of("dice")
    rules = game.rules("dice/amigo")
    best = game.best_policy(rules, 2)
    found = equities(game, rules, best)
    assert isinstance(found, Equities)
    answer = json.loads(json.dumps(found.to_json(), allow_nan=False))
    assert len(answer["table"]) == 40 * 40
    first = answer["table"][0]
    assert (first["mine"], first["other"]) == (0, 0)
    assert first["win"]["low"] < first["win"]["value"] < first["win"]["high"]
    rows = list(csv.DictReader(io.StringIO(equity_csv(found))))
    assert len(rows) == 40 * 40
    assert (rows[0]["rules"], rows[0]["policy"]) == ("dice/amigo", best.name)
    assert float(rows[0]["win"]) == first["win"]["value"]
    assert np.abs(found.table.counted.two / EQUITY - found.table.values).max() <= 0.5 / EQUITY
