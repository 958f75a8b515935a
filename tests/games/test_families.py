"""Every family of policies is handled wherever families are told apart, and no other one is."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

from lama_odds.core.errors import LimitError
from lama_odds.core.policies import Family, Policy
from lama_odds.games.registry import game_of

RULES = ("dice/amigo", "lama/egmont", "noprob/starnberger", "pikomino/egmont")
EACH = [(rules, family) for rules in RULES for family in game_of(rules).families]
PLAYERS = 3
FOR_TWO = ("copy", "equilibrium")  # families that only two can play
ASKED = 12  # situations of a record, so that every kind of decision is among them
# Positions at which somebody has quit, whose cards are dealt by what its policy would have done.
QUIT = {"lama/egmont": {3: "hand=3356L top=4 opp=4,q2", 2: "hand=3356L top=4 opp=q2"}}
STRANGE = 99


def usual(family: Family) -> str:
    """A policy of a family, by name."""
    needs = family.parameter and family.default is None
    return f"{family.name}:{family.low}" if needs else family.name


def room_of(rules: str, module: str) -> Any:
    return import_module(f"lama_odds.games.{game_of(rules).name}.{module}")


def players_of(policy: Policy) -> int:
    return 2 if policy.family.name in FOR_TWO else PLAYERS


def play(rules: str, policy: Policy) -> None:
    """A game or round of a policy with itself."""
    game = game_of(rules)
    rounds = game.name != "pikomino"
    game.simulation(game.rules(rules), [policy] * players_of(policy), rounds).play(0, 0, 1)


def ask(rules: str, policy: Policy) -> int:
    """Ask a policy what it would do in situations of a record; how many kinds of actions it did."""
    game, query = game_of(rules), room_of(rules, "records.policy_query")
    rule_set = game.rules(rules)
    players = players_of(policy)
    player = query.Player(rule_set, policy, players)
    chosen = []
    for situation in situations(rules, players):
        chosen.append(player.decides(situation, 0))
        assert chosen[-1] in query.legal_actions(rule_set, situation.position)
    return len({action.partition(" ")[0] for action in chosen})


def situations(rules: str, players: int = PLAYERS) -> list[Any]:
    game, query = game_of(rules), room_of(rules, "records.policy_query")
    others = [game.policy(usual(game.families[1]))] * players
    reader = query.Reader(lambda number: number < ASKED)
    reader.read(game.record(game.rules(rules), others, 5, 0, False))
    found: list[Any] = reader.found
    return found


def infer(rules: str, policy: Policy) -> None:
    """Find the hands with which somebody of this policy would have quit."""
    game = game_of(rules)
    rule_set = game.rules(rules)
    players = players_of(policy)
    position = game.position(rule_set, QUIT[rules][players])
    job = game.rollouts(rule_set, position, [policy] * players, False).job
    job.play(0, 0, 1)


@pytest.mark.parametrize(("rules", "family"), EACH, ids=lambda x: getattr(x, "name", x))
def test_a_family_is_handled_everywhere(rules: str, family: Family) -> None:
    policy = game_of(rules).policy(usual(family))
    play(rules, policy)
    assert ask(rules, policy) > 1
    if rules in QUIT:
        infer(rules, policy)


@pytest.mark.parametrize("rules", RULES)
def test_kernels_refuse_a_family_that_they_do_not_know(
    rules: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    policy, asked = game_of(rules).policy("random"), situations(rules)
    catalogue = room_of(rules, "policies.catalogue")
    monkeypatch.setattr(catalogue, "code_of", lambda policy, families: STRANGE)
    with pytest.raises(ValueError, match="not handled"):
        play(rules, policy)
    player = room_of(rules, "records.policy_query").Player(
        game_of(rules).rules(rules), policy, PLAYERS
    )
    for situation in asked:
        with pytest.raises(ValueError, match="not handled"):
            player.decides(situation, 0)
    if rules in QUIT:
        with pytest.raises(ValueError, match="not handled"):
            infer(rules, policy)


@pytest.mark.parametrize("rules", RULES)
def test_policies_of_another_game_are_refused(rules: str) -> None:
    other = game_of(RULES[RULES.index(rules) - 1])
    with pytest.raises(LimitError, match="is not a policy of this game: random, "):
        play(rules, other.policy("random"))
