"""The published cards: no neighbour beats one, they read as written, and the page has them all."""

from __future__ import annotations

from typing import Any

import pytest

from lama_odds.analysis.tune.card_neighbours import neighbours_of
from lama_odds.core.data import data_json
from lama_odds.games.interface.best import CARDS
from lama_odds.games.registry import game_of
from lama_odds.games.shared.rule_cards import language_of
from tools.publishing.cards_page import page
from tools.publishing.child import ROOT
from tools.publishing.targets.cards import ALIKE, PAGE

PUBLISHED = data_json(CARDS)
ENTRIES = [
    pytest.param(f"{game}/{edition}", int(players), entry, id=f"{game}/{edition}-{players}")
    for game, editions in PUBLISHED["cards"].items()
    for edition, by_players in editions.items()
    for players, entry in by_players.items()
]


@pytest.mark.parametrize(("rules", "players", "entry"), ENTRIES)
def test_no_neighbour_beats_a_card(rules: str, players: int, entry: dict[str, Any]) -> None:
    game: Any = game_of(rules)
    policy = game.policy(entry["policy"])
    language = language_of(policy.family)
    assert language is not None
    card = language.unpack(policy.parameter)
    near = [
        f"card:{language.write(language.pack(other))}" for _, other in neighbours_of(language, card)
    ]
    assert [each["policy"] for each in entry["neighbours"]] == near
    for each in entry["neighbours"]:
        for company in ("best", "itself"):
            assert each[f"more than the card among {company}"]["low"] <= 0, each["policy"]


@pytest.mark.parametrize(("rules", "players", "entry"), ENTRIES)
def test_a_card_wins_more_than_plainer_ones(
    rules: str, players: int, entry: dict[str, Any]
) -> None:
    game: Any = game_of(rules)
    policy = game.policy(entry["policy"])
    assert policy.name == entry["policy"]
    assert players in game.rules(rules).players
    assert entry["policy"] in [each["policy"] for each in entry["curve"]]
    won = entry["among best"]["low"]
    for name in ("former", "never"):
        assert entry[name]["policy"] == entry["policy"] or won > entry[name]["among best"]["value"]


def test_editions_that_play_alike_have_the_same_cards() -> None:
    for rules, other in ALIKE.items():
        game, _, edition = rules.partition("/")
        found = PUBLISHED["cards"].get(game, {})
        assert found.get(edition) == found.get(other)


def test_the_page_is_that_of_the_data() -> None:
    assert (ROOT / PAGE).read_text(encoding="utf-8") == page(PUBLISHED)
