"""``lama-odds train``: positions to decide, the answers, and a test of skill."""

from __future__ import annotations

from datetime import date
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from lama_odds.api.asked import read_stored_rules
from lama_odds.api.options import Option
from lama_odds.api.positions import training_file
from lama_odds.cli.asking import asks
from lama_odds.cli.common import note, progress_bar, record_text, start_kernels
from lama_odds.cli.play_loop import Screen
from lama_odds.core.errors import LamaOddsError, LimitError, ReadError, near_names
from lama_odds.core.files import check_outputs, write_output
from lama_odds.core.language import say, say_count
from lama_odds.core.reading import STDIN

if TYPE_CHECKING:
    from lama_odds.analysis.coach.drills import Drill
    from lama_odds.analysis.coach.training import Log
    from lama_odds.core.progress import StageProgress

QUESTIONS = 10
EXAMPLES = """
lama-odds train dice/amigo

lama-odds train lama --questions 20

lama-odds train --from game.txt

lama-odds train lama --test

lama-odds train dice --export anki > cards.txt

You decide first: type the number of an action, or the action. Then you see what is best, what your
choice cost, and why. A toss-up is never a question. ? shows the answer without a choice, and quit!
leaves. What you missed comes back at once, after 3 days, and after 10. After three right answers in
a row it is retired. Every answer is kept in one text file in your data folder, which you can read.

With --from the positions are the costly decisions of games that you recorded. With --test 20 to 30
questions estimate what a decision of yours costs, and what kind of player you are.
"""
From = Annotated[
    Path | None,
    Option(
        "Train with your own costly decisions: a record, or a folder of records.",
        flag="--from",
        shown="FILE",
    ),
]


@asks("rules source questions test export out language")
def train(
    rules: Annotated[
        str | None,
        Option(
            "A game (lama, dice, pikomino, noprob) or a rule set; not needed with --from.",
            argument=True,
            shown="RULES",
            offers="rule_sets",
        ),
    ] = None,
    source: From = None,
    questions: Annotated[
        int | None,
        Option(
            f"Questions of this session (default: {QUESTIONS}), or cards of --export (default: "
            "all).",
            least=1,
            most=1000,
        ),
    ] = None,
    test: Annotated[bool, Option("Estimate your skill, with 20 to 30 questions.")] = False,
    export: Annotated[
        str | None, Option("Print the positions as cards for Anki.", shown="anki")
    ] = None,
    out: Annotated[
        Path | None, Option("Where the cards go (default: stdout).", shown="FILE")
    ] = None,
) -> None:
    """Train with positions: you decide first, then see the answer and why."""
    _check(rules, source, questions, test, export, out)
    start_kernels()
    from lama_odds.analysis.coach.training import read_log, suits
    from lama_odds.games.registry import in_our_names

    log = read_log(training_file())
    for message in log.notes:
        note(message)
    prefix = in_our_names(rules or "")
    name = _game_name(prefix)
    if export is not None:
        _export(name, prefix, source, questions, out)
        return
    screen = Screen()
    if test:
        _test(name, prefix, log, screen)
        return
    own = [drill for drill in _own(source) if suits(drill.rules, prefix)]
    most = QUESTIONS if questions is None else questions
    _session(_chosen(log, name, prefix, own, source is not None, most), log, screen)


def _check(
    rules: str | None,
    source: Path | None,
    questions: int | None,
    test: bool,
    export: str | None,
    out: Path | None,
) -> None:
    """Raise ReadError for options that do not go together."""
    if rules is None and source is None:
        raise ReadError(
            say("missing argument 'RULES': a game or a rule set, for example dice/amigo")
        )
    if test and questions is not None:
        raise ReadError(say("--test asks as many questions as it needs: leave out --questions"))
    if test and (source is not None or export is not None):
        raise ReadError(say("--test asks shipped positions: leave out --from and --export"))
    if export not in (None, "anki"):
        hints = near_names(str(export), ["anki"])
        message = say("unknown --export {name}, expected anki", name=repr(export))
        raise ReadError(message, export, 0, hints)
    if out is not None and export is None:
        raise ReadError(say("--out is where --export goes: give --export anki"))
    check_outputs({"--out": out})


def _game_name(rules: str) -> str:
    """The game of what is trained, a game or a rule set; ReadError if there is none."""
    if not rules:
        return ""
    from lama_odds.games.registry import names

    if rules in names():
        return rules
    if "/" not in rules:
        message = say("unknown game {name}", name=repr(rules))
        raise ReadError(message, rules, 0, near_names(rules, names()))
    return read_stored_rules(rules)[0].name


def _own(source: Path | None) -> list[Drill]:
    """The drills of your own records, costly ones first."""
    if source is None:
        return []
    from lama_odds.analysis.coach.drills import drills_of_record

    files = sorted(source.glob("*.txt")) if source.is_dir() else [source]
    drills: list[Drill] = []
    with progress_bar("reviewing") as progress:
        for number, file in enumerate(files, 1):
            file_progress = progress and partial(_in_file, progress, number, len(files))
            kept_beside = file if file != STDIN else None
            try:
                drills += drills_of_record(record_text(file), kept_beside, file_progress)
            except LamaOddsError as error:
                if not source.is_dir():
                    raise
                note(say("{file} is skipped: {error}", file=file.name, error=error))
    if not drills:
        raise LimitError(
            say("{file} has no decision that is shown to have cost something", file=source)
        )
    return drills


