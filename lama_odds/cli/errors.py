"""Every error is a message on stderr and an exit code, never a traceback.

- 0: answered
- 2: cannot be read
- 3: nothing to decide here, or a position that cannot occur
- 4: cannot be answered within the limits
- 130: stopped by Ctrl-C before there was an answer
"""

from __future__ import annotations

import contextlib
import functools
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ParamSpec

import typer

from lama_odds.core.errors import LamaOddsError, shown_lines
from lama_odds.core.language import ENGLISH, of_environment, speaking

CANNOT = 4
INTERRUPTED = 130
# Where typer takes it from differs between its versions.
UsageError: type[Exception] = typer.BadParameter.__mro__[1]
NUMBERS = {"int": "a whole number", "integer": "a whole number", "float": "a number"}

# Options of answers for programs: these are English unless a language is given.
FOR_PROGRAMS = ("as_json", "csv", "out", "positions")

P = ParamSpec("P")


def reported(command: Callable[P, None]) -> Callable[P, None]:
    """A command whose errors end it with a message and the agreed exit code."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        def spoken() -> None:
            spoken_until.enter_context(speaking(language_of(kwargs, os.environ)))
            command(*args, **kwargs)

        with contextlib.ExitStack() as spoken_until:  # after any error message
            _run(spoken)

    return run


def _run(command: Callable[[], None]) -> None:
    try:
        command()
        sys.stdout.flush()
    except LamaOddsError as error:
        _stop(str(error), error.exit_code)
    except UsageError as error:
        _refuse(error)
    except KeyboardInterrupt:
        _stop("stopped", INTERRUPTED)
    except BrokenPipeError:
        # The reader has gone (a pager that was closed, say): nobody is left to tell.
        silence()
        sys.exit(0)
    except OSError as error:
        place = "" if error.filename is None else f"{error.filename}: "
        silence()
        _stop(f"{place}{error.strerror or error}", CANNOT)
    except MemoryError:
        _stop("out of memory", CANNOT)


def language_of(options: Mapping[str, object], environ: Mapping[str, str]) -> str:
    """Return the language of a command's answer, from its options or the environment.

    Commands without the option answer in English, and so do all for programs.
    """
    if "language" not in options:
        return ENGLISH
    given = options["language"]
    if given is not None:
        return str(given)
    return ENGLISH if any(map(options.get, FOR_PROGRAMS)) else of_environment(environ)


def _stop(message: str, code: int) -> None:
    print(f"lama-odds: {shown_lines(message)}", file=sys.stderr)
    sys.exit(code)


def silence() -> None:
    """Drop output that stdout could not take; otherwise Python tries again at exit and warns."""
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.flush()
        return
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _refuse(error: Any) -> None:
    """Report options and arguments that cannot be read: what was found, what is expected."""
    lines = [_bad_number(error) or error.format_message()]
    if error.ctx is not None:
        lines.append(f"  {error.ctx.command_path} --help shows what there is")
    _stop("\n".join(lines), error.exit_code)


def _bad_number(error: Any) -> str:
    """The message for an impossible number of an option; empty for other errors."""
    parameter: Any = getattr(error, "param", None)
    value = given(getattr(parameter, "opts", ()), sys.argv[1:])
    if value is None:
        return ""
    # Versions of typer differ in where they keep kind and bounds.
    described = getattr(parameter, "type_descriptor", None)
    if described is None:
        kind, bounds = parameter.type.name.split()[0], parameter.type
    else:
        kind, bounds = getattr(described.annotation, "__name__", ""), described.parameter_info
    if kind not in NUMBERS:
        return ""
    within = _bounds(getattr(bounds, "min", None), getattr(bounds, "max", None))
    option = max(parameter.opts, key=len)
    return f"{option} {value or repr(value)}: expected {NUMBERS[kind]}{within}"


def _bounds(low: float | None, high: float | None) -> str:
    if low is None and high is None:
        return ""
    if high is None:
        return f", {low:,} or more"
    return f", at most {high:,}" if low is None else f" from {low:,} to {high:,}"


def given(names: Sequence[str], words: Sequence[str]) -> str | None:
    """The last value of an option on a command line; None if it has none."""
    last = None
    for word, after in zip(words, [*words[1:], ""], strict=True):
        name, equals, value = word.partition("=")
        if name in names:
            last = value if equals else after
    return last
