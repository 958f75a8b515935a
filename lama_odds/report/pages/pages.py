"""Strategy reports as pages, HTML or Markdown, from their sections."""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import re
import stat
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import lama_odds
from lama_odds.analysis.strategy_report import document as doc
from lama_odds.analysis.strategy_report.document import HOOK, PLAYED, READ_FIRST, RULE, Ask, Section
from lama_odds.analysis.strategy_report.plan import Planned
from lama_odds.analysis.thresholds.answer import small
from lama_odds.core.errors import ReadError
from lama_odds.core.estimate import Estimate
from lama_odds.core.files import write_whole, write_whole_bytes
from lama_odds.core.reading import read_json
from lama_odds.core.strict_json import Fields, to_json
from lama_odds.core.wording import capital, number, percent
from lama_odds.games.shared.decisions import decisions, is_turn, read_record
from lama_odds.report.figures.draw import Drawing, embedded, on_paper
from lama_odds.report.text.moves import moves_text, table_lines
from lama_odds.report.text.numbers import csv_text

if TYPE_CHECKING:
    import jinja2


# Tables of a report: as cells of a page, and as CSV and Parquet files.

FIELDS = ("stderr", "low", "high", "n")


@dataclass(frozen=True)
class Shown:
    """A cell of a page: its text, and what it is sorted by (empty: by its text)."""

    text: str
    key: str = ""


def shown_rows(table: doc.Table) -> list[list[Shown]]:
    """The cells of a table as a page shows them."""
    return [
        [shown_cell(column, cell) for column, cell in zip(table.columns, row, strict=True)]
        for row in table.rows
    ]


def shown_cell(column: doc.Column, cell: doc.Cell) -> Shown:
    """A cell as a page shows it; whole numbers and empty cells are sorted by their text."""
    share = column.kind in ("share", "change")
    if cell is None:
        return Shown("–")
    if isinstance(cell, Estimate):
        text = percent(cell) if share else number(cell)
        text = text.removesuffix(" %") if column.kind == "change" else text
        return Shown(text.replace("-", "−"), f"{cell.value:.6g}")
    if isinstance(cell, str):
        return Shown(cell)
    if isinstance(cell, int) or cell == int(cell):
        return Shown(f"{cell:.0f}")
    return Shown(f"{100 * cell:.2f} %" if share else f"{cell:.4g}", f"{cell:.6g}")


def flat(table: doc.Table) -> tuple[list[str], list[list[Any]]]:
    """Names of columns and rows of plain values: an estimate that is sampled takes five columns."""
    sampled = [
        any(isinstance(row[at], Estimate) and row[at].n for row in table.rows)  # type: ignore[union-attr]
        for at in range(len(table.columns))
    ]
    names: list[str] = []
    for column, wide in zip(table.columns, sampled, strict=True):
        names += [column.name, *(f"{column.name} {f}" for f in FIELDS)] if wide else [column.name]
    return names, [_flat_row(row, sampled) for row in table.rows]


def _flat_row(row: tuple[doc.Cell, ...], sampled: list[bool]) -> list[Any]:
    values: list[Any] = []
    for cell, wide in zip(row, sampled, strict=True):
        value = cell.value if isinstance(cell, Estimate) else cell
        more = [getattr(cell, f) if isinstance(cell, Estimate) else None for f in FIELDS]
        values += [value, *more] if wide else [value]
    return values


def table_csv(table: doc.Table) -> str:
    """A table as CSV text; missing values are empty."""
    names, rows = flat(table)
    return csv_text([names, *rows])


def has_parquet() -> bool:
    """Whether Parquet files can be written here."""
    return importlib.util.find_spec("pyarrow") is not None


