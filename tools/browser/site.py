"""Writes the page for the phone as files that any web server can host, below any path.

``python -m tools.browser.site OUT`` writes into the folder OUT. The page is made of the same files
as that of `lama-odds serve`. What does not depend on a position is worked out here: the games,
their rule sets, and what can be looked up. All else is answered by the engine, whose
``answerer.js`` the page starts as a worker.

All files but a few lie in a folder named by the version, a hash of everything. So files of two
versions never mix, and two builds of the same sources are the same byte for byte.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path
from typing import Any

from lama_odds.core.errors import LamaOddsError
from lama_odds.core.language import LANGUAGES, speaking
from lama_odds.games.registry import built_in
from lama_odds.report.sheets import printed, sheets
from lama_odds.web import app, questions
from lama_odds.web.guard import error_of
from tools.browser.catalogues import check_catalogues

ROOT = Path(__file__).resolve().parent.parent.parent
ENGINE = ROOT / "build" / "browser" / "engine"
ANSWERER = "answerer.js"
TEMPLATE = Path(__file__).with_name("offline.js")

INDEX, MANIFEST, WORKER = "index.html", "manifest.webmanifest", "offline.js"
# What belongs to no version: their names stay the same.
AT_ROOT = (INDEX, MANIFEST)
LATER = ("engine/", "sheets/")  # kept on the phone when they are first used
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; "
    "connect-src 'self'; img-src 'self' data:; style-src 'self'; manifest-src 'self'; "
    "base-uri 'none'; form-action 'none'"
)


def engine_folder() -> Path | None:
    """Return the folder of what answers without a server; None where it has not been built.

    It has ``answerer.js``, a worker that is a module, and all that this loads.
    """
    return ENGINE if (ENGINE / ANSWERER).is_file() else None


def write_site(out: Path, engine: Path, docs: str | None = None) -> str:
    """Write the page into a folder, which is emptied first; return its version.

    engine: as `engine_folder` gives it. docs: the documentation site, from the page on (``..``);
    None where there is none, and then there are no links to it. Raises CatalogueError if a text is
    missing in a language.
    """
    check_catalogues(app.STATIC / "texts")
    files = dict(_files(engine, docs))
    version = _version(files)
    placed = {_place(name, version): content for name, content in files.items()}
    placed |= {name: _at_root(name, version, docs) for name in AT_ROOT}
    placed[WORKER] = _worker(placed, version)
    if out.exists():
        if any(out.iterdir()) and not (out / WORKER).is_file():
            raise FileExistsError(f"{out} is not empty, and holds something else than the page")
        shutil.rmtree(out)
    for name, content in sorted(placed.items()):
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return version


def _files(engine: Path, docs: str | None) -> Iterator[tuple[str, bytes]]:
    """All files of a version, by their places in its folder."""
    for name, path in app.assets().items():
        if name not in AT_ROOT:
            yield name, path.read_bytes()
    for name, content in _made(docs).items():
        yield f"made/{name}.json", json.dumps(content, sort_keys=True, ensure_ascii=False).encode()
    for path in sorted(engine.rglob("*")):
        if path.is_file():
            yield f"engine/{path.relative_to(engine).as_posix()}", path.read_bytes()
    for language in LANGUAGES:
        with speaking(language):
            for name, sheet in sheets().items():
                yield _sheet(name, language), printed(sheet).encode()


def _made(docs: str | None) -> dict[str, Any]:
    """What the page reads from files, as the server would answer it."""
    made: dict[str, Any] = {}
    for language in LANGUAGES:
        with speaking(language):
            games = _games(language)
            made[f"rules-{language}"] = {"games": games}
            made[f"rule_sets-{language}"] = rule_sets(games)
            made[f"lookup-{language}"] = _lookup(language, docs)
    return made


def _lookup(language: str, docs: str | None) -> dict[str, Any]:
    """What can be looked up: sheets beside the scripts, reports in the documentation."""
    listing = app.what_there_is(language)
    shown = [{**entry, "address": _sheet(entry["name"], language)} for entry in listing["sheets"]]
    reports = [
        {"title": entry["title"], "address": f"{docs}/results/strategy/{name}.html"}
        for entry in listing["reports"]
        if (name := entry["address"].rpartition("/")[2])
    ]
    return {"sheets": shown, "reports": reports if docs else []}


def _games(language: str) -> list[dict[str, Any]]:
    names = {game.name for game in built_in()}
    return [game for game in questions.games(language)["games"] if game["name"] in names]


def rule_sets(games: list[dict[str, Any]]) -> dict[str, Any]:
    """Return every edition, and every edition with one option switched, or why that is refused."""
    answers: dict[str, Any] = {}
    for edition in (entry for game in games for entry in game["editions"]):
        for name, value in {"": None, **edition["values"]}.items():
            if name and not isinstance(value, bool):
                continue
            option = f"+{name}=off" if value else f"+{name}" if name else ""
            rules = edition["id"] + option
            try:
                answers[rules] = questions.rule_set(rules)
            except LamaOddsError as error:
                answers[rules] = error_of(error)
    return answers


def _sheet(name: str, language: str) -> str:
    """The place of a sheet to print in the folder of a version."""
    return f"sheets/{name}.{language}.html"


def _version(files: Mapping[str, bytes]) -> str:
    whole = hashlib.sha256(TEMPLATE.read_bytes())
    for name in AT_ROOT:
        whole.update((app.STATIC / name).read_bytes())
    whole.update(Path(__file__).read_bytes())
    for name, content in sorted(files.items()):
        whole.update(f"{name}\n{hashlib.sha256(content).hexdigest()}\n".encode())
    return whole.hexdigest()[:12]


def _place(name: str, version: str) -> str:
    return f"{version}/{name}"


def _at_root(name: str, version: str, docs: str | None) -> bytes:
    text = (app.STATIC / name).read_text(encoding="utf-8")
    return (_manifest(text, version) if name == MANIFEST else _index(text, version, docs)).encode()


def _manifest(text: str, version: str) -> str:
    """The same app, from its own folder on."""
    manifest = json.loads(text.replace('"/static/', f'"{version}/'))
    manifest |= {"start_url": "./", "scope": "./", "id": "./"}
    return json.dumps(manifest, indent=2) + "\n"


def _index(text: str, version: str, docs: str | None) -> str:
    """The same page, which says that the phone answers, and where everything is."""
    links = {
        language: [
            [_place(_sheet(sheet["name"], language), version), sheet["title"]]
            for sheet in app.what_there_is(language)["sheets"]
        ]
        for language in LANGUAGES
    }
    meta = {"answers": "phone", "sheets": json.dumps(links, ensure_ascii=False)}
    meta |= {"home": f"{docs}/index.html"} if docs else {}
    lines = [f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">']
    lines += [f'<link rel="modulepreload" href="{version}/{name}">' for name in _modules()]
    lines += [f'<meta name="{name}" content="{escape(text)}">' for name, text in meta.items()]
    link = f'href="/static/{MANIFEST}"'
    text = text.replace(f'crossorigin="use-credentials" {link}', f'href="{MANIFEST}"')
    text = text.replace('"/static/', f'"{version}/')
    charset = '<meta charset="utf-8">\n'
    head, separator, rest = text.partition(charset)
    if not separator or "/static/" in text:
        raise ValueError("index.html is not as it was: the page cannot be made of it")
    return "".join((head, charset, *(f"{line}\n" for line in lines), rest))


def _modules() -> list[str]:
    """The scripts of the page, except for other languages: they are loaded side by side."""
    scripts = [name for name in app.assets() if name.endswith(".js") and name != "old.js"]
    return sorted(name for name in scripts if not name.startswith("texts/") or "/en" in name)


def _worker(placed: Mapping[str, bytes], version: str) -> bytes:
    """The service worker: it knows the hash of every file, and which are kept at once."""
    hashes = {name: hashlib.sha256(content).hexdigest() for name, content in sorted(placed.items())}
    later = tuple(_place(name, version) for name in LATER)
    shell = [name for name in hashes if not name.startswith(later)]
    text = TEMPLATE.read_text(encoding="utf-8").replace('"{version}"', json.dumps(version))
    text = text.replace("{files}", json.dumps(hashes, indent=0))
    text = text.replace("{shell}", json.dumps(shell, indent=0))
    return text.replace('"{policy}"', json.dumps(POLICY)).encode()


def main() -> None:
    """Write the page, and print its version."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path, help="the folder for the page; it is emptied first")
    parser.add_argument("--engine", type=Path, default=ENGINE, help="what answers, already built")
    parser.add_argument("--docs", help="the documentation site, from the page on: ..")
    given = parser.parse_args()
    if not (given.engine / ANSWERER).is_file():
        parser.error(f"{given.engine} has no {ANSWERER}: build the engine first")
    print(write_site(given.out, given.engine, given.docs))


if __name__ == "__main__":
    main()
