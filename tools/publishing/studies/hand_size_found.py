"""The wishes for evenings, and what the study of hand sizes and targets finds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lama_odds.analysis.sweep.answer import Judged, Sweep, Trend, judged, read_wishes
from lama_odds.analysis.sweep.sweep import SEAT_BIAS
from lama_odds.core.estimate import Estimate
from lama_odds.report.text.sweep import per_step

BOX = ""  # options of the game as it is sold
CARDS, POINTS = 6, 40  # in the box
SECONDS = 8  # that an action is assumed to take
Values = Mapping[str, Mapping[str, Estimate]]


@dataclass(frozen=True)
class Wanted:
    """What an evening should be like. wishes: as `sweep` reads them; why: in words."""

    name: str
    why: str
    wishes: tuple[str, ...]


FAIR, LATE = "seat bias<1%", "decided>95"
WANTED = (
    Wanted(
        "Quick",
        "over in 20 minutes, and fair",
        ("rounds=3..4.5", f"length<{20 * 60 // SECONDS}", FAIR),
    ),
    Wanted(
        "Family",
        "half an hour at most, some rounds, nobody only watches, open until late, and fair",
        ("rounds=4..6", f"length<{30 * 60 // SECONDS}", "sat out<10", LATE, FAIR),
    ),
    Wanted(
        "Tense",
        "the lead changes at least twice, the last can still win, and it is open until late",
        ("lead changes>2", "comebacks>12%", LATE),
    ),
    Wanted("Contest", "a strong player wins most games among casual ones", ("skill>60%", FAIR)),
)


@dataclass(frozen=True)
class Rival:
    """A policy alone among players of the one that all play: how often it wins."""

    dealt: int
    target: int
    policy: str
    wins: Estimate


@dataclass(frozen=True)
class Study:
    """The sweeps: all measures, seats, and casual players; and rivals of the policy."""

    played: Sweep
    seats: Sweep
    casual: Sweep
    rivals: tuple[Rival, ...]

    @property
    def values(self) -> dict[str, dict[str, Estimate]]:
        """The measures of each variant by its id; rounds and seats from the most games."""
        more = {variant.rules: variant.measures for variant in self.seats.variants}
        return {v.rules: {**v.measures, **more[v.rules]} for v in self.played.variants}

    @property
    def casual_values(self) -> dict[str, dict[str, Estimate]]:
        """The same for casual players."""
        return {variant.rules: dict(variant.measures) for variant in self.casual.variants}

    @property
    def places(self) -> dict[str, tuple[int, int]]:
        """Cards and points of each variant by its id."""
        return {
            v.rules: (int(v.values["dealt"]), int(v.values["target"])) for v in self.played.variants
        }

    @property
    def box(self) -> str:
        """The id of the game as it is sold."""
        return next(rules for rules, place in self.places.items() if place == (CARDS, POINTS))

    def trend(self, measure: str, option: str, of: Sweep | None = None) -> Trend:
        """How a measure depends on an option."""
        found = (of or self.played).trends
        return next(t for t in found if (t.measure.name, t.option) == (measure, option))

    def step(self, measure: str, option: str, of: Sweep | None = None) -> Estimate:
        """The same for a step of the option."""
        axis = next(axis for axis in self.played.axes if axis.option == option)
        return per_step(self.trend(measure, option, of), axis)

    def judged(self, wanted: Wanted, values: Values) -> tuple[Sequence[Judged], Judged]:
        """Each wish for an evening, and all together, for measures that are there."""
        known = {m.name: m for m in (*self.played.measures, SEAT_BIAS)}
        wishes = [
            wish
            for wish in read_wishes(wanted.wishes, known)
            if all(wish.measure in found for found in values.values())
        ]
        each, every = judged(wishes, values)
        return each, every or each[0]