def table_parquet(table: doc.Table) -> bytes:
    """A table as a Parquet file (needs pyarrow)."""
    import pyarrow
    import pyarrow.parquet

    names, rows = flat(table)
    columns = []
    for at in range(len(names)):
        values = [row[at] for row in rows]
        if any(isinstance(value, float) for value in values):
            values = [None if value is None else float(value) for value in values]
        columns.append(pyarrow.array(values))
    sink = pyarrow.BufferOutputStream()
    pyarrow.parquet.write_table(pyarrow.table(columns, names=names), sink)
    return bytes(sink.getvalue().to_pybytes())


FORMATS = ("html", "md")
MOST_FIGURES = 6  # of the story
IMAGES = ("svg", "png")
FILTER_FROM = 12  # rows


@dataclass(frozen=True)
class Report:
    """A report: its question, the command that makes it again, and its sections."""

    ask: doc.Ask
    slug: str
    command: str
    sections: tuple[doc.Section, ...]

    @property
    def title(self) -> str:
        """The game, the number of players and the finding that comes first."""
        findings = [section.lead for section in self.sections] + [f.title for f in self.figures]
        lead = next(filter(None, findings), self.ask.rules.id)
        players = self.ask.players
        number = doc.SMALL[players] if players < len(doc.SMALL) else players
        return f"{self.ask.game.title} for {number}: {small(lead).removesuffix('.')}"

    @property
    def figures(self) -> list[doc.Figure]:
        """The figures of the story."""
        named = [
            figure
            for section in self.sections
            for name in section.story
            for figure in section.figures
            if figure.name == name
        ]
        return named[:MOST_FIGURES]

    @property
    def parts(self) -> list[Part]:
        """The story around the figures."""
        return parts_of(self.ask, self.sections)

    @property
    def below(self) -> list[doc.Section]:
        """The sections that are folded below the story."""
        return [section for section in self.sections if section.name not in doc.READ_FIRST]

    @property
    def headlines(self) -> list[str]:
        """The short version: what to do."""
        return [line for section in self.sections for line in section.headlines]

    @property
    def games(self) -> int:
        """Games and rounds in all."""
        return sum(section.games for section in self.sections)


def report_files(
    report: Report,
    format_: str,
    images: Sequence[str] = IMAGES,
    parquet: bool = True,
    drawing: Drawing | None = None,
) -> dict[str, bytes]:
    """All files of a report by path: its page, tables and figures. The page comes last.

    drawing: the processes that draw the figures, if drawing began before.
    """
    drawing = drawing or Drawing(images)
    parquet = parquet and has_parquet()
    files: dict[str, bytes] = {}
    pictures: dict[str, str] = {}
    for section in report.sections:
        for table in section.tables:
            files[f"{report.slug}/{table.name}.csv"] = table_csv(table).encode()
            if parquet:
                files[f"{report.slug}/{table.name}.parquet"] = table_parquet(table)
        for figure in section.figures:
            svg = drawing.fetch(figure, "svg")
            pictures[figure.name] = embedded(svg)
            if "svg" in images or format_ == "md":
                files[f"{report.slug}/{figure.name}.svg"] = on_paper(svg)
            if "png" in images:
                files[f"{report.slug}/{figure.name}.png"] = drawing.fetch(figure, "png")
    page = _environment(format_).get_template(f"report_page.{format_}")
    text = page.render(
        report=report,
        pictures=pictures,
        rows=shown_rows,
        filter_from=FILTER_FROM,
        images=[image for image in images if image in IMAGES],
        tables=["csv", *(["parquet"] if parquet else [])],
        version=lama_odds.__version__,
        lacks_parquet=not has_parquet(),
        notes=report.ask.game.notes_of(report.ask.rules),
    )
    files[f"{report.slug}.{format_}"] = _tidy(text).encode()
    return files


def index_file(entries: Sequence[Mapping[str, Any]], format_: str) -> str:
    """The page over all reports; entries: as in the manifest, by title."""
    page = _environment(format_).get_template(f"report_index.{format_}")
    shown = entries if format_ == "html" else [_without_markup(entry) for entry in entries]
    return _tidy(page.render(entries=shown, version=lama_odds.__version__))