def _in_file(progress: StageProgress, number: int, files: int, part: float, what: str) -> None:
    """Report progress within one of several files."""
    progress((number - 1 + part) / files, f"{what}, game {number} of {files}")


def _chosen(
    log: Log, name: str, prefix: str, own: list[Drill], only_own: bool, questions: int
) -> list[Drill]:
    """The questions of a session: your own, or what is due and then shipped ones."""
    from lama_odds.analysis.coach.training import upcoming

    shipped = () if only_own else upcoming(log.answers, name, prefix, date.today())
    every = {drill.id: drill for drill in (*own, *islice(shipped, questions))}
    drills = list(every.values())
    if not drills:
        raise LimitError(say("there are no positions of {name} to train with", name=prefix or name))
    return drills[:questions]


def _session(drills: list[Drill], log: Log, screen: Screen) -> None:
    """Ask the drills, then again what was missed."""
    from lama_odds.analysis.coach.training import standings
    from lama_odds.report.text.train import summary_text

    answered: list[Drill] = []
    chosen: list[str] = []
    missed: list[Drill] = []
    left = False
    for number, drill in enumerate(drills, 1):
        head = say("Question {number} of {total}", number=number, total=len(drills))
        action = _ask(drill, head, screen)
        if action is None:
            left = True
            break
        answered.append(drill)
        chosen.append(action)
        if not log.note(drill, action, date.today()):
            missed.append(drill)
    for drill in [] if left else missed:
        action = _ask(drill, say("Again"), screen)
        if action is None:
            break
        log.note(drill, action, date.today())
    names = {drill.id for drill in answered}
    every = standings(log.answers)
    waiting = sum(every[name].due is not None for name in names)
    print(summary_text(answered, chosen, waiting))


def _ask(drill: Drill, head: str, screen: Screen) -> str | None:
    """Ask one position and show the answer; "" for no choice, None if the player leaves."""
    from lama_odds.analysis.coach.drills import why_not
    from lama_odds.report.text.train import choices_of, question_lines, shown_action, verdict_lines

    actions = choices_of(drill)
    print(f"{head} · {question_lines(drill)[0]}")
    print("\n".join(question_lines(drill)[1:]))
    for number, action in enumerate(actions, 1):
        print(f"  {number:>2}  {shown_action(drill, action)}")
    while True:
        typed = screen.read("> ")
        if typed is None or typed.strip().lower() == "quit!":
            return None
        words = " ".join(typed.split())
        if words == "?":
            action = ""
            break
        choice = _typed(words, actions, [shown_action(drill, option) for option in actions])
        if choice is not None:
            action = choice
            break
        print(
            say(
                "found {text}, expected a number from 1 to {most}, or an action",
                text=repr(words),
                most=len(actions),
            )
        )
    print("\n".join(verdict_lines(drill, action, why_not(drill, action))))
    print()
    return action


def _typed(words: str, actions: list[str], shown: list[str]) -> str | None:
    """The action that was typed: by number, by name, or by its first letters if only one fits."""
    if words.isdecimal() and 1 <= int(words) <= len(actions):
        return actions[int(words) - 1]
    for named in (actions, shown):
        if words.lower() in [name.lower() for name in named]:
            return actions[[name.lower() for name in named].index(words.lower())]
    fits = [
        action
        for action, other in zip(actions, shown, strict=True)
        if words and other.lower().startswith(words.lower())
    ]
    return fits[0] if len(fits) == 1 else None


def _test(name: str, prefix: str, log: Log, screen: Screen) -> None:
    """Ask the questions of a test of skill, and say what they show."""
    from lama_odds.analysis.coach.training import LEAST, MOST, SkillTest
    from lama_odds.games.registry import game_of
    from lama_odds.report.text.train import skill_lines

    test = SkillTest(game_of(name), prefix if "/" in prefix else "")
    while not test.over:
        number = len(test.asked) + 1
        head = say("Question {number} of {least} to {most}", number=number, least=LEAST, most=MOST)
        drill = test.next_drill()
        action = _ask(drill, head, screen)
        if action is None:
            break
        log.note(drill, action, date.today())
        if action:
            test.answer(drill, action)
    if not test.asked:
        return
    for line in skill_lines(test.result(), test.counts):
        print(line)


def _export(
    name: str, prefix: str, source: Path | None, most: int | None, out: Path | None
) -> None:
    """Print or write drills as cards for Anki; most: as many of the first."""
    from lama_odds.analysis.coach.drills import collection, stored_why
    from lama_odds.analysis.coach.training import anki, suits
    from lama_odds.report.text.train import choices_of, question_lines, shown_action, verdict_lines

    drills: list[Any] = _own(source) if source is not None else list(collection(name))
    drills = [drill for drill in drills if suits(drill.rules, prefix)][:most]
    if not drills:
        raise LimitError(say("there are no positions of {name} to export", name=prefix or name))
    front = [
        f"{'. '.join(question_lines(drill))} "
        f"{', '.join(shown_action(drill, action) for action in choices_of(drill))}?"
        for drill in drills
    ]
    back = [" ".join(verdict_lines(drill, drill.best, stored_why(drill))) for drill in drills]
    text = anki(drills, front, back)
    if out is None:
        print(text, end="")
        return
    write_output(out, text)
    note(say_count("wrote {file}: {n} cards", "wrote {file}: {n} cards", len(drills), file=out))
