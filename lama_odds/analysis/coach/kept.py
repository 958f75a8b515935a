"""Decisions that were reviewed before: kept with what they depend on, so that none is lost."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import lama_odds
from lama_odds.analysis.coach.grades import Graded, Margin, Worth
from lama_odds.core.errors import LamaOddsError
from lama_odds.core.estimate import Estimate
from lama_odds.core.files import write_whole
from lama_odds.core.language import language, say
from lama_odds.core.plain import plain
from lama_odds.core.reading import read_json
from lama_odds.core.strict_json import to_json
from lama_odds.games.shared.decisions import Decision

ENDING = ".review.json"
FORMAT = 3
EVERY = 2.0  # seconds between two times that a file is written
MOST = 8  # older reviews that stay in a file, of other options for example
HEAD = "kept review"

Found = tuple[Graded, Worth]


@dataclass(frozen=True)
class Question:
    """What the review of a decision depends on, besides its place.

    opponents: the name of their policy, which reads back as it; games: None: the default.
    """

    text: str
    objective: str
    opponents: str
    games: int | None
    seed: int

    def key(self) -> str:
        """The same for the same question to the same version of this program, in one language.

        What is kept has sentences.
        """
        text = to_json([FORMAT, lama_odds.__version__, language(), *asdict(self).values()])
        return hashlib.sha256(text.encode()).hexdigest()


@dataclass
class KeptReviews:
    """The reviews in a file, or only in memory.

    said: what there is to say about the file. path: None: in memory. reused: decisions found.
    """

    path: Path | None = None
    said: list[str] = field(default_factory=list)
    reused: int = 0
    _reviews: dict[str, dict[str, Any]] = field(default_factory=dict)
    _used: set[str] = field(default_factory=set)
    _written: float = 0.0
    _changed: bool = False

    @classmethod
    def beside(cls, path: Path) -> KeptReviews:
        """Those beside a record; a file that is damaged, or has another format, is set aside."""
        kept = cls(path.with_name(path.name + ENDING))
        kept._read()
        return kept

    def of(self, question: Question) -> KeptReview:
        """The decisions of one question; it is the newest of the file now."""
        key = question.key()
        entry = self._reviews.pop(key, {"version": lama_odds.__version__, "decisions": {}})
        self._reviews[key] = entry
        self._used.add(key)
        return KeptReview(self, entry["decisions"])

    def changed(self, at_once: bool = False) -> None:
        """Write the file, unless it has just been written; it says once that a disk is full."""
        self._changed = True
        if self.path is None or (not at_once and time.monotonic() < self._written + EVERY):
            return
        older = [key for key in self._reviews if key not in self._used]
        dropped = set(older[: max(0, len(older) - MOST)])
        reviews = {key: entry for key, entry in self._reviews.items() if key not in dropped}
        try:
            write_whole(self.path, to_json({HEAD: FORMAT, "reviews": reviews}) + "\n")
        except OSError as error:
            why = error.strerror
            self.said.append(say("{path} cannot be written: {why}", path=self.path.name, why=why))
            self.path = None
        self._written, self._changed = time.monotonic(), False

    def close(self) -> None:
        """Write what has not been written."""
        if self._changed:
            self.changed(at_once=True)

    def _read(self) -> None:
        assert self.path is not None
        try:
            content = read_json(self.path)
            if _of_another_format(content):
                self._set_aside(f"format{content[HEAD]}")
                return
            self._reviews = _checked(content)
        except FileNotFoundError:
            return
        except OSError as error:
            why = error.strerror
            self.said.append(say("{path} cannot be read: {why}", path=self.path.name, why=why))
            self.path = None
        except (ValueError, KeyError, TypeError, LamaOddsError):
            self._set_aside("damaged")
        others = {entry["version"] for entry in self._reviews.values()} - {lama_odds.__version__}
        if others and self.path is not None:
            named = ", ".join(sorted(others))
            self.said.append(
                say(
                    "{path} is of version {versions}: its reviews stay there, and this version "
                    "reviews again",
                    path=self.path.name,
                    versions=named,
                )
            )

    def _set_aside(self, ending: str) -> None:
        assert self.path is not None
        aside = self.path.with_name(f"{self.path.name}.{ending}")
        names = {"path": self.path.name, "aside": aside.name}
        damaged = ending == "damaged"
        try:
            self.path.replace(aside)
        except OSError:
            self.path = None
            text = say("{path} is damaged and stays: nothing is kept", **names)
            former = say("{path} is of another version and stays: nothing is kept", **names)
        else:
            text = say("{path} is damaged: it is {aside} now, and made again", **names)
            former = say("{path} is of another version: it is {aside} now, and made again", **names)
        self.said.append(text if damaged else former)


def _of_another_format(content: Any) -> bool:
    return isinstance(content, dict) and type(content.get(HEAD)) is int and content[HEAD] != FORMAT


def _checked(content: Any) -> dict[str, dict[str, Any]]:
    """The reviews of a file; ValueError, KeyError or TypeError if it is damaged."""
    if content[HEAD] != FORMAT:
        raise ValueError("no format")
    for entry in content["reviews"].values():
        if not isinstance(entry["version"], str):
            raise ValueError("no version")
        for known in entry["decisions"].values():
            if entry["version"] == lama_odds.__version__:
                _graded(known, None, ())
                _worth(known, None)
    return dict(content["reviews"])


class KeptReview:
    """The decisions of one question, by line and place on the line."""

    def __init__(self, file: KeptReviews, known: dict[str, Any]) -> None:
        self._file, self._known = file, known

    def known(self, decision: Decision, place: int, borders: tuple[float, ...]) -> Found | None:
        """A decision as it was reviewed; None if it was not."""
        entry = self._known.get(_name(decision, place))
        if entry is None:
            return None
        self._file.reused += 1
        return _graded(entry, decision, borders), _worth(entry, decision)

    def keep(self, decision: Decision, place: int, reviewed: Found) -> None:
        """Keep a decision."""
        self._known[_name(decision, place)] = _as_json(*reviewed)
        self._file.changed()


def _name(decision: Decision, place: int) -> str:
    return f"{decision.line}.{place}"


_GRADED = (
    *("best", "grade", "doubtful", "games", "method", "why", "rivals", "seed", "tuned", "by_turn"),
)
_WORTH = ("usual", "solved", "inferred", "learned", "by_turn")
_VALUES = ("before", "after", "skill")


def _as_json(graded: Graded, worth: Worth) -> dict[str, Any]:
    return {
        **{name: getattr(graded, name) for name in _GRADED},
        "values": plain(graded.values),
        "error": plain(graded.error),
        "behind": plain(graded.behind),
        "margin": asdict(graded.margin),
        "rests_on": list(graded.rests_on),
        **{name: getattr(worth, name) for name in _WORTH},
        **{name: plain(getattr(worth, name)) for name in _VALUES},
    }


def _graded(entry: Mapping[str, Any], decision: Any, borders: tuple[float, ...]) -> Graded:
    values = {name: Estimate.from_json(value) for name, value in entry["values"].items()}
    return Graded(
        decision=decision,
        values=values,
        error=Estimate.from_json(entry["error"]),
        behind=Estimate.from_json(entry["behind"]),
        margin=Margin(**entry["margin"]),
        borders=borders,
        rests_on=tuple(entry["rests_on"]),
        **{name: entry[name] for name in _GRADED},
    )


def _worth(entry: Mapping[str, Any], decision: Any) -> Worth:
    before, after, skill = (Estimate.from_json(entry[name]) for name in _VALUES)
    usual, *flags = (entry[name] for name in _WORTH)
    return Worth(decision, usual, before, after, skill, *flags)
