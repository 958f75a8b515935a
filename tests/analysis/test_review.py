"""Reviews: known errors are found at their cost; results are start, luck and skill."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

import lama_odds as lo
from lama_odds.analysis.advice.rollouts import Limits
from lama_odds.analysis.coach.grades import Continuation, Graded, Worth, grade_of
from lama_odds.analysis.coach.review import Review, review
from lama_odds.core.errors import ImpossibleError
from lama_odds.games.noprob.rules.odds import cards_to_draw, legal_actions
from lama_odds.games.registry import game_of
from lama_odds.games.shared.decisions import Decision, decisions, read_record, shares

# Seat 0 stops with the 25 (one worm of 25 .. 28 is two) though three dice are safe to roll.
BLUNDER = """lama-odds record 1
rules pikomino/egmont
players 2
0 roll 334WWWWW keep W stop 25
"""

LAMA = """lama-odds record 1
rules lama/egmont
players 2
round 0 first 0
scores 0 0
deal 112335 225LLL
top 1
0 play 1
1 play 2
"""


def played(rules: str, policies: Sequence[str], game: int = 0, rounds: bool = False) -> str:
    face = game_of(rules)
    named = [face.policy(name) for name in policies]
    return face.record(face.rules(rules), named, 0, game, rounds)


def look(text: str, **options: object) -> Review:
    rules = text.splitlines()[1].split()[1]
    face = game_of(rules)
    return review(face, face.rules(rules), text, **options)  # type: ignore[arg-type]


@cache
def pikomino(policy: str, game: int) -> Review:
    return look(played("pikomino/egmont", [policy] * 2, game))


def adds_up(found: Review) -> bool:
    return all(
        math.isclose(a.start + a.rolls + a.between + a.skill, a.result, abs_tol=1e-9)
        and math.isclose(a.adjusted, a.start + a.skill, abs_tol=1e-9)
        for a in found.course.accounts
    )


def unnamed(graded: Graded) -> dict[str, Any]:
    """A decision as JSON without its place in words, which depends on the seat that is yours."""
    return {**graded.to_json(), "where": None}


def test_a_known_blunder_is_found_at_its_exact_cost() -> None:
    found = look(BLUNDER)
    assert [g.decision.chosen for g in found.decisions] == ["roll", "keep W", "stop 25"]
    worst = found.decisions[found.seats[0].worst[0]]
    assert (worst.decision.chosen, worst.best, worst.grade) == ("stop 25", "roll", "blunder")
    # With five worms kept every one of 3 dice but a worm adds its pips; the 25 gives 2 worms.
    face = game_of("pikomino/egmont")
    rules = face.rules("pikomino/egmont")
    solved = face.solve(rules, worst.decision.position, "points", 1)
    assert solved is not None
    values = {a.action: a.values["points"].value for a in solved.actions}
    assert worst.error.value == pytest.approx(values["roll"] - values["stop 25"], abs=1e-12)
    assert worst.error.value > 0.8
    assert worst.error.low == worst.error.high == worst.error.value
    assert not worst.doubtful
    assert found.course.accounts[0].result == 2.0
    against = look(BLUNDER, opponents=face.policy("random"))  # nobody else acts
    assert replace(against, seconds=0.0).to_json() == replace(found, seconds=0.0).to_json()


OVER = """lama-odds record 1
rules dice/amigo
players 3
round 0 first 0
scores 20 30 35
deal 122336 111236 133566
0 roll 12L discard 12
1 roll 236 discard 236
2 roll 156 discard 6
0 roll 34L discard 3
1 quit
2 roll 16L discard 16
0 roll LLL
2 quit
0 roll 36L discard 36
0 quit
"""


@pytest.mark.long
def test_a_game_is_over_by_its_scores_not_by_its_last_line() -> None:
    found = look(OVER, games=1_000)
    assert found.objective == "win"
    assert [(a.result, a.final) for a in found.course.accounts] == [(1, True), (0, True), (0, True)]
    assert found.course.ends == (1.0, 0.0, 0.0)
    assert adds_up(found)


@pytest.mark.long
def test_a_round_told_from_one_seat() -> None:
    text = LAMA.replace("deal 112335 225LLL", "deal 112335 ?")
    whole, told = (look(each, games=1_000, objective="points") for each in (LAMA, text))
    assert [seat.seat for seat in told.seats] == [0]
    assert unnamed(told.decisions[0]) == unnamed(whole.decisions[0])
    ended = text + "0 quit\n1 quit\nend quit\npenalties 11 17\n"
    found = look(ended, games=1_000, objective="margin")
    assert adds_up(found)
    assert found.course.accounts[0].result == 11 - 17
    with pytest.raises(ImpossibleError, match="no decision"):
        look(text, seat=1)


def test_doubtful_grades_are_looked_at_again_and_say_so() -> None:
    text = played("dice/amigo", ["threshold:9"] * 3, rounds=True)
    found = look(text, games=1_000, objective="points")
    borders = found.borders
    for graded in found.decisions:
        error = graded.error
        assert error.low <= error.value <= error.high
        assert graded.doubtful == (grade_of(error.low, borders) != grade_of(error.high, borders))
        assert graded.games in (0, 1_000, 4_000)
        if graded.doubtful and graded.games == 1_000 and not graded.forced:
            # Half the interval, as four times the games would leave, would still be doubtful.
            half = [error.value + (bound - error.value) / 2 for bound in (error.low, error.high)]
            assert grade_of(half[0], borders) != grade_of(half[1], borders)
    assert any(graded.games == 4_000 for graded in found.decisions)


@pytest.mark.long
def test_winning_pikomino_is_reviewed_with_learned_chances() -> None:
    text = played("pikomino/egmont", ["first-tile", "learned"])
    found = look(text, objective="win")
    assert (found.method, found.games) == ("simulation", 0)
    ways = Counter(graded.learned for graded in found.decisions)
    assert ways[True] > 100
    assert ways[False] == sum(graded.method == "exact" for graded in found.decisions)
    costs = [seat.error / seat.decisions for seat in found.seats]
    # It is reviewed a turn further ahead than `learned` looks.
    assert costs[0] > 0.001 > costs[1]
    assert adds_up(found)
    for seat, account in zip(found.seats, found.course.accounts, strict=True):
        assert seat.error_low <= seat.error <= seat.error_high < seat.error + 0.2
        assert account.skill == pytest.approx(-seat.error, abs=1e-9)


def test_two_players_of_the_policy_have_half_a_win_each_without_luck() -> None:
    game = game_of("dice/amigo")
    rules = game.rules("dice/amigo")
    expected = 0.0
    for number in range(3):
        text = game.record(rules, [game.best_policy(rules, 2, "win")] * 2, 2, number, False)
        told = decisions(game, rules, text)
        going_on = Continuation(game, rules, told[0].position, "win", None, 1_000, 1)
        for seat in range(2):
            first = next(decision for decision in told if decision.seat == seat)
            assert going_on.usual(first) == first.chosen
            expected += going_on.worth(first, seat).before.value
    # Against the best actions' values they would have some 60 % of a win together.
    assert expected / 3 == pytest.approx(1.0, abs=0.035)


@pytest.mark.parametrize(
    ("rules", "objective"), [("lama/egmont", "points"), ("noprob/starnberger", "round")]
)
def test_skill_of_the_policy_is_exactly_nothing(rules: str, objective: str) -> None:
    game = game_of(rules)
    rule_set = game.rules(rules)
    policy = game.best_policy(rule_set, 2, "points" if objective == "points" else "win")
    text = game.record(rule_set, [policy] * 2, 1, 0, True)
    told = decisions(game, rule_set, text)[:20]
    going_on = Continuation(game, rule_set, told[0].position, objective, None, 4, 1)
    worths = [going_on.worth(decision, 1) for decision in told]
    assert [worth.usual for worth in worths] == [decision.chosen for decision in told]
    assert all(worth.skill.value == 0.0 for worth in worths)
    assert all(worth.before == worth.after for worth in worths)


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
    again = look(LAST, objective="points", games=1_000, seat=1, threads=2)
    assert replace(found, seconds=0.0).to_json() == replace(again, seconds=0.0).to_json()
    assert adds_up(found)
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
    assert adds_up(found)
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


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("rules", "players"), [("dice/amigo", 2), ("lama/egmont", 3)])
def test_results_between_rounds_are_chances_by_the_scores(rules: str, players: int) -> None:
    """A record that ends after a round has results by the scores, not by the last decisions."""
    game = game_of(rules)
    rule_set = game.rules(rules)
    policy = game.best_policy(rule_set, players, "win")
    whole = game.record(rule_set, [policy] * players, 6, 3, False)
    text = whole[: whole.index("round 1 ")]
    first, scores = re.findall(r"round 1 first (\d)\nscores ([\d ]+)\n", whole)[0]
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
    assert adds_up(found)
    assert all(0.001 < seat.spread.result < 0.02 for seat in found.seats)


def test_a_round_that_is_over_does_not_end_a_game_that_goes_on() -> None:
    found = look(OVER.replace("scores 20 30 35", "scores 20 30 31"), games=1_000, seat=1)
    assert not found.course.accounts[0].final
    ends = [end for end in found.course.ends if end is not None]
    assert all(0.0 < end < 1.0 for end in ends)
    assert sum(ends) == pytest.approx(1.0, abs=1e-4)


def test_games_are_played_if_they_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Limits] = []

    def noted(*_: object, limits: Limits, **__: object) -> None:
        asked.append(limits)
        raise KeyboardInterrupt

    monkeypatch.setattr("lama_odds.analysis.coach.review.advise", noted)
    for games in (None, 1_000):
        with pytest.raises(KeyboardInterrupt):
            look(BLUNDER, objective="win", games=games)
    assert [limits.learned for limits in asked] == [True, False]


def test_a_card_to_come_is_used_as_the_policy_would() -> None:
    """Drawing is worth the mean of what the policy makes of every card that can come."""
    game = game_of("noprob/starnberger")
    rules = game.rules("noprob/starnberger")
    asked = game.position(rules, "grid=3,?,5/?,(7),?/J,?,? top=4 opp=?,?,?/?,?,9/?,?,?:DK")
    going_on = Continuation(game, rules, asked, "points", None, 200, 1)

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
    assert abs(drawn.after.value - total) < 3 * error < 4.2


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


def test_what_was_done_and_what_the_policy_would_do_are_worth_what_grades_say() -> None:
    found = look(LAST, objective="points", games=2_000)
    assert {worth.usual == worth.decision.chosen for worth in found.worths} == {True, False}
    for graded, worth in zip(found.decisions, found.worths, strict=True):
        assert worth.skill.value == pytest.approx(worth.after.value - worth.before.value)
        asked = (worth.decision.chosen, worth.after), (worth.usual, worth.before)
        for action, value in asked if graded.method != "exact" else ():
            apart = abs(graded.values[action].value - value.value)
            assert apart <= 4 * math.hypot(graded.values[action].stderr, value.stderr)


def test_only_one_seat() -> None:
    both, text = pikomino("first-tile", 0), played("pikomino/egmont", ["first-tile"] * 2)
    one = look(text, seat=1)
    assert [seat.score for seat in both.seats] == [int(w) for w in text.split("final ")[1].split()]
    assert [seat.seat for seat in one.seats] == [1]
    assert one.seats[0].error == pytest.approx(both.seats[1].error)
    assert one.course.accounts[0] == both.course.accounts[1]


@pytest.mark.parametrize(
    ("rules", "policy"),
    [
        ("dice/amigo", "threshold:5"),
        ("lama/party+drama", "matching:5"),
        ("pikomino/egmont", "first-tile"),
        ("noprob/starnberger+four_rounds", "random"),
    ],
)
def test_who_has_won_is_known_without_the_last_line(rules: str, policy: str) -> None:
    lines = played(rules, [policy] * 3).splitlines()

    def of(upto: int) -> list[float] | None:
        return shares(game_of(rules), read_record(game_of(rules), "\n".join(lines[:upto]) + "\n"))

    whole = of(len(lines))
    assert whole is not None
    assert sum(whole) == pytest.approx(1.0)
    last = max(i for i, line in enumerate(lines) if line[0].isdigit())
    assert of(len(lines) - 1) == of(last + 1) == whole
    assert of(last) is None


@pytest.mark.long
def test_results_add_up() -> None:
    text = played("lama/egmont", ["matching:5"] * 3, rounds=True)
    found = look(text, objective="points", games=1_000)
    assert adds_up(found)
    penalties = text.split("penalties ")[1].split("\n")[0].split()
    for told, account in zip(penalties, found.course.accounts, strict=True):
        assert account.final
        assert account.result <= int(told)  # tokens may be given back
    begun = "\n".join(played("noprob/starnberger", ["random"] * 2, rounds=True).splitlines()[:11])
    found = look(f"{begun}\n", objective="points", games=1_000)
    assert adds_up(found)
    assert not any(account.final for account in found.course.accounts)


@pytest.mark.long
def test_who_plays_the_best_turn_loses_nothing_and_others_lose_more() -> None:
    best, first, worst = (pikomino(p, 0) for p in ("optimal-turn", "first-tile", "random"))
    assert best.method == "exact"
    assert all(seat.grades["fine"] == seat.decisions for seat in best.seats)
    errors = [sum(seat.mean_error for seat in each.seats) for each in (best, first, worst)]
    assert errors[0] < 1e-9 < 0.06 < errors[1] < errors[2]
