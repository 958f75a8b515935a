"""A process that compiles: it reads questions from stdin and writes what each one compiled.

One line of JSON each. It ends when nobody writes to it any more.
"""

from __future__ import annotations

import signal
import sys

from lama_odds import jit
from lama_odds.analysis.warm.warm import Question, ask
from lama_odds.core.errors import LamaOddsError
from lama_odds.core.strict_json import from_json, to_json
from lama_odds.jit.sources import made_so_far


def main() -> None:
    """Answer questions until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that began this one decides
    jit.alone()
    answers, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        before, reason = made_so_far(), ""
        try:
            ask(Question(*from_json(line)))
        except LamaOddsError as error:
            reason = str(error)
        made = made_so_far()
        functions, tables = made.functions - before.functions, made.tables - before.tables
        print(to_json([functions, tables, reason]), file=answers, flush=True)
