"""The files of games followed at a table: in the folder of `lama-odds play`, named by their ids."""

from __future__ import annotations

import contextlib
import re
import secrets
from collections.abc import Callable, Iterator
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any

from lama_odds.api.kept_games import games_folder
from lama_odds.core.errors import LamaOddsError, LimitError
from lama_odds.core.files import write_output
from lama_odds.core.reading import read_text

MOST_FILES = 500  # games begun by the page
MOST_LISTED = 50
MOST_TEXT = 100_000  # bytes of a record

_ID = re.compile(r"[0-9a-f]{16}", re.ASCII)
_BEGUN = "# begun "


class NoGameError(Exception):
    """There is no such game."""


class TableFiles:
    """The files of a folder. An id is made here; no other text leads to a file."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = games_folder() if folder is None else folder

    def new(self, text: str) -> str:
        """Write a new file and return its id; LimitError if there are too many."""
        _written(lambda: self.folder.mkdir(parents=True, exist_ok=True))
        if sum(1 for _ in self._paths()) >= MOST_FILES:
            raise LimitError(
                f"there are {MOST_FILES} games already; delete old ones in the folder of games"
            )
        name = secrets.token_hex(8)
        while self._path(name).exists():
            name = secrets.token_hex(8)
        self.write(name, text)
        return name

    def write(self, name: str, text: str) -> None:
        """Write a game, whole; LimitError if it is too long or the disk refuses."""
        if len(text) > MOST_TEXT:
            raise LimitError("this game is too long to be followed here")
        _written(lambda: write_output(self._path(name), text))

    def read(self, name: str) -> str:
        """Return the record of a game, without empty lines; NoGameError if there is none."""
        from lama_odds.games.shared.record import first_record

        try:
            text = first_record(read_text(self._path(name), MOST_TEXT, links=False))
        except (OSError, ValueError):
            raise NoGameError(name) from None
        return "\n".join(line for line in text.splitlines() if line.strip()) + "\n"

    def listed(self) -> list[dict[str, Any]]:
        """Return what the newest games say of themselves, the one changed last first."""
        found = []
        for path in self._paths():
            with contextlib.suppress(OSError):
                found.append((path.stat().st_mtime_ns, path))
        found.sort(reverse=True)
        told = (_summary(path, changed / 1e9) for changed, path in found)
        return list(islice((each for each in told if each is not None), MOST_LISTED))

    def _path(self, name: str) -> Path:
        if not isinstance(name, str) or _ID.fullmatch(name) is None:
            raise NoGameError
        return self.folder / f"phone-{name}.txt"

    def _paths(self) -> Iterator[Path]:
        return (p for p in self.folder.glob("phone-*.txt") if _ID.fullmatch(_name_of(p)))


def begun_now() -> str:
    """Return the line of a record that says when the game was begun."""
    return f"{_BEGUN}{datetime.now().isoformat(timespec='seconds')}\n"


def _name_of(path: Path) -> str:
    return path.stem.removeprefix("phone-")


def _written(write: Callable[[], object]) -> None:
    """Write a file; raise LimitError, which names no path, if that is impossible."""
    try:
        write()
    except OSError as error:
        raise LimitError(f"the game cannot be kept on disk: {error.strerror}") from None


def _summary(path: Path, changed: float) -> dict[str, Any] | None:
    """Return a game of the list, from the text of its record; None if it is not one."""
    from lama_odds.games.shared.decisions import is_turn, rules_named

    with contextlib.suppress(OSError, ValueError, LamaOddsError):
        lines = read_text(path, MOST_TEXT, links=False).splitlines()
        said = {line.split()[0]: line.split()[1:] for line in lines if line.strip()}
        begun = datetime.fromtimestamp(changed)
        for line in lines:
            if line.startswith(_BEGUN):
                with contextlib.suppress(ValueError):
                    begun = datetime.fromisoformat(line.removeprefix(_BEGUN))
        return {
            "id": _name_of(path),
            "rules": rules_named("\n".join(lines)),
            "players": len(said.get("policies", [])),
            "me": said.get("policies", []).index("me"),
            "over": "final" in said,
            "begun": begun.isoformat(timespec="seconds"),
            "turns": sum(is_turn(line) for line in lines),
        }
    return None
