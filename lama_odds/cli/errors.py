"""What every error looks like: a message on stderr and an exit code, never a traceback.

0 answered, 2 cannot be read, 3 cannot occur, 4 cannot be answered within the
limits, 130 stopped by Ctrl-C before there was an answer.
"""

from __future__ import annotations

import contextlib
import functools
import os
import sys
from collections.abc import Callable
from typing import ParamSpec

from lama_odds.core.errors import LamaOddsError

CANNOT = 4
INTERRUPTED = 130

P = ParamSpec("P")


def reported(command: Callable[P, None]) -> Callable[P, None]:
    """A command whose errors end it with a message and the agreed exit code."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            command(*args, **kwargs)
            sys.stdout.flush()
        except LamaOddsError as error:
            _stop(str(error), error.exit_code)
        except KeyboardInterrupt:
            _stop("stopped", INTERRUPTED)
        except BrokenPipeError:
            # The reader has gone (a pager that was closed, say): nobody is left to tell.
            with contextlib.suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(0)
        except OSError as error:
            _stop(str(error), CANNOT)
        except MemoryError:
            _stop("out of memory", CANNOT)

    return run


def _stop(message: str, code: int) -> None:
    print(f"lama-odds: {message}", file=sys.stderr)
    sys.exit(code)
