"""When to risk more in Pikomino than a turn for worms does: a map, and rules of thumb in words."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from lab.learned_pikomino.thumb_rules import (
    COSTS,
    EVERY,
    GAME_NUMBER,
    PLAIN,
    Rule,
    costs_with,
    places,
)
from lama_odds.analysis.strategy_report.document import HeatMap
from lama_odds.core.estimate import Estimate
from lama_odds.games.pikomino.engine.look_ahead import (
    BEST,
    BEST_BUST,
    LEAD,
    PLAN,
    PLAN_BUST,
    TILES_LEFT,
    TOP,
)
from lama_odds.statistics.intervals import Z

MAP_ALT = "Map: how much more often the best plan goes bust, by worms ahead and tiles left"
FEW, HIGH_TOP = 2, 8  # tiles in the centre; a top tile of 29
LEADS = (
    ("behind by 7 or more", -99, -7),
    ("behind by 4 to 6", -6, -4),
    ("behind by 1 to 3", -3, -1),
    ("even", 0, 0),
    ("ahead by 1 to 3", 1, 3),
    ("ahead by 4 to 6", 4, 6),
    ("ahead by 7 or more", 7, 99),
)
TILES = (("1", 1, 1), ("2", 2, 2), ("3 to 5", 3, 5), ("6 to 10", 6, 10), ("11 to 16", 11, 16))
FEWEST = 25  # turns in a cell of the map


def mean_of(values: np.ndarray) -> Estimate:
    """Return the mean of independent values with a normal interval."""
    n = len(values)
    return Estimate.normal(float(values.mean()), float(values.std(ddof=1)) / n**0.5, n, Z)


def points(found: Estimate, digits: int = 1) -> str:
    """A chance in per cent with its half-width."""
    half = 100 * (found.high - found.low) / 2
    return f"{100 * found.value:.{digits}f} ± {half:.{digits}f}"


def cells(turns: np.ndarray) -> list[list[np.ndarray]]:
    """The turns of each cell of the map: by worms ahead, and by tiles in the centre."""
    lead, tiles = turns[:, LEAD], turns[:, TILES_LEFT]
    return [
        [
            turns[(lead >= low) & (lead <= high) & (tiles >= least) & (tiles <= most)]
            for _, least, most in TILES
        ]
        for _, low, high in LEADS
    ]


def in_cell(value: float | None) -> str:
    """A value of the map in whole points."""
    if value is None:
        return ""
    return f"{value:+.0f}" if round(value) else "0"


def risk_map(turns: np.ndarray) -> HeatMap:
    """How much more often the best plan goes bust, by worms ahead and tiles in the centre."""
    values = tuple(
        tuple(
            100 * float((here[:, BEST_BUST] - here[:, PLAN_BUST]).mean())
            if len(here) >= FEWEST
            else None
            for here in row
        )
        for row in cells(turns)
    )
    return HeatMap(
        name="risk",
        title="How much more to risk than for worms",
        alt=MAP_ALT,
        x_label="tiles in the centre",
        y_label="worms",
        x_names=tuple(name for name, *_ in TILES),
        y_names=tuple(name for name, *_ in LEADS),
        values=values,
        texts=tuple(tuple(map(in_cell, row)) for row in values),
        low="risk less",
        high="risk more",
        unit="busts of the best plan minus those of a turn for worms, percentage points",
        limit=20.0,
        border=False,
    )


def when_to_risk(turns: np.ndarray, file: str) -> list[str]:
    """The map, in a file beside the page, and what it shows in words."""
    cost = turns[:, BEST] - turns[:, PLAN]
    few, top = turns[:, TILES_LEFT] <= FEW, turns[:, TOP] >= HIGH_TOP
    ahead, behind = few & (turns[:, LEAD] > 0), few & (turns[:, LEAD] < 0)
    told = [
        f"- **{what}** ({100 * here.mean():.0f} % of the turns): the best plan goes bust in "
        f"{100 * turns[here, BEST_BUST].mean():.1f} % of them, a turn for worms in "
        f"{100 * turns[here, PLAN_BUST].mean():.1f} %. The turn for worms costs "
        f"{100 * cost[here].mean():.2f} points, and its share of all costs is "
        f"{100 * cost[here].sum() / cost.sum():.0f} %."
        for what, here in (
            (f"Behind, at most {FEW} tiles left", behind),
            (f"Ahead, at most {FEW} tiles left", ahead),
            (
                "Your top tile is 29 or higher, 6 tiles or more left",
                top & (turns[:, TILES_LEFT] > 5),
            ),
        )
    ]
    return [
        "## When to roll on, and when to stop earlier",
        "",
        "Compared to a turn for worms (`optimal-turn`). The numbers are percentage points of busts "
        "that the best plan has more or fewer.",
        "",
        f"![{MAP_ALT}]({Path(file).name})",
        "",
        *told,
    ]


def saved_by(turns: np.ndarray, rules: Sequence[Rule], games: int) -> Estimate:
    """What following rules saves per game, against playing for worms."""
    saved = turns[:, COSTS + PLAIN] - costs_with(turns, rules)
    return mean_of(np.bincount(turns[:, GAME_NUMBER].astype(int), saved, games))


def rules_of_thumb(turns: np.ndarray, rules: Sequence[Rule], fitted: int, games: int) -> list[str]:
    """Rules to keep in mind, each with what it saves. turns: of other games than they come from."""
    numbers = turns[:, GAME_NUMBER].astype(int)
    whole = mean_of(np.bincount(numbers, turns[:, COSTS + PLAIN], games))
    at = places(turns, rules)
    lines = [
        "## Three rules of thumb",
        "",
        f"Play each turn for worms (`optimal-turn`), but change it in three situations. Of "
        f"{len(EVERY):,} simple rules these save most, one after the other. They were found on "
        f"{fitted:,} two-player games, and what they save was measured on {games:,} others. Costs "
        "are points of winning chance per game, judged by `learned`. If several rules fit, the "
        "first counts.",
        "",
    ]
    for number, rule in enumerate(rules):
        when = rule.situation or "always"
        here = at == number
        saved = np.where(here, turns[:, COSTS + PLAIN] - turns[:, COSTS + rule.plan], 0.0)
        found = mean_of(np.bincount(numbers, saved, games))
        lines.append(
            f"{number + 1}. **If {when}: {rule.advice}.** It fits {100 * here.mean():.0f} % of the "
            f"turns and saves {points(found, 2)} points."
        )
    all_of_it = saved_by(turns, rules, games)
    left = whole.value - all_of_it.value
    lines += [
        "",
        f"Playing for worms costs {points(whole, 2)} points per game. The three rules together "
        f"save {points(all_of_it, 2)}, so {100 * left:.2f} are left. What is left lies in "
        "details of the board that no short rule has: what can be stolen, and which tile a "
        "bust turns over. `learned` looks at these.",
    ]
    return lines
