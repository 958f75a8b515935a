"""Match equity tables: against plain twins, whole games, and games played out from a position."""

from __future__ import annotations

import csv
import io
import json
import math
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest

import lama_odds as lo
from lab.equity.several import (
    Effort,
    after_a_round,
    before,
    pairs_of_scores,
    solved_table,
    won_from,
)
from lama_odds.analysis.advice.advise import advise
from lama_odds.analysis.advice.rollouts import Limits
from lama_odds.analysis.equity import Equities, match_equity
from lama_odds.analysis.simulate import simulate
from lama_odds.core.errors import LamaOddsError, ReadError
from lama_odds.core.reading import data_json
from lama_odds.games.interface import from_scores
from lama_odds.games.interface import match_equity as equity
from lama_odds.games.interface.best import OTHERWISE
from lama_odds.games.interface.from_scores import BLOCK, SCORE_BITS
from lama_odds.games.interface.match_equity import (
    PLAYERS,
    SEVERAL_FOLDERS,
    TUNED,
    SeveralEquity,
    chances_by_seat,
    chances_of,
    manifest,
    read_several,
    table_for,
    valued_by,
)
from lama_odds.games.interface.tally_layout import EQUITY
from lama_odds.games.registry import game_of
from lama_odds.jit.job import Job
from lama_odds.report.text.equity import standings_csv
from lama_odds.simulation.run import Play
from tests.cli.calls import inside

# Of `best`: where a policy is fitted, it is that one.
MANIFEST: dict[str, Any] = {
    text: entry
    for folder in equity.FOLDERS
    for text, entry in data_json(f"{folder}/manifest.json")["tables"].items()
}

# Points of the starter and of the other in a round, and whether the other starts the next one.
ENDS = ((1, 0, False), (0, 1, True), (1, 1, True), (0, 0, True))


class Ends:
    """A game to 3 whose rounds end in these ways by turns, from each pair of scores."""

    class rules:
        id = "ends"
        target = 3
        players = range(2, 3)

    def most_points(self, rules: Any) -> int:
        return 1

    def rounds_from(self, rules: Any, policies: Any, starts: Any, most: int) -> Job:
        def kernel(
            rules: Any, policies: Any, tables: Any, seed: int, first: int, n: int, tally: Any
        ):
            for game in range(first, first + n):
                mine, other, swaps = ENDS[game // len(starts) % len(ENDS)]
                scores = starts[game % len(starts)] + [mine, other]
                bits = SCORE_BITS // 2
                tally[game % BLOCK] += int(swaps) << 2 * bits | int(scores[0]) << bits | scores[1]

        nothing = np.zeros(0, dtype=np.int64)
        return Job(kernel, nothing, np.zeros((2, 3), dtype=np.int64), (), (BLOCK,))


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
    win = Equities("ends", found, 0).win(0, 1)
    half = 1.959964 * found.stderr[0, 1]
    assert (win.low, win.high) == pytest.approx((true[0, 1] - half, true[0, 1] + half), abs=1e-6)


@pytest.mark.long
def test_whole_games_agree() -> None:
    game = game_of("lama/egmont")
    rules, policy = game.rules("lama/egmont+target=6"), game.policy("meanfield")
    table = match_equity(game, rules, policy, 2_000, seed=3)
    games = 20_000
    share = simulate(game, rules, [policy] * 2, games, play=Play(7)).seats[0]["win"]
    error = float(np.hypot(table.stderr[0, 0], share.stderr))
    assert abs(share.value - table.values[0, 0]) < 4 * error
    assert error < 0.01


@pytest.mark.long
@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("dice/amigo", "hand=25L row=1346L opp=13 scores=12,9"),
        ("lama/party", "hand=33+5LP top=4 opp=4 scores=0,25"),
        ("dice/amigo", "hand=25L row=1346L opp=13,6LL scores=12,9,30"),
        ("lama/egmont", "hand=12 top=4 opp=3,5 scores=33,31,38 first=1"),
    ],
)
def test_looking_up_agrees_with_playing_out(text: str, position: str) -> None:
    game = game_of(text)
    rules = game.rules(text)
    asked = game.position(rules, position)
    # Against given opponents nothing is solved, not even where both are still in.
    strong = game.best_policy(rules, asked.players, game.objectives["win"].aim)
    how: Any = {"objective": "win", "opponents": strong, "limits": Limits(games=3_000)}
    answers = [
        advise(game, rules, asked, **how, look_up=found, brief=True) for found in (True, False)
    ]
    # The error of the table of several is in the answer already.
    two = asked.players == 2
    off = float(MANIFEST[text]["largest stderr"]) if two else table_of(text, 3).after
    looked_up, played = ({a.action: a.value for a in answer.actions} for answer in answers)
    assert looked_up.keys() == played.keys()
    for action, value in looked_up.items():
        error = math.hypot(value.stderr, played[action].stderr, off if two else 0)
        assert abs(value.value - played[action].value) < 4 * error
        assert value.stderr < played[action].stderr
        assert two or off <= value.stderr
        assert two or value.high - value.low >= 2 * 1.95 * off


