"""Rules that fit on a card, for every edition and number of players: data/cards.json.

`tune` searches a card by racing for winning as one among players of `best`, on games apart from
those reported on. The card then plays its neighbours: each limit a little lower and higher, and
never, and each line left out. It goes on to a neighbour that beats it beyond its interval, or that
is plainer and shown to be as good, and plays again on other games.
So no neighbour beats what is published.

Results for a number of players are kept at once, and a stopped run resumes after them. `--set
only=dice` makes those of one game and leaves the others unchanged. `only="lama/amigo 2"` is one
rule set and number of players. `--set search=` says what is done where cards are published:
1 searches new ones, 2 looks for further lines for them, 0 plays them again, and -1 leaves them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lama_odds import __version__
from lama_odds.analysis.tune.card_search import WORTH, CardSearch, Neighbour, settled
from lama_odds.analysis.tune.racing import Field, Search
from lama_odds.analysis.tune.tune import ZONE
from lama_odds.core.estimate import Estimate
from lama_odds.core.files import write_whole
from lama_odds.core.policies import CARD
from lama_odds.core.reading import data_json, read_json
from lama_odds.core.strict_json import to_json
from lama_odds.games.interface.best import CARDS, WIN
from lama_odds.games.registry import GAMES, game_of
from lama_odds.games.shared.rule_cards import (
    NEVER_LIMIT,
    CardLanguage,
    Line,
    RuleCard,
    language_of,
)
from lama_odds.simulation.run import Play
from tools.publishing.cards_page import page
from tools.publishing.target import POLICIES, Making, Target

PAGE = "reports/cards.md"
ALIKE = {"dice/gigamic": "amigo"}  # editions that play alike (tested): found once
# Editions whose cards are found near those of another, and games where those for more players are
# found near those for one player fewer.
LIKE = dict.fromkeys(("dice/egmont", "lama/egmont", "lama/party"), "amigo")
NEAR_FEWER = ("noprob",)
HABITS = {"pikomino": "net/stop/worm", "noprob": "up/pairs"}
# What the sheets said before there were cards, by players: for cards and dice the limit for points
# of a round, for noprob the lead to end with. Cards go where those of the card go.
FORMER: Mapping[str, Mapping[int, str]] = {
    "lama": {
        n: f"threshold:{limit}" for n, limit in zip(range(2, 7), (5, 5, 6, 6, 6), strict=True)
    },
    "dice": {
        n: f"threshold:{limit}" for n, limit in zip(range(2, 7), (4, 4, 5, 5, 5), strict=True)
    },
    "pikomino": dict.fromkeys(range(2, 8), "card:dice=1:21/dice=2:25/never"),
    "noprob": {
        n: f"card:{HABITS['noprob']}/{lead}"
        for n, lead in zip(range(2, 7), (35, 20, 15, 30, 40), strict=True)
    },
}
# Cards by lines of a game that is too slow for a search: the best of few is raced. They were found
# by what their turns cost, exactly, on boards of games, judged by `learned` (see `plan_costs`).
KNOWN: Mapping[str, Sequence[Sequence[str]]] = {
    "pikomino": (
        ("21",),
        ("short=0:never/21",),
        ("steal=1..:21/short=0:never/21",),
        (
            "steal=1..:21/short=..1+own=0:never/short=0:never/21",
            "steal=1..:21/short=..1+behind=1..:never/short=0:never/21",
        ),
        (
            "steal=1..:21/tiles=1+behind=1..:never/short=..1+own=0:never/short=0:never/21",
            "steal=1..:21/tiles=..2+ahead=1..:21/short=..1+own=0:never/short=0:never/21",
        ),
    ),
}
REPORT = 1_000  # added to the seed for the games that choose the lines, and those of the headline


def rounded(value: Estimate) -> dict[str, Any]:
    """An estimate as it is kept."""
    numbers = {name: round(getattr(value, name), 5) for name in ("value", "stderr", "low", "high")}
    return {**numbers, "n": value.n}


def entry_of(
    rules_id: str,
    players: int,
    making: Making,
    like: Mapping[str, Any] | None,
    given: Mapping[str, Any] | None,
) -> dict[str, Any]:
    """The card of a rule set and number of players with what is known of it.

    like: the entry of a similar rule set, near which cards are searched. given: a former entry,
    whose cards play again instead of a search, or get further lines.
    """
    game: Any = game_of(rules_id)
    rules = game.rules(rules_id)
    best = game.best_policy(rules, players, WIN)
    field = Field(game, rules, players, WIN, best)
    family = next(candidate for candidate in game.families if candidate.name == CARD)
    language = language_of(family)
    assert language is not None
    seed, threads = making["seed"], making.threads
    search = Search(field, making["games"], Play(seed, threads), zone=ZONE[WIN])
    cards = CardSearch(search, family, language)
    if given is not None:
        curve = curve_of(game, language, given)
        if making["search"]:
            curve = cards.longer(curve, making["lines"])
    elif game.name in KNOWN:
        curve = [raced(cards, game, candidate) for candidate in KNOWN[game.name][: making["lines"]]]
    elif like is None:
        curve = cards.by_lines(making["lines"])
    else:
        curve = cards.near(curve_of(game, language, like))
    report = Search(field, making["report"], Play(seed + REPORT, threads))
    first, _ = CardSearch(report, family, language).chosen(curve, WORTH[WIN])
    making.tell(f"{rules_id} {players}: found {cards.policy(first).name}")
    card, near, moves = settled(cards, first)
    curve = [card if candidate == first else candidate for candidate in curve]
    never = RuleCard((Line(NEVER_LIMIT),), card.habits)
    tried = [card, never, *curve]
    policies = [cards.policy(candidate) for candidate in tried]
    former = FORMER.get(game.name, {}).get(players)
    if former is not None:
        policies.append(game.policy(former))
    won = [rounded(value) for value, _ in report.compared(policies)]
    named = [
        {"policy": policy.name, "among best": value}
        for policy, value in zip(policies, won, strict=True)
    ]
    entry = {
        **named[0],
        "best": best.name,
        "fair": round(1 / players, 5),
        "never": named[1],
        "curve": named[2 : 2 + len(curve)],
        "neighbours": [neighbour(cards, candidate) for candidate in near],
        "command": making.command,
        "seeds": {"search": seed, "report": seed + REPORT},
        "search games": search.played,
        "moves": moves,
    }
    if former is not None:
        entry["former"] = named[-1]
    return entry


def curve_of(game: Any, language: CardLanguage, entry: Mapping[str, Any]) -> list[RuleCard]:
    """The cards of an entry with one line, two and so on."""
    policies = (game.policy(point["policy"]) for point in entry["curve"])
    return [language.unpack(policy.parameter) for policy in policies]


def raced(cards: CardSearch, game: Any, texts: Sequence[str]) -> RuleCard:
    """The best of some cards, which have the habits of their game."""
    names = [f"{CARD}:{HABITS[game.name]}/{text}" for text in texts]
    return cards.best(
        (cards.language.unpack(game.policy(name).parameter) for name in names), names[0]
    )


def neighbour(cards: CardSearch, near: Neighbour) -> dict[str, Any]:
    """A neighbour as it is kept."""
    entry: dict[str, Any] = {"policy": cards.policy(near.card).name, "line": near.line + 1}
    for company, seen in (("best", near.others), ("itself", near.itself)):
        entry[f"among {company}"] = rounded(seen.value)
        entry[f"more than the card among {company}"] = rounded(seen.difference)
    return entry


def cards_of(name: str, making: Making, entries: dict[str, Any]) -> None:
    """Find the cards of a game, or what a stopped run has left of them, into `entries`."""
    game: Any = game_of(name)
    if not any(family.name == CARD for family in game.families):
        return
    before = data_json(CARDS)["cards"].get(name, {})
    here = entries.setdefault(name, {})
    for edition in sorted(game.editions, key=lambda e: f"{name}/{e}" in (*LIKE, *ALIKE)):
        rules_id = f"{name}/{edition}"
        if rules_id in ALIKE:
            here[edition] = here.get(ALIKE[rules_id], {})
        else:
            there = here.setdefault(edition, {})
            for players in game.rules(rules_id).players:
                at = str(players)
                known = before.get(edition, {}).get(at)
                wanted = f"{rules_id} {at}".startswith(making["only"])
                if not wanted or (known and making["search"] < 0):
                    there |= {at: known} if known else {}
                elif at not in there:
                    like = here.get(LIKE.get(rules_id, ""), {}).get(at)
                    if name in NEAR_FEWER:
                        like = there.get(str(players - 1))
                    given = None if making["search"] == 1 else known
                    there[at] = entry_of(rules_id, players, making, like, given)
                    write_whole(making.work / "cards.json", to_json(entries))
                    making.tell(f"{rules_id} {players}: {there[at]['policy']}")


def make(making: Making) -> None:
    """Find all cards and write them, and the page."""
    part = making.work / "cards.json"
    entries: dict[str, Any] = read_json(part) if part.exists() else {}
    for name in GAMES:
        cards_of(name, making, entries)
    manifest = {
        "what": "the best cards of rules found, by game, edition and players. among best: win rate "
        "of one player of the card among players of `best`, every seat in turn. These games no "
        "search and no comparison has played. curve: the best cards found with one line, two and "
        "so on. neighbours: cards with another limit in one line, on the same fresh games as the "
        "card. The intervals of the differences of a card hold together. never: its habits, and "
        "never quitting. former: the rule that the sheets had before. search games: 0 where the "
        "cards of an earlier curve played again. command: what made the entry",
        "version": __version__,
    }
    content = {"manifest": manifest, "cards": entries}
    making.write(f"data/{CARDS}", to_json(content, indent=1) + "\n")
    making.write(PAGE, page(content))


def again(making: Making) -> None:
    """Write the page from the data."""
    making.write(PAGE, page(read_json(making.path(f"data/{CARDS}"))))


TARGET = Target(
    name="cards",
    what="rules that fit on a card: the best found, and what they win",
    make=make,
    writes=(f"data/{CARDS}", PAGE),
    reads=(*POLICIES, "data/best_play/manifest.json"),
    options={"games": 20_000, "report": 60_000, "lines": 5, "search": 1, "seed": 1, "only": ""},
    quick={"games": 1_000, "report": 1_000, "lines": 2, "only": "dice/egmont"},
    deep=True,
    again=again,
)
