"""Commands that ask a question: their options come from the function of `lama_odds.api`.

A command names its options in the order of its help. Each is a parameter of its own, an argument of
the question as its `api.options.Option` describes it, or one of those that all commands share.
"""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, get_args, get_origin

import typer

from lama_odds.api.asked import tell
from lama_odds.api.options import SHARED_ARGUMENTS, Argument, Option, Question
from lama_odds.cli import completion
from lama_odds.core.errors import ReadError, near_names
from lama_odds.core.language import LANGUAGES

THREADS, DASK = "threads", "dask"
EXPECTED = "expected threads, dask, tcp://HOST:PORT or tls://HOST:PORT"
_ADDRESS = re.compile(r"(tcp|tls)://(\[[0-9A-Fa-f:.]+\]|[\w.-]+):([0-9]{1,5})", re.ASCII)

Command = Callable[..., None]
AsJson = Annotated[bool, Option("Print one JSON object.", flag="--json")]
Csv = Annotated[
    Path | None,
    Option("Write all rows to a CSV file; with - to stdout, instead of the answer.", shown="FILE"),
]
Engine = Annotated[
    str,
    Option(
        "Where games are played: threads or dask processes here, or the dask scheduler at "
        "tcp://HOST:PORT or tls://HOST:PORT. The answer is the same.",
        shown="threads|dask|ADDRESS",
    ),
]
Language = Annotated[
    str | None,
    Option(
        f"Of the answer: {', '.join(LANGUAGES)} (default: that of the environment; English in JSON "
        "and rows).",
        choices=tuple(LANGUAGES),
        shown="LANGUAGE",
    ),
]
Plot = Annotated[Path | None, Option("Draw it, as .svg or .png.", shown="FILE")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Show all figures and assumptions.")]
# What commands share: options of their own, each with its default, and arguments of questions.
SHARED: dict[str, tuple[Any, Any]] = {
    "as_json": (AsJson, False),
    "csv": (Csv, None),
    "engine": (Engine, THREADS),
    "language": (Language, None),  # `errors.reported` uses it
    "plot": (Plot, None),
    "verbose": (Verbose, False),
}
_TYPES: dict[str, Any] = {
    **{"flag": bool, "whole": int, "number": float, "text": str},
    **{"path": Path, "names": list[str]},
}


def asks(names: str, function: Callable[..., Any] | None = None) -> Callable[[Command], Command]:
    """Give a command its options. function: what answers its question.

    names: of all options, in the order of its help. The command gets what it declares, by name; as
    ``options`` the arguments of the question that are given, a dict.
    """
    question: Question = getattr(function, "question", Question({}, ()))
    question = replace(question, arguments={**SHARED_ARGUMENTS, **question.arguments})

    def declared(command: Command) -> Command:
        own = dict(inspect.signature(command, eval_str=True).parameters)
        made = [_parameter(name, own.get(name), question) for name in names.split()]

        @functools.wraps(command)
        def run(**given: Any) -> None:
            values = {
                name: value
                for name, value in given.items()
                if name in question.arguments and name not in own and value is not None
            }
            _check(question, values)
            arguments = {name: given.get(name, values) for name in own}
            with engine_used(given.get("engine", THREADS), given.get("threads")):
                command(**arguments)

        run.__signature__ = inspect.Signature(made)  # type: ignore[attr-defined]
        run.__annotations__ = {parameter.name: parameter.annotation for parameter in made}
        return run

    return declared


def _check(question: Question, values: dict[str, Any]) -> None:
    """Raise ReadError for what cannot be used, except for values that the command makes."""
    arguments = question.arguments
    made = {name for name in values if arguments[name].option.typed}
    question.check(values, lambda name: flag_of(arguments[name]), skipped=made)


def _parameter(name: str, own: inspect.Parameter | None, question: Question) -> inspect.Parameter:
    """Return the parameter of one option, as typer reads it."""
    if own is not None and get_origin(own.annotation) is Annotated:
        return _described(name, own.annotation, own.default)
    if name in SHARED:
        return _described(name, *SHARED[name])
    return _asked(question.arguments[name])


def _described(name: str, declared: Any, default: Any) -> inspect.Parameter:
    """Return the parameter of an option of a command alone: an `Option`, or one of typer itself."""
    type_, option = get_args(declared)
    if not isinstance(option, Option):
        kind = inspect.Parameter.KEYWORD_ONLY
        return inspect.Parameter(name, kind, annotation=declared, default=default)
    kinds = get_args(type_) if isinstance(type_, UnionType) else (type_,)
    typed = next(kind for kind in kinds if kind is not NoneType)
    return _asked(Argument(name, type_, replace(option, typed=typed), default))


def _asked(argument: Argument) -> inspect.Parameter:
    """Return the parameter of an argument of the question."""
    option = argument.option
    default = None if option.usual or argument.default == () else argument.default
    type_ = option.typed or _TYPES[argument.kind]
    if default is None:
        type_ = type_ | None
    meaning = option.meaning
    if option.usual:
        meaning = f"{meaning.removesuffix('.')} (default: {option.usual})."
    more: dict[str, Any] = {"help": meaning, "metavar": option.shown or None}
    if option.offers:
        more["autocompletion"] = getattr(completion, option.offers)
    elif option.choices:
        more["autocompletion"] = completion.one_of(*option.choices)
    if option.argument:
        described: Any = typer.Argument(**more)
    else:
        if argument.kind == "whole" and option.most is not None:
            more |= {"min": option.least, "max": int(option.most)}
        described = typer.Option(flag_of(argument), **more)
    return inspect.Parameter(
        argument.name,
        inspect.Parameter.KEYWORD_ONLY,
        annotation=Annotated[type_, described],
        default=default,
    )


def flag_of(argument: Argument) -> str:
    """Return the name of an argument on the command line."""
    if argument.option.argument:
        return argument.option.shown
    return argument.option.flag or f"--{argument.name.replace('_', '-')}"


# The option ``--engine``: where the games are played.


@contextmanager
def engine_used(engine: str, threads: int | None) -> Iterator[None]:
    """Play on an engine; raise ReadError if there is none of this name."""
    if engine == THREADS:
        yield
        return
    scheduler = None if engine == DASK else engine
    if scheduler is not None:
        check_scheduler(scheduler, threads)
    from lama_odds.simulation.dask_engine import cluster
    from lama_odds.simulation.run import default_threads, using

    with cluster(scheduler, threads or default_threads(), tell) as opened, using(opened):
        yield


def check_scheduler(address: str, threads: int | None) -> None:
    """ReadError for a name that is neither an engine nor an address, and for threads beside one."""
    match = _ADDRESS.fullmatch(address)
    if match is None and ":" not in address:
        hints = near_names(address, (THREADS, DASK))
        raise ReadError(f"--engine {address}: {EXPECTED}", hints=hints)
    if match is None or not 0 < int(match[3]) < 65536:
        raise ReadError(f"--engine: {EXPECTED}", address, 0)
    if threads is not None:
        raise ReadError(f"--threads is for this machine: the workers of {address} have theirs")
    if match[1] == "tcp" and not _is_here(match[2]):
        warning = "nothing is encrypted, and anybody who can reach it can run code; see tls://"
        tell(f"{address}: {warning}")


def _is_here(host: str) -> bool:
    """Whether a host's name or address is this machine's own, for certain."""
    import ipaddress

    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"
