"""The folder of the games of `play`, and the last game in it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from lama_odds.api.kept_games import games_folder
from lama_odds.cli.common import record_text
from lama_odds.core.errors import LamaOddsError, ReadError
from lama_odds.core.files import write_output
from lama_odds.core.reading import MOST_RECORD, read_text

LAST = "last"  # what `--resume` without a name stands for
RECENT = "recent.txt"  # paths of games in files of their own names, the newest last
MANY = 20


def new_file(named: Path | None, game: str) -> Path:
    """The file of a new game; ReadError if there is one of that name."""
    if named is not None:
        if named.exists():
            raise ReadError(f"{named} exists already: continue it with --resume {named}")
        return named
    folder = games_folder()
    folder.mkdir(parents=True, exist_ok=True)
    return free_name(folder / f"{datetime.now():%Y-%m-%d-%H%M%S}-{game}", ".txt")


def free_name(stem: Path, suffix: str) -> Path:
    """Return the first of stem.txt, stem-2.txt and so on that does not exist."""
    numbers = ("", *(f"-{n}" for n in range(2, 1000)))
    paths = (stem.with_name(f"{stem.name}{number}{suffix}") for number in numbers)
    return next(path for path in paths if not path.exists())


def text_in(path: Path) -> str | None:
    """Return the game in a file as `resumed` reads it: None without a file, "" without a game."""
    if not path.is_file():
        return None
    try:
        return record_text(path)
    except LamaOddsError:
        return ""


def remember(path: Path) -> None:
    """Note the path of a game outside the folder of games; ignore a full disk."""
    path = path.resolve()
    folder = games_folder()
    if path.parent == folder.resolve() or not str(path).isprintable():
        return
    with contextlib.suppress(OSError, LamaOddsError):
        folder.mkdir(parents=True, exist_ok=True)
        noted = [line for line in _noted(folder) if line != str(path)]
        write_output(folder / RECENT, "\n".join([*noted, str(path)][-MANY:]) + "\n")


def last_game() -> Path:
    """The file of the game that was played last and is not over; ReadError if there is none."""
    for path in _newest_first():
        with contextlib.suppress(LamaOddsError, OSError):
            if _goes_on(record_text(path)):
                return path
    raise ReadError(f"no game to continue was found in {games_folder()}; name one: --resume FILE")


def _goes_on(text: str) -> bool:
    """Whether a text is the record of a person's game that is not over."""
    lines = [line.split() for line in text.splitlines()]
    mine = any(words[:1] == ["policies"] and "me" in words for words in lines)
    return mine and not any(words[:1] == ["final"] for words in lines)


def _newest_first() -> Iterator[Path]:
    folder = games_folder()
    found: list[tuple[float, Path]] = []
    paths = [*folder.glob("*.txt"), *map(Path, _noted(folder))]
    for path in paths:
        if path.name == RECENT:
            continue
        with contextlib.suppress(OSError):
            if path.is_file():
                found.append((path.stat().st_mtime, path))
    return (path for _, path in sorted(found, reverse=True))


def _noted(folder: Path) -> list[str]:
    with contextlib.suppress(OSError, LamaOddsError):
        return read_text(folder / RECENT, MOST_RECORD).splitlines()
    return []
