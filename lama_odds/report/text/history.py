"""Many reviewed games as text: totals, a line for each game, costly decisions and their kinds."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from lama_odds.analysis.coach.grades import GRADES
from lama_odds.analysis.coach.history import YOU, GameOfPlayer, History, Kind, Player, Skipped
from lama_odds.core.estimate import Estimate
from lama_odds.core.wording import POINTS_OF_CHANCE, capital, listed, rounded, with_minus, with_unit
from lama_odds.report.terminal import Fitted
from lama_odds.report.text.review import PLURALS

DIGITS = 2
MOST_KINDS = 5
MOST_GAMES = 20  # lines, without -v
MOST_NAMED = 5  # files that were skipped
CLOSE = 0.5 * 10**-DIGITS


def history_text(found: History, verbose: bool = False) -> RenderableType:
    """Totals of each player, games, costliest decisions and kinds; verbose: all games."""
    parts: list[RenderableType] = [Text(_head(found), style="dim"), Text()]
    for player in found.players:
        parts += [Text(f"▶ {_score(player)}", style="bold")]
        said = (_grades(player), _luck(player), _trend(player))
        parts += [Text(f"  {one}") for one in said if one]
    parts += [Text(), _games(found, verbose)]
    for player in found.players:
        parts += _worst(player, len(found.players) > 1, verbose)
        parts += _kinds(player, len(found.players) > 1, verbose)
    parts += [Text(), *map(Text, skipped_lines(found.skipped))] if found.skipped else []
    hidden = len(found.games) - MOST_GAMES
    more = "" if verbose else " More: -v"
    if hidden > 0 and not verbose:
        more = f" {hidden} more: -v"
    told = "Costs against the best decisions, beyond their error for all decisions of a game."
    return Group(*parts, Text(), Text(told + more, style="dim"))


def _head(found: History) -> str:
    games = len({game.name for game in found.games})
    reused = sum(game.reused > 0 for game in found.games)
    kept = f" · {reused} reviewed before" * bool(reused)
    return f"{games} game{'s' * (games != 1)} · {_rules(found)}{kept}"


def _rules(found: History) -> str:
    names = sorted({game.rules for game in found.games})
    return listed(names[:3]) if len(names) <= 3 else f"{len(names)} rule sets"


def unit_of(player: Player) -> str:
    """The unit of costs and luck."""
    return POINTS_OF_CHANCE if player.share else player.unit


def number(player: Player, value: float, sign: bool = False) -> str:
    """A number in the unit of the player's objective."""
    text = rounded((100 if player.share else 1) * value, DIGITS)
    return f"+{text}" if sign and float(text) > 0 else text.replace("-", "−")


def _score(player: Player) -> str:
    """What the decisions are shown to cost, in all and each."""
    who = f"{capital(player.player)}, {player.objective}"
    told = f"{who}: {player.decisions} decisions, and no cost is shown"
    if player.shown:
        few = f"{player.shown} of {player.decisions} decisions"
        lost = with_unit(number(player, player.shown_error), unit_of(player))
        told = f"{who}: {few} cost {lost}"
    means = (player.mean_error, player.mean_error_low, player.mean_error_high)
    each = [number(player, mean) for mean in means]
    mean = f"{told}; a decision cost {each[0]} on average"
    if player.error_high - player.error_low < 1e-9:
        return f"{mean}."
    return f"{mean} ({each[1]} to {each[2]})."


def _grades(player: Player) -> str:
    bad = [
        f"{player.grades[grade]} {grade if player.grades[grade] == 1 else PLURALS[grade]}"
        for grade in reversed(GRADES[1:])
        if player.grades[grade]
    ]
    told = f"{capital(listed(bad))}." if bad else ""
    if player.uncertain:
        more = f"{player.uncertain} more decision{'s' * (player.uncertain != 1)}"
        told = f"{told} {more} may have cost something.".strip()
    return told


def _luck(player: Player) -> str:
    """Luck over all games, and the results without it."""
    games = f"{player.games} game{'s' * (player.games != 1)}"
    half = (player.luck_high - player.luck_low) / 2
    better = player.luck > 0 if player.higher else player.luck < 0
    luck = round(abs(player.luck), DIGITS)
    got, sign = round(player.result, DIGITS), "−" if player.luck > 0 else "+"
    unit = "wins" if player.share else player.unit
    adjusted = round(got - round(player.luck, DIGITS), DIGITS)
    error = f" (± {rounded(half, DIGITS)})" * (half >= CLOSE)
    if not luck:
        return f"Luck made no difference in {games}: luck-adjusted {_plain(got)}."
    verb = "helped" if better else "hurt"
    sum_ = f"{_plain(got)} {sign} {_plain(luck)} = {_plain(adjusted)} luck-adjusted"
    return f"Luck {verb} by {_plain(luck)} {unit} in {games}{error}: {sum_}."


