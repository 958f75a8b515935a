"""The story that a page begins with: a hand, the rule, a round followed through."""

from __future__ import annotations

import pytest

from lama_odds.analysis.coach.drills import collection
from lama_odds.analysis.strategy_report.document import PLAYED, Ask, Budget, Section
from lama_odds.analysis.strategy_report.plan import (
    ROUNDS,
    TURNS,
    hook_section,
    played_section,
    record_of,
    rule_section,
    shipped,
)
from lama_odds.games.registry import game_of
from lama_odds.games.shared.decisions import is_turn
from lama_odds.report.pages.pages import Report, parts_of
from tests.report.page_words import faults_of

BOXES = ("dice/amigo", "lama/amigo", "noprob/starnberger", "pikomino/egmont")
HOUSE = "lama/amigo+quit_cost=3"


def ask_of(rules: str, players: int = 4) -> Ask:
    game = game_of(rules)
    return Ask(game, game.rules(rules), players, Budget(2.0), 0, 1)


@pytest.mark.parametrize("rules", BOXES)
def test_a_hand_from_the_table_is_a_shipped_one_with_its_cost(rules: str) -> None:
    ask = ask_of(rules)
    drill, hook = shipped(ask), hook_section(ask)
    assert hook is not None
    assert drill in collection(ask.game.name)
    assert drill is not None
    assert drill.rules == ask.rules.id
    assert hook.basis == drill.position
    said = " ".join(hook.text[1:])
    assert said.startswith(f"“{drill.best.capitalize()[:1]}{drill.best[1:]}” is best. “")
    assert f" costs you {100 * drill.choices[1].cost:.1f} " in said
    assert not faults_of(said)


def test_a_house_rule_says_that_no_card_was_played_and_shows_limits() -> None:
    ask = ask_of(HOUSE)
    limits = Section("limits", "When to quit", "sampled", "400 games.", headlines=("Quit with 5.",))
    (rule,) = parts_of(ask, [rule_section(ask), limits])
    assert rule.text == (
        "No card of rules has been played for this rule set and number of players.",
    )
    assert (rule.lines, rule.basis) == (("Quit with 5.",), "400 games.")
    assert Report(ask, "a-4", "", (limits,)).title == f"L.A.M.A. for four: {HOUSE}"


@pytest.mark.parametrize("rules", BOXES)
def test_a_round_is_followed_as_you_see_it(rules: str) -> None:
    ask = ask_of(rules)
    section = played_section(ask)
    (part,) = parts_of(ask, [section])
    assert (part.name, part.last) == (PLAYED, True)
    turns = [line for line in section.text if is_turn(line)]
    mine = [line for line in turns if line.startswith("0 ")]
    yours = [line for line in part.lines if line.startswith("You: ")]
    assert len(yours) == (len(mine) if ask.game.has_rounds else 2)
    assert sum(line.count("Player 2: ") for line in yours) >= 1
    assert not [fault for line in part.lines for fault in faults_of(line)]
    if ask.game.has_rounds:
        lengths = [sum(map(is_turn, record_of(ask, at).splitlines())) for at in range(ROUNDS)]
        assert abs(len(turns) - TURNS) == min(abs(length - TURNS) for length in lengths)
