"""The decisions of a record the slow way: the record up to each of them is read again."""

from __future__ import annotations

from typing import Any

from lama_odds.games.interface.game import Game
from lama_odds.games.interface.records import CHOICE, LUCK, NOTHING
from lama_odds.games.shared.decisions import is_turn, read_record, viewer

Told = tuple[int, int, int, int, str, str, Any, str]


def slow_decisions(game: Game, rules: Any, text: str) -> list[Told]:
    """Line, round, turn, seat, action, random event shown, position, and the record before."""
    seen = viewer(read_record(game, text))
    lines = text.splitlines()
    found: list[Told] = []
    round_ = turn = -1
    for number, line in enumerate(lines, 1):
        words = line.split()
        round_ += words[:1] == ["round"]
        if not is_turn(line):
            continue
        turn += 1
        if seen in (None, int(words[0])):
            before = "\n".join(lines[: number - 1])
            for seat, chosen, shown, position, upto in of_turn(game, rules, before, words):
                place = number, max(round_, 0), turn
                found.append((*place, seat, chosen, shown, position, upto))
    return found


def of_turn(game: Game, rules: Any, before: str, words: list[str]) -> list[Any]:
    """The decisions of a line, `before` being the record up to it."""
    recorded = game.recorded()
    verbs, seat, at = recorded.verbs, int(words[0]), 1
    found: list[Any] = []
    while at < len(words) and words[at] in verbs:
        follows = verbs[words[at]]
        upto = before + ("\n" + " ".join(words[:at]) if at > 1 else "")
        position = game.position_after(rules, upto)
        what = words[at + 1] if follows != NOTHING else ""
        chosen = named(game, position, words, at) if follows == CHOICE else words[at]
        shown = what if follows == LUCK and recorded.shown_at_once else ""
        found.append((seat, chosen, shown, position, upto))
        at += 1 if follows == NOTHING else 2
    return found


def named(game: Game, position: Any, words: list[str], at: int) -> str:
    """An action in the agreed notation."""
    verb, what = words[at], words[at + 1]
    if game.name == "dice":
        return f"{verb} {''.join(sorted(what))}"
    if verb == "steal":
        return f"steal {int(what)} from {position.tops.index(int(what), 1)}"
    if verb == "stop":
        return f"stop {int(what)}"
    if verb == "give":
        return f"give {words[2]} to {(int(what) - int(words[0])) % position.players}"
    return f"{verb} {what}"
