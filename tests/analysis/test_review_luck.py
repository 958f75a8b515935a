"""Luck has mean zero: a decision is worth what the policy that goes on makes of it."""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import lama_odds as lo
from lama_odds.analysis.coach.intervals import seed_of
from lama_odds.analysis.coach.luck import Account, course_of
from lama_odds.analysis.coach.review import Review, review
from lama_odds.analysis.coach.worth import Continuation, Worth
from lama_odds.core.data import data_json
from lama_odds.games.noprob.rules.odds import cards_to_draw, legal_actions
from lama_odds.games.registry import game_of
from lama_odds.games.shared.decisions import Decision, decisions, read_record

EACH = 30  # games that a decision is played out for: means over games are right however few
GAMES = 20


@cache
def accounts() -> list[Account]:
    """Accounts of a threshold policy in games of two for winning, against the model's policy."""
    game = game_of("dice/amigo")
    rules = game.rules("dice/amigo")
    seated = [game.policy("threshold:9"), game.best_policy(rules, 2, "win")]
    found = []
    for number in range(GAMES):
        text = game.record(rules, seated, 6, number, False)
        own = [decision for decision in decisions(game, rules, text) if decision.seat == 0]
        going_on = Continuation(game, rules, own[0].position, "win", None, EACH, 1)
        worths = [
            going_on.worth(decision, seed_of(number, decision.line, place))
            for place, decision in enumerate(own)
        ]
        course = course_of(game, read_record(game, text), text, worths, "win")
        found.append(course.accounts[0])
    return found


def luck(account: Account) -> float:
    return account.rolls + account.between


def mean_and_error(values: list[float]) -> tuple[float, float]:
    return float(np.mean(values)), float(np.std(values, ddof=1) / math.sqrt(len(values)))


@pytest.mark.long
def test_luck_of_another_policy_has_mean_nothing_and_its_skill_is_below() -> None:
    mean, error = mean_and_error([luck(account) for account in accounts()])
    assert error < 0.15
    assert abs(mean) < 3 * error
    skill, error = mean_and_error([account.skill for account in accounts()])
    assert skill < -2.5 * error


def test_results_are_start_luck_and_skill() -> None:
    for account in accounts():
        parts = account.start + luck(account) + account.skill
        assert parts == pytest.approx(account.result, abs=1e-9)
        assert account.adjusted == pytest.approx(account.start + account.skill, abs=1e-9)


def test_two_players_of_the_policy_have_half_a_win_each_without_luck() -> None:
    # Against the best actions' values they would have some 60 % of a win together.
    sums = [sum(of_first_decisions(number)) for number in range(4)]
    assert np.mean(sums) == pytest.approx(1.0, abs=0.03)


def of_first_decisions(number: int) -> Iterator[float]:
    """What each of two equal players can expect at its first decision."""
    game = game_of("dice/amigo")
    rules = game.rules("dice/amigo")
    text = game.record(rules, [game.best_policy(rules, 2, "win")] * 2, 2, number, False)
    told = decisions(game, rules, text)
    going_on = Continuation(game, rules, told[0].position, "win", None, 1_000, 1)
    for seat in range(2):
        first = next(decision for decision in told if decision.seat == seat)
        assert going_on.usual(first) == first.chosen
        yield going_on.worth(first, seat).before.value


@pytest.mark.parametrize(
    ("rules", "objective", "rounds"),
    [
        ("lama/egmont", "points", True),
        ("noprob/starnberger", "round", True),
        ("pikomino/egmont", "win", False),
    ],
)
def test_skill_of_the_policy_is_exactly_nothing(rules: str, objective: str, rounds: bool) -> None:
    game = game_of(rules)
    rule_set = game.rules(rules)
    policy = game.best_policy(rule_set, 2, "points" if objective == "points" else "win")
    text = game.record(rule_set, [policy] * 2, 1, 0, rounds)
    told = decisions(game, rule_set, text)[:30]
    going_on = Continuation(game, rule_set, told[0].position, objective, None, 4, 1)
    worths = [going_on.worth(decision, 1) for decision in told]
    assert [worth.usual for worth in worths] == [decision.chosen for decision in told]
    assert all(worth.skill.value == 0.0 for worth in worths)
    assert all(worth.before == worth.after for worth in worths)


def test_a_card_to_come_is_used_as_the_policy_would() -> None:
    """Drawing is worth the mean of what the policy makes of every card that can come."""
    game = game_of("noprob/starnberger")
    rules = game.rules("noprob/starnberger")
    asked = game.position(rules, "grid=3,?,5/?,(7),?/J,?,? top=4 opp=?,?,?/?,?,9/?,?,?:DK")
    going_on = Continuation(game, rules, asked, "points", None, 500, 1)

    def worth(position: object, chosen: str) -> Worth:
        return going_on.worth(Decision(1, 0, 0, 0, chosen, "", position), 3)

    drawn = worth(asked, "draw")
    ways = cards_to_draw(rules, asked)
    total = variance = 0.0
    for kind, count in enumerate(ways):
        if count:
            held = replace(asked, drawn=kind)
            found = worth(held, legal_actions(rules, held)[0]).before
            total += count / sum(ways) * found.value
            variance += (count / sum(ways) * found.stderr) ** 2
    error = math.sqrt(variance + drawn.after.stderr**2)
    assert abs(drawn.after.value - total) < 3 * error < 2.5


