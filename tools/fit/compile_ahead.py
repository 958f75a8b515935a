"""Choose what a second process compiles while the first one compiles the rest (see `jit.ahead`).

For each typical question of a game, what it compiles is noted. Then it is played through how long
two processes would take, and functions are handed to the second one as long as that helps.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from lama_odds.analysis.warm.questions import ADVISE, typical_questions
from lama_odds.games.registry import built_in
from tools.fit.compile_log import Function, logged
from tools.publishing.target import Making, Target

FILE = "data/compiled_ahead.json"
EDITIONS = ("dice/amigo", "lama/egmont", "noprob/starnberger")  # Pikomino compiles too little
LOADING = 0.02  # seconds to read from the cache what the other process has compiled
LEAST = 0.05  # seconds that are worth a line in the file
WORTHWHILE = 0.5  # seconds that are worth a second process
LARGE = 1.0  # seconds of a kernel that tells questions apart; small ones are those of many


class Pace:
    """Two processes that compile; `took` says when the first one has all it needs.

    Each compiles what a function needs before the function, in the same order. What the other one
    is compiling, it waits for; what the other has compiled, it loads.
    """

    def __init__(self, functions: Sequence[Function]) -> None:
        self.functions = functions
        needed = {each for function in functions for each in function.needs}
        self.first = [number for number in range(len(functions)) if number not in needed]

    def took(self, second: Sequence[int]) -> float:
        """Return the seconds if the second process is handed these functions."""
        clock, done, by = [0.0, 0.0], dict[int, float](), dict[int, int]()
        agents = [self._steps(0, self.first, clock, done, by)]
        agents.append(self._steps(1, second, clock, done, by))
        ended = [False, False]
        while not ended[0]:
            who = 1 if not ended[1] and clock[1] < clock[0] else 0
            try:
                next(agents[who])
            except StopIteration:
                ended[who] = True
        return clock[0]

    def _steps(self, me: int, listed: Sequence[int], clock: Any, done: Any, by: Any) -> Any:
        """Compile what is listed; a step ends whenever this process has taken time."""
        for number in listed:
            yield from self._compile(number, me, clock, done, by, set())

    def _compile(
        self, number: int, me: int, clock: Any, done: Any, by: Any, loaded: set[int]
    ) -> Any:
        if by.get(number) == me and number in done:
            return
        while number in by and number not in done:  # the other one has begun
            clock[me] = clock[1 - me] + 1e-9
            yield
        if number in done:
            clock[me] = max(clock[me], done[number]) + (0 if number in loaded else LOADING)
            loaded.add(number)
            yield
            return
        by[number] = me
        for each in self.functions[number].needs:
            yield from self._compile(each, me, clock, done, by, loaded)
        clock[me] += self.functions[number].seconds
        yield
        done[number] = clock[me]


def begun_at(functions: Sequence[Function], kernel: int) -> list[Function]:
    """Return the functions as they are when this kernel is begun: what came before is there."""
    return [
        replace(each, seconds=0.0, needs=[]) if number < kernel else each
        for number, each in enumerate(functions)
    ]


def within(functions: Sequence[Function], kernel: int) -> float:
    """Return the seconds of a function with all that it needs."""
    needed, waiting = set[int](), [kernel]
    while waiting:
        number = waiting.pop()
        if number not in needed:
            needed.add(number)
            waiting += functions[number].needs
    return sum(functions[number].seconds for number in needed)


def handed_over(functions: Sequence[Function]) -> tuple[list[int], float, float]:
    """Return what the second process should compile, and the seconds without and with it."""
    pace = Pace(functions)
    chosen: list[int] = []
    alone = best = pace.took(chosen)
    kernel = next((each for each in pace.first if functions[each].seconds), None)
    candidates = [
        number for number, each in enumerate(functions) if each.seconds and number != kernel
    ]
    while candidates:
        trials = [(pace.took([*chosen, number]), number) for number in candidates]
        seconds, number = min(trials)
        if best - seconds < LEAST:
            break
        best = seconds
        chosen.append(number)
        candidates.remove(number)
    return chosen, alone, best


def entry(
    functions: Sequence[Function], kernel: int, chosen: Sequence[int], types: list[Any]
) -> Any:
    """Return what the file says; types: what is named by number, added to where needed."""

    def numbered(given: Sequence[Any]) -> list[int]:
        for each in given:
            if each not in types:
                types.append(each)
        return [types.index(each) for each in given]

    then = [
        [each.module, each.name, each.part, numbered(each.types)]
        for each in (functions[number] for number in chosen)
    ]
    return {"first": numbered(functions[kernel].types), "then": then}


def make(making: Making) -> None:
    """Note what typical questions compile, and write what the second process is handed."""
    questions: dict[str, Any] = {}
    games = [game.name for game in built_in()]
    rules = [text for text in EDITIONS if text.split("/")[0] in games]
    asked = [each for each in typical_questions(rules) if each.command == ADVISE and not each.aim]
    for question in asked:
        functions = logged(question.rules, question.text)
        for kernel in Pace(functions).first:
            left = begun_at(functions, kernel)
            chosen, alone, together = handed_over(left)
            if within(left, kernel) < LARGE or alone - together < WORTHWHILE:
                continue
            making.tell(f"{question}: {alone:.1f} s alone, {together:.1f} s with a second process")
            first = functions[kernel]
            place = questions.setdefault(f"{first.module}:{first.name}", {"types": [], "needs": []})
            found = entry(functions, kernel, chosen, place["types"])
            if all(found["first"] != other["first"] for other in place["needs"]):
                place["needs"].append(found)
    content = {"made_by": making.made_by, "questions": questions}
    making.write(FILE, json.dumps(content, indent=1) + "\n")


TARGET = Target(
    name="compiled-ahead",
    what="what a second process compiles while the first question compiles the rest",
    make=make,
    writes=(FILE,),
    options={},
)
