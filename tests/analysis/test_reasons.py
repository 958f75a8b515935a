"""Reasons: sentences whose claims hold, the same for the same position, or none."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from lama_odds.analysis.advice.advise import advise
from lama_odds.analysis.advice.answer import Advice
from lama_odds.analysis.advice.rollouts import Limits
from lama_odds.analysis.coach import reasons as why
from lama_odds.core.estimate import Estimate
from lama_odds.games.interface.reasons import LESS, MORE, Gap
from lama_odds.games.registry import built_in, game_of

ROLL = ("pikomino/egmont", "kept=4455W centre=22,24-29,31-32,34-36 own=33 tops=21")
CARDS = ("lama/amigo", "hand=35 top=1 opp=2,4 scores=12,20,5")
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