def _without_markup(entry: Mapping[str, Any]) -> dict[str, Any]:
    """A report of the manifest; its words cannot make links or tags in Markdown."""
    marks = str.maketrans({"<": "&lt;", "[": "\\[", "]": "\\]", "\n": " "})
    lines = [line.translate(marks) for line in entry["headlines"]]
    return {**entry, "title": entry["title"].translate(marks), "headlines": lines}


def _tidy(text: str) -> str:
    lines = [line.rstrip() for line in text.splitlines()]
    return "\n".join(lines).strip() + "\n"


def _environment(format_: str) -> jinja2.Environment:
    import jinja2

    return jinja2.Environment(
        loader=jinja2.PackageLoader("lama_odds.report.pages"),
        autoescape=format_ == "html",
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )


# The folder of strategy reports: files whole, a manifest of all, and finished sections.
#
# Finished sections are kept in a hidden folder, from which a stopped run resumes. Pages, tables and
# figures contain all that they say, so you can share a report without the hidden folder.
#
# A folder may come from somebody else. So everything read from it is checked, names in it are never
# used as paths, and links in it are refused. Only files of the report itself are ever removed.

KIND = "lama-odds reports 1"
MANIFEST = "manifest.json"
SECTIONS = ".sections"
MOST_PLAYERS = 1000
_SLUG = re.compile(r"[A-Za-z0-9_]+(?:-[A-Za-z0-9_]+)*-[0-9]{1,3}", re.ASCII)
_NAME = re.compile(r"[A-Za-z0-9_]+", re.ASCII)  # of a table, a figure or a section
_FILE = re.compile(r"[A-Za-z0-9_]+\.(?:csv|json|parquet|png|svg)", re.ASCII)


def slug_of(rules: str, players: int) -> str:
    """The name of a report's files."""
    return f"{re.sub(r'[^A-Za-z0-9_]+', '-', rules).strip('-')}-{players}"


class Folder:
    """A folder of reports. Sections are kept as JSON with the hash of what they depend on."""

    def __init__(self, path: Path) -> None:
        """Open or create it; ReadError, before any writing, if it holds other things."""
        self.path = path
        self.reports: dict[str, dict[str, Any]] = {}
        if path.exists() and not path.is_dir():
            raise ReadError(f"--out {path}: found a file, expected a folder")
        if path.is_dir() and any(path.iterdir()):
            self.reports = _manifest(path)
        path.mkdir(parents=True, exist_ok=True)
        self._write_manifest()

    def part(self, slug: str, plan: Planned) -> doc.Section | None:
        """A finished section with the same inputs; None if it must be made."""
        try:
            fields = Fields(read_json(self._sections(slug) / f"{plan.name}.json", links=False))
            if fields.text("inputs") != plan.inputs:
                return None
            section = doc.from_plain(fields.object("section"))
        except (OSError, ValueError):
            return None
        return section if isinstance(section, doc.Section) and _is_named_safely(section) else None

    def keep(self, slug: str, plan: Planned, section: doc.Section) -> None:
        """Write a finished section, whole."""
        folder = self._sections(slug)
        folder.mkdir(parents=True, exist_ok=True)
        content = {"inputs": plan.inputs, "section": doc.to_plain(section)}
        write_whole(folder / f"{plan.name}.json", to_json(content, indent=0) + "\n")

    def _sections(self, slug: str) -> Path:
        """The folder of a report's finished sections; ReadError as `_inside`."""
        self._inside(SECTIONS)
        return self._inside(slug, SECTIONS)

    def _inside(self, slug: str, within: str = "") -> Path:
        """The folder of a report's files; ReadError if it is a link, which could lead out."""
        folder = self.path / within / slug
        if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
            raise ReadError(f"{folder} was not made by this program: remove it")
        return folder

    def write(
        self,
        report: Report,
        format_: str,
        images: Sequence[str] = IMAGES,
        parquet: bool = True,
        drawing: Drawing | None = None,
    ) -> Path:
        """Write a report's files, its page last, then the index and the manifest."""
        self._inside(report.slug).mkdir(exist_ok=True)
        files = report_files(report, format_, images, parquet, drawing)
        for name, content in files.items():
            write_whole_bytes(self.path / name, content)
        before = self.reports.get(report.slug, {}).get("files", {})
        self._remove(report.slug, before.keys() - files.keys())
        self.reports[report.slug] = _entry(report, format_, files)
        entries = [
            {**self.reports[slug], "page": _page_of(slug, self.reports[slug])}
            for slug in sorted(self.reports)
        ]
        write_whole(self.path / f"index.{format_}", index_file(entries, format_))
        self._write_manifest()
        return self.path / f"{report.slug}.{format_}"

    def _remove(self, slug: str, names: Iterable[str]) -> None:
        """Remove files of an earlier run that are not made any more: in its own folder only."""
        for name in names:
            if name not in _pages(slug):
                path = self._inside(slug) / _own_file(slug, name)
                with contextlib.suppress(FileNotFoundError):
                    if stat.S_ISREG(path.lstat().st_mode):
                        path.unlink()

    def _write_manifest(self) -> None:
        content = {
            "kind": KIND,
            "version": lama_odds.__version__,
            "reports": {slug: self.reports[slug] for slug in sorted(self.reports)},
        }
        write_whole(self.path / MANIFEST, to_json(content, indent=1) + "\n")


