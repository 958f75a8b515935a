"""What a page says before and after its first figures: its story, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lama_odds.analysis.strategy_report.document import HOOK, PLAYED, READ_FIRST, RULE, Ask, Section
from lama_odds.core.wording import capital
from lama_odds.games.shared.decisions import decisions, is_turn, read_record
from lama_odds.report.text.moves import moves_text, table_lines

MOST_TURNS = 8  # shown of a game without rounds
FIRST_FITS = "The first line that fits counts."


@dataclass(frozen=True)
class Part:
    """A part of the story: a text, lines in order, how it is known. last: after the figures."""

    name: str
    title: str
    text: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    basis: str = ""
    last: bool = False


def parts_of(ask: Ask, sections: Sequence[Section]) -> list[Part]:
    """Return the hand from the table, the rule, and the round that is followed, if they are there.

    Without a rule that was played, what the first section says to do.
    """
    by_name = {section.name: section for section in sections}
    parts = []
    if HOOK in by_name:
        hook = by_name[HOOK]
        position, *answer = hook.text
        table: list[str] = []
        if ask.game.live_play() is not None:
            table = table_lines(ask.game, ask.game.position(ask.rules, hook.basis), 0, 0)
        held = " ".join(f"{capital(line)}." for line in table)
        text = tuple(filter(None, (position, held, " ".join(answer))))
        parts.append(Part(HOOK, hook.title, text))
    rule = by_name.get(RULE)
    limits = next((s for s in sections if s.headlines and s.name not in READ_FIRST), None)
    if rule and rule.text:
        basis = f"{rule.headlines[-1]} {rule.basis}"
        parts.append(Part(RULE, rule.title, (FIRST_FITS,), rule.text, basis))
    elif limits:
        missing = (rule.basis,) if rule else ()
        parts.append(Part(RULE, limits.title, missing, limits.headlines, limits.basis))
    if PLAYED in by_name:
        played = by_name[PLAYED]
        basis = f"{played.basis} You are player 1."
        lines = tuple(followed(ask, played.text))
        parts.append(Part(PLAYED, played.title, (), lines, basis, True))
    return parts


def followed(ask: Ask, record: Sequence[str]) -> list[str]:
    """Return a record in words as its first player saw it, a line for each of its turns and on.

    Where the game has no words for it, its turns are as the record has them.
    """
    game = ask.game
    turns = [line for line in record if is_turn(line)]
    shown = record if game.has_rounds else turns[:MOST_TURNS]
    if game.live_play() is None or game.recorded() is None or game.policy_query() is None:
        return turns
    text = "\n".join(record)
    first = next(each for each in decisions(game, ask.rules, text) if each.seat == 0)
    said = [f"{capital(game.in_words(ask.rules, first.position))}."]
    seats = iter(line.split()[0] for line in turns)
    for is_move, words in moves_text(game, read_record(game, text), shown, 0):
        if is_move and next(seats) != "0":
            said[-1] += f" {words}."
        else:
            said.append(f"{words}." if is_move else words)
    return said
