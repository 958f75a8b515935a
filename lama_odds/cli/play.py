"""``lama-odds play``: a game against policies, or a companion at the table."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lama_odds.api.asked import policy_of
from lama_odds.api.options import MAX_GAMES, MAX_SEED, NAMED_SO, Option
from lama_odds.cli.asking import asks
from lama_odds.cli.common import check_players, note, progress_bar, start_kernels
from lama_odds.cli.kept import Said, keep_objective, kept_objective, last_game, new_file, resumed
from lama_odds.cli.play_loop import TEACH, WARN, Screen
from lama_odds.core.errors import ReadError, near_names
from lama_odds.core.language import say
from lama_odds.core.notation import Part
from lama_odds.core.policies import BEST

if TYPE_CHECKING:
    from lama_odds.analysis.coach.session import Session, Start
    from lama_odds.core.policies import Policy
    from lama_odds.games.interface.game import AnyGame

FRESH = 10**9  # seeds of games that are given none are below
WORSE_THAN = 1.0  # points, or percentage points: what is warned of
USUAL = 4  # players, if the game allows
EXAMPLES = """
lama-odds play dice/amigo

lama-odds play dice/amigo --players 3 --me 0 --against meanfield --against threshold:5

lama-odds play lama/egmont --players 4 --me 1 --table --file evening.txt

lama-odds play lama/amigo --teach guess

lama-odds play --resume game.txt