def test_the_published_study_sees_no_mean_but_in_its_control() -> None:
    path = Path(__file__).resolve().parents[2] / "reports" / "luck.csv"
    rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    control = [row for row in rows if row["control"] == "1"]
    real = [row for row in rows if row["control"] == "0"]
    away = [float(row["luck"]) / float(row["luck_stderr"]) for row in real]
    assert len(away) > 20
    assert max(map(abs, away)) < 3.5  # of so many means
    for row in control:  # equal players would have less than a win together
        missing = 1 - float(row["sum_adjusted"])
        assert missing > 4 * float(row["sum_adjusted_stderr"])
    assert control
    finest = min(float(row["luck_stderr"]) for row in rows if row["objective"] == "win")
    assert finest < 0.0125


def test_no_policy_that_goes_on_plays_by_chance() -> None:
    named = [
        entry["policy"]
        for editions in data_json("best.json")["best"].values()
        for players in editions.values()
        for objectives in players.values()
        for entry in objectives.values()
    ]
    assert len(named) > 50
    assert "random" not in named


def look(text: str, **options: object) -> Review:
    rules = text.splitlines()[1].split()[1]
    game = game_of(rules)
    return review(game, game.rules(rules), text, **options)  # type: ignore[arg-type]


LAST = """lama-odds record 1
rules dice/amigo
players 3
round 0 first 0
scores 0 0 0
deal 122336 111236 133566
0 quit
1 roll 236 discard 236
2 quit
1 roll 12L discard 1
1 quit
"""


def test_solved_decisions_after_sampled_ones_are_played_out() -> None:
    """What came before was valued with the policy going on, not with the best play."""
    found = look(LAST, objective="points", games=1_000, seat=1)
    assert [graded.method for graded in found.decisions[2:]] == ["exact"] * 3
    assert not any(worth.solved for worth in found.worths)
    told = found.to_json()["decisions"]
    assert told[3]["continuation"]["before"]["n"] == 1_000  # what is left to do, sampled
    # A stretch that is solved from its first decision on stays so.
    text = LAST.replace("1 roll 236 discard 236", "1 quit").replace(
        "2 quit\n1 roll 12L", "2 roll 156"
    )
    text = text.replace("2 roll 156 discard 1\n1 quit", "2 roll 156 discard 6\n2 quit")
    found = look(text, objective="points", games=1_000, seat=2)
    assert all(worth.solved for worth in found.worths)
    assert [worth.usual for worth in found.worths] == [graded.best for graded in found.decisions]


QUITS = """lama-odds record 1
rules dice/amigo
players 2
round 0 first 0
scores 0 0
deal 111112 26LLLL
0 quit
1 quit
end quit
penalties 3 18
"""


def test_luck_and_skill_are_those_against_the_given_opponents() -> None:
    """Against a player who quits with any hand, quitting first leaves nothing to chance."""
    quitter = game_of("dice/amigo").policy("threshold:31")
    found = look(QUITS, objective="margin", games=1_000, seat=0, opponents=quitter, threads=1)
    (worth,), (account,) = found.worths, found.course.accounts
    assert (worth.after.value, account.result) == (3 - 18, 3 - 18)
    assert (account.rolls, account.between) == (0, 0)
    strong = look(QUITS, objective="margin", games=1_000, seat=0, threads=1)
    assert strong.course.accounts[0].between < -1  # who would have rolled on


def test_luck_does_not_depend_on_what_settles_a_grade() -> None:
    """The account has a number of games of its own: none is added where it looks doubtful."""
    found = look(LAST, objective="points", games=8_000)
    seats = [worth.decision.seat for worth in found.worths]
    firsts = {seat: seats.index(seat) for seat in seats}
    for i, worth in enumerate(found.worths):
        same = worth.usual == worth.decision.chosen and firsts[worth.decision.seat] != i
        assert worth.games in (0, 1_000 if same else 8_000)
    assert {worth.games for worth in found.worths} >= {1_000, 8_000}
    assert len({graded.games for graded in found.decisions}) > 1


def up_to(text: str, rounds: int) -> str:
    """The beginning of a record, to the end of a number of rounds."""
    lines = text.splitlines()
    ends = [at for at, line in enumerate(lines) if line.startswith("penalties ")]
    return "\n".join(lines[: ends[rounds - 1] + 1]) + "\n"


@pytest.mark.parametrize(("rules", "players"), [("dice/amigo", 2), ("lama/egmont", 3)])
def test_results_between_rounds_are_chances_by_the_scores(rules: str, players: int) -> None:
    """A record that ends after a round has results by the scores, not by the last decisions."""
    game = game_of(rules)
    rule_set = game.rules(rules)
    policy = game.best_policy(rule_set, players, "win")
    whole = game.record(rule_set, [policy] * players, 6, 3, False)
    text = up_to(whole, 2)
    first, scores = re.findall(r"round 2 first (\d)\nscores ([\d ]+)\n", whole)[0]
    told = scores.split()
    in_turn = [int(told[(int(first) + at) % players]) for at in range(players)]
    row = lo.equity(rules, scores=in_turn).to_json()["table"][0]
    chances = [each["value"] for each in row["win"]]
    found = review(game, rule_set, text, objective="win", games=1_000, threads=1)
    accounts = found.course.accounts
    results = [accounts[(int(first) + at) % players].result for at in range(players)]
    assert results == pytest.approx(chances, abs=1e-4)
    assert found.course.ends == tuple(account.result for account in accounts)
    assert not any(account.final for account in accounts)
    for account in accounts:
        parts = account.start + luck(account) + account.skill
        assert parts == pytest.approx(account.result, abs=1e-9)
    assert any("ends between two rounds" in told for told in found.assumptions)
    assert all(0.001 < seat.spread.result < 0.02 for seat in found.seats)
    without_last_turn = text.rpartition("end ")[0].rstrip("\n").rpartition("\n")[0] + "\n"
    inside = review(game, rule_set, without_last_turn, objective="win", games=1_000)
    assert not any("between two rounds" in told for told in inside.assumptions)
