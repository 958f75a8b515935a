"""The folder of strategy reports: finished sections kept in it, files whole, a manifest of all."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import lama_odds
from lama_odds.analysis.report_parts import Section, from_plain, to_plain
from lama_odds.analysis.report_plan import Planned
from lama_odds.core.errors import ReadError
from lama_odds.core.files import read_json, write_whole, write_whole_bytes
from lama_odds.report.drawing import Drawing
from lama_odds.report.pages import IMAGES, Report, index_file, report_files

KIND = "lama-odds reports 1"
MANIFEST = "manifest.json"
NEEDED = ("title", "page", "players", "headlines", "files")  # of each report, for the index


def slug_of(rules: str, players: int) -> str:
    """The name of a report's files."""
    return f"{re.sub(r'[^A-Za-z0-9_]+', '-', rules).strip('-')}-{players}"


class Folder:
    """A folder of reports. Sections lie in it as JSON with the hash of what they depend on."""

    def __init__(self, path: Path) -> None:
        """Open or make it; ReadError if it holds other things (nothing is written then)."""
        self.path = path
        self.reports: dict[str, dict[str, Any]] = {}
        if path.exists() and not path.is_dir():
            raise ReadError(f"--out {path}: found a file, expected a folder")
        if path.is_dir() and any(path.iterdir()):
            self.reports = _manifest(path)["reports"]
        path.mkdir(parents=True, exist_ok=True)
        self._write_manifest()

    def part(self, slug: str, plan: Planned) -> Section | None:
        """A section that is there and whose inputs are the same; None if it must be made."""
        try:
            found = read_json(self._part(slug, plan))
            if found["inputs"] != plan.inputs:
                return None
            section = from_plain(found["section"])
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None
        return section if isinstance(section, Section) else None

    def keep(self, slug: str, plan: Planned, section: Section) -> None:
        """Write a finished section, whole."""
        path = self._part(slug, plan)
        path.parent.mkdir(exist_ok=True)
        content = {"inputs": plan.inputs, "section": to_plain(section)}
        write_whole(path, json.dumps(content, allow_nan=False, indent=0) + "\n")

    def _part(self, slug: str, plan: Planned) -> Path:
        return self.path / slug / f"{plan.name}.json"

    def write(
        self,
        report: Report,
        format_: str,
        images: Sequence[str] = IMAGES,
        parquet: bool = True,
        drawing: Drawing | None = None,
    ) -> Path:
        """Write a report's files, its page last, then the index and the manifest."""
        (self.path / report.slug).mkdir(exist_ok=True)
        files = report_files(report, format_, images, parquet, drawing)
        for name, content in files.items():
            write_whole_bytes(self.path / name, content)
        for section in report.sections:
            name = f"{report.slug}/{section.name}.json"
            files[name] = (self.path / name).read_bytes()
        before = self.reports.get(report.slug, {}).get("files", {})
        for name in before.keys() - files.keys():
            if name.startswith(f"{report.slug}/"):  # of an earlier run, not made any more
                (self.path / name).unlink(missing_ok=True)
        self.reports[report.slug] = _entry(report, format_, files)
        entries = [self.reports[slug] for slug in sorted(self.reports)]
        write_whole(self.path / f"index.{format_}", index_file(entries, format_))
        self._write_manifest()
        return self.path / f"{report.slug}.{format_}"

    def _write_manifest(self) -> None:
        content = {
            "kind": KIND,
            "version": lama_odds.__version__,
            "reports": {slug: self.reports[slug] for slug in sorted(self.reports)},
        }
        write_whole(self.path / MANIFEST, json.dumps(content, allow_nan=False, indent=1) + "\n")


def _manifest(path: Path) -> dict[str, Any]:
    """The manifest of a folder; ReadError if it is no folder of reports."""
    try:
        found = read_json(path / MANIFEST)
    except (OSError, ValueError):
        found = None
    if not _is_manifest(found):
        names = sorted(entry.name for entry in path.iterdir())
        listed = ", ".join(names[:3]) + (" …" if len(names) > 3 else "")
        raise ReadError(
            f"--out {path}: the folder holds other things ({listed}); expected a new or empty "
            "folder, or one of reports. Nothing was written"
        )
    checked: dict[str, Any] = found
    return checked


def _is_manifest(found: Any) -> bool:
    """Whether this has what is needed of a manifest."""
    if not isinstance(found, dict) or found.get("kind") != KIND:
        return False
    reports = found.get("reports")
    return isinstance(reports, dict) and all(
        isinstance(entry, dict) and entry.keys() >= set(NEEDED) for entry in reports.values()
    )


def _entry(report: Report, format_: str, files: dict[str, bytes]) -> dict[str, Any]:
    """What the manifest says of a report: no clock and no host."""
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
        "findings": report.findings,
        "sections": [
            {"name": s.name, "title": s.title, "method": s.method, "games": s.games}
            for s in report.sections
        ],
        "files": {name: hashlib.sha256(content).hexdigest() for name, content in files.items()},
    }