Enter alone plays the advised action, ? shows the whole advice, undo takes your last decision back,
and quit! leaves. Type help in a game for all that you can type, with examples. The game is on disk
before each prompt; the command review FILE grades it.
"""

RESUME = "Continue a game, the last one if no FILE is named. Other options must agree with it."


@asks(
    "rules players me against table scores first file resume objective games advice teach "
    "worse_than seed language"
)
def play(
    rules: Annotated[
        str | None,
        Option(
            "Rule set, for example lama/egmont+twenty, or @FILE; not needed with --resume.",
            argument=True,
            shown="RULES",
            offers="rule_sets",
        ),
    ] = None,
    players: Annotated[int | None, Option("Number of players.")] = None,
    me: Annotated[
        int | None, Option("Your seat, counted from 0 (default: 0).", shown="SEAT")
    ] = None,
    against: Annotated[
        list[str] | None,
        Option(
            f"Policy of the other seats, one or one each ({NAMED_SO}; default: best).",
            shown="POLICY",
            offers="policies",
        ),
    ] = None,
    table: Annotated[bool, Option("You enter what happens at a table of people.")] = False,
    scores: Annotated[
        str | None,
        Option(
            "With --table, for a game under way: the score of each seat (No Prob-Lama: llamas).",
            shown="N,…",
        ),
    ] = None,
    first: Annotated[
        int | None, Option("With --table: the seat that starts the first round.", shown="SEAT")
    ] = None,
    file: Annotated[
        Path | None, Option("Where the game is kept (default: a new one).", shown="FILE")
    ] = None,
    resume: Annotated[Path | None, Option(RESUME, shown="FILE")] = None,
    objective: Annotated[
        str | None,
        Option(
            "What advice counts (default: as in advise). A resumed game keeps it.",
            offers="objectives",
        ),
    ] = None,
    games: Annotated[
        int | None,
        Option(
            "Games for advice that is not solved (default: about a second at most, and "
            "no longer than it takes to be clear).",
            least=1000,
            most=MAX_GAMES,
        ),
    ] = None,
    advice: Annotated[
        bool | None,
        Option(
            "Show advice at each of your turns (default: at a table only; ? always does).",
            flag="--advice/--no-advice",
        ),
    ] = None,
    teach: Annotated[
        str | None,
        Option(
            "guess: you choose first, then see what is best. after: a review after the game. "
            "warn: silent, unless a choice costs more than --worse-than.",
            shown="guess|after|warn",
        ),
    ] = None,
    worse_than: Annotated[
        float | None,
        typer.Option(
            "--worse-than",
            min=0.0,
            metavar="AMOUNT",
            help="With --teach warn: points, or percentage points of a chance (default: 1).",
        ),
    ] = None,
    seed: Annotated[
        int | None,
        Option("Same seed, same cards and dice (default: a new one; at a table 0).", most=MAX_SEED),
    ] = None,
) -> None:
    """Play against policies, or get advice at your own table."""
    _check_teach(teach, worse_than, advice)
    start_kernels()
    screen = Screen()
    options = Said(rules, players, me, against or (), table, file, seed, scores, first)
    if resume is None:
        begun = _asked(options, screen)
        if begun is None:
            return
        session, before = _new_game(begun), None
    else:
        resume = resume if str(resume) != LAST else last_game()
        session = resumed(resume, options)
        before = session.text
    game = session.game
    if objective is not None and objective not in game.objectives:
        raise ReadError(
            say("unknown objective {name} of {game}", name=repr(objective), game=game.name),
            objective,
            0,
            near_names(objective, game.objectives),
        )
    if objective is None and (objective := kept_objective(session)) is not None:
        note(
            say(
                "advice counts {objective}, as when the game began; --objective changes that",
                objective=objective,
            )
        )
    elif objective is not None and resume is None:
        keep_objective(session, objective)
    from lama_odds.cli.play_loop import Loop

    path = resume or new_file(file, game.name)
    if not session.table:
        note(
            say("seed {seed}: --seed {seed} deals the same cards and dice again", seed=session.seed)
        )
    if screen.asks:
        from lama_odds.analysis.coach.choices import get_ready

        with progress_bar("getting ready") as progress:
            get_ready(session, objective, progress)
    show_advice = (session.table and teach is None) if advice is None else advice
    how = teach or "", WORSE_THAN if worse_than is None else worse_than
    Loop(session, path, objective, games, screen, show_advice, before, *how).run()


def _check_teach(teach: str | None, worse_than: float | None, advice: bool | None) -> None:
    """Raise ReadError for ways of teaching that are unknown, or do not go together."""
    if teach is not None and teach not in TEACH:
        message = say("unknown --teach {name}", name=repr(teach))
        raise ReadError(message, teach, 0, near_names(teach, TEACH))
    if teach is not None and advice:
        raise ReadError(say("--teach keeps the advice back: leave out --advice"))
    if worse_than is not None and teach != WARN:
        raise ReadError(say("--worse-than is for --teach warn"))


LAST = "."  # no file: the path of an empty name


def last_resumed(words: Sequence[str]) -> list[str]:
    """The arguments of ``play``, with a name for a ``--resume`` that has none."""
    arguments: list[str] = []
    for at, word in enumerate(words):
        arguments.append(word)
        after = words[at + 1] if at + 1 < len(words) else "-"
        if word == "--resume" and after.startswith("-"):
            arguments.append("")
    return arguments


def _asked(options: Said, screen: Screen) -> Said | None:
    """The given options; at a terminal missing ones are typed. None for Ctrl-C."""
    from lama_odds.analysis.variants.given import given_rules

    if not screen.asks or options.rules is None:
        return options
    possible = given_rules(options.rules).rules.players
    if options.players is None:
        usual = min(USUAL, possible[-1])
        question = say(
            "How many players, you included ({first} to {last})?",
            first=possible[0],
            last=possible[-1],
        )
        players = screen.ask_number(question, possible[0], possible[-1], usual)
        if players is None:
            return None
        options = replace(options, players=players)
    if options.me is None and options.players in possible:
        question = say(
            "Which player are you, 1 to {players} (player 1 starts)?", players=options.players
        )
        seat = screen.ask_number(question, 1, options.players or 1, 1)
        if seat is None:
            return None
        options = replace(options, me=seat - 1)
    return options


def _new_game(options: Said) -> Session:
    """A new game; ReadError for impossible rules, players, seats or policies."""
    from lama_odds.analysis.coach.session import Session
    from lama_odds.analysis.variants.given import given_rules

    if options.rules is None:
        raise ReadError(
            say(
                "missing argument 'RULES': a rule set, for example dice/amigo; or --resume FILE "
                "alone, to continue a game"
            )
        )
    given = given_rules(options.rules)
    game, rule_set = given.game, given.rules
    me = options.me or 0
    seed = options.seed
    if seed is None:
        seed = 0 if options.table else secrets.randbelow(FRESH)
    others = _others(game, rule_set, options.players, me, list(options.against), options.table)
    start = _start(options)
    return Session.begin(game, rule_set, options.players or 0, me, others, seed, start)


def _start(options: Said) -> Start | None:
    """How a game under way begins; None for a new one."""
    from lama_odds.analysis.coach.session import Start

    if options.scores is None and options.first is None:
        return None
    if not options.table:
        raise ReadError(say("--scores and --first are for --table"))
    text, scores = options.scores, None
    if text is not None:
        scores = [part.integer("--scores") for part in Part(text, text, 0).listed()]
        if len(scores) != options.players:
            message = say(
                "{scores} scores for {players} players", scores=len(scores), players=options.players
            )
            raise ReadError(message, text, 0)
    if options.first is not None and not 0 <= options.first < (options.players or 0):
        raise _no_seat("--first", options.first, options.players or 0)
    return Start(scores=scores, first=options.first or 0)


def _no_seat(option: str, seat: int, players: int) -> ReadError:
    return ReadError(
        say(
            "{option} {seat}: the seats are 0 to {last}", option=option, seat=seat, last=players - 1
        )
    )


def _others(
    game: AnyGame, rule_set: Any, players: int | None, me: int, against: list[str], table: bool
) -> list[Policy] | None:
    """The policies of the other seats in order, None at a table; ReadError for a wrong number."""
    if players is None:
        raise ReadError(say("give --players N, or --resume FILE"))
    check_players(rule_set, players)
    if not 0 <= me < players:
        raise _no_seat("--me", me, players)
    if table:
        if against:
            raise ReadError(
                say(
                    "--table and --against exclude each other: people play at a table, not policies"
                )
            )
        return None
    named = [policy_of(game, rule_set, name, players) for name in against or [BEST]]
    if len(named) not in (1, players - 1):
        raise ReadError(
            say(
                "{policies} policies against {others} other players: give one, or one for each",
                policies=len(named),
                others=players - 1,
            )
        )
    return named * ((players - 1) // len(named))
