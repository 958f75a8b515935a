"""Keeps the translations complete: ``python -m tools.languages``.

It finds the English templates in the source (see `lama_odds.core.language`), writes them into the
catalogue of each language (``lama_odds/languages/…/lama_odds.po``) and compiles these. What is not
translated yet stays empty there. A comment ``sure: no`` marks what a speaker of the language should
look at. With ``--check`` nothing is written: a text that is missing, doubtful, or has
other fields than the English one is reported, and so is a catalogue that was not compiled.
"""

from __future__ import annotations

import argparse
import ast
import gettext
import io
import string
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from lama_odds.core.language import CATALOGUES, DOMAIN, ENGLISH, FRACTION, LANGUAGES

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "lama_odds"
SPEAKERS = {"say": 1, "later": 1, "say_count": 2, "later_count": 2}  # templates that each takes
OTHERS = tuple(name for name in LANGUAGES if name != ENGLISH)
FEW = "n%10>=2 && n%10<=4 && (n%100<12 || n%100>14)"
# Forms of each language, and which one a number takes; see `core.language.FRACTION`.
PLURALS = {
    "de": (2, "(n != 1)"),
    "pl": (4, f"(n >= {FRACTION} ? 3 : n == 1 ? 0 : {FEW} ? 1 : 2)"),
    "fr": (2, f"(n % {FRACTION} > 1)"),
}
CYCLE = 100  # after which forms repeat
WIDTH = 96
# Headers that differ by day and version, or say nothing.
LEFT_OUT = tuple(
    f'"{name}'
    for name in (
        *("POT-Creation-Date", "PO-Revision-Date", "Generated-By", "Report-Msgid-Bugs-To"),
        *("Last-Translator", "Language-Team", "Project-Id-Version"),
    )
)

Key = str | tuple[str, str]


def templates(path: Path) -> Iterator[Key]:
    """Yield the templates of a module in order; ValueError for one that is put together."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    known = {
        alias.asname or alias.name: SPEAKERS[alias.name]
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "lama_odds.core.language"
        for alias in node.names
        if alias.name in SPEAKERS
    }
    calls = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in known
    ]
    for call in sorted(calls, key=lambda node: (node.lineno, node.col_offset)):
        texts = call.args[: known[call.func.id]]  # type: ignore[attr-defined]
        literals = [text.value for text in texts if isinstance(text, ast.Constant)]
        if len(literals) == len(texts):
            one, *other = map(str, literals)
            yield (one, other[0]) if other else one
        elif any(isinstance(text, ast.JoinedStr | ast.BinOp) for text in texts):
            raise ValueError(f"{path}:{call.lineno}: a template has to be one text")


def wanted() -> dict[Key, list[str]]:
    """Return the templates of the package, with the modules that have them."""
    modules: dict[Key, list[str]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        for key in templates(path):
            places = modules.setdefault(key, [])
            place = path.relative_to(ROOT).as_posix()
            if place not in places:
                places.append(place)
    return modules


def po_of(language: str) -> Path:
    """Return the catalogue of a language, as translators edit it."""
    return CATALOGUES / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def read(language: str) -> Catalog:
    """Return the catalogue of a language; an empty one if there is none."""
    path = po_of(language)
    content = path.read_bytes() if path.exists() else b""
    return read_po(io.BytesIO(content), locale=language, domain=DOMAIN)


def updated(language: str, keys: Mapping[Key, list[str]]) -> Catalog:
    """Return the catalogue with just these templates; translations that it has are kept."""
    old = read(language)
    made = Catalog(locale=language, domain=DOMAIN, project="lama-odds", fuzzy=False)
    made.header_comment = f"# Sentences of lama-odds, {language}: kept by tools/languages.py."
    forms, rule = PLURALS[language]
    made._num_plurals, made._plural_expr = forms, rule  # type: ignore[assignment]
    for key, places in keys.items():
        before = old.get(key)
        empty = ("",) * forms if isinstance(key, tuple) else ""
        made.add(
            key,
            before.string if before is not None else empty,
            locations=[(place, 0) for place in places],
            user_comments=before.user_comments if before is not None else (),
            flags=before.flags & {"fuzzy"} if before is not None else (),
        )
    return made


def write(language: str, catalog: Catalog) -> None:
    """Write a catalogue for translators and, compiled, for the program."""
    path = po_of(language)
    path.parent.mkdir(parents=True, exist_ok=True)
    text = io.BytesIO()
    write_po(text, catalog, width=WIDTH, include_lineno=False)
    lines = text.getvalue().decode().splitlines(keepends=True)
    kept = (line for line in lines if not line.startswith(LEFT_OUT))
    path.write_text("".join(kept), encoding="utf-8")
    compiled = io.BytesIO()
    write_mo(compiled, read(language))
    path.with_suffix(".mo").write_bytes(compiled.getvalue())


def fields(text: str) -> set[str]:
    """Return the names of the fields of a template."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def faults(language: str, keys: Mapping[Key, list[str]]) -> list[str]:
    """Return what is wrong with the catalogue of a language, a line each."""
    catalog = read(language)
    missing = (key for key in keys if not catalog.get(key))
    lines = [f"{key!r} is missing: {keys[key][0]}" for key in missing]
    for message in catalog:
        if message.id:
            lines += (f"{message.id!r} {fault}" for fault in _faults_of(message, keys))
    if not lines and _compiled(language) != _as_compiled(catalog):
        lines.append("the catalogue was not compiled")
    return [f"{language}: {line}" for line in lines]


