"""Training with drills: one text file that remembers every answer, and what comes next.

The file has a line for each answer, oldest first, and can be read and edited by hand::

    2026-11-29 | dice/amigo | win | hand=25L opp=13 | chose quit | best roll | cost 0.2 (0.1 to 0.3)

What you missed comes back at once, after 3 days and after 10. After three right answers in a row it
is retired. An answer is added at the end. If a line cannot be read, the whole file is copied aside,
the line is left out, and a note says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

from lama_odds.analysis.coach.drills import Choice, Drill, collection, drill_of, is_right
from lama_odds.core.errors import LamaOddsError, ReadError
from lama_odds.core.files import GrowingFile, sync_folder, write_whole
from lama_odds.core.language import say, say_count
from lama_odds.core.reading import MOST_RECORD, read_text
from lama_odds.games.registry import game_of

HEADER = "lama-odds training 1"
NO_CHOICE = "?"  # written where the answer was looked up: it counts as missed
_KIND = "lama-odds training "
AGAIN = (0, 3, 10)  # days after which a missed position comes back
RETIRED = len(AGAIN)  # right answers in a row
_LINE = re.compile(
    r"(\d{4}-\d\d-\d\d) \| (\S+) \| (\S+) \| (.*?) \| chose (.+?) \| best (.+?) \| "
    r"cost (\S+) \((\S+) to (\S+)\)"
)


@dataclass(frozen=True)
class Answered:
    """An answer: the day, the position as in `Drill`, the action chosen, and what it cost."""

    day: date
    rules: str
    objective: str
    position: str
    chosen: str
    best: str
    cost: float
    low: float
    high: float

    @property
    def drill_id(self) -> str:
        """The name of the position."""
        return Drill(self.rules, self.position, self.objective, (), "").id

    @property
    def right(self) -> bool:
        """Whether it was as good as the best."""
        counts = game_of(self.rules).objectives[self.objective]
        return self.chosen != NO_CHOICE and is_right(
            Choice(self.chosen, self.cost, self.low, self.high), counts
        )

    def line(self) -> str:
        """Return the line of the file."""
        return (
            f"{self.day.isoformat()} | {self.rules} | {self.objective} | {self.position} | "
            f"chose {self.chosen} | best {self.best} | "
            f"cost {self.cost:.5g} ({self.low:.5g} to {self.high:.5g})"
        )


def answered_in(line: str) -> Answered:
    """Return the answer of a line; raise ValueError if it is not one."""
    found = _LINE.fullmatch(line.strip())
    if found is None:
        raise ValueError(line)
    day, rules, objective, position, chosen, best, *numbers = found.groups()
    answer = Answered(
        date.fromisoformat(day), rules, objective, position, chosen, best, *map(float, numbers)
    )
    try:
        objectives = game_of(rules).objectives
    except LamaOddsError:
        raise ValueError(line) from None
    if objective not in objectives:
        raise ValueError(line)
    return answer


@dataclass
class Log:
    """The file of the answers. notes: what could not be read, and where it is kept."""

    path: Path
    answers: list[Answered]
    notes: tuple[str, ...] = ()

    def add(self, answer: Answered) -> None:
        """Add an answer; it is on the disk when the function returns. Raises ReadError."""
        self.answers.append(answer)
        line = f"{answer.line()}\n"
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            size = self.path.stat().st_size if self.path.exists() else 0
            file = GrowingFile(self.path)
            try:
                file.put(size, (line if size else f"{HEADER}\n{line}").encode())
            finally:
                file.close()
        except OSError as error:
            raise ReadError(
                say("cannot write {path}: {why}", path=self.path, why=error.strerror)
            ) from None
        if not size:
            sync_folder(self.path.parent)

    def note(self, drill: Drill, action: str, day: date) -> bool:
        """Add the answer to a drill, and return whether it was right; action: empty for none."""
        choice = drill.choice(action or drill.best)
        where = drill.rules, drill.objective, drill.position
        costs = choice.cost, choice.low, choice.high
        answer = Answered(day, *where, action or NO_CHOICE, drill.best, *costs)
        self.add(answer)
        return answer.right


def read_log(path: Path) -> Log:
    """Return the answers of a file, none if there is no file.

    A file of another version, and lines that cannot be read, are copied aside first. Raises
    ReadError if the file cannot be read at all.
    """
    try:
        text = read_text(path, MOST_RECORD)
    except FileNotFoundError:
        return Log(path, [])
    except OSError as error:
        raise ReadError(say("cannot read {path}: {why}", path=path, why=error.strerror)) from None
    except ValueError as error:
        raise ReadError(say("cannot read {path}: {why}", path=path, why=error)) from None
    first, *lines = text.splitlines() or [""]
    if first.strip() != HEADER:
        return _set_aside(path, text, first)
    answers, damaged = [], []
    for number, line in enumerate(lines, 2):
        if not line.strip():
            continue
        try:
            answers.append(answered_in(line))
        except ValueError:
            damaged.append(number)
    if not damaged:
        return Log(path, answers)
    aside = _copy_of(path, text)
    write_whole(path, "\n".join([HEADER, *(each.line() for each in answers)]) + "\n", True)
    where = ", ".join(map(str, damaged[:5])) + (", …" if len(damaged) > 5 else "")
    note = say_count(
        "line {where} of {path} cannot be read: the file as it was is kept in {aside}",
        "lines {where} of {path} cannot be read: the file as it was is kept in {aside}",
        len(damaged),
        where=where,
        path=path,
        aside=aside,
    )
    return Log(path, answers, (note,))


def _set_aside(path: Path, text: str, first: str) -> Log:
    """A new log, with the file that is not one kept beside it."""
    aside = _copy_of(path, text)
    path.unlink()
    if first.startswith(_KIND):
        note = say(
            "{path} is of another version ({first}): it is kept as {aside}, and a new file begins",
            path=path,
            first=repr(first),
            aside=aside,
        )
    else:
        note = say(
            "{path} is not a file of answers: it is kept as {aside}, and a new file begins",
            path=path,
            aside=aside,
        )
    return Log(path, [], (note,))


def _copy_of(path: Path, text: str) -> Path:
    numbers = range(1, 10_000)
    aside = next(
        other
        for number in numbers
        if not (other := path.with_name(f"{path.stem}-aside-{number}{path.suffix}")).exists()
    )
    write_whole(aside, text, True)
    return aside


# What comes next.


@dataclass(frozen=True)
class Standing:
    """How a position stands: whether it was ever missed, and when it comes back (None: not)."""

    missed: bool
    due: date | None


def standings(answers: Iterable[Answered]) -> dict[str, Standing]:
    """Return how every position answered so far stands, by its name."""
    found: dict[str, Standing] = {}
    streaks: dict[str, int] = {}
    for answer in answers:
        name = answer.drill_id
        before = found.get(name)
        missed = not answer.right or (before is not None and before.missed)
        streaks[name] = streaks.get(name, 0) + 1 if answer.right else 0
        waits = missed and streaks[name] < RETIRED
        due = answer.day + timedelta(days=AGAIN[streaks[name]]) if waits else None
        found[name] = Standing(missed, due)
    return found


def due_now(answers: Sequence[Answered], prefix: str, today: date) -> list[Answered]:
    """Return the answers whose positions come back today, the longest due first.

    prefix: the game or rule set that is trained.
    """
    every = standings(answers)
    latest = {answer.drill_id: answer for answer in answers if suits(answer.rules, prefix)}
    waiting = [
        (due, name) for name in latest if (due := every[name].due) is not None and due <= today
    ]
    return [latest[name] for _, name in sorted(waiting)]


def suits(rules: str, prefix: str) -> bool:
    """Return whether a rule set is the one that is trained, or belongs to the game that is."""
    return not prefix or rules == prefix or rules.split("/")[0] == prefix


def upcoming(answers: Sequence[Answered], game: str, prefix: str, today: date) -> Iterator[Drill]:
    """Yield what comes next: what is due, then shipped drills that were never answered."""
    for answer in due_now(answers, prefix, today):
        drill = drill_again(answer)
        if drill is not None:
            yield drill
    yield from fresh(answers, game, prefix)


def drill_again(answer: Answered) -> Drill | None:
    """Return the drill of an earlier answer: shipped, or valued again; None if it is no longer."""
    game = game_of(answer.rules)
    for drill in collection(game.name):
        if drill.id == answer.drill_id:
            return drill
    try:
        rules = game.rules(answer.rules)
        position = game.position(rules, answer.position)
        return drill_of(game, rules, position, answer.objective)
    except LamaOddsError:
        return None


def fresh(answers: Sequence[Answered], game: str, prefix: str) -> list[Drill]:
    """Return shipped drills that were never answered, in the order in which they come.

    They begin with easy ones. Once four of five were right, harder ones come first, and after three
    wrong ones easier ones again.
    """
    known = {answer.drill_id for answer in answers}
    unseen = [
        drill for drill in collection(game) if drill.id not in known and suits(drill.rules, prefix)
    ]
    level = _level(answers, prefix)
    order = {name: abs(at - level) for at, name in enumerate(("easy", "medium", "hard"))}
    return sorted(unseen, key=lambda drill: (order.get(drill.level, 0), drill.id))


def _level(answers: Sequence[Answered], prefix: str) -> int:
    """0 to 2: one more once four of five answers were right, one less once three were wrong."""
    level = 0
    run: list[bool] = []
    for answer in answers:
        if suits(answer.rules, prefix):
            run = [*run, answer.right][-5:]
            if len(run) == 5 and sum(run) >= 4:
                level, run = min(2, level + 1), []
            elif run.count(False) >= 3:
                level, run = max(0, level - 1), []
    return level


# Cards for Anki, which imports text with a tab between front and back.


def anki(drills: Sequence[Drill], front: list[str], back: list[str]) -> str:
    """Return a text that Anki imports as notes. front, back: of each drill, in one line each."""
    head = ["#separator:tab", "#html:false", "#deck:lama-odds", "#columns:Front\tBack\tTags"]
    rows = [
        f"{_cell(question)}\t{_cell(answer)}\t{drill.rules.replace('/', '::')}"
        for drill, question, answer in zip(drills, front, back, strict=True)
    ]
    return "\n".join([*head, *rows]) + "\n"


def _cell(text: str) -> str:
    return " ".join(text.replace("\t", " ").split())
