"""Compares the page without a server with the command: ``python -m tools.browser.asked``.

Questions of all rule sets, with their options, numbers of players, objectives and opponents, are
answered by Python and by the engine in Chromium. Both must give the same, bit for bit:
values, errors, intervals, verdicts and reasons. What is about time is left out.
"""

from __future__ import annotations

import argparse
import json
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import product
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

from lama_odds.core.errors import LamaOddsError
from lama_odds.core.language import ENGLISH, LANGUAGES, speaking
from lama_odds.games.dice.solvers import solve
from lama_odds.games.registry import GAMES, game_of
from lama_odds.web.guard import error_of
from lama_odds.web.questions import question_of
from tools.browser.engine import ENGINE
from tools.browser.questions import questions
from tools.browser.stand_ins.lama_odds.web.answering import MOST_STATES, MOST_WON

EACH = 1_000  # games of an answer
TIMES = frozenset(("seconds", "each"))
CHROMIUM = ("/usr/bin/chromium", "/usr/bin/chromium-browser")
MOST_SHOWN = 3
AT_ONCE = 50  # questions to one page
SCRIPT = Path(__file__).with_name("asked.js")  # what asks in a page

Question = tuple[str, dict[str, Any]]  # the command and its options
# Texts that cannot be read, and positions that cannot occur: the words are the same, too.
REFUSED: tuple[Question, ...] = (
    ("odds", {"rules": "lama/amigo", "position": "hand=3356L top=9 opp=4"}),
    ("odds", {"rules": "lama/amigoo", "position": "hand=3356L top=4 opp=4"}),
    ("advise", {"rules": "lama/amigo+drma", "position": "hand=33 top=4 opp=3"}),
    ("advise", {"rules": "lama/amigo", "position": "hand=33333333356L top=4 opp=4"}),
    ("advise", {"rules": "lama/amigo", "position": "hnd=33 top=4"}),
    ("advise", {"rules": "dice/amigo", "position": "hand=25L row=1346L opp=13,6LLLLLLLLL"}),
    ("advise", {"rules": "pikomino/egmont", "position": "kept=444W rolled=99"}),
    ("odds", {"rules": "dice/amigo", "position": "deal"}),
    ("odds", {"rules": "noprob/starnberger", "position": "deal"}),
)


def every_question() -> list[Question]:
    """Return all questions, each once, in order of the games."""
    by_text: dict[str, Question] = {}
    for game in GAMES:
        for rules, position, aims, opponents in questions(game, tuple(game_of(game).objectives)):
            group: list[Question] = [("odds", {"rules": rules, "position": position})]
            for aim, others in product(aims, opponents or (None,)):
                more = {"objective": aim, "opponents": others}
                given = {name: value for name, value in more.items() if value is not None}
                whole = {"rules": rules, "position": position, "games": EACH, **given}
                group.append(("advise", whole))
            by_text |= {json.dumps(question): question for question in group}
    return [*by_text.values(), *REFUSED]


def chosen(count: int, seed: int = 0) -> list[Question]:
    """Return this many questions by chance, in their order; all if there are no more."""
    known = every_question()
    places = sorted(Random(seed).sample(range(len(known)), min(count, len(known))))
    return [known[place] for place in places]


def answered(questions: Sequence[Question], language: str = ENGLISH) -> list[Any]:
    """Return what Python answers; it samples what the page samples, see `answering`."""
    with mock.patch.multiple(solve, MOST_STATES=MOST_STATES, MOST_WON=MOST_WON), speaking(language):
        return _answered(questions)


def _answered(questions: Sequence[Question]) -> list[Any]:
    answers = []
    for what, options in questions:
        try:
            answers.append(question_of(what, dict(options)).asked(1, lambda early: None))
        except LamaOddsError as error:
            answers.append(error_of(error))
    return json.loads(json.dumps(answers))  # type: ignore[no-any-return]


def in_chromium(batch: Sequence[Question], engine: Path, language: str = ENGLISH) -> list[Any]:
    """Return what the engine answers in a headless Chromium; it comes from a server here."""
    from playwright.sync_api import sync_playwright

    path = next(path for path in CHROMIUM if Path(path).exists())
    with hosted(engine) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(f"{address}/files.js")
        answers: list[Any] = page.evaluate(
            SCRIPT.read_text(encoding="utf-8"), [f"{address}/answerer.js", list(batch), language]
        )
        browser.close()
    return answers


def both(
    questions: Sequence[Question], engine: Path, language: str = ENGLISH
) -> Iterator[tuple[Question, Any, Any]]:
    """Yield each question with the answers of the engine and of Python, which work side by side.

    The page is closed now and then: it keeps the tables of every rule set of a question.
    """
    with ThreadPoolExecutor(1) as other:
        for first in range(0, len(questions), AT_ONCE):
            part = questions[first : first + AT_ONCE]
            wanted = other.submit(answered, part, language)
            answers = in_chromium(part, engine, language)
            yield from zip(part, answers, wanted.result(), strict=True)


class Quiet(SimpleHTTPRequestHandler):
    """Files, without a line for each request."""

    def log_message(self, *words: Any) -> None:
        """Say nothing."""


@contextmanager
def hosted(folder: Path) -> Iterator[str]:
    """Yield the address of a folder, which is served on this machine meanwhile."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def differences(got: Any, wanted: Any, path: str = "") -> list[str]:
    """Return where two answers differ, in words."""
    if isinstance(got, dict) and isinstance(wanted, dict):
        names = sorted({*got, *wanted} - TIMES)
        parts = ((got.get(n), wanted.get(n), f"{path}.{n}") for n in names)
    elif isinstance(got, list) and isinstance(wanted, list) and len(got) == len(wanted):
        parts = ((a, b, f"{path}[{i}]") for i, (a, b) in enumerate(zip(got, wanted, strict=True)))
    else:
        return [] if got == wanted else [f"{path}: {got!r}, expected {wanted!r}"]
    return [line for one in parts for line in differences(*one)]


def main() -> None:
    """Ask, and show a table by game; the exit code is 1 if any answers differ."""
    parser = argparse.ArgumentParser(prog="python -m tools.browser.asked", description=__doc__)
    parser.add_argument("--count", type=int, default=1_000, help="questions (default: 1,000)")
    parser.add_argument("--seed", type=int, default=0, help="which of all (default: 0)")
    parser.add_argument("--engine", type=Path, default=ENGINE, help="the engine, already built")
    parser.add_argument("--language", choices=LANGUAGES, default=ENGLISH, help="of the answers")
    given = parser.parse_args()
    questions = chosen(given.count, given.seed)
    total: Counter[str] = Counter()
    same: Counter[str] = Counter()
    for (what, options), got, wanted in both(questions, given.engine, given.language):
        game = options["rules"].partition("/")[0]
        apart = differences(got, wanted)
        total[game] += 1
        same[game] += not apart
        for line in apart[:MOST_SHOWN]:
            print(f"{what} {options}: {line}"[:400])
    for game in total:
        print(f"{game}: {same[game]:,} of {total[game]:,} answers are the same")
    raise SystemExit(same != total)


if __name__ == "__main__":
    main()
