"""In which language a page answers; its sentences are a table that comes when it is needed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tools.browser.stand_ins.browser import file_json

ENGLISH = "en"
FRACTION = 1_000_000_000
CYCLE = 100  # after which forms repeat, see `tools/languages.packed`
_SPOKEN = [ENGLISH]  # questions come one after the other

Plural = tuple[str, str]


def language() -> str:
    """Return the language in force."""
    return _SPOKEN[0]


@contextmanager
def speaking(name: str) -> Iterator[None]:
    """Use a language within the block; its table has to come first."""
    if name != ENGLISH:
        _catalogue(name)
    before = _SPOKEN[0]
    _SPOKEN[0] = name
    try:
        yield
    finally:
        _SPOKEN[0] = before


def say(template: str, /, **values: object) -> str:
    """Return a sentence in the language in force."""
    text = template
    if _SPOKEN[0] != ENGLISH:
        text = _catalogue(_SPOKEN[0])["texts"].get(template, template)
    return text.format(**values)


def say_count(one: str, other: str, number: int, /, **values: object) -> str:
    """Return a sentence with the form for a number."""
    if _SPOKEN[0] == ENGLISH:
        text = one if number == 1 else other
    else:
        text = _counted(one, other, abs(number))
    return text.format(**{"n": number, **values})


def _counted(one: str, other: str, number: int) -> str:
    catalogue = _catalogue(_SPOKEN[0])
    texts = catalogue["counted"].get(one)
    if texts is None:
        return one if number == 1 else other
    whole = number % FRACTION
    place = whole if whole < CYCLE else CYCLE + whole % CYCLE
    form: int = catalogue["forms"][int(number >= FRACTION)][place]
    text: str = texts[form]
    return text


def later(template: str) -> str:
    """Return a template unchanged."""
    return template


def later_count(one: str, other: str) -> Plural:
    """Return the templates of a number unchanged."""
    return one, other


def _catalogue(name: str) -> Any:
    return file_json(f"languages/{name}.json")
