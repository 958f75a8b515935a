"""The folder of the games of `play`, and the last game in it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from lama_odds.api.asked import policy_of
from lama_odds.api.positions import games_folder
from lama_odds.cli.common import record_text
from lama_odds.core.errors import LamaOddsError, ReadError
from lama_odds.core.files import write_output
from lama_odds.core.language import say
from lama_odds.core.reading import MOST_RECORD, read_text

if TYPE_CHECKING:
    from lama_odds.analysis.coach.session import Session


LAST = "last"  # what `--resume` without a name stands for
RECENT = "recent.txt"  # paths of games in files of their own names, the newest last
MANY = 20


def new_file(named: Path | None, game: str) -> Path:
    """The file of a new game; ReadError if there is one of that name."""
    if named is not None:
        if named.exists():
            raise ReadError(
                say("{path} exists already: continue it with --resume {path}", path=named)
            )
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
    raise ReadError(
        say(
            "no game to continue was found in {folder}; name one: --resume FILE",
            folder=games_folder(),
        )
    )


def _goes_on(text: str) -> bool:
    """Whether a text is the record of a person's game that is not over."""
    lines = [line.split() for line in text.splitlines()]
    mine = any(words[:1] == ["policies"] and "me" in words for words in lines)
    return mine and not any(words[:1] == ["final"] for words in lines)


def _newest_first() -> Iterator[Path]:
    folder = games_folder()
    files: list[tuple[float, Path]] = []
    paths = [*folder.glob("*.txt"), *map(Path, _noted(folder))]
    for path in paths:
        if path.name == RECENT:
            continue
        with contextlib.suppress(OSError):
            if path.is_file():
                files.append((path.stat().st_mtime, path))
    return (path for _, path in sorted(files, reverse=True))


def _noted(folder: Path) -> list[str]:
    with contextlib.suppress(OSError, LamaOddsError):
        return read_text(folder / RECENT, MOST_RECORD).splitlines()
    return []


# A game that `play` resumes: everything is in its file, and the options must agree with it.

_OBJECTIVE = ("#", "objective")  # a comment of the record: readers of the format skip it


@dataclass(frozen=True)
class Said:
    """The options for a game besides its file; None or empty if not given."""

    rules: str | None
    players: int | None
    me: int | None
    against: Sequence[str]
    table: bool
    file: Path | None
    seed: int | None
    scores: str | None = None
    first: int | None = None


def resumed(path: Path, options: Said) -> Session:
    """The game in a file.

    ReadError if it cannot be read or resumed, or if the options contradict it.
    """
    from lama_odds.analysis.coach.session import Session
    from lama_odds.analysis.variants.given import stored_rules
    from lama_odds.games.shared.decisions import rules_named

    text = record_text(path)
    session = Session(*stored_rules(rules_named(text)), text)
    for option, value in _disagreements(session, path, options):
        raise ReadError(
            say("{option}, but {path} is a game {found}", option=option, path=path, found=value)
        )
    return session


def kept_objective(session: Session) -> str | None:
    """What advice counts by the record of a game; None if it does not say, or says it wrongly."""
    for line in session.text.splitlines():
        words = line.split()
        if tuple(words[:-1]) == _OBJECTIVE and words[-1] in session.game.objectives:
            return words[-1]
    return None


def keep_objective(session: Session, objective: str) -> None:
    """Write into the record of a new game what advice counts."""
    session.text += f"{' '.join((*_OBJECTIVE, objective))}\n"


def _disagreements(session: Session, path: Path, options: Said) -> Iterator[tuple[str, str]]:
    """Options that contradict the file, each with the value in the file."""
    from lama_odds.analysis.variants.given import given_rules

    if options.rules is not None and given_rules(options.rules).rules.id != session.rules.id:
        yield f"RULES {options.rules}", f"of {session.rules.id}"
    players = len(session.policies)
    if options.players not in (None, players):
        yield f"--players {options.players}", f"of {players} players"
    if options.me not in (None, session.me):
        yield f"--me {options.me}", f"where your seat is {session.me}"
    others = [policy.name for policy in session.policies if policy is not None]
    against = " ".join(f"--against {name}" for name in others) or "at a --table"
    if options.table and not session.table:
        yield "--table", f"with {against}"
    game, rules = session.game, session.rules
    names = [policy_of(game, rules, name, players).name for name in options.against]
    all_of = names * len(others) if len(names) == 1 and others else names
    if names and all_of != others:
        yield " ".join(f"--against {name}" for name in names), f"with {against}"
    if options.seed not in (None, session.seed):
        yield f"--seed {options.seed}", f"with --seed {session.seed}"
    for option, value in (("--scores", options.scores), ("--first", options.first)):
        if value is not None:
            yield f"{option} {value}", "that has begun already"
    if options.file is not None and options.file.resolve() != path.resolve():
        yield f"--file {options.file}", "that continues in its own file (save FILE writes a copy)"
