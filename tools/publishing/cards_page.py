"""The page of all cards of rules: what they say, and what they win."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from lama_odds.games.registry import game_of
from lama_odds.games.shared.rule_cards import card_in
from tools.publishing.reference.markdown import MADE, code, table

INTRODUCTION = (
    "A card has a few lines that you can keep in mind. The first line that fits your situation "
    "counts. Each was found by racing: of many cards it wins most games, played by one player "
    "among players of `best`, the strongest policy known. `simulate`, `tournament` and `play` take "
    "it as the policy `card`.",
    "All shares are win rates with 95 % intervals, the card in every seat in turn. They come from "
    "games that no search has played. *Never quit* has the card's habits and no limit. *Before* is "
    "what the sheets said before there were cards: a limit for the points of one round.",
)
NEIGHBOURS = (
    "Each limit is also played 1 and 2 points lower and higher, and as *never*. Where a line is "
    "left out too, that shows its worth. A neighbour is one player among players of `best`, "
    "or one among players of the card. The table has the neighbour of each card that does best "
    "beside it: the difference is in percentage points, neighbour minus card. Intervals for one "
    "card hold together. All neighbours are in `data/cards.json`."
)
CURVE = (
    "What each further line gains: win rates among `best` of the best cards found, by their number "
    "of lines. The published card, in bold, has as few lines as win nearly as much as more. Where "
    "there is no figure, no further line was found that wins more."
)


def percent(estimate: Mapping[str, Any], sign: str = "") -> str:
    """A share in per cent with its half-width; a difference with its sign."""
    half = 50 * (estimate["high"] - estimate["low"])
    return f"{100 * estimate['value']:{sign}.1f} ± {half:.1f}"


def page(content: Mapping[str, Any]) -> str:
    """The page as Markdown."""
    parts = ["# Rules that fit on a card", MADE.format("cards"), *INTRODUCTION]
    entries = list(entries_of(content["cards"]))
    parts += [table(
        ("rule set", "players", "the card", "wins %", "fair %", "never quit %", "before %"),
        [_row(*each) for each in entries],
    ), "## What further lines gain", CURVE]  # fmt: skip
    most = max((len(entry["curve"]) for _, _, entry in entries), default=1)
    parts.append(
        table(
            ("rule set", "players", *(f"{lines + 1}" for lines in range(most))),
            [
                (code(rules), players, *_curve(entry, most))
                for rules, players, entry in entries
            ],
        )
    )  # fmt: skip
    heads = ("rule set", "players", "neighbours", "closest among `best`", "closest among the card")
    near = table(heads, [_nearest(*each) for each in entries])
    parts += ["## No neighbour clearly wins more", NEIGHBOURS, near]
    made: dict[str, list[str]] = {entry["command"]: [] for _, _, entry in entries}
    for rules, players, entry in entries:
        made[entry["command"]].append(f"{code(rules)} {players}")
    parts.append("Made by these commands. Figures, games and seeds are in `data/cards.json`.")
    parts.append("\n".join(f"- {code(each)}: {', '.join(of)}." for each, of in made.items()))
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def entries_of(cards: Mapping[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Rule set, players and entry of every card; of editions that play alike only the first."""
    for game, editions in cards.items():
        seen: list[Any] = []
        for edition, by_players in editions.items():
            if by_players not in seen:
                seen.append(by_players)
                for players, entry in by_players.items():
                    yield f"{game}/{edition}", players, entry


def _row(rules: str, players: str, entry: Mapping[str, Any]) -> tuple[str, ...]:
    former = entry.get("former")
    language, card = card_in(game_of(rules).policy(entry["policy"]))
    before = f"{percent(former['among best'])} ({code(former['policy'])})" if former else "–"
    return (
        code(rules),
        players,
        " ".join(language.in_words(card)),
        percent(entry["among best"]),
        f"{100 * entry['fair']:.1f}",
        percent(entry["never"]["among best"]),
        before,
    )


def _curve(entry: Mapping[str, Any], most: int) -> list[str]:
    """The shares by lines; the card's own number of lines is bold."""
    cells = [
        f"**{percent(point['among best'])}**"
        if point["policy"] == entry["policy"]
        else percent(point["among best"])
        for point in entry["curve"]
    ]
    return cells + ["–"] * (most - len(cells))


def _nearest(rules: str, players: str, entry: Mapping[str, Any]) -> tuple[str, ...]:
    """The neighbours of a card that do best beside it, among `best` and among the card."""

    def shown(among: str) -> str:
        near = max(entry["neighbours"], key=lambda neighbour: neighbour[among]["value"])
        return f"{code(near['policy'])}, {percent(near[among], '+')}"

    shares = ("more than the card among best", "more than the card among itself")
    return (code(rules), players, str(len(entry["neighbours"])), *map(shown, shares))
