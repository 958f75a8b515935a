"""A game you play, in words: the moves, the table, how each round and the game ended."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from lama_odds.analysis.coach.session import PLAYER, live_play_of
from lama_odds.games.interface.capabilities import NOTHING, OnScreen, Record
from lama_odds.games.interface.game import AnyGame
from lama_odds.games.shared.decisions import is_turn, recorded_of, shares, standing
from lama_odds.games.shared.in_words import words_of
from lama_odds.games.shared.record import HIDDEN, NO_NAME, PENALTIES

# A game you play, in words: the moves, and how each round and the game ended.
#
# Players are counted from 1, in the order of the seats; a record counts its seats from 0.

_SEAT = re.compile(r"\bseat (\d+)\b")


def player(seat: int, me: int, first: bool = False, names: Sequence[str] = ()) -> str:
    """A seat as it is called on the screen; first: at the beginning of a sentence."""
    name = names[seat] if names and names[seat] != NO_NAME else f"player {seat + 1}"
    name = "you" if seat == me else name
    return name[0].upper() + name[1:] if first else name


def by_players(text: str, me: int, names: Sequence[str] = ()) -> str:
    """A message of the record, in which seats count from 0, with players instead."""
    told = _SEAT.sub(lambda found: player(int(found[1]), me, names=names), text)
    return re.sub(r"\byou (is|has|sees|does)\b", lambda found: f"you {_YOURS[found[1]]}", told)


_YOURS = {"is": "are", "has": "have", "sees": "see", "does": "do"}


def action_text(shown: OnScreen, action: str, me: int, players: int) -> str:
    """An action as the screen names it: another player is ``#3``."""
    *words, last = action.split()
    if not words or words[0] not in shown.aimed:
        return action
    return f"{' '.join(words)} #{(me + int(last)) % players + 1}"


def turn_text(game: AnyGame, record: Record, line: str, me: int) -> str:
    """A turn of a record."""
    shown, verbs, names = _shown(game), recorded_of(game).verbs, record.names
    table = PLAYER in record.policies  # people play
    seat, *words = line.split()
    hidden = () if table or int(seat) == me else shown.hidden
    told: list[str] = []
    while words:
        verb, *words = words
        form = shown.told.get(verb, verb if verbs.get(verb) == NOTHING else f"{verb} {{}}")
        if "{" in form:
            what, words = (words or [""])[0], words[1:]
            who = player(int(what), me, names=names) if "{player}" in form else ""
            form = verb if what == HIDDEN or verb in hidden else form.format(what, player=who)
        told.append(form)
    return f"{player(int(seat), me, True, names)}: {', '.join(told)}"


def news_text(game: AnyGame, record: Record, lines: Sequence[str], me: int) -> Iterator[str]:
    """What has happened, from the new lines of a record: turns in a line, ends of rounds."""
    turns: list[str] = []
    for is_move, text in moves_text(game, record, lines, me):
        if is_move:
            turns.append(text)
            continue
        if turns:
            yield "  ".join(turns)
            turns = []
        yield text
    if turns:
        yield "  ".join(turns)


def moves_text(
    game: AnyGame, record: Record, lines: Sequence[str], me: int
) -> Iterator[tuple[bool, str]]:
    """The same, each text with whether it is a turn. lines: the last ones of the record."""
    shown = _shown(game)
    over = sum(state.ended is not None for state in record.rounds)
    ended = sum(line.startswith("end ") for line in lines)
    told = over - ended
    for line in lines:
        if is_turn(line):
            yield True, turn_text(game, record, line, me)
            continue
        name = line.split()[0]
        if name == "end":
            yield False, f"Round {told + 1} is over: {shown.ended[line.split()[1]]}."
            told += 1
        elif name == PENALTIES:
            for text in round_text(game, record, told - 1 if ended else over - 1, me):
                yield False, text
        elif name == "round":
            words = line.split()
            starts = player(int(words[3]), me, True, record.names)
            verb = "start" if int(words[3]) == me else "starts"
            yield False, f"Round {int(words[1]) + 1}: {starts} {verb}."
        elif name == "final":
            yield False, game_text(game, record, me)


def round_text(game: AnyGame, record: Record, number: int, me: int) -> Iterator[str]:
    """The winner of a round, the penalties, and the scores after it."""
    state = record.rounds[number]
    points = list(state.penalties)
    low = min(points)
    winners = [seat for seat, value in enumerate(points) if value == low]
    named = _listed([player(seat, me, names=record.names) for seat in winners])
    verb = "wins" if len(winners) == 1 and winners != [me] else "win"
    others = [
        f"{player(seat, me, names=record.names)} {value:+d}"
        for seat, value in enumerate(points)
        if value != low
    ]
    rest = f"; {', '.join(others)}" if others else ""
    yield f"{named[0].upper() + named[1:]} {verb} the round with {_points(low)}{rest}."
    after = standing(record, number)
    if _shown(game).scores and after is not None:
        told = ", ".join(
            f"{player(seat, me, names=record.names)} {value:g}" for seat, value in enumerate(after)
        )
        yield f"Scores: {told}."


