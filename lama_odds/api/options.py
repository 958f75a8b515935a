"""The arguments of questions: the meaning, bounds and names of each, declared once.

A function of `lama_odds.api` declares its arguments as ``Annotated[type, Option(…)]``. `question`
checks them at each call, and explains them in the docstring. The commands make their options from
the same declarations, see `cli.asking`.
"""

from __future__ import annotations

import functools
import inspect
import re
import sys
import textwrap
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    ParamSpec,
    TypedDict,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
)

from lama_odds.core import checks
from lama_odds.core.progress import StageProgress

P = ParamSpec("P")
T = TypeVar("T")

MAX_GAMES = 1 << 40  # for which there are random numbers (see `luck.stream`)
FEWEST_ROLLOUTS = 1_000  # below which no position is valued: `statistics.intervals.FEWEST`
MAX_THREADS = 256
MAX_SEED = (1 << 63) - 1
NAMED_SO = "a name, best or @FILE"
_WIDTH = 96  # of lines of a docstring, without their indentation
_DASHED = re.compile(r"(?<![\w-])--([a-z][a-z-]*)")
# What commands say of their arguments, and what functions do.
_IN_PYTHON = {
    "; repeatable": "",
    ", in quotes or without": "",
    "same command": "same call",
    "RULES_A": "the first rule set",
    "of RULES": "of rules",
    "POSITION": "position",
}


@dataclass(frozen=True)
class Option:
    """One argument of a question.

    meaning: what it is, for the help of the command and for Python. python: what else to know in
    Python. least, most: bounds of a number; a whole number without `most` is checked by the
    question itself. choices: the names that it may be.

    The rest is for the command line. flag: the name, if it is not that of the argument. shown: what
    the help shows for its value. offers: which names the shell completes (see `cli.completion`);
    default: the choices. argument: whether it is known by its place. typed: the type of what is
    typed, if the command makes the value of it. usual: in words, what the command takes if nothing
    is typed.
    """

    meaning: str = ""
    python: str = ""
    least: int = 0
    most: float | None = None
    choices: tuple[str, ...] = ()
    flag: str = ""
    shown: str = ""
    offers: str = ""
    argument: bool = False
    typed: Any = None
    usual: str = ""

    def check(self, kind: str, value: Any, name: str) -> None:
        """Raise ReadError for a value that is not of its kind; name: what the message calls it."""
        if kind == "flag":
            checks.check_flag(value, name)
        elif kind == "whole" and self.most is not None:
            checks.check_whole(value, self.least, int(self.most), name, needed=True)
        elif kind == "number":
            checks.check_above_0(value, self.most or checks.MAX_PRECISION, name)
        elif kind == "text":
            checks.check_text(value, name, needed=True)
            checks.check_choice(value, self.choices, name)
        elif kind == "path":
            checks.check_path(value, name, needed=True)
        elif kind == "function":
            checks.check_function(value, name)


_KINDS = {bool: "flag", int: "whole", float: "number", str: "text"}


def kind_of(type_: Any) -> tuple[str, bool]:
    """Return what an argument of a type is, in a word, and whether it may be None."""
    kinds = get_args(type_) if isinstance(type_, UnionType) else (type_,)
    plain = [kind for kind in kinds if kind is not NoneType]
    if set(plain) == {str, Path}:
        return "path", NoneType in kinds
    origins = {get_origin(kind) or kind for kind in plain}
    if origins == {Callable}:
        return "function", NoneType in kinds
    one = _KINDS.get(plain[0], "other") if len(plain) == 1 else "other"
    names = {Iterable[str], str} >= set(plain) != {str}
    return "names" if names else one, NoneType in kinds


@dataclass(frozen=True)
class Argument:
    """An argument of a question as its function declares it; `inspect.Parameter.empty`: needed."""

    name: str
    type: Any
    option: Option
    default: Any

    @property
    def kind(self) -> str:
        """What it is, in a word: see `kind_of`."""
        return kind_of(self.type)[0]

    def check(self, value: Any, name: str) -> None:
        """Raise ReadError for a value that it cannot be; name: what the message calls it."""
        kind, can_be_none = kind_of(self.type)
        if not (value is None and can_be_none):
            self.option.check(kind, value, name)


@dataclass(frozen=True)
class Question:
    """The arguments of a function, and of which of them at most one may be given."""

    arguments: Mapping[str, Argument]
    alternatives: tuple[tuple[str, ...], ...]

    def check(
        self,
        given: Mapping[str, Any],
        named: Callable[[str], str] = str,
        skipped: Collection[str] = (),
    ) -> None:
        """Raise ReadError for values that cannot be used.

        named: what messages call an argument. skipped: names of values that are not looked at.
        """
        for names in self.alternatives:
            checks.check_one({named(name): given.get(name) for name in names})
        for name, value in given.items():
            if name not in skipped:
                self.arguments[name].check(value, named(name))