def _is_named_safely(section: doc.Section) -> bool:
    """Whether no name of a section or its parts is a path, since files get these names."""
    named = (section, *section.tables, *section.figures)
    return all(_NAME.fullmatch(part.name) for part in named)


def _manifest(path: Path) -> dict[str, dict[str, Any]]:
    """The reports in the manifest of a folder; ReadError if it is not a folder of reports."""
    try:
        manifest = read_json(path / MANIFEST, links=False)
    except (OSError, ValueError):
        manifest = None
    if not isinstance(manifest, dict) or manifest.get("kind") != KIND:
        names = sorted(entry.name for entry in path.iterdir())
        listed = ", ".join(names[:3]) + (" …" if len(names) > 3 else "")
        raise ReadError(
            f"--out {path}: the folder holds other things ({listed}); expected a new or empty "
            "folder, or one of reports. Nothing was written"
        )
    try:
        reports: dict[str, dict[str, Any]] = Fields(manifest).object("reports")
        for slug, entry in reports.items():
            _check_entry(slug, entry)
    except ValueError as error:
        raise ReadError(
            f"--out {path}: {MANIFEST} cannot be read ({error}). Nothing was written"
        ) from None
    return reports


def _check_entry(slug: str, plain: Any) -> None:
    """ValueError if this cannot be an entry of the manifest."""
    if not _SLUG.fullmatch(slug):
        raise ValueError(f"{slug!r} is not the name of a report")
    entry = Fields(plain)
    for name in ("title", "page"):
        entry.text(name)
    entry.whole("players", 1, MOST_PLAYERS)
    entry.texts("headlines")
    _page_of(slug, plain)
    for name, digest in entry.object("files").items():
        if not isinstance(digest, str):
            raise ValueError(f"files: {name!r} has no hash")
        if name not in _pages(slug):
            _own_file(slug, name)


def _pages(slug: str) -> list[str]:
    """The possible file names of a report's page."""
    return [f"{slug}.{format_}" for format_ in FORMATS]


def _page_of(slug: str, entry: dict[str, Any]) -> str:
    """The page of a report in the manifest; ValueError for any other file or address."""
    page = next((name for name in _pages(slug) if name == entry["page"]), None)
    if page is None:
        raise ValueError(f"page: {entry['page']!r}, expected {' or '.join(_pages(slug))}")
    return page


