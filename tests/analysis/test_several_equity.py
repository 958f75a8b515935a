"""Match equity tables of three to six: against whole games, a slow twin, games played out."""

from __future__ import annotations

import csv
import io
import json
import math
from typing import Any

import numpy as np
import pytest

import lama_odds as lo
from lama_odds.analysis.advice.advise import advise
from lama_odds.analysis.advice.rollouts import Limits
from lama_odds.analysis.several_equity.checked import (
    Apart,
    after_a_round,
    before,
    pairs_of_scores,
)
from lama_odds.analysis.several_equity.harville import harville
from lama_odds.analysis.several_equity.network import Network
from lama_odds.analysis.several_equity.solve import Effort, solved_table
from lama_odds.analysis.several_equity.whole_games import WonFrom, random_scores, won_from
from lama_odds.core.errors import LamaOddsError, ReadError
from lama_odds.games.interface import from_scores, score_chances
from lama_odds.games.interface.best import OTHERWISE
from lama_odds.games.interface.match_equity import table_for, valued_by
from lama_odds.games.interface.several_equity import (
    FOLDERS,
    PLAYERS,
    TUNED,
    SeveralEquity,
    chances_of,
    manifest,
    read_several,
    shipped_several,
)
from lama_odds.games.interface.tally_layout import EQUITY
from lama_odds.games.registry import game_of
from lama_odds.report.text.equity import standings_csv
from tests.cli.calls import inside

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
    assert len(table.weights) <= score_chances.MOST_UNITS
    scores = np.random.default_rng(players).integers(0, table.target + 2, (40, players))
    starters = np.arange(40) % players
    found = chances_of(table, scores, starters)
    for row, starter, chances in zip(scores.tolist(), starters.tolist(), found, strict=True):
        assert chances == pytest.approx(by_hand(table, row, starter), abs=2e-3)
    assert np.abs(found.sum(axis=1) - 1).max() <= players / EQUITY
    first = np.zeros(40, dtype=np.int64)
    assert (
        table.chances(scores[0].tolist()).tolist() == chances_of(table, scores, first)[0].tolist()
    )


