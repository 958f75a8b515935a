"""Many reviewed games as text: totals, a line for each game, costly decisions and their kinds."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from lama_odds.analysis.coach.history import YOU, GameOfPlayer, History, Kind, Player, Skipped
from lama_odds.core import wording
from lama_odds.core.language import ENGLISH, language, later, later_count, say, say_count
from lama_odds.games.interface.actions import action_words, kind_words
from lama_odds.report.terminal import Fitted
from lama_odds.report.text.review import luck_sum
from lama_odds.report.text.review_figures import grade_counts

DIGITS = 2
MOST_KINDS = 5
MOST_GAMES = 20  # lines, without -v
MOST_NAMED = 5  # files that were skipped
CLOSE = 0.5 * 10**-DIGITS
SURE = 1e-9  # a narrower interval is not shown


def history_text(history: History, verbose: bool = False) -> RenderableType:
    """Totals of each player, games, costliest decisions and kinds; verbose: all games."""
    parts: list[RenderableType] = [Text(_head(history), style="dim"), Text()]
    for player in history.players:
        parts += [Text(f"▶ {_score(player)}", style="bold")]
        sentences = (_grades(player), _luck(player), _trend(player))
        parts += [Text(f"  {one}") for one in sentences if one]
    parts += [Text(), _games(history, verbose)]
    for player in history.players:
        parts += _worst(player, len(history.players) > 1, verbose)
        parts += _kinds(player, len(history.players) > 1, verbose)
    parts += [Text(), *map(Text, skipped_lines(history.skipped))] if history.skipped else []
    notes = [
        say("Costs against the best decisions, beyond their error for all decisions of a game.")
    ]
    hidden = len(history.games) - MOST_GAMES
    if not verbose:
        notes.append(say("{n} more: -v", n=hidden) if hidden > 0 else say("More: -v"))
    return Group(*parts, Text(), Text(" ".join(notes), style="dim"))


def _head(history: History) -> str:
    games = len({game.name for game in history.games})
    reused = len({game.name for game in history.games if game.reused})
    if reused:
        return say_count(
            "{n} game · {rules} · {reused} reviewed before",
            "{n} games · {rules} · {reused} reviewed before",
            games,
            rules=_rules(history),
            reused=reused,
        )
    return say_count("{n} game · {rules}", "{n} games · {rules}", games, rules=_rules(history))


def _rules(history: History) -> str:
    names = sorted({game.rules for game in history.games})
    if len(names) <= 3:
        return wording.listed(names)
    return say_count("{n} rule sets", "{n} rule sets", len(names))


def number(player: Player, value: float, sign: bool = False) -> str:
    """A number in the unit of the player's objective."""
    text = f"{(100 if player.share else 1) * value:.{DIGITS}f}"
    if float(text) == 0:
        text = text.removeprefix("-")
    return wording.decimal(f"+{text}" if sign and float(text) > 0 else text.replace("-", "−"))


def name_of(name: str) -> str:
    """A player of a history as a sentence says it."""
    word, _, seat = name.partition(" ")
    if word == "player" and seat.isdigit():
        return say("player {n}", n=seat)
    return say("you") if name == YOU else name


# What decisions cost, by whether some cost is shown, and whether the mean is uncertain.
COST = {
    (False, False): later_count(
        "{player}: {decisions} decisions, and no cost is shown; a decision cost {mean} on average.",
        "{player}: {decisions} decisions, and no cost is shown; a decision cost {mean} on average.",
    ),
    (False, True): later_count(
        "{player}: {decisions} decisions, and no cost is shown; a decision cost {mean} on average "
        "({low} to {high}).",
        "{player}: {decisions} decisions, and no cost is shown; a decision cost {mean} on average "
        "({low} to {high}).",
    ),
    (True, False): later_count(
        "{player}: {n} of {decisions} decisions cost {cost}; a decision cost {mean} on average.",
        "{player}: {n} of {decisions} decisions cost {cost}; a decision cost {mean} on average.",
    ),
    (True, True): later_count(
        "{player}: {n} of {decisions} decisions cost {cost}; a decision cost {mean} on average "
        "({low} to {high}).",
        "{player}: {n} of {decisions} decisions cost {cost}; a decision cost {mean} on average "
        "({low} to {high}).",
    ),
}


