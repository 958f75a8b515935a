"""A game you play, in words: the moves, the table, how each round and the game ended."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from lama_odds.analysis.coach.session import PLAYER, live_play_of
from lama_odds.core.language import ENGLISH, language, say
from lama_odds.core.wording import beside_unit, capital, listed, with_unit
from lama_odds.games.interface.actions import action_words
from lama_odds.games.interface.capabilities import NOTHING, OnScreen, Record
from lama_odds.games.interface.game import AnyGame
from lama_odds.games.shared.decisions import is_turn, recorded_of, shares, standing
from lama_odds.games.shared.in_words import words_of
from lama_odds.games.shared.record import HIDDEN, NO_NAME, PENALTIES

WHAT = "{what}"  # what follows a verb is shown after it

# A game you play, in words: the moves, and how each round and the game ended.
#
# Players are counted from 1, in the order of the seats; a record counts its seats from 0.


def player(seat: int, me: int, first: bool = False, names: Sequence[str] = ()) -> str:
    """A seat as it is called on the screen; first: at the beginning of a sentence."""
    named = names and names[seat] != NO_NAME
    name = names[seat] if named else say("player {n}", n=seat + 1)
    name = say("you") if seat == me else name
    return capital(name) if first else name


def by_players(text: str, me: int, names: Sequence[str] = ()) -> str:
    """A message of the record, in which seats count from 0, with players instead."""
    seats = re.compile(rf"\b{re.escape(say('seat {seat}', seat='@'))}\b".replace("@", r"(\d+)"))
    you = me if language() == ENGLISH else -1  # whose verb is like those of others elsewhere
    message = seats.sub(lambda match: player(int(match[1]), you, names=names), text)
    if language() != ENGLISH:
        return message
    return re.sub(r"\byou (is|has|sees|does)\b", lambda match: f"you {_YOURS[match[1]]}", message)


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
    actions: list[str] = []
    while words:
        verb, *words = words
        form = shown.told.get(verb, "" if verbs.get(verb) == NOTHING else WHAT)
        what = ""
        if "{" in form:
            what, words = (words or [""])[0], words[1:]
        if what == HIDDEN or verb in hidden or not form:
            actions.append(action_words(verb))
        elif form == WHAT:
            actions.append(action_words(f"{verb} {what}"))
        elif "{player}" in form:
            actions.append(say(form, player=player(int(what), me, names=names)))
        else:
            actions.append(say(form, what=what))
    return f"{player(int(seat), me, True, names)}: {', '.join(actions)}"


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
    finished = over - ended
    for line in lines:
        if is_turn(line):
            yield True, turn_text(game, record, line, me)
            continue
        name = line.split()[0]
        if name == "end":
            how = say(shown.ended[line.split()[1]])
            yield False, say("Round {n} is over: {how}.", n=finished + 1, how=how)
            finished += 1
        elif name == PENALTIES:
            for text in round_text(game, record, finished - 1 if ended else over - 1, me):
                yield False, text
        elif name == "round":
            words = line.split()
            seat, number = int(words[3]), int(words[1]) + 1
            if seat == me:
                yield False, say("Round {n}: You start.", n=number)
            else:
                starts = player(seat, me, True, record.names)
                yield False, say("Round {n}: {player} starts.", n=number, player=starts)
        elif name == "final":
            yield False, game_text(game, record, me)


def round_text(game: AnyGame, record: Record, number: int, me: int) -> Iterator[str]:
    """The winner of a round, the penalties, and the scores after it."""
    state = record.rounds[number]
    points = list(state.penalties)
    low = min(points)
    winners = [seat for seat, value in enumerate(points) if value == low]
    named = capital(listed([player(seat, me, names=record.names) for seat in winners]))
    others = [
        f"{player(seat, me, names=record.names)} {value:+d}"
        for seat, value in enumerate(points)
        if value != low
    ]
    rest = f"; {', '.join(others)}" if others else ""
    about = {"points": with_unit(low), "others": rest}
    if winners == [me]:
        yield say("You win the round with {points}{others}.", **about)
    elif len(winners) == 1:
        yield say("{player} wins the round with {points}{others}.", player=named, **about)
    else:
        yield say("{players} win the round with {points}{others}.", players=named, **about)
    after = standing(record, number)
    if _shown(game).scores and after is not None:
        scores = ", ".join(
            f"{player(seat, me, names=record.names)} {value:g}" for seat, value in enumerate(after)
        )
        yield say("Scores: {scores}.", scores=scores)


def game_text(game: AnyGame, record: Record, me: int) -> str:
    """The winner of the game and the final results."""
    won = shares(game, record)
    assert won is not None
    assert record.outcome is not None
    winners = [seat for seat, share in enumerate(won) if share > 0]
    named = listed([player(seat, me, names=record.names) for seat in winners])
    shown = _shown(game)
    marks = list(record.outcome)
    points = beside_unit(marks[winners[0]], shown.unit(record.rules))
    others = [
        f"{player(seat, me, names=record.names)} {mark}"
        for seat, mark in enumerate(marks)
        if seat not in winners
    ]
    if shown.tie_break and marks.count(marks[winners[0]]) > len(winners):
        points += say(" and ") + say(shown.tie_break)
    about = {"points": points, "others": ", ".join(others) or say("nobody else")}
    if len(winners) > 1:
        return say(
            "The game is over: {players} share the win with {points}; {others}.",
            players=named,
            **about,
        )
    if winners == [me]:
        return say("The game is over: you win with {points}; {others}.", **about)
    return say("The game is over: {player} wins with {points}; {others}.", player=named, **about)


def _shown(game: AnyGame) -> OnScreen:
    return live_play_of(game).on_screen


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
    return [f"{say(name)} {words[word]}" for word, name in shown.middle.items() if word in words]


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
    choices: list[str] = []
    for verb, as_one in shown.many.items():
        others = [action for action in actions if action.split()[0] != verb]
        if len(actions) - len(others) >= MANY:
            choices, actions = [*choices, say(as_one)], others
    return ", ".join([*choices, *(action_text(shown, action, me, players) for action in actions)])