def _faults_of(message: Message, keys: Mapping[Key, list[str]]) -> Iterator[str]:
    if message.id not in keys:
        yield "is in no module"
    if message.fuzzy:
        yield "is doubtful"
    theirs = set().union(*map(fields, _texts(message.id)))
    needed = theirs - {"n"} if len(_texts(message.id)) > 1 else theirs
    for text in _texts(message.string):
        if not text:
            yield "is not translated"
        elif not needed <= fields(text) <= theirs:
            yield f"has other fields: {text!r}"


def _texts(given: Any) -> tuple[str, ...]:
    return tuple(given) if isinstance(given, list | tuple) else (given,)


def _compiled(language: str) -> dict[object, str]:
    path = po_of(language).with_suffix(".mo")
    if not path.exists():
        return {}
    with path.open("rb") as file:
        texts: dict[object, str] = gettext.GNUTranslations(file)._catalog  # type: ignore[attr-defined]
    return {key: text for key, text in texts.items() if key != ""}


def _as_compiled(catalog: Catalog) -> dict[object, str]:
    texts: dict[object, str] = {}
    for message in catalog:
        if isinstance(message.id, tuple):
            forms = enumerate(_texts(message.string))
            texts |= {(message.id[0], form): text for form, text in forms}
        elif message.id:
            texts[message.id] = str(message.string)
    return texts


def packed(language: str) -> dict[str, Any]:
    """Return the translations of a language as plain values, for the page without a server.

    texts: by English text. counted: the forms by the English text of one. forms: which form a whole
    number takes, and one with decimals, by its whole part; for more than CYCLE by what is left.
    """
    catalogue: dict[str, Any] = {"texts": {}, "counted": {}}
    for message in read(language):
        if isinstance(message.id, tuple):
            catalogue["counted"][message.id[0]] = list(_texts(message.string))
        elif message.id:
            catalogue["texts"][message.id] = message.string
    form_of = gettext.c2py(PLURALS[language][1])
    parts = ([form_of(start + n) for n in range(2 * CYCLE)] for start in (0, FRACTION))
    return {**catalogue, "forms": list(parts)}


def main() -> None:
    """Update the catalogues, or check them."""
    parser = argparse.ArgumentParser(prog="python -m tools.languages", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, report what is wrong")
    keys = wanted()
    if not parser.parse_args().check:
        for language in OTHERS:
            write(language, updated(language, keys))
    wrong = [line for language in OTHERS for line in faults(language, keys)]
    print("\n".join(wrong), file=sys.stderr)
    print(f"{len(keys)} texts, {len(wrong)} faults")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
