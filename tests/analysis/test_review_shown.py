"""What a review shows: costs that are certain, places, reasons that hold; and what it keeps."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from lama_odds.analysis.advice.advise import advise
from lama_odds.analysis.advice.answer import Advice
from lama_odds.analysis.advice.rollouts import Limits
from lama_odds.analysis.coach import reasons as why
from lama_odds.analysis.coach import review as reviewing
from lama_odds.analysis.coach.grades import NOWHERE, places_of
from lama_odds.analysis.coach.kept import ENDING, FORMAT, KeptReviews
from lama_odds.analysis.coach.review import Review
from lama_odds.analysis.coach.sums import lost_by
from lama_odds.core.estimate import Estimate
from lama_odds.core.language import speaking
from lama_odds.games.interface.reasons import LESS, MORE, Gap
from lama_odds.games.registry import built_in, game_of
from lama_odds.games.shared.decisions import Decision
from lama_odds.report.terminal import printed
from lama_odds.report.text.review import review_text
from tests.analysis.test_review import look, played
from tests.analysis.test_review_sums import looked_at

ROUND = played("dice/amigo", ["threshold:9", "threshold:9", "random"], rounds=True)


def text_of(found: Review, verbose: bool = False) -> str:
    return printed(review_text(found, verbose), plain=True)


def test_noise_is_no_mistake() -> None:
    """Games of 30 decisions that cost nothing: hardly any has one with a shown cost."""
    rng = np.random.default_rng(1)
    runs, wrong, by_sum = 60, 0, 0
    for _ in range(runs):
        found = [looked_at(rng, (0.0, 0.0, 0.0)).settled(30, NOWHERE) for _ in range(30)]
        wrong += any(one.shown for one in found)
        by_sum += lost_by(found)[1] > 0
        assert all(one.grade == "fine" for one in found if not one.shown)
    assert wrong <= 0.05 * runs
    assert by_sum <= 0.05 * runs


def test_a_large_cost_is_shown_and_graded() -> None:
    found = looked_at(np.random.default_rng(2), (4.0, 0.0))
    alone, of_many = found.settled(1, NOWHERE), found.settled(50, NOWHERE)
    assert alone.shown
    assert of_many.shown
    assert 0 < of_many.surely < alone.surely < found.error.value
    assert of_many.grade == found.grade == "blunder"
    doubtful = looked_at(np.random.default_rng(2), (0.5, 0.0)).settled(50, NOWHERE)
    assert (doubtful.shown, doubtful.grade) == (False, "fine")
    assert doubtful.may_have_cost


def test_places_are_counted_as_players_count() -> None:
    turns = [(0, 0, 0), (1, 0, 0), (1, 0, 0), (2, 1, 0), (3, 0, 1), (4, 0, 1)]
    found = [Decision(9, round_, turn, seat, "", "", None) for turn, seat, round_ in turns]
    free = [True, True, True, True, True, False]
    assert [where.text for where in places_of(found, free, True, 0)] == [
        "round 1, your 1st turn",
        "round 1, your 2nd turn, 1st decision",
        "round 1, your 2nd turn, 2nd decision",
        "round 1, player 2's 1st turn",
        "round 2, your 1st turn",
        "round 2, your 2nd turn",
    ]
    alone = list(places_of(found, free, False, None))
    assert [where.text for where in alone[3:5]] == ["player 2's 1st turn", "player 1's 3rd turn"]
    assert (alone[0].round, alone[4].turn) == (None, 3)


SUM = re.compile(r"([−\d.]+) ([−+]) ([\d.]+) = ([−\d.]+) luck-adjusted")


def number(text: str) -> float:
    return float(text.replace("−", "-").rstrip("."))


@pytest.mark.parametrize("objective", ["points", "margin"])
def test_what_is_shown_adds_up(objective: str) -> None:
    found = look(ROUND, objective=objective, games=1_000)
    text = text_of(found)
    sums = SUM.findall(text)
    assert sums
    for got, sign, luck, adjusted in sums:
        total = number(got) + (number(luck) if sign == "+" else -number(luck))
        assert total == pytest.approx(number(adjusted), abs=1e-9)
    table = [line for line in text_of(found, True).splitlines() if line.startswith("seat ")]
    rows = [[number(word) for word in line.split()[-6:]] for line in table[3:6]]
    for start, rolls, between, skill, result, adjusted in rows:
        assert start + rolls + between + skill == pytest.approx(result, abs=1e-9)
        assert start + skill == pytest.approx(adjusted, abs=1e-9)
    assert "Luck-adjusted results add up to" in text


@pytest.mark.parametrize(
    ("there", "turned"),
    [
        (("quit", {"roll": (0.2, 0.1, 0.1)}), True),
        (("quit", {"roll": (0.2, 0.1, 0.3)}), False),  # it is not clear there
        (("quit", {"roll": (0.04, 0.01, 0.01)}), False),  # as good for all that matters
        (("roll", {"quit": (0.2, 0.1, 0.1)}), False),  # still the best
        (("quit", {"take": (0.2, 0.1, 0.1)}), False),  # what was best is not possible
        (None, False),
    ],
)
def test_a_change_turns_a_verdict_only_if_it_is_clear_there(
    there: Any, turned: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if there is not None:
        best, costs = there
        there = best, {name: Estimate.from_half(*each, 99) for name, each in costs.items()}
    monkeypatch.setattr(why, "values_at", lambda *_: there)
    question = SimpleNamespace(counts=SimpleNamespace(zone=0.05), objective="points", seed=1)
    ground: Any = SimpleNamespace(question=question, games=1_000)
    change: Any = SimpleNamespace(id="x", when="so", format=lambda: "there")
    found = why._turned(ground, change, change, change, "roll")
    assert (found is not None) == turned
    assert found is None or (found.action, found.position) == ("quit", "there")


# Reviews that are kept.


def kept_review(path: Path, **options: object) -> tuple[Review, KeptReviews]:
    kept = KeptReviews.beside(path)
    try:
        found = look(ROUND, objective="points", games=1_000, kept=kept, **options)
    finally:
        kept.close()
    return found, kept


def same(one: Review, other: Review) -> bool:
    told = [{**each.to_json(), "seconds": 0} for each in (one, other)]
    return bool(told[0] == told[1])


def test_a_kept_review_is_the_same(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    first, none = kept_review(path)
    again, all_of_it = kept_review(path)
    assert (none.reused, all_of_it.reused) == (0, len(first.decisions))
    assert same(first, again)
    assert same(first, look(ROUND, objective="points", games=1_000))
    one, of_a_seat = kept_review(path, seat=1)
    assert of_a_seat.reused == len(one.decisions)
    assert kept_review(path, seed=1)[1].reused == 0
    others = game_of("dice/amigo").policy("threshold:5")
    assert kept_review(path, opponents=others)[1].reused == 0
    assert kept_review(path, opponents=others)[1].reused == len(first.decisions)
    assert kept_review(path)[1].reused == len(first.decisions)


def test_a_stopped_review_resumes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, stop = tmp_path / "game.txt", 3
    original = reviewing.grade_in_stages
    left = [stop]

    def stopped(*given: object) -> object:
        left[0] -= 1
        if left[0] < 0:
            raise KeyboardInterrupt
        return original(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(reviewing, "grade_in_stages", stopped)
    with pytest.raises(KeyboardInterrupt):
        kept_review(path)
    monkeypatch.setattr(reviewing, "grade_in_stages", original)
    found, kept = kept_review(path)
    assert kept.reused == stop
    assert same(found, look(ROUND, objective="points", games=1_000))


def test_reviews_of_another_version_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.txt"
    found, _ = kept_review(path)
    monkeypatch.setattr("lama_odds.__version__", "0.0")
    _, other = kept_review(path)
    assert other.reused == 0
    assert "reviews stay there" in other.said[0]
    monkeypatch.undo()
    assert kept_review(path)[1].reused == len(found.decisions)


def test_only_decisions_that_cost_more_are_listed() -> None:
    text = played("dice/amigo", ["random"] * 3, rounds=True)
    every, worse = (look(text, objective="points", games=1_000, worse_than=x) for x in (0.0, 10.0))
    costs = [each.error.value for each in every.decisions if each.shown]
    assert min(costs) < 10.0 < max(costs)
    assert sum(len(seat.worst) for seat in every.seats) == len(costs)
    assert sum(len(seat.worst) for seat in worse.seats) == sum(cost > 10.0 for cost in costs)


def test_what_is_kept_is_in_one_language(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    english, _ = kept_review(path)
    with speaking("de"):
        german, first = kept_review(path)
    assert first.reused == 0
    whys = [{each.why for each in found.decisions if each.why} for found in (english, german)]
    assert all(whys)
    assert not whys[0] & whys[1]
    assert kept_review(path)[1].reused == len(english.decisions)


HALF = f'{{"kept review": {FORMAT}, "reviews": {{"x": {{}}}}}}'


def test_damaged_files_are_set_aside(tmp_path: Path) -> None:
    path = tmp_path / f"game.txt{ENDING}"
    for damage in ("", "[]", '{"kept review": true}', '{"kept review": "1"}', HALF):
        path.write_text(damage)
        assert "is damaged" in KeptReviews.beside(tmp_path / "game.txt").said[0]
        assert path.with_name(f"{path.name}.damaged").read_text() == damage
        assert not path.exists()
        path.with_name(f"{path.name}.damaged").unlink()


def test_a_file_of_another_version_is_not_called_damaged(tmp_path: Path) -> None:
    path = tmp_path / f"game.txt{ENDING}"
    path.write_text(former := f'{{"kept review": {FORMAT - 1}, "reviews": {{}}}}')
    (said,) = KeptReviews.beside(tmp_path / "game.txt").said
    assert "of another version" in said
    assert path.with_name(f"{path.name}.format{FORMAT - 1}").read_text() == former


def test_what_cannot_be_kept_is_reviewed_all_the_same(tmp_path: Path) -> None:
    found, kept = kept_review(tmp_path / "nowhere" / "game.txt")
    (said,) = kept.said
    assert "cannot be written" in said
    assert len(found.decisions) > 5


# Reasons: sentences whose claims hold, the same for the same position, or none.
ROLL = ("pikomino/egmont", "kept=4455W centre=22,24-29,31-32,34-36 own=33 tops=21")
CARDS = ("lama/amigo", "hand=36 top=1 opp=2,4 scores=12,20,5")
DICE = ("dice/amigo", "hand=12 opp=13,6LL")


def asked(rules_id: str, text: str, games: int = 8_192, **how: Any) -> tuple[Any, Any, Any, Advice]:
    """A game, its rule set, a position and the advice."""
    game = game_of(rules_id)
    rules = game.rules(rules_id)
    position = game.position(rules, text)
    limits = Limits(games=games)
    return game, rules, position, advise(game, rules, position, limits=limits, **how)


def test_a_sentence_has_the_numbers_of_the_table() -> None:
    game, rules, position, advice = asked(*ROLL)
    (reason, *_) = why.reasons(game, rules, position, advice)
    assert reason.id == "roll for more"
    values = {(each.measure, each.action): each.value for each in reason.values}
    by_name = {each.action: each for each in advice.actions}
    assert values["bust", "roll"] == by_name["roll"].chances["bust"]
    assert values["points", "stop 22"] == by_name["stop 22"].objectives["points"]
    # Rolling three dice with 1, 2 and 3 missing goes bust with (3/6)^3.
    assert values["bust", "roll"].value == pytest.approx(1 / 8)
    assert "12 % of the time" in reason.text


@pytest.mark.parametrize(("rules_id", "text"), [CARDS, DICE])
def test_a_change_turns_the_verdict_in_other_games_too(rules_id: str, text: str) -> None:
    game, rules, position, advice = asked(rules_id, text)
    told: list[str] = []
    found = why.reasons(
        game, rules, position, advice, progress=lambda part, what: told.append(what)
    )
    assert set(told) == {f"{advice.best} is best; finding the reason"}
    changed = [each for each in found if each.position]
    assert changed
    for reason in changed:
        other = game.position(rules, reason.position)
        again = advise(game, rules, other, limits=Limits(games=40_000), seed=99, thorough=False)
        assert again.best == reason.action != advice.best
        assert advice.best in [each.action for each in again.actions]
        assert reason.text.endswith(f"you would {reason.action}.")


def test_the_same_position_has_the_same_sentences_or_none() -> None:
    game, rules, position, advice = asked(*DICE, seed=1)
    *_, other = asked(*DICE, seed=2)
    first, second = (why.reasons(game, rules, position, each) for each in (advice, other))
    assert [each.id for each in first] == [each.id for each in second]
    assert [each.position for each in first] == [each.position for each in second]
    unclear, alone = replace(advice, verdict="toss-up"), replace(advice, actions=advice.actions[:1])
    assert why.reasons(game, rules, position, unclear) == ()
    assert why.reasons(game, rules, position, alone) == ()


def test_a_gap_must_be_large_enough_and_sure() -> None:
    for mine, theirs, sign, shown in (
        (0.30, 0.20, MORE, True),
        (0.21, 0.20, MORE, False),
        (0.20, 0.30, MORE, False),
        (0.20, 0.30, LESS, True),
    ):
        for games, enough in ((10_000, shown), (50, False)):
            shares = (("a", mine), ("b", theirs))
            values = {name: {"out": Estimate.share(each, games)} for name, each in shares}
            assert (why.confirmed(Gap("out", sign, 0.03), values, "a", "b") >= 1) == enough


def test_patterns_cite_what_answers_have() -> None:
    for game in built_in():
        rules = game.rules(f"{game.name}/{next(iter(game.editions))}")
        patterns = game.reasons(rules)
        names = [each.id for each in (*patterns.contrasts, *patterns.changes)]
        assert len(set(names)) == len(names) >= 7
        position = game.position(rules, game.example)
        advice = advise(game, rules, position, limits=Limits(games=1_000), thorough=False)
        known = {*game.objectives, *game.chances.titles, *advice.actions[0].chances}
        for gap in (gap for contrast in patterns.contrasts for gap in contrast.gaps):
            assert "|" in gap.measure or gap.measure in known, gap.measure
        for see in patterns.ignored.values():
            text = see(rules, position)
            assert text is None or game.position(rules, text)