def _score(player: Player) -> str:
    """What the decisions are shown to cost, in all and each."""
    means = (player.mean_error, player.mean_error_low, player.mean_error_high)
    mean, low, high = (number(player, value) for value in means)
    uncertain = player.error_high - player.error_low >= SURE
    unit = wording.POINTS_OF_CHANCE if player.share else player.unit
    return say_count(
        *COST[bool(player.shown), uncertain],
        player.shown or player.decisions,
        player=f"{wording.capital(name_of(player.player))}, {player.objective}",
        decisions=player.decisions,
        cost=wording.with_unit(number(player, player.shown_error), unit),
        mean=mean,
        low=low,
        high=high,
    )


def _grades(player: Player) -> str:
    bad = grade_counts(player.grades)
    sentences = [f"{wording.capital(bad)}."] if bad else []
    if player.uncertain:
        sentences.append(
            say_count(
                "{n} more decision may have cost something.",
                "{n} more decisions may have cost something.",
                player.uncertain,
            )
        )
    return " ".join(sentences)


# Luck over all games, by whether it helped, and whether its error is shown.
LUCK = {
    (True, False): later_count(
        "Luck helped by {amount} in {n} game: {sum} luck-adjusted.",
        "Luck helped by {amount} in {n} games: {sum} luck-adjusted.",
    ),
    (True, True): later_count(
        "Luck helped by {amount} in {n} game (± {error}): {sum} luck-adjusted.",
        "Luck helped by {amount} in {n} games (± {error}): {sum} luck-adjusted.",
    ),
    (False, False): later_count(
        "Luck hurt by {amount} in {n} game: {sum} luck-adjusted.",
        "Luck hurt by {amount} in {n} games: {sum} luck-adjusted.",
    ),
    (False, True): later_count(
        "Luck hurt by {amount} in {n} game (± {error}): {sum} luck-adjusted.",
        "Luck hurt by {amount} in {n} games (± {error}): {sum} luck-adjusted.",
    ),
}


def _luck(player: Player) -> str:
    """Luck over all games, and the results without it."""
    half = (player.luck_high - player.luck_low) / 2
    luck, got = round(player.luck, DIGITS), round(player.result, DIGITS)
    if not luck:
        return say_count(
            "Luck made no difference in {n} game: luck-adjusted {result}.",
            "Luck made no difference in {n} games: luck-adjusted {result}.",
            player.games,
            result=_plain(got),
        )
    return say_count(
        *LUCK[luck > 0 if player.higher else luck < 0, half >= CLOSE],
        player.games,
        amount=wording.beside_unit(_plain(abs(luck)), "wins" if player.share else player.unit),
        error=wording.rounded(half, DIGITS),
        sum=luck_sum(got, luck, round(got - luck, DIGITS)),
    )


def _plain(value: float) -> str:
    return wording.trimmed(value, DIGITS)


def _trend(player: Player) -> str:
    """How the cost of a decision changed, in a sentence."""
    if player.trend is None:
        return ""
    blocks, change = player.trend.blocks, player.trend.change
    between = ", " if language() == ENGLISH else "; "  # others have a comma within numbers
    amounts = {
        "costs": between.join(number(player, block.mean_error.value) for block in blocks),
        "change": number(player, change.value, True),
        "error": number(player, (change.high - change.low) / 2),
    }
    if change.low <= 0 <= change.high:
        return say(
            "A decision cost {costs} on average in the quarters of the games: no change is shown "
            "({change} ± {error} in the second half).",
            **amounts,
        )
    if change.value < 0 and player.player == YOU:
        return say(
            "A decision cost {costs} on average in the quarters of the games: you improved "
            "({change} ± {error} in the second half).",
            **amounts,
        )
    return say(
        "A decision cost {costs} on average in the quarters of the games: {change} ± {error} in "
        "the second half.",
        **amounts,
    )


def _games(history: History, verbose: bool) -> RenderableType:
    units = {player.objective: player for player in history.players}
    several = len({game.player for game in history.games}) > 1
    games = history.games if verbose else history.games[-MOST_GAMES:]
    heads = [say("game"), say("player"), say("for"), say("result"), say("decisions")]
    heads += [say("shown cost"), say("luck")]
    rows = [_row(game, units[game.objective]) for game in games]
    shown = [0, *([1] * several), *([2] * (len(units) > 1)), 3, 4, 5, 6]
    left = tuple(place for place, column in enumerate(shown) if column < 4)
    kept = tuple(tuple(row[column] for column in shown) for row in rows)
    return Fitted(tuple(heads[column] for column in shown), kept, left=left)