@pytest.mark.parametrize("text", sorted(MANIFEST))
def test_shipped_tables(text: str) -> None:
    game = game_of(text)
    rules = game.rules(text)
    best = game.best_policy(rules, 2)
    table = equity.shipped(rules.id, [best, best])
    assert table is not None
    assert table.policy == best.name
    assert table.values.shape == table.stderr.shape == (rules.target, rules.target)
    assert float(f"{table.stderr.max():.2g}") == MANIFEST[text]["largest stderr"]
    # More points of the other are no disadvantage, as far as the errors can tell. (But a tenth
    # point makes a token that can be given back at once.)
    gains = np.diff(table.values[:, [0, 9, 19, 29, 39]], axis=1)
    assert gains.min() > -4 * table.stderr.max()
    assert equity.shipped(rules.id, [best, game.policy("random")]) is None
    assert equity.shipped(rules.id, [best, best, best]) is None


def test_same_bits_on_any_number_of_threads() -> None:
    game = game_of("dice")
    rules = game.rules("dice/amigo+target=4")
    policy = game.policy("threshold:3")
    found = [match_equity(game, rules, policy, 300, seed=5, threads=n).values for n in (1, 2)]
    assert np.array_equal(*found)


TABLES = [(text, int(n)) for text, each in manifest(TUNED)["tables"].items() for n in each]


def table_of(text: str, players: int) -> SeveralEquity:
    game = game_of(text)
    rules = game.rules(text)
    found = table_for(rules.id, [game.best_policy(rules, players)] * players)
    assert isinstance(found, SeveralEquity)
    return found


def by_hand(table: SeveralEquity, scores: Any, starter: int) -> list[float]:
    """Everybody's chance, in plain Python."""
    players, target = table.players, table.target
    if max(scores) >= target:
        winners = [score == min(scores) for score in scores]
        return [won / sum(winners) for won in winners]
    turns = [(seat - starter) % players for seat in range(players)]
    everybody = sum(table.common[turn][score] for turn, score in zip(turns, scores, strict=True))
    strengths = []
    for turn, score in zip(turns, scores, strict=True):
        hidden = np.maximum(everybody + table.own[turn][score], 0).astype(object)
        strengths.append(math.exp(float(sum(hidden * table.weights)) / table.whole))
    return [strength / sum(strengths) for strength in strengths]


