"""How often decisions differ: counted by hand, left out with a reason, exactly 0."""

from __future__ import annotations

import csv
import io

import pytest

from lama_odds.analysis.compare import decision_agreement
from lama_odds.analysis.compare.compare import Amount, Comparison, compare
from lama_odds.analysis.compare.decision_agreement import Side, share_apart
from lama_odds.core.delta import Delta
from lama_odds.games.registry import game_of
from lama_odds.games.shared.decisions import decisions
from lama_odds.games.shared.policy_query import words_of
from lama_odds.report.text.compare import change, compared_csv, decisions_lines, verdict
from lama_odds.statistics.grouped import GroupedShare
from tests.analysis.test_compare import row_of, text_of


def side(rules: str, policy: str) -> Side:
    game = game_of(rules)
    return Side(game.rules(rules), game.policy(policy))


def asked(
    a: str, b: str, policy: str, other: str | None = None, games: int = 1_000, seed: int = 3
) -> GroupedShare | str:
    sides = side(a, policy), side(b, other or policy)
    return share_apart(game_of(a), *sides, 3, games, seed, 0.005)


def counted(a: str, low: int, high: int, games: int, seed: int) -> tuple[int, int]:
    """Of dice with a threshold: quits that another threshold would not have made, and decisions.

    Told by the records alone: who has low < points ≤ high quits with one of them only.
    """
    game = game_of(a)
    rules, policy = game.rules(a), game.policy(f"threshold:{low}")
    apart = total = 0
    for at in range(games):
        text = game.record(rules, [policy] * 3, seed, at, False)
        wanted = words_of(seed, at, 1 << 14)[0]
        for number, decision in enumerate(decisions(game, rules, text)):
            if int(wanted[number]) >> 32 & 3:
                continue
            position = decision.position
            if position.rolled is None:
                total += 1
                mask = sum(1 << kind for kind, n in enumerate(position.hand) if n)
                apart += low < int(rules.penalties[mask]) <= high
            else:
                query = decision_agreement.query_of(game_of("dice"))
                total += len(query.legal_actions(rules, position)) > 1
    return apart, total


def test_the_share_is_what_records_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decision_agreement, "FEWEST_GAMES", 4)
    found = asked("dice/amigo", "dice/amigo", "threshold:4", "threshold:9", games=100)
    assert isinstance(found, GroupedShare)
    apart, total = counted("dice/amigo", 4, 9, 4, 3)
    assert (found.found, found.estimate.n) == (apart, total)
    assert found.estimate.value == apart / total > 0.02
    assert found.estimate.low < found.estimate.value < found.estimate.high


@pytest.mark.long
def test_more_games_tell_more_but_not_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    pair = ("dice/amigo", "dice/amigo", "threshold:4", "threshold:9")
    few, more = asked(*pair), asked(*pair, games=4_000)
    assert isinstance(few, GroupedShare)
    assert isinstance(more, GroupedShare)
    assert more.estimate.n > 3 * few.estimate.n
    assert more.estimate.stderr < few.estimate.stderr
    monkeypatch.setattr(decision_agreement, "DECISIONS_ASKED", 1_000)
    enough = asked(*pair, games=1_000_000)
    assert isinstance(enough, GroupedShare)
    assert 700 < enough.estimate.n < 1_500


def test_players_who_decide_by_the_same_numbers_never_differ() -> None:
    for pair in (
        ("dice/amigo", "dice/gigamic", "meanfield"),
        ("dice/amigo", "dice/egmont", "random"),
    ):
        found = asked(*pair)
        assert isinstance(found, GroupedShare)
        assert (found.estimate.value, found.estimate.method, found.found) == (0.0, "exact", 0)
        assert (found.p, found.p_same) == (1.0, 0.0)


@pytest.mark.long
@pytest.mark.parametrize(
    ("a", "b", "policy"),
    [
        ("lama/egmont", "lama/egmont+llama_each", "meanfield"),
        ("noprob/starnberger", "noprob/starnberger+special=9", "planner:chase=30"),
        ("pikomino/egmont", "pikomino/egmont+worms=1.1.1.9", "optimal-turn"),
    ],
)
def test_other_games(a: str, b: str, policy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decision_agreement, "FEWEST_GAMES", 5)
    found = asked(a, b, policy, games=100)
    assert isinstance(found, GroupedShare)
    assert 0 < found.estimate.value < 0.5
    assert found == asked(a, b, policy, games=100)


def test_who_plays_by_chance_is_told_the_same_word() -> None:
    found = asked("dice/amigo", "dice/amigo", "random", "threshold:6")
    assert isinstance(found, GroupedShare)
    assert 0.2 < found.estimate.value < 0.8


def compared(*ids: str, policy: str, **more: object) -> Comparison:
    game = game_of(ids[0])
    variants = [game.rules(text) for text in ids]
    amount = Amount(games=1_000)
    return compare(
        game,
        variants,
        [game.policy(policy)] * len(ids),
        3,
        amount=amount,
        **more,  # type: ignore[arg-type]
    )


@pytest.mark.long
def test_a_comparison_has_the_measure_or_says_why_not() -> None:
    found = compared("lama/egmont", "lama/egmont+llama_each", "lama/party", policy="meanfield")
    row = row_of(found, "decisions")
    assert row.other == row.difference
    assert (row.baseline.value, row.baseline.method) == (0.0, "exact")
    assert (row.relative, row.saving, row.delta, row.rare) == (None, None, 0.005, False)
    assert row.differing == round(row.difference.value * row.difference.n) > 0
    assert verdict(row) in ("differs", "equivalent within ±0.5 %, but not 0")
    assert change(row).startswith("+")
    (left,) = found.left_out
    assert (left.rules, left.against) == ("lama/party", "lama/egmont")
    assert "cards 1+" in left.reason
    assert found.to_json()["left_out"] == [left.to_json()]
    text = text_of(found)
    assert "decisions of lama/party against lama/egmont: the decisions cannot be tried" in text
    assert "were compared" in text
    rows = list(csv.DictReader(io.StringIO(compared_csv(found))))
    assert [line["rules"] for line in rows if line["measure"] == "decisions"] == [
        "lama/egmont+llama_each",
        "lama/party",
    ]
    assert rows[-1]["verdict"].startswith("left out: the decisions cannot be tried")
    assert rows[-1]["difference value"] == ""


def test_exactly_the_same_is_said() -> None:
    found = compared("dice/amigo", "dice/gigamic", policy="threshold:5")
    row = row_of(found, "decisions")
    assert (row.judged.verdict, change(row)) == ("same", "0")
    assert verdict(row) == "no difference at all"
    assert any("exactly 0" in line for line in decisions_lines(found))


@pytest.mark.long
def test_delta_of_decisions() -> None:
    pair = ("dice/amigo", "dice/amigo+llama_points=5")
    found = compared(*pair, policy="threshold:6", deltas={"decisions": Delta(0.9)})
    assert row_of(found, "decisions").judged.verdict == "same"
    found = compared(*pair, policy="threshold:6", deltas={None: Delta(0.5, True)})
    assert row_of(found, "decisions").delta == 0.005
    assert row_of(found, "decisions").judged.verdict == "differs"


def test_interrupted_while_asking_what_was_played_is_answered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def stop(*args: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(decision_agreement, "_ask", stop)
    found = compared("dice/amigo", "dice/amigo+llama_points=5", "dice/egmont", policy="threshold:6")
    assert [left.reason for left in found.left_out] == ["stopped early"] * 2
    assert not found.interrupted
    assert row_of(found, "penalty").difference.n == 1_000