def _own_file(slug: str, name: str) -> str:
    """The name of a file within the folder of a report; ValueError for any other place."""
    folder, _, inner = name.partition("/")
    if folder != slug or not _FILE.fullmatch(inner):
        raise ValueError(f"files: {name!r} is not a file of {slug}")
    return inner


def _entry(report: Report, format_: str, files: dict[str, bytes]) -> dict[str, Any]:
    """The entry of a report in the manifest, without time and host."""
    ask = report.ask
    return {
        "title": report.title,
        "page": f"{report.slug}.{format_}",
        "rules": ask.rules.id,
        "players": ask.players,
        "precision": ask.budget.precision,
        "seed": ask.seed,
        "games": report.games,
        "command": report.command,
        "version": lama_odds.__version__,
        "headlines": report.headlines,
        "findings": [line for section in report.sections for line in section.findings],
        "sections": [
            {"name": s.name, "title": s.title, "method": s.method, "games": s.games}
            for s in report.sections
        ],
        "files": {name: hashlib.sha256(content).hexdigest() for name, content in files.items()},
    }


# What a page says before and after its first figures: its story, in words.

MOST_TURNS = 8  # shown of a game without rounds
FIRST_FITS = "The first line that fits counts."


@dataclass(frozen=True)
class Part:
    """A part of the story: a text, lines in order, how it is known. last: after the figures."""

    name: str
    title: str
    text: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    basis: str = ""
    last: bool = False


def parts_of(ask: Ask, sections: Sequence[Section]) -> list[Part]:
    """Return the hand from the table, the rule, and the round that is followed, if they are there.

    Without a rule that was played, what the first section says to do.
    """
    by_name = {section.name: section for section in sections}
    parts = []
    if HOOK in by_name:
        hook = by_name[HOOK]
        position, *answer = hook.text
        table: list[str] = []
        if ask.game.live_play() is not None:
            table = table_lines(ask.game, ask.game.position(ask.rules, hook.basis), 0, 0)
        held = " ".join(f"{capital(line)}." for line in table)
        text = tuple(filter(None, (position, held, " ".join(answer))))
        parts.append(Part(HOOK, hook.title, text))
    rule = by_name.get(RULE)
    limits = next((s for s in sections if s.headlines and s.name not in READ_FIRST), None)
    if rule and rule.text:
        basis = f"{rule.headlines[-1]} {rule.basis}"
        parts.append(Part(RULE, rule.title, (FIRST_FITS,), rule.text, basis))
    elif limits:
        missing = (rule.basis,) if rule else ()
        parts.append(Part(RULE, limits.title, missing, limits.headlines, limits.basis))
    if PLAYED in by_name:
        played = by_name[PLAYED]
        basis = f"{played.basis} You are player 1."
        lines = tuple(followed(ask, played.text))
        parts.append(Part(PLAYED, played.title, (), lines, basis, True))
    return parts


def followed(ask: Ask, record: Sequence[str]) -> list[str]:
    """Return a record in words as its first player saw it, a line for each of its turns and on.

    Where the game has no words for it, its turns are as the record has them.
    """
    game = ask.game
    turns = [line for line in record if is_turn(line)]
    shown = record if game.has_rounds else turns[:MOST_TURNS]
    if game.live_play() is None or game.recorded() is None or game.policy_query() is None:
        return turns
    text = "\n".join(record)
    first = next(decision for decision in decisions(game, ask.rules, text) if decision.seat == 0)
    lines = [f"{capital(game.in_words(ask.rules, first.position))}."]
    seats = iter(line.split()[0] for line in turns)
    for is_move, words in moves_text(game, read_record(game, text), shown, 0):
        if is_move and next(seats) != "0":
            lines[-1] += f" {words}."
        else:
            lines.append(f"{words}." if is_move else words)
    return lines