def question(*alternatives: tuple[str, ...]) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Declare a function as a question: its arguments are checked, and explained in its docstring.

    alternatives: names of which at most one may be given.
    """

    def declared(function: Callable[P, T]) -> Callable[P, T]:
        arguments = list(_arguments_of(function))
        made = Question({a.name: a for _, a in arguments}, alternatives)
        signature = inspect.signature(function).replace(
            parameters=[
                inspect.Parameter(a.name, kind, default=a.default, annotation=a.type)
                for kind, a in arguments
            ]
        )

        @functools.wraps(function)
        def asked(*args: P.args, **kwargs: P.kwargs) -> T:
            given = signature.bind(*args, **kwargs)
            made.check(given.arguments)
            given.apply_defaults()
            return function(*given.args, **given.kwargs)

        asked.__signature__ = signature  # type: ignore[attr-defined]
        asked.__doc__ = _explained(function.__doc__ or "", made)
        asked.question = made  # type: ignore[attr-defined]
        return asked

    return declared


def _arguments_of(function: Callable[..., Any]) -> Iterator[tuple[Any, Argument]]:
    """Yield the arguments of a function, each with its kind; one is its type with its `Option`.

    ``**how: Unpack[Shared]`` stands for the arguments that several questions share, see `Playing`.
    """
    for name, parameter in inspect.signature(function).parameters.items():
        annotation = eval(parameter.annotation, vars(sys.modules[function.__module__]))
        if parameter.kind is not parameter.VAR_KEYWORD:
            type_, option = get_args(annotation)
            yield parameter.kind, Argument(name, type_, option, parameter.default)
            continue
        (together,) = get_args(annotation)
        for shared, hint in get_type_hints(together, include_extras=True).items():
            type_, option = get_args(hint)
            default = None if kind_of(type_)[1] else type_()
            yield parameter.KEYWORD_ONLY, Argument(shared, type_, option, default)


def _explained(text: str, question: Question) -> str:
    """Return a docstring with the meaning of each argument after its first paragraph."""
    first, _, rest = inspect.cleandoc(text).partition("\n\n")
    lines = []
    for name, argument in question.arguments.items():
        meaning = f"{name}: {argument.option.meaning} {argument.option.python}".strip()
        meaning = _DASHED.sub(lambda dashed: dashed[1].replace("-", "_"), meaning)
        for words, ours in _IN_PYTHON.items():
            meaning = meaning.replace(words, ours)
        lines += textwrap.wrap(
            " ".join(meaning.split()), _WIDTH, subsequent_indent="  ", break_on_hyphens=False
        )
    return "\n\n".join((first, "\n".join(lines), rest))


# Arguments that several questions share.

Rules = Annotated[
    str,
    Option(
        "Rule set, for example lama/egmont+twenty, or a variant in a file: @FILE.",
        argument=True,
        shown="RULES",
        offers="rule_sets",
    ),
]
Players = Annotated[int, Option("Number of players.", usual="4, or the most that can play")]
PolicyOfAll = Annotated[
    str | None, Option(f"Everybody's policy ({NAMED_SO}).", shown="POLICY", offers="policies")
]
Threads = Annotated[
    int | None,
    Option(
        "Threads (default: all processors).",
        "The numbers do not depend on it.",
        least=1,
        most=MAX_THREADS,
    ),
]
Seed = Annotated[int, Option("The same seed gives the same answer, bit for bit.", most=MAX_SEED)]
Run = Annotated[
    str | Path | None,
    Option(
        "Keep the games in this folder. The same command resumes where it was stopped; with more "
        "games only the new ones are played.",
        shown="DIR",
    ),
]
OnProgress = Annotated[
    StageProgress | None,
    Option(python="Called with the share done, 0 to 1, and what is being done."),
]


class Playing(TypedDict, total=False):
    """How games are played: what questions that play them share.

    An argument that is not given is None, or the empty value of its type.
    """

    threads: Threads
    seed: Seed
    run: Run
    progress: OnProgress


_NAMED: tuple[tuple[str, Any, Any], ...] = (
    ("rules", Rules, inspect.Parameter.empty),
    ("players", Players, inspect.Parameter.empty),
    ("run", Run, None),
    ("seed", Seed, 0),
    ("threads", Threads, None),
)
# The same by name, for commands without such a function.
SHARED_ARGUMENTS = {
    name: Argument(name, type_, option, default)
    for name, declared, default in _NAMED
    for type_, option in [get_args(declared)]
}
