"""Reviews of recorded games: one game, or many together."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypedDict, Unpack

from lama_odds.api.advising import Objective
from lama_odds.api.asked import opponents_of, read_stored_rules, record_of, tell
from lama_odds.api.options import (
    FEWEST_ROLLOUTS,
    MAX_GAMES,
    NAMED_SO,
    OnProgress,
    Option,
    Seed,
    Threads,
    question,
)
from lama_odds.core.checks import check_name, check_path, check_whole
from lama_odds.core.errors import LamaOddsError, ReadError
from lama_odds.core.language import say
from lama_odds.report.answer import Answer

if TYPE_CHECKING:
    from lama_odds.analysis.coach.history import History, Reviewed, Skipped
    from lama_odds.analysis.coach.kept import KeptReviews
    from lama_odds.analysis.coach.review import Review
    from lama_odds.core.progress import StageProgress

MOST_COST = 1e6
_DATE = re.compile(r"\d{4}-\d\d-\d\d[-T\d:]*")

Seat = Annotated[
    int | None,
    Option(
        "Your seat, counted from 0: only its decisions are graded (default: all; of several games "
        "your own, where they say which it is).",
        shown="S",
    ),
]
Others = Annotated[
    str | None,
    Option(f"The others' policy ({NAMED_SO}; default: best).", shown="POLICY", offers="policies"),
]
ReviewGames = Annotated[
    int | None, Option("Games for each sampled decision.", least=FEWEST_ROLLOUTS, most=MAX_GAMES)
]
WorseThan = Annotated[
    float | None,
    Option(
        "List only decisions that cost more: points, worms, or percentage points of a chance.",
        most=MOST_COST,
        shown="COST",
    ),
]
KEEP = "Keep finished decisions beside the records, and use those that are there."
Keep = Annotated[bool, Option(KEEP, usual="yes")]


class Reviewing(TypedDict, total=False):
    """How records are reviewed: what `review` and `review_many` share."""

    seat: Seat
    opponents: Others
    objective: Objective
    games: ReviewGames
    worse_than: WorseThan
    keep: Keep
    threads: Threads
    seed: Seed
    progress: OnProgress


@question()
def review(
    record: Annotated[
        str | Path,
        Option(
            "Records of games, or folders of them (- is stdin).",
            "The text of a record, or its file.",
            argument=True,
            flag="file",
            shown="FILE",
            typed=list[Path],
        ),
    ],
    **how: Unpack[Reviewing],
) -> Answer[Review]:
    """Grade every decision of a recorded game, and separate luck from skill.

    The answer's ``decisions`` are in the order of play. ``seats`` has for each player the cost of
    all decisions and the numbers by grade. ``course`` separates luck from skill.

    Raises ReadError for a damaged record, NothingToDecideError for one without a decision::

        lo.review("game.txt", games=5_000)
    """
    from lama_odds.games.shared.record import first_record

    text = first_record(record_of(record, "record"))
    path = Path(record) if "\n" not in str(record) else None
    answer = _review_alone(how, text, path, how["progress"])

    from lama_odds.report import frames
    from lama_odds.report.text.review import review_text

    return Answer.in_short(answer, review_text, frames.review_frame)


@question()
def review_many(
    records: Annotated[
        str | Path | Iterable[str | Path],
        Option(python="Files, folders, or texts of one or more records.", shown="FILE"),
    ],
    **how: Unpack[Reviewing],
) -> Answer[History]:
    """Review many games together: what your decisions cost, of which kind, and the trend.

    The answer's ``games`` has a line for each game and player, ``players`` the totals. ``skipped``
    says which files hold no game that can be reviewed.

    Raises ReadError if no file holds a record::

        lo.review_many("my_games", keep=True)
    """
    from lama_odds.analysis.coach.history import Reviewed, Skipped, history

    entries, skipped = _entries(_given(records))
    reviewed: list[Reviewed] = []
    files: dict[Path | None, KeptReviews] = {}  # a file may have several records
    names: dict[str, str] = {}
    for number, entry in enumerate(entries):
        if entry.text in names:
            why = say("the same game as {name}", name=names[entry.text])
            skipped.append(Skipped(entry.name, why))
            continue
        names[entry.text] = entry.name
        if entry.path not in files:
            files[entry.path] = _kept(how, entry.path)
        kept = files[entry.path]
        before = kept.reused
        try:
            progress = _part(how["progress"], number, len(entries), entry.name)
            one = _review(how, entry.text, kept, progress)
            reviewed.append(Reviewed(entry.name, one, kept.reused - before))
        except LamaOddsError as error:
            why = " ".join(str(error).splitlines()[0].split())
            skipped.append(Skipped(entry.name, why))
        finally:
            _close(kept)
    if not reviewed:
        raise ReadError(_none(skipped))

    from lama_odds.report import frames
    from lama_odds.report.text.history import history_text

    answer = history(reviewed, skipped, how["worse_than"], how["seed"])
    return Answer.in_short(answer, history_text, frames.history_frame)


def _none(skipped: list[Skipped]) -> str:
    """The message where no game can be reviewed."""
    if not skipped:
        return say("no game here can be reviewed")
    reasons = "; ".join(f"{one.name}: {one.why}" for one in skipped[:3])
    return say("no game here can be reviewed: {reasons}", reasons=reasons)


def _kept(how: Reviewing, path: Path | None) -> KeptReviews:
    """What is kept beside a record; only in memory without a file, or without `keep`."""
    from lama_odds.analysis.coach.kept import KeptReviews

    return KeptReviews.beside(path) if how["keep"] and path is not None else KeptReviews()


def _review_alone(
    how: Reviewing, text: str, path: Path | None, progress: StageProgress | None
) -> Review:
    """The review of the only record, of all seats if none is given."""
    kept = _kept(how, path)
    try:
        return _review(how, text, kept, progress, mine=False)
    finally:
        _close(kept)


def _review(
    how: Reviewing,
    text: str,
    kept: KeptReviews,
    progress: StageProgress | None,
    mine: bool = True,
) -> Review:
    """The review of a record. mine: one of several, of your seat alone if that is known."""
    from lama_odds.analysis.coach import review as analysis
    from lama_odds.games.shared.decisions import decisions, read_record, rules_named

    game, rule_set = read_stored_rules(rules_named(text))
    record, seat = read_record(game, text), how["seat"]
    objective, opponents, limit = how["objective"], how["opponents"], how["worse_than"]
    if seat is not None:
        check_whole(seat, 0, record.players - 1, "seat")
    check_name(objective, game.objectives, f"objective {objective!r} of {game.name}")
    notes: list[str] = []
    first = decisions(game, rule_set, text)[:1]
    policy = None
    for position in (decision.position for decision in first):
        aim = objective or game.recorded_objective(rule_set, position)
        if opponents is not None:
            policy = opponents_of(game, rule_set, opponents, position.players, aim, notes)
        if limit is not None and game.objectives[aim].share:
            limit /= 100
    answer = analysis.review(
        game,
        rule_set,
        text,
        seat=analysis.your_seat(record, None) if mine and seat is None else seat,
        objective=objective,
        opponents=policy,
        games=how["games"],
        threads=how["threads"],
        seed=how["seed"],
        worse_than=limit,
        kept=kept,
        why=not mine,
        progress=progress,
    )
    return replace(answer, assumptions=(*answer.assumptions, *notes))


def review_beside(
    text: str, path: Path, games: int, threads: int | None, progress: StageProgress | None
) -> Review:
    """The review of a record, with finished decisions kept beside its file; all seats."""
    how: Reviewing = {
        **{"seat": None, "opponents": None, "objective": None, "worse_than": None, "seed": 0},
        **{"games": games, "keep": True, "threads": threads},
    }
    return _review_alone(how, text, path, progress)


def _close(kept: KeptReviews) -> None:
    """Write what is kept, and say what there is to say about its file."""
    kept.close()
    while kept.said:
        tell(kept.said.pop(0))


def _part(progress: StageProgress | None, number: int, of: int, name: str) -> StageProgress | None:
    """The progress of one game among several."""
    if progress is None:
        return None
    return lambda done, _: progress((number + done) / of, f"game {number + 1} of {of}: {name}")


# The files of several games.


@dataclass(frozen=True)
class _Entry:
    """A record. path: of its file; when: its date, if the record or its name has one."""

    name: str
    path: Path | None
    text: str
    when: str


def _given(records: str | Path | Iterable[str | Path]) -> list[str | Path]:
    """Files, folders and texts; ReadError for anything else."""
    if isinstance(records, bytes | Mapping) or not isinstance(records, Iterable | Path):
        raise ReadError(
            say("records {records}: expected files, folders or texts", records=repr(records))
        )
    given = [records] if isinstance(records, str | Path) else list(records)
    for one in given:
        if not (isinstance(one, str) and "\n" in one):
            check_path(one, "records", needed=True)
    return given


def _entries(given: Iterable[str | Path]) -> tuple[list[_Entry], list[Skipped]]:
    """All records, in the order of their dates and then of their names; other files."""
    from lama_odds.analysis.coach.history import Skipped
    from lama_odds.games.shared.record import records_in

    entries: list[_Entry] = []
    skipped: list[Skipped] = []
    for name, path, text in _texts(given, skipped):
        records = records_in(text)
        if not records:
            skipped.append(Skipped(name, say("no record of a game"), foreign=True))
        for number, record in enumerate(records, 1):
            called = name if len(records) == 1 else f"{name} #{number}"
            entries.append(_Entry(called, path, record, _date(record, name)))
    entries.sort(key=lambda entry: entry.when)  # stable: others as they come
    names = Counter(entry.name for entry in entries)
    return [
        replace(entry, name=str(entry.path.parent / entry.name))
        if entry.path and names[entry.name] > 1
        else entry
        for entry in entries
    ], skipped


def _texts(
    given: Iterable[str | Path], skipped: list[Skipped]
) -> Iterator[tuple[str, Path | None, str]]:
    """Yield names, files and texts; what cannot be read is skipped."""
    from lama_odds.analysis.coach.history import Skipped
    from lama_odds.core.reading import MOST_RECORD, STDIN, read_handed, read_text

    for one in given:
        if isinstance(one, str) and "\n" in one:
            yield "record", None, one
            continue
        path = Path(one)
        if path == STDIN:
            yield "stdin", None, read_handed(path)
            continue
        folder = path.is_dir()
        for file in _files_in(path) if folder else [path]:
            try:
                yield file.name, file, read_text(file, MOST_RECORD)
            except OSError as error:
                if not folder:
                    raise ReadError(_unreadable(file, error)) from None
                skipped.append(Skipped(file.name, str(error.strerror), foreign=True))
            except ValueError as error:
                skipped.append(Skipped(file.name, str(error), foreign=True))


def _files_in(folder: Path) -> list[Path]:
    """The files of a folder that may be records: kept reviews are not among them."""
    from lama_odds.analysis.coach.kept import ENDING

    try:
        paths = sorted(folder.iterdir())
    except OSError as error:
        raise ReadError(_unreadable(folder, error)) from None
    return [
        path
        for path in paths
        if path.is_file() and not path.name.startswith(".") and ENDING not in path.name
    ]


def _unreadable(path: Path, error: OSError) -> str:
    return say("cannot read {path}: {why}", path=path, why=error.strerror)


def _date(record: str, name: str) -> str:
    """When a game was begun, as its record or its name says; empty if neither does."""
    for line in record.splitlines():
        if line.startswith("# begun "):
            return line.removeprefix("# begun ")[:19].replace(":", "").replace("T", "-")
    match = _DATE.search(name)
    return match[0] if match else ""