def game_text(game: AnyGame, record: Record, me: int) -> str:
    """The winner of the game and the final results."""
    won = shares(game, record)
    assert won is not None
    assert record.outcome is not None
    winners = [seat for seat, share in enumerate(won) if share > 0]
    named = _listed([player(seat, me, names=record.names) for seat in winners])
    verb = "share" if len(winners) > 1 else "win" if winners == [me] else "wins"
    shown = _shown(game)
    what = shown.unit(record.rules)
    marks = list(record.outcome)
    with_ = f"with {marks[winners[0]]} {what}" if verb != "share" else f"the win with {what} equal"
    others = [
        f"{player(seat, me, names=record.names)} {mark}"
        for seat, mark in enumerate(marks)
        if seat not in winners
    ]
    tie = ""
    if shown.tie_break and marks.count(marks[winners[0]]) > len(winners):
        tie = f" and {shown.tie_break}"
    if verb == "share":
        with_ = f"the win with {marks[winners[0]]} {what}"
    return f"The game is over: {named} {verb} {with_}{tie}; {', '.join(others) or 'nobody else'}."


def _shown(game: AnyGame) -> OnScreen:
    return live_play_of(game).on_screen


def _points(value: int) -> str:
    return f"{value} point{'s' * (abs(value) != 1)}"


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def begun(text: str) -> bool:
    """Whether anything has happened in a record."""
    return any(is_turn(line) for line in text.splitlines())


def played_so_far(game: AnyGame, record: Any, text: str, me: int) -> list[str]:
    """The turns of the last round so far, to show when a game is resumed."""
    lines = text.splitlines()
    starts = [i for i, line in enumerate(lines) if line.startswith("round ")]
    since = lines[starts[-1] :] if starts else [line for line in lines if is_turn(line)][-4:]
    return list(news_text(game, record, since, me))


# The table as it lies before a decision, in two lines, players in the order of their seats.

MANY = 9  # this many actions of a kind are shown as one


def table_text(game: AnyGame, position: Any, me: int, names: Sequence[str] = ()) -> str:
    """What everybody sees, and what you know: a position of yours."""
    holds = live_play_of(game).on_screen.holds
    return " · ".join([*_middle(game, position), *_players(game, position, me, me, holds, names)])


def table_lines(
    game: AnyGame, position: Any, me: int, seat: int, names: Sequence[str] = ()
) -> list[str]:
    """The same as a line for the middle and one for each player, with your cards.

    seat: the one whose position it is. names: of the players.
    """
    shown = live_play_of(game).on_screen

    def holds(position: Any, at: int) -> str:
        mine = shown.mine is not None and at == (me - seat) % position.players
        return shown.mine(position) if shown.mine and mine else shown.holds(position, at)

    middle = " · ".join(_middle(game, position))
    return [*([middle] if middle else []), *_players(game, position, me, seat, holds, names)]


def _middle(game: AnyGame, position: Any) -> list[str]:
    words = words_of(position)
    shown = live_play_of(game).on_screen
    return [f"{name} {words[word]}" for word, name in shown.middle.items() if word in words]


def _players(
    game: AnyGame,
    position: Any,
    me: int,
    viewer: int,
    holds: Callable[[Any, int], str],
    names: Sequence[str],
) -> Iterator[str]:
    """Yield what each player holds, in the order of the seats. viewer: whose position it is."""
    score = live_play_of(game).on_screen.score
    for seat in range(position.players):
        at = (seat - viewer) % position.players
        yield f"{player(seat, me, names=names)}: {holds(position, at)}{score(position, at)}"


def question_text(game: AnyGame, rules: Any, position: Any, actions: list[str], me: int) -> str:
    """Your cards or dice, and what you may do."""
    shown = _shown(game)
    hand = shown.hand(rules, position)
    return f"{hand}: {choices_text(shown, actions, me, position.players)}"


def choices_text(shown: OnScreen, actions: Sequence[str], me: int, players: int) -> str:
    """Actions in a line; many of a verb are one choice, which comes first."""
    told: list[str] = []
    for verb, as_one in shown.many.items():
        others = [action for action in actions if action.split()[0] != verb]
        if len(actions) - len(others) >= MANY:
            told, actions = [*told, as_one], others
    return ", ".join([*told, *(action_text(shown, action, me, players) for action in actions)])