@pytest.mark.parametrize(("text", "players"), TABLES)
def test_chances_are_those_of_the_network(text: str, players: int) -> None:
    table = table_of(text, players)
    assert (table.players, table.target) == (players, game_of(text).rules(text).target)
    assert len(table.weights) <= equity.MOST_UNITS
    scores = np.random.default_rng(players).integers(0, table.target + 2, (20, players))
    # A tie at the end is shared, and who has more gets nothing.
    scores[0], scores[1] = (3, 41, 3, *[30] * (players - 3)), (5, 4, 40, *[30] * (players - 3))
    starters = np.arange(20) % players
    found = chances_of(table, scores, starters)
    for row, starter, chances in zip(scores.tolist(), starters.tolist(), found, strict=True):
        assert chances == pytest.approx(by_hand(table, row, starter), abs=2e-3)
    assert np.abs(found.sum(axis=1) - 1).max() <= players / EQUITY
    assert table.chances(scores[0].tolist()).tolist() == found[0].tolist()
    # Fewer points are better, and turns matter little at equal scores.
    level = np.array(table.chances([table.target // 2] * players))
    assert np.abs(level - 1 / players).max() < 0.06
    ahead = [table.chances([score, *[20] * (players - 1)])[0] for score in (0, 9, 19, 29, 39)]
    assert np.diff(ahead).max() < 0


SHIPPED = {
    f"{text} 2 {folder}": (text, entry)
    for folder in equity.FOLDERS
    for text, entry in data_json(f"{folder}/manifest.json")["tables"].items()
} | {
    f"{text} {n} {folder}": (text, entry)
    for folder in SEVERAL_FOLDERS
    for text, entries in manifest(folder)["tables"].items()
    for n, entry in entries.items()
    if n in "36"
}


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(SHIPPED))
def test_shipped_tables_are_of_policies_as_they_play_now(name: str) -> None:
    """Whole games from some scores, most of them near the end, where a table may be most wrong."""
    text, entry = SHIPPED[name]
    game = game_of(text)
    rules, policy, players = game.rules(text), game.policy(entry["policy"]), int(name.split()[1])
    table = table_for(rules.id, [policy] * players)
    assert table is not None
    starts = np.array([[20] * players, [31, *[39] * (players - 1)], [39, *[31] * (players - 1)]])
    games = 12_000 // players
    won = won_from(game, rules, policy, starts, games, seed=987)
    for row, chances, variance in zip(starts, won.won, won.variance, strict=True):
        known = chances_by_seat(table, row.tolist(), 0)
        if isinstance(table, SeveralEquity):
            error = np.sqrt(variance + table.stderr**2)
        else:
            error = np.sqrt(variance + table.stderr[row[0], row[1]] ** 2)
        assert (np.abs(known - chances) < 4 * error).all(), row


@pytest.mark.long
def test_a_small_game_is_solved() -> None:
    game: Any = game_of("dice")
    rules, policy = game.rules("dice/amigo+target=8"), game.policy("threshold:5")
    effort = Effort(scores=4_000, games=4, rounds=30, units=16, first=8, then=(8, 20))
    table = solved_table(game, rules, policy, 3, effort, seed=1, threads=1)
    again = solved_table(game, rules, policy, 3, effort, seed=1, threads=2)
    assert np.array_equal(table.own, again.own)
    starts = pairs_of_scores(8, 3, 30, seed=5)
    won = won_from(game, rules, policy, starts, 4_000, seed=5)
    assert before(chances_of(table, starts), won).off.rms < 0.02
    after = after_a_round(game, rules, policy, table, starts, 4_000, seed=5)
    assert after.off.rms < 0.01
    assert after.of_differences.rms < 0.01


@pytest.mark.parametrize("seats", [2, 5])
def test_scores_are_noted_and_read_again(seats: int) -> None:
    game = game_of("dice")
    rules, policy = game.rules("dice/amigo"), game.policy("threshold:5")
    starts = np.random.default_rng(seats).integers(0, 40, (7, seats))
    job = game.rounds_from(rules, [policy] * seats, starts, from_scores.ONE_ROUND)
    assert job is not None
    first = from_scores.BLOCK - 3  # part of a block and of the next one
    noted = from_scores.in_order(job.play(5, first, 14), first, 14)
    scores, starters = from_scores.read_scores(noted, seats)
    assert ((starters >= 0) & (starters < seats)).all()
    changes = scores - starts[(first + np.arange(14)) % 7]
    assert changes.min() >= -30  # tokens
    assert changes.max() <= rules.most_points
    one = from_scores.in_order(job.play(5, first + 9, 1), first + 9, 1)
    assert one[0] == noted[9]


def test_players_have_the_table_of_their_policy_or_none() -> None:
    game = game_of("lama")
    rules = game.rules("lama/egmont")
    for players in PLAYERS:
        trained = game.best_policy(rules, players)
        tuned = game.best_policy(rules, players, OTHERWISE)
        assert trained != tuned
        for policy in (trained, tuned):
            table = table_for(rules.id, [policy] * players)
            assert table is not None
            assert table.policy == policy.name
        assert table_for(rules.id, [tuned, *[trained] * (players - 1)]) is None
        assert table_for("lama/egmont+target=30", [trained] * players) is None
    entry = manifest(TUNED)["tables"]["dice/amigo"]["3"]
    with pytest.raises(LamaOddsError, match="differs from its manifest"):
        read_several(TUNED, {**entry, "sha256": "0" * 64})
    with pytest.raises(LamaOddsError, match="differs from its manifest"):
        equity.read_table(f"equity/{MANIFEST['dice/amigo']['file']}", "0" * 64)


def test_a_table_adds_its_error_to_rollouts_once() -> None:
    game = game_of("dice")
    rules = game.rules("dice/amigo")
    best = game.best_policy(rules, 3)
    table = table_of("dice/amigo", 3)
    position = game.position(rules, "hand=25L row=1346L opp=13,6LL scores=12,9,30")
    job = valued_by(game.rollouts(rules, position, [best] * 3, True, "win"), table)
    assert job.off == (table.after, table.apart)
    assert job.looked_up
    assert 0 < table.after < table.stderr < 0.02


def test_tables_are_as_the_manifest_says() -> None:
    tables = manifest(TUNED)["tables"]
    assert tables["dice/gigamic"] == tables["dice/amigo"]  # they play alike
    assert MANIFEST["dice/gigamic"] == MANIFEST["dice/amigo"]
    for folder in SEVERAL_FOLDERS:
        for each in manifest(folder)["tables"].values():
            for players, entry in each.items():
                assert int(players) == entry["players"] in PLAYERS
                assert entry["estimated after"] <= entry["after"] < entry["harville stderr"]
                assert entry["checked"]["seed"] != entry["seed"]


def test_the_answer_for_several_players() -> None:
    answer = json.loads(json.dumps(lo.equity("dice/amigo", players=3).to_json(), allow_nan=False))
    assert (answer["players"], answer["table"][0]["scores"]) == (3, [0, 0, 0])
    for row in answer["table"]:
        assert sum(chance["value"] for chance in row["win"]) == pytest.approx(1, abs=1e-4)
        assert all(0 <= each["low"] <= each["value"] <= each["high"] <= 1 for each in row["win"])
    given = lo.equity("dice/amigo", scores=[12, 3, 20])
    chances = table_of("dice/amigo", 3).chances([12, 3, 20]).tolist()
    rows = csv.DictReader(io.StringIO(standings_csv(given.found)))
    assert [float(row["win"]) for row in rows] == pytest.approx(chances)
    mine, other = lo.equity("dice/amigo", scores=[12, 3]).win([12, 3])
    assert mine == lo.equity("dice/amigo").win(12, 3)
    assert mine.value + other.value == pytest.approx(1)
    with pytest.raises(ReadError, match="expected a list of whole numbers"):
        lo.equity("dice/amigo", scores="12,3")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ("dice/amigo --scores 12,3,20 -v", "The second player is ahead, with 3 points"),
        ("lama/amigo --scores 0,0,0,0", "All players are level within the errors"),
        ("lama/amigo --scores 39,0,0,0", "The first player is clearly behind the second. The oth"),
        ("lama/amigo --scores 39,39,0,0", "The third and fourth players are ahead, level within"),
    ],
)
def test_it_is_said_who_is_ahead(arguments: str, told: str) -> None:
    assert told in inside("equity", *arguments.split()).out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("dice/amigo+target=30 --players 3", "no match equity table of 3 players"),
        ("dice/amigo --players 3 --policy random", "3 players of random"),
        ("dice/amigo --players 3 --rounds 100", "table of two players"),
        ("dice/amigo --scores 12", "is for 2 to 6 players"),
        ("dice/amigo --scores 12,40,3", "score 40 found, expected 0 to 39"),
        ("dice/amigo --scores 1,2,3 --players 4", "expected"),
        ("pikomino/egmont --policy random --rounds 100", "not played for points"),
        ("lama/egmont+drama --policy random --rounds 100", "a pot"),
        ("dice/amigo+target=61 --policy random --rounds 100", "up to 60"),
    ],
)
def test_what_cannot_be_answered_is_refused_with_the_reason(arguments: str, message: str) -> None:
    said = inside("equity", *arguments.split())
    assert said.code == (4 if "=61" in arguments else 2)
    assert message in said.err


def test_rounds_from_other_scores_are_other_games() -> None:
    played: list[int] = []

    class Noted(Ends):
        def rounds_from(self, rules: Any, policies: Any, starts: Any, most: int) -> Job:
            job = super().rounds_from(rules, policies, starts, most)

            def kernel(
                rules: Any, policies: Any, tables: Any, seed: int, first: int, n: int, tally: Any
            ):
                played.extend(range(first, first + n))
                job.kernel(rules, policies, tables, seed, first, n, tally)

            return replace(job, kernel=kernel)

    match_equity(Noted(), Ends.rules, game_of("dice").policy("random"), 4, seed=0, threads=1)
    assert sorted(played) == list(range(3 * 3 * 4))
