"""Training with drills: a file that remembers every answer, what comes next, a test of skill.

The file has a line for each answer, oldest first, and can be read and edited by hand::

    2026-11-29 | dice/amigo | win | hand=25L opp=13 | chose quit | best roll | cost 0.2 (0.1 to 0.3)

What you missed comes back at once, after 3 days and after 10. After three right answers in a row it
is retired. An answer is added at the end. If a line cannot be read, the whole file is copied aside,
the line is left out, and a note says so.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from pathlib import Path

import numpy as np

from lama_odds.analysis.coach.drills import (
    Choice,
    Drill,
    collection,
    drill_of,
    is_right,
    usual_decisions,
)
from lama_odds.core.errors import LamaOddsError, LimitError, ReadError
from lama_odds.core.estimate import Estimate
from lama_odds.core.files import GrowingFile, sync_folder, write_whole
from lama_odds.core.language import say, say_count
from lama_odds.core.plain import Plain
from lama_odds.core.reading import MOST_RECORD, read_text
from lama_odds.games.interface.game import AnyGame
from lama_odds.games.interface.objectives import Objective
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
    match = _LINE.fullmatch(line.strip())
    if match is None:
        raise ValueError(line)
    day, rules, objective, position, chosen, best, *numbers = match.groups()
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
    write_whole(path, "\n".join([HEADER, *(answer.line() for answer in answers)]) + "\n", True)
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
    by_drill: dict[str, Standing] = {}
    streaks: dict[str, int] = {}
    for answer in answers:
        name = answer.drill_id
        before = by_drill.get(name)
        missed = not answer.right or (before is not None and before.missed)
        streaks[name] = streaks.get(name, 0) + 1 if answer.right else 0
        waits = missed and streaks[name] < RETIRED
        due = answer.day + timedelta(days=AGAIN[streaks[name]]) if waits else None
        by_drill[name] = Standing(missed, due)
    return by_drill


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


# A test of skill: some twenty answers give a cost per decision, and what kind of player you are.

DRAWS = 40_000  # from the prior
LOOKED_AT = 1_500  # of them, for the next question
LEAST, MOST = 20, 30  # questions of a test
PRECISE = 0.25  # of the cost per decision: a test ends when its half-width is below this part
SLIPS = 0.05  # answers that mean nothing
PRECISION = 1.0, 1.0  # median of the precision, and the spread of its logarithm
CAUTION = 1.5  # standard deviation of caution
TAILS = 0.025, 0.975


@dataclass(frozen=True)
class Trait(Plain):
    """What kind of player you are, in one respect.

    id: "caution", or what is ignored. value: of caution what cautious actions seem to be worth
    more than they are, in the unit of the objective; else how far it is ignored, 0 to 1.
    """

    KEYS = "id value"

    id: str
    value: Estimate

    @property
    def shown(self) -> int:
        """1 if the trait is shown to be there, -1 if the opposite is, 0 if neither is known."""
        least = 0.0 if self.id == "caution" else 0.5
        return int(self.value.low > least) - int(self.value.high < least)


@dataclass(frozen=True)
class Skill(Plain):
    """The result of a test: the cost per decision in usual games, and the traits."""

    KEYS = "game questions cost traits unit"

    game: str
    questions: int
    cost: Estimate
    traits: tuple[Trait, ...]
    unit: str


@dataclass
class Players:
    """Draws of the numbers of players. ignored: by draw and name."""

    precision: np.ndarray  # float64[draws]
    caution: np.ndarray  # float64[draws]
    ignored: np.ndarray  # float64[draws, names]


class SkillTest:
    """A test of skill in one game; the same answers give the same result.

    Raises LimitError for a game without a collection.
    """

    def __init__(self, game: AnyGame, rules: str = "", draws: int = DRAWS) -> None:
        """rules: a rule set whose questions alone count; empty: all of the game."""
        self.game = game
        name = game.name
        self.pool = [drill for drill in collection(name) if rules in ("", drill.rules)]
        self.usual = usual_decisions(name)
        if len(self.pool) < LEAST or not self.usual:
            raise LimitError(
                say("there are too few positions of {name} for a test of skill", name=rules or name)
            )
        self.counts: Objective = game.objectives[self.pool[0].objective]
        self.scale = self.counts.grades[1]
        reasons = game.reasons(game.rules(self.pool[0].rules))
        self.names = tuple(reasons.ignored)
        self.cautious = frozenset(reasons.cautious)
        self.players = _drawn(len(self.names), draws)
        self.logs = np.zeros(draws)
        self.asked: list[tuple[Drill, str]] = []

    def chances(self, drill: Drill, players: Players | None = None) -> np.ndarray:
        """Return float64[draws, actions]: how likely each player chooses each action."""
        by = self.players if players is None else players
        costs = np.array([choice.cost for choice in drill.choices])
        seen = np.repeat(costs[None, :], len(by.precision), axis=0)
        for at, name in enumerate(self.names):
            other = np.array([choice.seen.get(name, choice.cost) for choice in drill.choices])
            seen += by.ignored[:, at : at + 1] * (other - costs)[None, :]
        verbs = [choice.action.split()[0] for choice in drill.choices]
        wary = np.array([float(verb in self.cautious) for verb in verbs])
        scores = -by.precision[:, None] * seen / self.scale + by.caution[:, None] * wary
        scores -= scores.max(axis=1, keepdims=True)
        odds = np.exp(scores)
        chosen = odds / odds.sum(axis=1, keepdims=True)
        return np.asarray((1 - SLIPS) * chosen + SLIPS / len(costs))

    def answer(self, drill: Drill, action: str) -> None:
        """Take an answer into account."""
        at = [choice.action for choice in drill.choices].index(action)
        self.logs += np.log(self.chances(drill)[:, at])
        self.asked.append((drill, action))
        self.__dict__.pop("weights", None)

    @cached_property
    def weights(self) -> np.ndarray:
        """float64[draws]: how likely each player is after the answers; they add up to 1."""
        weights = np.exp(self.logs - self.logs.max())
        return np.asarray(weights / weights.sum())

    @property
    def over(self) -> bool:
        """Whether enough is known, or MOST questions have been answered."""
        if len(self.asked) < min(LEAST, len(self.pool)):
            return False
        if len(self.asked) >= min(MOST, len(self.pool)):
            return True
        cost = self.cost()
        return (cost.high - cost.low) / 2 <= PRECISE * cost.value

    def next_drill(self) -> Drill:
        """Return the question whose answer is expected to tell most about the player."""
        some = np.random.default_rng(len(self.asked)).choice(
            len(self.weights), LOOKED_AT, p=self.weights
        )
        players = Players(
            self.players.precision[some], self.players.caution[some], self.players.ignored[some]
        )
        done = {drill.id for drill, _ in self.asked}
        left = [drill for drill in self.pool if drill.id not in done]
        return max(left, key=lambda drill: _information(self.chances(drill, players)))

    def cost(self) -> Estimate:
        """Return what a decision of usual games costs this player on average."""
        costs = np.zeros(len(self.weights))
        for drill in self.usual:
            lost = np.array([choice.cost for choice in drill.choices])
            costs += self.chances(drill) @ lost
        return self._estimate(costs / len(self.usual))

    def result(self) -> Skill:
        """Return the cost per decision and the traits, each with its interval."""
        seems = self.players.caution * self.scale / self.players.precision
        traits = [Trait("caution", self._estimate(seems))]
        traits += [
            Trait(name, self._estimate(self.players.ignored[:, at]))
            for at, name in enumerate(self.names)
        ]
        unit = self.counts.cost_unit
        return Skill(self.game.name, len(self.asked), self.cost(), tuple(traits), unit)

    def _estimate(self, values: np.ndarray) -> Estimate:
        """The weighted mean, and the middle 95 % of the draws."""
        mean = float(self.weights @ values)
        spread = float(np.sqrt(self.weights @ (values - mean) ** 2))
        order = np.argsort(values)
        low, high = np.interp(TAILS, np.cumsum(self.weights[order]), values[order])
        bounds = min(mean, float(low)), max(mean, float(high))
        return Estimate.from_interval(mean, spread, *bounds, len(self.asked))


def _drawn(names: int, draws: int) -> Players:
    """Players drawn from the prior, always the same."""
    words = hashlib.blake2b(b"skill", digest_size=8).digest()
    random = np.random.default_rng(int.from_bytes(words, "big"))
    median, spread = PRECISION
    precision = median * np.exp(spread * random.standard_normal(draws))
    caution = CAUTION * random.standard_normal(draws)
    return Players(precision, caution, random.random((draws, names)))


def _information(chances: np.ndarray) -> float:
    """Expected information of an answer about the player, in nats. chances: by player, action."""
    mean = chances.mean(axis=0)
    among = -(mean * np.log(mean)).sum()
    within = -(chances * np.log(chances)).sum(axis=1).mean()
    return float(among - within)


def players_of(precision: float, caution: float, ignored: Sequence[float]) -> Players:
    """Return a single player, as `SkillTest.chances` takes it."""
    return Players(np.array([precision]), np.array([caution]), np.array([list(ignored)]))


def simulated(test: SkillTest, player: Sequence[float], seed: int) -> SkillTest:
    """Take a test with answers of a simulated player: precision, caution, then what it ignores.

    Returns the same test, answered.
    """
    random = np.random.default_rng(seed)
    precision, caution, *ignored = player
    one = players_of(precision, caution, ignored)
    while not test.over:
        drill = test.next_drill()
        at = random.choice(len(drill.choices), p=test.chances(drill, one)[0])
        test.answer(drill, drill.choices[int(at)].action)
    return test