def _row(game: GameOfPlayer, player: Player) -> tuple[str, ...]:
    cost = number(player, game.shown_error) if game.shown else "–"
    luck = number(player, game.luck, True)
    result, count = _result(game, player), str(game.decisions)
    return (game.name, name_of(game.player), game.objective, result, count, cost, luck)


ENDS = {1.0: later("won"), 0.0: later("not won")}


def _result(game: GameOfPlayer, player: Player) -> str:
    score = None if game.score is None else _plain(game.score)
    if not game.final:
        outcome = say("not over")
    elif not player.share:
        return _plain(game.result) if score is None else say("score {score}", score=score)
    elif game.result in ENDS:
        outcome = say(ENDS[game.result])
    elif 0 < game.result < 1:
        outcome = say("shared")
    else:
        outcome = say("{rounds} won", rounds=_plain(game.result))
    return outcome if score is None else say("{result}, score {score}", result=outcome, score=score)


def _worst(player: Player, named: bool, verbose: bool) -> list[RenderableType]:
    """The costliest decisions; verbose: with their positions."""
    if not player.worst:
        return []
    rows = [
        (
            one.where.text,
            action_words(one.played, one.seat),
            action_words(one.best, one.seat),
            number(player, one.error.value),
            one.name,
        )
        for one in player.worst
    ]
    of = _head_of(COSTLY, player, named)
    heads = (of, say("played"), say("best"), say("cost"), say("game"))
    shown: list[RenderableType] = [Text(), Fitted(heads, tuple(rows), left=(0, 1, 2, 4))]
    if not verbose:
        return shown
    places = [f'{one.name}, {one.where.text}: {one.rules} "{one.position}"' for one in player.worst]
    return [*shown, Text(), *(Text(one, style="dim") for one in places)]


# Heads: of all decisions, of yours with an objective, of another player's.
COSTLY = (
    later("most costly"),
    later("most costly, {objective}"),
    later("most costly of {player}, {objective}"),
)
KINDS = (
    later("kind of decision"),
    later("kind of decision, {objective}"),
    later("kind of decision of {player}, {objective}"),
)


def _head_of(heads: tuple[str, str, str], player: Player, named: bool) -> str:
    """A head that says whose decisions these are, if several players have some."""
    every, yours, others = heads
    head = every if not named else yours if player.player == YOU else others
    return say(head, player=name_of(player.player), objective=player.objective)


def kind_text(kind: Kind) -> str:
    """A kind of costly decision, in the words of its actions."""
    played = kind_words(kind.played)
    if kind.played == kind.best:
        return say("{played}, though another choice of it was best", played=played)
    return say("{played}, though {best} was best", played=played, best=kind_words(kind.best))


def _kinds(player: Player, named: bool, verbose: bool) -> list[RenderableType]:
    if not player.kinds:
        return []
    rows = [
        (kind_text(kind), str(kind.decisions), number(player, kind.error))
        for kind in player.kinds[: None if verbose else MOST_KINDS]
    ]
    heads = (_head_of(KINDS, player, named), say("decisions"), say("cost"))
    return [Text(), Fitted(heads, tuple(rows), left=(0,))]


def skipped_lines(skipped: Sequence[Skipped]) -> list[str]:
    """What was skipped: foreign files in one line, games that cannot be reviewed in another."""
    foreign = [one.name for one in skipped if one.foreign]
    damaged = [f"{one.name} ({one.why})" for one in skipped if not one.foreign]
    lines = []
    if foreign:
        lines.append(say("No records, skipped: {files}.", files=_some(foreign)))
    if damaged:
        lines.append(say("Not reviewed: {files}.", files=_some(damaged)))
    return lines


def _some(names: Sequence[str]) -> str:
    first = ", ".join(names[:MOST_NAMED])
    if len(names) <= MOST_NAMED:
        return first
    return say("{first} and {n} more", first=first, n=len(names) - MOST_NAMED)
