"""How many cards, and to how many points? Four players of L.A.M.A.: reports/studies/hand_size.md.

A grid of hand sizes and targets, each variant on the same cards. The wishes for four kinds of
evenings are constants; see `hand_size_words` for what is made of the figures.
"""

from __future__ import annotations

from collections.abc import Sequence

from lama_odds.analysis.sweep.answer import Grid, Sweep, grid_of, read_axes
from lama_odds.analysis.sweep.sweep import SEAT_BIAS, sweep
from lama_odds.core.policies import Policy
from lama_odds.games.registry import game_of
from lama_odds.report.figures.draw import draw
from lama_odds.report.text.sweep import sweep_csv
from tools.publishing.duels import seatings, won
from tools.publishing.studies.hand_size_found import BOX, Rival, Study
from tools.publishing.studies.hand_size_words import chart, page
from tools.publishing.studies.wording import together
from tools.publishing.target import EQUITY, POLICIES, Making, Target

RULES, PLAYERS, CASUAL = "lama/egmont", 4, "threshold:8"
VARY = ("dealt=4..8", "target=30..60..10")
FOLDER = "reports/studies/"
PAGE, CHART = FOLDER + "hand_size.md", FOLDER + "hand_size.svg"
ROWS = {
    "played": FOLDER + "hand_size.csv",
    "seats": FOLDER + "hand_size_seats.csv",
    "casual": FOLDER + "hand_size_casual.csv",
}
ALONG = ("rounds", "length", "sat out", "lead changes", "comebacks", "decided")
MEASURES = {
    "played": (*ALONG, "skill"),
    "seats": ("rounds", SEAT_BIAS.name),
    "casual": (*ALONG, SEAT_BIAS.name),
}
# Policies that may beat the one that all play, where it was never tuned: at these variants.
RIVALS = ("meanfield", "meanfield:out=3,lose=3", "meanfield:out=12,even=1,lose=3")
TRIED = (BOX, "+dealt=4", "+dealt=8", "+target=30", "+target=60")


def played(making: Making, grid: Grid, part: str, policies: Sequence[Policy]) -> Sweep:
    """One of the three sweeps: all measures, seats alone, casual players."""
    found = sweep(
        grid,
        policies,
        PLAYERS,
        retuned=part != "casual",
        measures=MEASURES[part],
        games=making[f"{part}_games"],
        seed=making["seed"],
        threads=making.threads,
    )
    if found.interrupted:
        raise KeyboardInterrupt
    making.tell(f"{found.games:,} games of {len(found.variants)} variants, {part}")
    return found


def rivals(making: Making) -> list[Rival]:
    """How often another policy wins, alone among players of the one that all play."""
    game = game_of(RULES)
    found = []
    tried = [game.rules(RULES + options) for options in TRIED]
    for rules, best in zip(tried, game.best_for_each(tried, PLAYERS), strict=True):
        for name in RIVALS:
            seated = seatings(game.policy(name), best, PLAYERS)
            seeds = [making["seed"] + 1] * PLAYERS
            wins = won(game, rules, seated, making["rival_games"], seeds, making.threads)
            wins = together(wins, len(TRIED) * len(RIVALS))
            found.append(Rival(rules.dealt, rules.target, name, wins))
    making.tell(f"{making['rival_games']:,} games in each seat of {len(found)} rivals")
    return found


def make(making: Making) -> None:
    """Play and write."""
    game = game_of(RULES)
    base = game.rules(RULES)
    grid = grid_of(game, base, read_axes(game, VARY), PLAYERS)
    best = game.best_for_each(grid.rules, PLAYERS)
    casual = [game.policy(CASUAL)] * len(best)
    sweeps = {
        part: played(making, grid, part, casual if part == "casual" else best) for part in MEASURES
    }
    found = Study(**sweeps, rivals=tuple(rivals(making)))
    for part, name in ROWS.items():
        making.write(name, sweep_csv(sweeps[part]))
    making.write(CHART, draw(chart(found), "svg"))
    making.write(PAGE, page(found, CASUAL, making.made_by))


TARGET = Target(
    name="study-hand-size",
    what="how many cards and points suit which evening: four players of L.A.M.A.",
    make=make,
    writes=(PAGE, CHART, *ROWS.values()),
    reads=(*POLICIES, *EQUITY),
    options={
        "played_games": 40_000,
        "seats_games": 200_000,
        "casual_games": 40_000,
        "rival_games": 20_000,
        "seed": 1,
    },
    quick={"played_games": 800, "seats_games": 800, "casual_games": 800, "rival_games": 100},
)