@pytest.mark.parametrize(("text", "players"), TABLES)
def test_fewer_points_are_better_and_turns_matter_little_at_equal_scores(
    text: str, players: int
) -> None:
    table = table_of(text, players)
    level = np.array(table.chances([table.target // 2] * players))
    assert np.abs(level - 1 / players).max() < 0.06
    ahead = [table.chances([score, *[20] * (players - 1)])[0] for score in (0, 9, 19, 29, 39)]
    assert np.diff(ahead).max() < 0


def test_a_tie_is_shared_and_a_loser_gets_nothing() -> None:
    table = table_of(*TABLES[0])
    assert table.players == 3
    found = chances_of(table, np.array([[3, 41, 3], [5, 4, 40]]), np.array([1, 2]))
    assert found.tolist() == [[0.5, 0, 0.5], [0, 1, 0]]


@pytest.mark.long
@pytest.mark.parametrize("text", ["dice/amigo", "lama/amigo"])
def test_whole_games_agree_with_a_shipped_table(text: str) -> None:
    table = table_of(text, 3)
    game = game_of(text)
    rules = game.rules(text)
    starts = random_scores(table.target, 3, 40, seed=987)
    won = won_from(game, rules, game.best_policy(rules, 3), starts, 3_000, seed=987)
    error = np.sqrt(won.variance + table.stderr**2)
    assert (np.abs(chances_of(table, starts) - won.won) / error).max() < 4.5
    assert before(chances_of(table, starts), won).off.square < (2 * table.stderr) ** 2


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


def test_a_network_finds_harvilles_chances() -> None:
    random = np.random.default_rng(1)
    strengths = np.exp(-random.random((3, 6)))
    starts = random_scores(6, 3, 3_000, seed=2)
    shares = strengths[np.arange(3), starts]
    shares /= shares.sum(axis=1, keepdims=True)
    network = Network(3, 6, 12, seed=1)
    network.fit(starts, shares, 100)
    table = network.rounded("", 0, 0)
    assert np.abs(chances_of(table, starts) - shares).max() < 0.03
    assert np.abs(harville(starts, shares, 6)(starts) - shares).max() < 0.005


def test_the_error_of_chances_is_found() -> None:
    random = np.random.default_rng(3)
    starts = pairs_of_scores(40, 4, 2_000, seed=1)
    assert (starts[:2_000] != starts[2_000:]).sum(axis=1).max() == 1
    assert np.abs(starts[:2_000] - starts[2_000:]).max() <= 10
    chances = np.full(starts.shape, 0.25)
    won = random.binomial(500, 0.25, starts.shape) / 500
    games = WonFrom(starts, won, won, 500)
    assert before(chances, games).off.most < 0.004
    off = before(chances + random.normal(0, 0.02, starts.shape), games).off
    assert off.rms == pytest.approx(0.02, abs=0.001)
    assert off.rms < off.most < 0.022
    same = Apart(np.full((10, 3), 0.01), np.zeros((10, 3)))
    assert same.off.rms == pytest.approx(0.01)
    assert same.of_differences.rms == 0


@pytest.mark.parametrize("seats", range(2, 7))
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


@pytest.mark.long
@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("dice/amigo", "hand=25L row=1346L opp=13,6LL scores=12,9,30"),
        ("lama/amigo", "hand=3356L top=4 opp=4,q2 scores=12,30,25"),
        ("lama/egmont", "hand=12 top=4 opp=3,5 scores=33,31,38 first=1"),
    ],
)
def test_looking_up_agrees_with_playing_out(text: str, position: str) -> None:
    game = game_of(text)
    rules = game.rules(text)
    asked = game.position(rules, position)
    limits = Limits(games=3_000)  # with many more the error of the table is the larger part
    answers = [
        advise(game, rules, asked, objective="win", limits=limits, look_up=found, thorough=False)
        for found in (True, False)
    ]
    off = table_of(text, 3).after
    looked_up, played = ({a.action: a.value for a in answer.actions} for answer in answers)
    assert looked_up.keys() == played.keys()
    for action, value in looked_up.items():
        error = math.hypot(value.stderr, played[action].stderr)  # the table's is in the first
        assert abs(value.value - played[action].value) < 4 * error
        assert off <= value.stderr < played[action].stderr
        assert value.high - value.low >= 2 * 1.95 * off
    assert any("match equity table of 3 players" in line for line in answers[0].assumptions)
    assert not any("match equity table" in line for line in answers[1].assumptions)


def test_other_players_have_no_table() -> None:
    game = game_of("dice")
    rules = game.rules("dice/amigo")
    best, other = game.best_policy(rules, 3), game.policy("random")
    assert table_for("dice/amigo", [best, best, other]) is None
    assert table_for("dice/amigo+target=30", [best] * 3) is None
    entry = dict(manifest(TUNED)["tables"]["dice/amigo"]["3"])
    assert shipped_several("dice/amigo", [entry["policy"]] * 3) is not None
    with pytest.raises(LamaOddsError, match="differs from its manifest"):
        read_several(TUNED, {**entry, "sha256": "0" * 64})


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
    assert tables["dice/gigamic"] == tables["dice/amigo"]
    for folder in FOLDERS:
        for each in manifest(folder)["tables"].values():
            for players, entry in each.items():
                assert int(players) == entry["players"] in PLAYERS
                assert entry["estimated after"] <= entry["after"] < entry["harville stderr"]
                assert entry["checked"]["seed"] != entry["seed"]


@pytest.mark.parametrize("rules_id", ["lama/egmont", "lama/amigo"])
@pytest.mark.parametrize("players", PLAYERS)
def test_tuned_and_trained_players_have_tables_of_their_own(rules_id: str, players: int) -> None:
    game = game_of(rules_id)
    rules = game.rules(rules_id)
    trained = game.best_policy(rules, players)
    tuned = game.best_policy(rules, players, OTHERWISE)
    assert trained != tuned
    for policy in (trained, tuned):
        table = table_for(rules_id, [policy] * players)
        assert table is not None
        assert table.policy == policy.name
    assert table_for(rules_id, [tuned, *[trained] * (players - 1)]) is None


def test_answer() -> None:
    found = lo.equity("dice/amigo", players=3)
    answer = json.loads(json.dumps(found.to_json(), allow_nan=False))
    assert answer["players"] == 3
    assert answer["table"][0]["scores"] == [0, 0, 0]
    for row in answer["table"]:
        assert len(row["win"]) == 3
        assert sum(chance["value"] for chance in row["win"]) == pytest.approx(1, abs=1e-4)
        assert all(0 <= each["low"] <= each["value"] <= each["high"] <= 1 for each in row["win"])
    rows = list(csv.DictReader(io.StringIO(standings_csv(found.found))))
    assert len(rows) == 3 * len(answer["table"]) == len(found.to_frame())
    assert rows[0]["scores"] == "0 0 0"
    assert float(rows[1]["win"]) == answer["table"][0]["win"][1]["value"]
    one = inside("equity", "dice/amigo", "--scores", "12,3,20", "--json").json
    assert [row["scores"] for row in one["table"]] == [[12, 3, 20]]
    assert [each["value"] for each in one["table"][0]["win"]] == pytest.approx(
        table_of("dice/amigo", 3).chances([12, 3, 20]).tolist()
    )
    two = lo.equity("dice/amigo", scores=[12, 3])
    mine, other = (chance.value for chance in two.win([12, 3]))
    assert mine == lo.equity("dice/amigo").win(12, 3).value
    assert mine + other == pytest.approx(1)


def test_text() -> None:
    said = inside("equity", "dice/amigo", "--players", "3").out
    assert "3 players" in said
    assert "all others" in said
    assert "--scores" in said
    said = inside("equity", "dice/amigo", "--scores", "12,3,20", "-v").out
    assert "The second player is ahead, with 3 points" in said
    assert "seed 1" in said
    said = inside("equity", "lama/amigo", "--scores", "0,0,0,0").out
    assert "All players are level within the errors" in said
    said = inside("equity", "lama/amigo", "--scores", "39,0,0,0").out
    assert "The first player is clearly behind the second. The others are level" in said
    said = inside("equity", "lama/amigo", "--scores", "39,39,0,0").out
    assert "The third and fourth players are ahead, level within the errors" in said
    said = inside("equity", "lama/amigo", "--scores", "0,0,0,39,39").out
    assert "The fourth and fifth players are clearly behind the " in said


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("dice/amigo+target=30", "--players", "3"), "no match equity table of 3 players"),
        (("pikomino/egmont", "--players", "3"), "expected the best policy of dice/amigo"),
        (("dice/amigo", "--players", "3", "--policy", "random"), "3 players of random"),
        (("dice/amigo", "--players", "3", "--rounds", "100"), "table of two players"),
        (("dice/amigo", "--players", "3", "--best-play"), "table of two players"),
        (("dice/amigo", "--players", "9"), "is for 2 to 6 players"),
        (("dice/amigo", "--scores", "12"), "is for 2 to 6 players"),
        (("dice/amigo", "--scores", "12,x,3"), "found 'x', expected a whole number"),
        (("dice/amigo", "--scores", "12,40,3"), "score 40 found, expected 0 to 39"),
        (("dice/amigo", "--scores", "1,2,3", "--players", "4"), "expected"),
    ],
)
def test_refused(arguments: tuple[str, ...], message: str) -> None:
    said = inside("equity", *arguments)
    assert said.code == 2
    assert message in said.err
    assert "Traceback" not in said.err


def test_refused_in_python() -> None:
    with pytest.raises(ReadError, match="expected a list of whole numbers"):
        lo.equity("dice/amigo", scores="12,3")  # type: ignore[arg-type]
    with pytest.raises(ReadError, match="of 2 players found"):
        lo.equity("dice/amigo", players=3, scores=[12, 3])
