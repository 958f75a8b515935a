"""Strategy reports as pages, HTML or Markdown, from their sections."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import lama_odds
from lama_odds.analysis.strategy_report.document import Section
from lama_odds.analysis.strategy_report.report import Ask
from lama_odds.report.figures.draw import embedded, on_paper
from lama_odds.report.figures.drawing import Drawing
from lama_odds.report.pages.page_tables import has_parquet, shown_rows, table_csv, table_parquet

if TYPE_CHECKING:
    import jinja2

FORMATS = ("html", "md")
IMAGES = ("svg", "png")
FILTER_FROM = 12  # rows


@dataclass(frozen=True)
class Report:
    """A report: its question, the command that makes it again, and its sections."""

    ask: Ask
    slug: str
    command: str
    sections: tuple[Section, ...]

    @property
    def title(self) -> str:
        """The game and the rule set."""
        return f"{self.ask.game.title}: {self.ask.rules.id}"

    @property
    def headlines(self) -> list[str]:
        """The short version: what to do."""
        return [line for section in self.sections for line in section.headlines]

    @property
    def findings(self) -> list[str]:
        """Other findings."""
        return [line for section in self.sections for line in section.findings]

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
