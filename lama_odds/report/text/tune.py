"""What `tune` found, as text."""

from __future__ import annotations

from dataclasses import replace

from rich.console import Group, RenderableType
from rich.text import Text

from lama_odds.analysis.tune.tune import ZONE, Tried, Tuned
from lama_odds.analysis.variants.given import titled
from lama_odds.core.estimate import Estimate
from lama_odds.report.terminal.fitted import Fitted
from lama_odds.report.text.answers import number, sentence
from lama_odds.report.text.numbers import POINTS_OF_CHANCE
from lama_odds.statistics.survivors import ALIKE, BEHIND, STAYED

MOST_ROWS = 6  # of the last race, without -v


def tuned_text(found: Tuned, verbose: bool = False) -> RenderableType:
    """What was found and how good it is on fresh games, and its rivals; verbose: the whole race."""
    share = found.objective == "win"
    head = f"{titled(found)} · {found.players} players · {found.family} against {found.against}"
    tried = found.tried if verbose else _nearest(found)
    rows = [(t.policy, number(t.value, share), _state(found, t.policy)) for t in tried]
    parts: list[RenderableType] = [Text(head, style="dim"), Text()]
    parts += [Text(line, style="bold") for line in findings(found)]
    parts += [Text(), Fitted(("the last race", VALUE[share], ""), tuple(rows), left=(0, 2)), Text()]
    if not verbose:
        left = len(found.tried) - len(tried)
        sure = (
            f"{_unit(found)}. {found.games:,} fresh games, which the search never saw; ± is a 95 % "
            f"interval. {f'{left} more: -v' if left else 'More: -v'}"
        )
        return Group(*parts, Text(sure, style="dim"))
    lines = [
        f"{_unit(found)}; {found.games:,} fresh games, {found.search_games:,} in the search "
        f"({found.tried[0].value.n:,} for each of the last race), seed {found.seed}, "
        f"{found.seconds:.1f} s",
        "as good: not shown to be worse in the last race",
        *_alike(found),
        f"the search saw {number(found.searched, share)} for its winner, fresh games "
        f"{_apart(found, share)}; the best of several candidates looks better than it is "
        "(winner's curse)",
        "every policy takes each seat in turn, all with the same cards and dice",
    ]
    return Group(*parts, Text("\n".join(f"· {line}" for line in lines), style="dim"))


VALUE = {True: "wins", False: "value"}


def findings(found: Tuned) -> list[str]:
    """The policy found, its value on fresh games, and whether that beats the others' policy."""
    share = found.objective == "win"
    rivals = len(found.plateau) - 1
    mark = "≈" if rivals else "▶"
    begin = "One of the best found is" if rivals else "The best found is"
    if share:
        told = f"it wins {number(found.value, share)} of its games"
    else:
        told = f"{number(found.value)} {per_game(found)}"
    lines = [f"{mark} {begin} {found.policy}: {told}."]
    if found.fair is not None:
        fair = f"an even share would be {100 * found.fair:.1f} %"
        beats = found.value.low > found.fair
        loses = found.value.high < found.fair
        how = "beats" if beats else "does not beat" if loses else "is level with"
        lines.append(f"  On fresh games it {how} {found.against}: {fair}.")
    if rivals:
        lines.append(
            f"  {rivals} other{'s are' if rivals > 1 else ' is'} as good, as far as shown."
        )
    return lines


def per_game(found: Tuned) -> str:
    """The unit of a value for points."""
    return f"{found.unit} per game" if found.higher else "points per round"


def _nearest(found: Tuned) -> list[Tried]:
    """The candidates closest to the one that was chosen, in their order."""
    sign = -1 if found.higher else 1
    ordered = sorted(
        found.tried, key=lambda t: (t.policy != found.policy, not t.stayed, sign * t.value.value)
    )[:MOST_ROWS]
    return [tried for tried in found.tried if tried in ordered]


def _state(found: Tuned, policy: str) -> str:
    """The fate of a candidate, in a word."""
    if policy == found.policy:
        return "chosen"
    state = next(tried.state for tried in found.tried if tried.policy == policy)
    return {STAYED: "as good", ALIKE: "equivalent", BEHIND: "worse"}[state]


def _unit(found: Tuned) -> str:
    """What values count, and which are good."""
    if found.objective == "win":
        return "Win rate, ties shared"
    better = "more" if found.higher else "fewer"
    return f"{sentence(per_game(found))}: {better} is better"


def _alike(found: Tuned) -> list[str]:
    """The meaning of *alike*, if any candidate is."""
    if all(tried.state != ALIKE for tried in found.tried):
        return []
    zone = ZONE[found.objective]
    limit = f"{100 * zone:g} percentage points" if found.objective == "win" else f"{zone:g}"
    return [f"equivalent: within {limit} of one that stayed in the race; it left the race"]


def _apart(found: Tuned, share: bool) -> str:
    """How much less or more fresh games give than the search saw, with the error of that."""
    luck = found.luck
    if luck.value == 0:
        return "the same"
    if luck.value > 0:
        return f"{_difference(luck, share)} less"
    more = replace(luck, value=-luck.value, low=-luck.high, high=-luck.low)
    return f"{_difference(more, share)} more"


def _difference(estimate: Estimate, share: bool) -> str:
    """A difference with its error; of shares in percentage points."""
    return number(estimate, share).replace("%", POINTS_OF_CHANCE)
