"""In which language people read an answer, and its sentences in that language.

A sentence is written in English where it is used, as a template with named fields:
``say("Opponents: {others}.", others=…)``. The English template is the key of its translations, in
``languages/LANGUAGE/LC_MESSAGES/lama_odds.po`` (`tools/languages` keeps these complete). Notation,
names of actions, keys and verdicts of JSON are the same in every language.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

ENGLISH = "en"
LANGUAGES = (ENGLISH, "de", "pl", "fr")
DOMAIN = "lama_odds"
CATALOGUES = Path(__file__).resolve().parent.parent / "languages"
# Where the environment says in which language people read, the strongest first.
VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")
# Added to the whole part of a number with decimals: languages have a plural form of its own for it.
FRACTION = 1_000_000_000
_SPOKEN: ContextVar[str] = ContextVar("language", default=ENGLISH)

Plural = tuple[str, str]  # templates of one, and of another number


def language() -> str:
    """Return the language in force, one of LANGUAGES."""
    return _SPOKEN.get()


@contextmanager
def speaking(name: str) -> Iterator[None]:
    """Use a language within the block, in this thread; raise ReadError if there is none such."""
    if name not in LANGUAGES:
        from lama_odds.core.errors import ReadError  # which speaks too

        known = say("{first} or {last}", first=", ".join(LANGUAGES[:-1]), last=LANGUAGES[-1])
        raise ReadError(say("language {name}: expected {known}", name=repr(name), known=known))
    token = _SPOKEN.set(name)
    try:
        yield
    finally:
        _SPOKEN.reset(token)


def of_environment(environ: Mapping[str, str]) -> str:
    """Return the language that variables such as ``LANG=de_DE.UTF-8`` name, else English."""
    named = next((environ[name] for name in VARIABLES if environ.get(name)), "")
    short = named.lower().replace("-", "_").partition(".")[0].partition("_")[0]
    return short if short in LANGUAGES else ENGLISH


def say(template: str, /, **values: object) -> str:
    """Return a sentence in the language in force; values: of the fields of the template."""
    spoken = _SPOKEN.get()
    text = template if spoken == ENGLISH else _catalogue(spoken).gettext(template)
    return text.format(**values)


def say_count(one: str, other: str, number: int, /, **values: object) -> str:
    """Return a sentence with the form for a number, which is its field ``{n}``.

    one, other: the English templates. values: of the other fields, and of ``n`` if it is shown in
    another way.
    """
    spoken = _SPOKEN.get()
    if spoken == ENGLISH:
        text = one if number == 1 else other
    else:
        text = _catalogue(spoken).ngettext(one, other, abs(number))
    return text.format(**{"n": number, **values})


def later(template: str) -> str:
    """Return a template unchanged: it is translated where it is used, by `say`."""
    return template


def later_count(one: str, other: str) -> Plural:
    """Return the templates of a number unchanged: they are translated by `say_count`."""
    return one, other


@functools.cache
def _catalogue(name: str) -> Any:
    import gettext  # English needs none of it

    return gettext.translation(DOMAIN, CATALOGUES, [name])
