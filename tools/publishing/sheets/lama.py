"""The sheet of L.A.M.A.: when to quit, which card to play first, what each card costs."""

from __future__ import annotations

from collections.abc import Iterator

from lama_odds.analysis.strategy_report.by_game.lama.hand_values import Studied, tops_of
from lama_odds.core.estimate import Estimate
from lama_odds.games.registry import game_of
from lama_odds.simulation.run import run
from tools.publishing.reference.markdown import table
from tools.publishing.sheets.limits import Played, by_key, by_players

RULES, PLAYERS = "lama/amigo", 4
EDITIONS = {
    "lama/amigo": "L.A.M.A., 8 llamas",
    "lama/egmont": "L.A.M.A., 7 llamas",
    "lama/party": "Lama Party",
}
NAMES = {"L": "llama"}


def parts(played: Played) -> Iterator[str]:
    """The sheet, part by part."""
    yield "## Can't play? Quit or draw"
    yield (
        "Add up your hand: each number once, all llamas together 10. Quit with this many points or "
        "fewer, and draw with more. *5 to 6* means that 6 is a toss-up."
    )
    yield by_players(played, EDITIONS)
    found = played.thresholds(RULES, PLAYERS)
    yield f"What else you see matters. With {PLAYERS} players and 8 llamas:"
    yield by_key(found, "fewest", "fewest cards another player holds", "quit up to")
    yield by_key(found, "cards", "cards you hold", "quit up to")
    yield by_key(found, "others", "others who have not quit", "quit up to")
    studied = _studied(played)
    yield "## Two cards fit: which one first?"
    yield "The card that you play now, and the points that it saves on average:"
    yield table(("on top lies", "you can play", "play first", "saves"), _first(studied))
    yield "## Which cards to keep?"
    yield (
        "What one more card of this kind in your hand costs you to the end of the round. The "
        "second one adds nothing to your points, but you have to play it too."
    )
    yield _values(studied)


def _studied(played: Played) -> Studied:
    game = game_of(RULES)
    rules = game.rules(RULES)
    policy = game.best_policy(rules, PLAYERS, "points")
    studies = game.hand_studies(rules, [policy] * PLAYERS)
    assert studies is not None, "cards have these studies"
    return Studied(studies, run(studies.job, 0, played.rounds, threads=played.threads).tally)


def _name(card: str) -> str:
    return NAMES.get(card, card)


def _first(studied: Studied) -> list[tuple[str, str, str, str]]:
    rows = []
    for top, after in tops_of(studied):
        more = studied.row({"top": top, "next": after})
        if more is None:
            continue
        open_ = more.low <= 0 <= more.high
        first = "either" if open_ else _name(top if more.value > 0 else after)
        saves = "–" if open_ else f"{abs(more.value):.1f}"
        rows.append((_name(top), f"{_name(top)} or {_name(after)}", first, saves))
    return rows


def _values(studied: Studied) -> str:
    cards = studied.cards
    rows = []
    for copies, name in enumerate(("the first", "the second")):
        cells = (studied.row({"card": card, "copies": copies}) for card in cards)
        rows.append([name, *map(_points, cells)])
    return table(("points", *map(_name, cards)), rows)


def _points(found: Estimate | None) -> str:
    return "–" if found is None else f"{found.value:.1f}".replace("-", "−")
