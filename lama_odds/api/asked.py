"""Read the rule set, policies and numbers that all functions accept."""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from lama_odds.api.options import Option, Playing, question
from lama_odds.core.checks import check_path, check_players, check_text, expecting
from lama_odds.core.errors import ReadError, shown_lines
from lama_odds.core.language import later, say
from lama_odds.core.policies import BEST
from lama_odds.core.progress import stage
from lama_odds.report.answer import Answer

if TYPE_CHECKING:
    from lama_odds.analysis.variants.given import Given
    from lama_odds.core.policies import Policy
    from lama_odds.games.interface.game import AnyGame, Game, P, R
    from lama_odds.simulation.run import Play
    from lama_odds.simulation.run_folder import RunFolder, RunStatus


FIRST_USE = later("first question of this kind: compiling for this machine, some 5 to 30 seconds")
ALL = "all:"  # before the others' policy: you continue with it too


@functools.cache
def ready() -> None:
    """Print on stderr when something has to be compiled, because a first use takes a while."""
    from lama_odds.jit import places, sources

    sources.on_first_compile(lambda: tell(f"{say(FIRST_USE)}; {places.keeping()}"))


def tell(text: str) -> None:
    """Print a line on stderr; control characters in it are escaped."""
    print(f"lama-odds: {shown_lines(text)}", file=sys.stderr)


def read_rules(rules: str) -> Given:
    """Return the rule set of an id, or of a file ``@FILE`` or ``@FILE#NAME``, with its name.

    What is stored or comes over the network is for `read_stored_rules`.
    """
    check_text(rules, "rules", needed=True)
    ready()
    from lama_odds.analysis.variants.given import given_rules

    return given_rules(rules)


def read_rules_for(rules: str, players: int) -> Given:
    """Return the rule set as `read_rules` does; ReadError if this number cannot play by it."""
    given = read_rules(rules)
    check_players(given.rules, players)
    return given


def read_stored_rules(rules: str) -> tuple[AnyGame, Any]:
    """Return the game and the rule set of an id that is not from the user: no file is read."""
    check_text(rules, "rules", needed=True)
    ready()
    from lama_odds.analysis.variants.given import stored_rules

    return stored_rules(rules)


def policy_of(
    game: Game[R, P],
    rules: R,
    name: str,
    players: int,
    objective: str = "win",
    notes: list[str] | None = None,
) -> Policy:
    """Return the policy of a name, of a file ``@FILE``, or the ``best`` known for an objective.

    If a file was tuned for something else, a note says so on stderr, and is added to notes.
    """
    from lama_odds.analysis.policy_files import named_policy

    def note(text: str) -> None:
        tell(text)
        if notes is not None:
            notes.append(text)

    check_text(name, "policy", needed=True)
    return named_policy(game, rules, name, players, objective, note)


def split_all(name: str | None) -> tuple[str | None, bool]:
    """Return the others' policy as it is named, and whether you continue with it too."""
    if not isinstance(name, str) or not name.startswith(ALL):
        return name, False
    return name.removeprefix(ALL).strip(), True


def opponents_of(
    game: Game[R, P], rules: R, name: str | None, players: int, objective: str, notes: list[str]
) -> Policy | None:
    """Return the policy of the others; None for the ``best`` known, which they play by default.

    So ``best`` gives the same answer as no argument, solved if that is possible.
    """
    if name is None or name == BEST:
        return None
    return policy_of(game, rules, name, players, objective, notes)


def names_of(given: str | Iterable[str], what: str) -> list[str]:
    """Return one name, or several; raise ReadError for anything else."""
    if isinstance(given, str):
        return [given]
    return several_of(given, what)


def several_of(given: Iterable[str], what: str) -> list[str]:
    """Return several names; raise ReadError for a single one, and for anything else."""
    if isinstance(given, (str, bytes, Mapping)) or not isinstance(given, Iterable):
        raise expecting(what, given, say("a list of names"))
    names = list(given)
    for name in names:
        check_text(name, what, needed=True)
    return names


def record_of(record: str | Path, name: str) -> str:
    """Return the text of a record; a path, and a text without a line's end, name its file."""
    if isinstance(record, str) and "\n" in record:
        return record
    check_path(record, name, needed=True)
    from lama_odds.core.reading import MOST_RECORD, read_text

    try:
        return read_text(Path(record), MOST_RECORD)
    except OSError as error:
        why = error.strerror
    except ValueError as error:
        why = str(error)
    raise ReadError(
        say(
            "{name} {found}: expected the text of a record, or its file: {why}",
            name=name,
            found=repr(record),
            why=why,
        )
    )


# Run folders keep the games of long questions, so that they can resume.


@question()
def runs(
    folder: Annotated[
        str | Path,
        Option(
            "The folder of a --run.", "Another function has got it.", argument=True, shown="DIR"
        ),
    ],
) -> Answer[RunStatus]:
    """How far the run of a folder is, how fast, and its results; also while it plays.

    The answer's ``state`` says whether the run is done. ``question`` has its arguments; ``jobs``
    have games, rates, seconds left and figures so far.

    Raises LimitError if the folder is not a run folder or cannot be read::

        lo.runs("my_run").jobs
    """
    from lama_odds.report import frames
    from lama_odds.report.text.kept import runs_text
    from lama_odds.simulation.run_folder import status_of

    return Answer.in_short(status_of(Path(folder)), runs_text, frames.runs_frame)


@contextmanager
def playing(
    question: Mapping[str, Any], how: Playing, doing: str = "playing", several: bool = True
) -> Iterator[Play]:
    """Yield how the games of a question are played. question, several: see `run_folder`.

    doing: what the progress reports; empty: there is none.
    """
    from lama_odds.simulation.run import Play

    progress = stage(how["progress"], doing) if doing else None
    with run_folder(how["run"], question, several) as opened:
        yield Play(how["seed"], how["threads"], progress, opened)


@contextmanager
def run_folder(
    folder: str | Path | None, question: Mapping[str, Any], several: bool = False
) -> Iterator[RunFolder | None]:
    """Yield the folder that keeps the games of a question; None without one.

    question: what determines its games. several: whether several jobs are played. Raises LimitError
    for a folder of another question. OSError (a full disk, for example) says what happens to the
    run.
    """
    if folder is None:
        yield None
        return
    from lama_odds.simulation.run_folder import open_folder

    try:
        with open_folder(Path(folder), question, several, tell) as opened:
            yield opened
    except OSError as error:
        raise OSError(
            say(
                "{folder} cannot be written ({why}); its games stay: the same command "
                "resumes there",
                folder=folder,
                why=error.strerror or error,
            )
        ) from error
