"""Measures by their names, as people write them: the same reading for every option."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from lama_odds.analysis.compare.answer import given_delta
from lama_odds.analysis.compare.decision_agreement import DECISIONS_ASKED
from lama_odds.analysis.compare.decision_costs import CHOICES, MATTER, MOST_GAMES
from lama_odds.analysis.compare.measures import (
    DECISIONS,
    GAME_MEASURES,
    ROUND_MEASURES,
    UNFINISHED,
    Compared,
)
from lama_odds.core.delta import Delta
from lama_odds.core.errors import ReadError, near_names

SINGLE = (CHOICES, MATTER, DECISIONS)  # what is known from single decisions
SEAT_BIAS = "seat bias"


def plain_name(name: str) -> str:
    """A measure as a person writes it: spaces or underscores, small or capital letters."""
    return " ".join(name.replace("_", " ").casefold().split())


def matching(name: str, measures: Iterable[Compared]) -> list[Compared]:
    """The measures of this name: those of all seats if it names no seat."""
    plain = plain_name(name)
    there = (measure for measure in measures if measure.key != UNFINISHED)
    return [m for m in there if plain in (plain_name(m.name), plain_name(m.key))]


def no_measure(
    name: str, known: Iterable[str], title: str = "", along: Iterable[str] = ()
) -> ReadError:
    """The refusal of a name. known: names that there are; title: of the game.

    along: measures that are counted in some games.
    """
    plain = plain_name(name)
    if title and plain in along:
        return ReadError(f"{plain} means nothing in {title}")
    if title and plain in map(plain_name, (*ROUND_MEASURES, *GAME_MEASURES)):
        return ReadError(f"{plain} is not counted in {title}", hints=_listed(known))
    return ReadError(f"no measure {name!r} here", hints=near_names(name, dict.fromkeys(known)))


def _listed(known: Iterable[str]) -> tuple[str, ...]:
    return (f"  known: {', '.join(map(plain_name, dict.fromkeys(known)))}",)


def _known(measures: Sequence[Compared]) -> list[str]:
    there = [m for m in measures if m.key != UNFINISHED]
    return [*(m.key for m in there), *(m.name for m in there if m.name != m.key)]


def own_name(name: str, measures: Sequence[Compared], title: str) -> str:
    """The name or key that a measure has in an answer. ReadError for a name that none has."""
    found = matching(name, measures)
    if not found:
        raise no_measure(name, _known(measures), title)
    first = found[0]
    return first.key if plain_name(first.key) == plain_name(name) else first.name


def deltas_of(
    given: Mapping[str | None, Delta], measures: Sequence[Compared], title: str
) -> dict[str | None, Delta]:
    """δ by the names that measures have; ReadError for an unknown name, or one given twice."""
    found: dict[str | None, Delta] = {}
    for name, delta in given.items():
        own = None if name is None else own_name(name, measures, title)
        if own in found:
            raise ReadError(f"δ of {own} is given twice")
        found[own] = delta
    return found


def check_deltas(deltas: Mapping[str | None, Delta], shown: Iterable[Compared]) -> None:
    """ReadError for a δ of 1 or more for a share: anything would be equivalent."""
    for measure in shown:
        delta = given_delta(measure, deltas)
        if measure.share and delta and not delta.relative and delta.value >= 1:
            named = deltas.get(measure.name) or deltas.get(measure.key)
            other = "" if named else ", or name a measure: rounds=1"
            raise ReadError(
                f"δ of {delta.value:g} for {plain_name(measure.name)}: it is a share, from 0 to 1, "
                f"so δ must be below 1, such as 0.05{other}"
            )


def precise(
    name: str | None, shown: Sequence[Compared], measures: Sequence[Compared], title: str
) -> str:
    """The measure that a precision is for. shown: those wanted that all games count.

    ReadError where no number of games gives a precision, or for a measure that is not wanted.
    """
    if name is None:
        if not shown:
            raise ReadError("a precision: none of the wanted measures can have one")
        return shown[0].name
    plain = plain_name(name)
    if plain in (CHOICES, MATTER):
        raise ReadError(
            f"a precision of {plain}: at most {MOST_GAMES} games are looked at, so more games do "
            "not help"
        )
    if plain == DECISIONS:
        raise ReadError(
            f"a precision of {plain}: about {DECISIONS_ASKED:,} of them are tried at most, so it "
            "cannot be chosen"
        )
    own = own_name(name, measures, title)
    if not any(own in (measure.name, measure.key) for measure in shown):
        raise ReadError(f"a precision of {plain}: this measure is not among the wanted ones")
    return own
