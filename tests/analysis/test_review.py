"""Reviews: known errors are found at their cost, luck has mean 0, results add up."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from lama_odds.analysis.advice.rollouts import Limits
from lama_odds.analysis.coach.grades import grade_of
from lama_odds.analysis.coach.review import Review, review
from lama_odds.core.errors import ImpossibleError, ReadError
from lama_odds.games.registry import game_of
from lama_odds.games.shared.decisions import decisions, read_record, shares

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


def mean_error(policy: str) -> float:
    found = [pikomino(policy, game) for game in range(3)]
    lost = sum(seat.error for each in found for seat in each.seats)
    return lost / sum(seat.decisions for each in found for seat in each.seats)


def adds_up(found: Review) -> bool:
    return all(
        math.isclose(a.start + a.rolls + a.between + a.skill, a.result, abs_tol=1e-9)
        and math.isclose(a.adjusted, a.start + a.skill, abs_tol=1e-9)
        for a in found.course.accounts
    )


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


def test_the_position_of_a_decision_reads_back() -> None:
    for text in (BLUNDER, LAMA, played("dice/amigo", ["random"] * 3)):
        face = game_of(text.splitlines()[1].split()[1])
        rules = face.rules(text.splitlines()[1].split()[1])
        for decision in decisions(face, rules, text):
            assert face.position(rules, decision.position.format()) == decision.position


def test_who_plays_the_best_turn_loses_nothing() -> None:
    for game in range(3):
        found = pikomino("optimal-turn", game)
        assert found.method == "exact"
        assert all(g.error.value <= 1e-9 for g in found.decisions)
        assert all(seat.grades["fine"] == seat.decisions for seat in found.seats)


@pytest.mark.long
def test_weaker_policies_lose_more() -> None:
    best, first, worst = (mean_error(p) for p in ("optimal-turn", "first-tile", "random"))
    assert best < 1e-9 < 0.03 < first < worst


@pytest.mark.long
@pytest.mark.parametrize("policy", ["optimal-turn", "random"])
def test_luck_of_rolls_has_mean_nothing(policy: str) -> None:
    swings = [s.amount for game in range(3) for s in pikomino(policy, game).course.swings if s.own]
    assert len(swings) > 200
    assert abs(np.mean(swings)) < 4 * np.std(swings) / math.sqrt(len(swings))
    assert np.std(swings) > 0.1


@pytest.mark.long
def test_luck_of_solved_rounds_of_dice_has_mean_nothing() -> None:
    # Two players: the margin is solved.
    rules = "dice/amigo+dealt=3"
    swings: list[float] = []
    for game in range(7):
        found = look(played(rules, ["threshold:0", "threshold:0"], game, True), objective="margin")
        assert found.method == "exact"
        assert adds_up(found)
        swings += [s.amount for s in found.course.swings if s.own]
        # What one wins, the other loses.
        one, other = found.course.accounts
        assert one.result == -other.result
    assert len(swings) > 25
    assert abs(np.mean(swings)) < 4 * np.std(swings) / math.sqrt(len(swings))


@pytest.mark.long
@pytest.mark.parametrize(
    ("rules", "policies", "objective", "rounds"),
    [
        ("dice/amigo", ["threshold:5"] * 3, "points", True),
        ("dice/amigo", ["threshold:5"] * 3, "margin", True),
        ("dice/amigo", ["threshold:9", "random"], "win", False),
        ("lama/egmont", ["matching:5"] * 3, "points", True),
        ("noprob/starnberger", ["random"] * 2, "points", True),
    ],
)
def test_results_add_up(rules: str, policies: list[str], objective: str, rounds: bool) -> None:
    text = played(rules, policies, rounds=rounds)
    if rules.startswith("noprob"):  # long: the end of the round is left out
        text = "\n".join(text.splitlines()[:12]) + "\n"
    found = look(text, objective=objective, games=1_000)
    assert adds_up(found)
    for account in found.course.accounts:
        assert account.final == (not rules.startswith("noprob"))
    if objective == "points" and not rules.startswith("noprob"):
        penalties = text.split("penalties ")[1].split("\n")[0].split()
        results = [account.result for account in found.course.accounts]
        returned = [int(p) - r for p, r in zip(penalties, results, strict=True)]
        assert all(back >= 0 for back in returned)  # tokens given back
    if objective == "win":
        assert sum(account.result for account in found.course.accounts) == 1.0


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
@pytest.mark.parametrize("last", ["", "end quit\npenalties 2 1 8\n"])
def test_a_game_is_over_by_its_scores_not_by_its_last_line(last: str) -> None:
    found = look(OVER + last, games=1_000)
    assert found.objective == "win"
    assert [a.result for a in found.course.accounts] == [1.0, 0.0, 0.0]
    assert [a.final for a in found.course.accounts] == [True] * 3
    assert found.course.ends == (1.0, 0.0, 0.0)
    assert adds_up(found)


def test_a_round_that_is_over_does_not_end_a_game_that_goes_on() -> None:
    found = look(OVER.replace("scores 20 30 35", "scores 20 30 31"), games=1_000, seat=1)
    assert not found.course.accounts[0].final
    ends = [end for end in found.course.ends if end is not None]
    assert all(0.0 < end < 1.0 for end in ends)
    assert sum(ends) == pytest.approx(1.0, abs=1e-4)


@pytest.mark.parametrize(
    ("rules", "policy"),
    [
        ("dice/amigo", "threshold:5"),
        ("lama/egmont", "matching:5"),
        ("lama/party+drama", "matching:5"),
        ("pikomino/egmont", "first-tile"),
        ("noprob/starnberger", "random"),
        ("noprob/starnberger+four_rounds", "random"),
    ],
)
def test_who_has_won_is_known_without_the_last_line(rules: str, policy: str) -> None:
    face = game_of(rules)
    text = played(rules, [policy] * 3)
    lines = text.splitlines()
    assert lines[-1].startswith("final ")
    whole, without = (
        shares(face, read_record(face, "\n".join(kept) + "\n")) for kept in (lines, lines[:-1])
    )
    assert whole is not None
    assert sum(whole) == pytest.approx(1.0)
    assert without == whole
    last = max(i for i, line in enumerate(lines) if line[0].isdigit())
    assert shares(face, read_record(face, "\n".join(lines[: last + 1]))) == whole
    assert shares(face, read_record(face, "\n".join(lines[:last]))) is None


def test_a_game_told_from_one_seat_is_over_once_the_hidden_cards_are_told() -> None:
    face = game_of("lama/egmont")
    text = LAMA.replace("deal 112335 225LLL", "deal 112335 ?").replace("scores 0 0", "scores 0 39")
    ended = text + "0 quit\n1 quit\nend quit\n"
    assert shares(face, read_record(face, ended)) is None
    assert shares(face, read_record(face, ended + "penalties 11 17\n")) == [1.0, 0.0]


def test_a_comment_is_no_end_of_a_round() -> None:
    head = "lama-odds record 1\nrules dice/amigo+dealt=1\nplayers 2\nround 0 first 0\n"
    text = head + "scores 10 10\ndeal 1 2\n0 roll LLL\n# seat 1 smiles\n1 roll 236 discard 2\n"
    first, *_ = look(text, objective="margin").course.swings
    assert (first.seat, first.own) == (0, False)


def test_pikomino_results_are_what_the_turns_brought() -> None:
    found = pikomino("first-tile", 0)
    assert adds_up(found)
    text = played("pikomino/egmont", ["first-tile"] * 2)
    stolen = sum("steal" in line for line in text.splitlines())
    worms = sum(map(int, text.split("final ")[1].split()))
    results = sum(account.result for account in found.course.accounts)
    # A steal counts for both in the thief's turn.
    assert results >= worms
    assert (results == worms) == (stolen == 0)


def test_only_one_seat() -> None:
    both, one = (
        pikomino("first-tile", 0),
        look(played("pikomino/egmont", ["first-tile"] * 2), seat=1),
    )
    assert [seat.seat for seat in one.seats] == [1]
    assert one.seats[0].error == pytest.approx(both.seats[1].error)
    assert one.course.accounts[0] == both.course.accounts[1]
    with pytest.raises(ReadError, match="0 to 1"):
        look(BLUNDER, seat=2)


def test_cards_not_seen_do_not_change_a_grade() -> None:
    other = LAMA.replace("225LLL", "2344L6")
    first, second = (look(text, games=1_000, seat=0) for text in (LAMA, other))
    assert first.decisions[0].to_json() == second.decisions[0].to_json()


def test_a_round_told_from_one_seat() -> None:
    text = LAMA.replace("deal 112335 225LLL", "deal 112335 ?")
    whole, told = (look(each, games=1_000, objective="points") for each in (LAMA, text))
    assert [seat.seat for seat in told.seats] == [0]
    assert told.decisions[0].to_json() == whole.decisions[0].to_json()
    ended = text + "0 quit\n1 quit\nend quit\npenalties 11 17\n"
    found = look(ended, games=1_000, objective="margin")
    assert adds_up(found)
    assert found.course.accounts[0].result == 11 - 17
    with pytest.raises(ImpossibleError, match="no decision"):
        look(text, seat=1)


def test_a_review_is_the_same_again() -> None:
    text = played("dice/amigo", ["threshold:5"] * 3, rounds=True)
    one, two = (look(text, games=1_000, objective="points", threads=n) for n in (1, 2))
    assert replace(one, seconds=0.0).to_json() == replace(two, seconds=0.0).to_json()


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


def test_a_clear_grade_costs_few_games() -> None:
    text = played("dice/amigo", ["threshold:9"] * 3, rounds=True)
    found = look(text, games=8_000, objective="points", seat=0)
    games = Counter(graded.games for graded in found.decisions)
    assert set(games) <= {0, 1_000, 8_000, 32_000}
    assert games[1_000] > 0
    assert all(not g.doubtful or g.forced for g in found.decisions if g.games == 1_000)
    assert any("whose grade was soon clear" in told for told in found.assumptions)


def borders_of(rules: str, objective: str) -> tuple[float, ...]:
    return game_of(rules).objectives[objective].grades


def test_borders() -> None:
    assert [grade_of(x, borders_of("dice/amigo", "points")) for x in (0.0, 0.3, 1.0, 3.0)] == [
        *("fine", "inaccuracy", "mistake", "blunder"),
    ]
    assert borders_of("noprob/starnberger", "round") == (0.005, 0.02, 0.05)
    assert borders_of("pikomino/egmont", "points") == (0.1, 0.3, 0.8)


def test_damaged_records_are_refused_with_line_and_place() -> None:
    with pytest.raises(ReadError) as error:
        look(BLUNDER.replace("stop 25", "stop 27"))
    assert error.value.message.startswith("line 4: ")
    assert error.value.text is not None
    assert error.value.text[error.value.at :].startswith("27")
    with pytest.raises(ImpossibleError, match="no decision"):
        look("\n".join(BLUNDER.splitlines()[:3]))


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
    for seat, account in zip(found.seats, found.course.accounts, strict=True):
        assert seat.error_low <= seat.error <= seat.error_high < seat.error + 0.2
        total = account.start + account.rolls + account.between + account.skill
        assert total == pytest.approx(account.result, abs=1e-9)
        assert account.skill == pytest.approx(-seat.error, abs=1e-9)
    told = " ".join(found.assumptions)
    assert "how far off such chances were" in told
    assert "of learned chances too" in told


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