def _plain(value: float) -> str:
    return with_minus(value + 0.0, DIGITS).removesuffix("." + DIGITS * "0")


def _trend(player: Player) -> str:
    """How the cost of a decision changed, in a sentence."""
    if player.trend is None:
        return ""
    blocks, change = player.trend.blocks, player.trend.change
    each = ", ".join(number(player, block.mean_error.value) for block in blocks)
    told = f"A decision cost {each} on average in the quarters of the games"
    return f"{told}: {_change(player, change)}."


def _change(player: Player, change: Estimate) -> str:
    half = (change.high - change.low) / 2
    told = f"{number(player, change.value, True)} ± {number(player, half)} in the second half"
    if change.low <= 0 <= change.high:
        return f"no change is shown ({told})"
    return f"you improved ({told})" if change.value < 0 and player.player == YOU else told


def _games(found: History, verbose: bool) -> RenderableType:
    units = {player.objective: player for player in found.players}
    several = len({game.player for game in found.games}) > 1
    games = found.games if verbose else found.games[-MOST_GAMES:]
    heads = ("game", "player", "for", "result", "decisions", "shown cost", "luck")
    rows = [_row(game, units[game.objective]) for game in games]
    shown = [0, *([1] * several), *([2] * (len(units) > 1)), 3, 4, 5, 6]
    left = tuple(place for place, column in enumerate(shown) if column < 4)
    kept = tuple(tuple(row[column] for column in shown) for row in rows)
    return Fitted(tuple(heads[column] for column in shown), kept, left=left)


def _row(game: GameOfPlayer, player: Player) -> tuple[str, ...]:
    cost = number(player, game.shown_error) if game.shown else "–"
    luck = number(player, game.luck, True)
    result, count = _result(game, player), str(game.decisions)
    return (game.name, game.player, game.objective, result, count, cost, luck)


def _result(game: GameOfPlayer, player: Player) -> str:
    score = "" if game.score is None else f"score {_plain(game.score)}"
    if not game.final:
        return f"not over, {score}" if score else "not over"
    if not player.share:
        return score or _plain(game.result)
    ends = {1.0: "won", 0.0: "not won"}
    told = ends.get(game.result, "shared" if 0 < game.result < 1 else f"{_plain(game.result)} won")
    return f"{told}, {score}" if score else told


def _worst(player: Player, named: bool, verbose: bool) -> list[RenderableType]:
    """The costliest decisions; verbose: with their positions."""
    if not player.worst:
        return []
    rows = [
        (one.where.text, one.played, one.best, number(player, one.error.value), one.name)
        for one in player.worst
    ]
    heads = (f"most costly{_of(player, named)}", "played", "best", "cost", "game")
    shown: list[RenderableType] = [Text(), Fitted(heads, tuple(rows), left=(0, 1, 2, 4))]
    if not verbose:
        return shown
    asked = [f'{one.name}, {one.where.text}: {one.rules} "{one.position}"' for one in player.worst]
    return [*shown, Text(), *(Text(one, style="dim") for one in asked)]


def _of(player: Player, named: bool) -> str:
    """Whose decisions these are, if several players have some."""
    if not named:
        return ""
    whose = "" if player.player == YOU else f" of {player.player}"
    return f"{whose}, {player.objective}"


def kind_text(kind: Kind) -> str:
    """A kind of costly decision, in the words of its actions."""
    if kind.played == kind.best:
        return f"{kind.played}, though another choice of it was best"
    return f"{kind.played}, though {kind.best} was best"


def _kinds(player: Player, named: bool, verbose: bool) -> list[RenderableType]:
    if not player.kinds:
        return []
    rows = [
        (kind_text(kind), str(kind.decisions), number(player, kind.error))
        for kind in player.kinds[: None if verbose else MOST_KINDS]
    ]
    heads = (f"kind of decision{_of(player, named)}", "decisions", "cost")
    return [Text(), Fitted(heads, tuple(rows), left=(0,))]


def skipped_lines(skipped: Sequence[Skipped]) -> list[str]:
    """What was skipped: foreign files in one line, games that cannot be reviewed in another."""
    foreign = [one.name for one in skipped if one.foreign]
    damaged = [f"{one.name} ({one.why})" for one in skipped if not one.foreign]
    return [
        f"{told}: {', '.join(names[:MOST_NAMED])}{_more(names)}."
        for told, names in (("No records, skipped", foreign), ("Not reviewed", damaged))
        if names
    ]


def _more(names: Sequence[str]) -> str:
    return f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
