"""``lama-odds play``: a game against policies, or a companion at the table."""

from __future__ import annotations

import sys
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lama_odds.api.asked import MAX_SEED, policy_of
from lama_odds.cli import completion
from lama_odds.cli.common import (
    MAX_GAMES,
    NAMED_SO,
    check_players,
    note,
    show,
    start_kernels,
)
from lama_odds.cli.resumed import Said, resumed
from lama_odds.core.errors import LamaOddsError, ReadError, near_names
from lama_odds.core.files import write_output
from lama_odds.core.policies import BEST
from lama_odds.games.entries import letters_text

if TYPE_CHECKING:
    from lama_odds.analysis.play import Session
    from lama_odds.core.policies import Policy
    from lama_odds.games.protocol import Game

EXAMPLES = """[bold]Examples[/bold]

lama-odds play dice/amigo --players 3 --me 0 --against meanfield --against threshold:5

lama-odds play lama/egmont --players 4 --me 1 --table --file evening.txt

lama-odds play --resume game.txt

lama-odds play dice/amigo --players 2 --table < told.txt

Type an action by the name that advise uses (roll, discard 3L, keep W, replace 1,2, give D to 1),
or its letter joined to the rest (r, d3L, kW, r12). Enter alone plays the advised one; ? shows the
advice; undo takes my last decision back; save FILE writes a copy; quit! leaves.

At a table (--table) tell every turn as it happens, mine too, with or without the seat before it,
; between turns. Lama Dice: r244 d24. Pikomino: r1124W kW. The card games: deal 1335L2, top 4, then
5 (is played), d (draws; mine: d3), q (quits). No Prob-Lama: deal 11=3 12=7 (the cards that I looked
at), top 4, then d5 12 7 (draws a 5, it replaces 1,2, where a 7 is turned up), d5 x (discards it),
t 12 7 (takes the discard), dD g1 (gives a Drama to seat 1), p (passes). Cards of the others stay
unknown; when a round ends, the penalties of all are asked for. What cannot be is refused with the
reason. The game is on disk before each prompt; review FILE looks at it again.
"""

RESUME = "Go on with a game; what else is said about it must agree with the file."
HELP = "an action, Enter (the advised one), ? (advice), undo, save FILE, quit!"
ASKED = {
    ("dice", "deal"): "deal: the hands of all seats, for example deal 11366L 12236L",
    ("lama", "deal"): "deal: my hand, for example deal 11366L",
    (
        "noprob",
        "deal",
    ): "deal: the cards I looked at, by row and column, for example deal 11=3 12=7",
    ("lama", "top"): "top: the opening card, for example top 4",
    ("noprob", "top"): "top: the opening card, for example top 4",
    ("lama", "penalties"): "penalties: of all seats, for example penalties 4 0 17",
    ("noprob", "penalties"): "penalties: the totals of all seats, for example penalties 12 -3",
}


def play(
    rules: Annotated[
        str | None,
        typer.Argument(
            metavar="RULES",
            autocompletion=completion.rule_sets,
            help="Rule set, for example lama/egmont+twenty; with --resume it is in the file.",
        ),
    ] = None,
    players: Annotated[int | None, typer.Option("--players", help="Number of players.")] = None,
    me: Annotated[
        int | None,
        typer.Option("--me", metavar="SEAT", help="My seat, counted from 0 (default: 0)."),
    ] = None,
    against: Annotated[
        list[str] | None,
        typer.Option(
            "--against",
            metavar="POLICY",
            autocompletion=completion.policies,
            help=f"Who plays the other seats, one or one each ({NAMED_SO}; default: best).",
        ),
    ] = None,
    table: Annotated[
        bool, typer.Option("--table", help="I tell what happens at a table of people.")
    ] = False,
    file: Annotated[
        Path | None,
        typer.Option("--file", metavar="FILE", help="Where the game is kept (default: a new one)."),
    ] = None,
    resume: Annotated[Path | None, typer.Option("--resume", metavar="FILE", help=RESUME)] = None,
    objective: Annotated[
        str | None,
        typer.Option(
            "--objective",
            help="What advice counts (default: as in advise).",
            autocompletion=completion.objectives,
        ),
    ] = None,
    games: Annotated[
        int,
        typer.Option("--games", min=1000, max=MAX_GAMES, help="Games for an advice not solved."),
    ] = 2000,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed", min=0, max=MAX_SEED, help="Same seed, same luck, bit for bit (default: 0)."
        ),
    ] = None,
) -> None:
    """Play against policies, or be advised at a table."""
    start_kernels()
    said = Said(rules, players, me, against or (), table, file, seed)
    session = _new_game(said) if resume is None else resumed(resume, said)
    game = session.game
    if objective is not None and objective not in game.objectives:
        raise ReadError(
            f"unknown objective {objective!r} of {game.name}",
            objective,
            0,
            near_names(objective, game.objectives),
        )
    _Loop(session, resume or _new_file(file, game.name), objective, games).run()


def _new_game(said: Said) -> Session:
    """A game that begins; ReadError for rules, players, seats or policies that cannot be."""
    from lama_odds.analysis.play import Session
    from lama_odds.games.registry import game_of

    if said.rules is None:
        raise ReadError(
            "missing argument 'RULES': a rule set, for example dice/amigo; "
            "or --resume FILE alone, to go on with a game"
        )
    game = game_of(said.rules)
    rule_set = game.rules(said.rules)
    me = said.me or 0
    others = _others(game, rule_set, said.players, me, list(said.against), said.table)
    return Session.begin(game, rule_set, said.players or 0, me, others, said.seed or 0)


def _others(
    game: Game, rule_set: Any, players: int | None, me: int, against: list[str], table: bool
) -> list[Policy] | None:
    """The policies of the other seats in order, None at a table; ReadError if they do not fit."""
    if players is None:
        raise ReadError("give --players N, or --resume FILE")
    check_players(rule_set, players)
    if not 0 <= me < players:
        raise ReadError(f"--me {me}: the seats are 0 to {players - 1}")
    if table:
        if against:
            raise ReadError("--table and --against exclude each other: who plays there are people")
        return None
    named = [policy_of(game, rule_set, name, players) for name in against or [BEST]]
    if len(named) not in (1, players - 1):
        raise ReadError(
            f"{len(named)} policies against {players - 1} other players: give one, or one for each"
        )
    return named * ((players - 1) // len(named))


def _new_file(named: Path | None, game: str) -> Path:
    """The file of a new game; ReadError if there is one of that name."""
    if named is not None:
        if named.exists():
            raise ReadError(f"{named} is there already: go on with it by --resume {named}")
        return named
    import platformdirs

    folder = Path(platformdirs.user_data_dir("lama-odds")) / "games"
    folder.mkdir(parents=True, exist_ok=True)
    stem = f"{datetime.now():%Y-%m-%d-%H%M%S}-{game}"
    names = (f"{stem}{suffix}.txt" for suffix in ("", *(f"-{n}" for n in range(2, 1000))))
    return next(folder / name for name in names if not (folder / name).exists())


class _Loop:
    """Prompt, entry, answer; everything is on disk before the next prompt."""

    def __init__(self, session: Session, path: Path, objective: str | None, games: int) -> None:
        self.session = session
        self.path = path
        self.files = [path]  # written by this game
        self.objective = objective
        self.games = games
        self.asks = sys.stdin.isatty()
        self.advised = ""

    def run(self) -> None:
        """Play until the game ends, `quit!`, or the end of the input."""
        session = self.session
        note(f"this game is kept in {self.path}")
        for line in session.text.splitlines() if _resumed(session) else ():
            print(line)
        while True:
            for line in session.advance():
                print(line)
            self._save(self.path)
            if session.over:
                note(f"the game is over; lama-odds review {self.path} looks at it again")
                return
            entry = self._entry()
            if entry is None or entry.strip() == "quit!":
                note(f"kept in {self.path}; go on with lama-odds play --resume {self.path}")
                return
            try:
                self._carry_out(entry)
            except LamaOddsError as error:
                print(error)

    def _entry(self) -> str | None:
        """What is typed next; None at the end of the input."""
        session = self.session
        seat = session.seat()
        if session.awaited is not None:
            print(ASKED[session.game.name, session.awaited])
        elif not session.seen:
            print(f"seat {seat} to act: tell what happens ({letters_text(session.game.name)})")
        else:
            whose = "my turn" if seat == session.me else f"seat {seat} to act"
            print(f"{whose}: {session.position().format()}")
            print(f"  possible: {', '.join(session.actions())}")
            fresh = session.text != self.advised
            if session.table and seat == session.me and fresh and len(session.actions()) > 1:
                self._advise()
                self.advised = session.text
        sys.stdout.flush()
        if self.asks:
            try:
                return input("> ")
            except EOFError:
                return None
        line = sys.stdin.readline()
        return line if line else None

    def _carry_out(self, entry: str) -> None:
        """One entry; raises the reason if it cannot be."""
        session = self.session
        words = entry.split()
        if words[:1] in (["?"], ["advise"], ["advice"]) and len(words) == 1:
            if session.seat() is None or not session.seen:
                raise ReadError("it is not my turn: there is nothing to advise")
            self._advise()
        elif words == ["undo"]:
            session.undo()
        elif words == ["help"]:
            print(HELP)
        elif words[:1] == ["save"]:
            if len(words) != 2:
                raise ReadError("save FILE: one name", entry.rstrip("\n"), 0)
            self._copy(Path(words[1]))
            print(f"saved as {words[1]}")
        elif not words:
            if session.seat() != session.me:
                raise ReadError(f"type what happens, or one of: {HELP}")
            best = session.advice(self.objective, self.games).best
            print(f"· {best}")
            session.enter(best)
        else:
            for line in session.enter(entry):
                print(line)

    def _advise(self) -> None:
        from lama_odds.report.text import advice_text

        found = self.session.advice(self.objective, self.games)
        show(False, found, lambda: advice_text(found))

    def _copy(self, path: Path) -> None:
        """Write the game to another file; ReadError for one that is not of this game."""
        if path.exists() and not any(_is_same(path, ours) for ours in self.files):
            raise ReadError(f"{path} is there already, expected a new name")
        self._save(path)
        self.files.append(path)

    def _save(self, path: Path) -> None:
        try:
            write_output(path, self.session.text)
        except OSError as error:
            raise ReadError(f"cannot write {path}: {error.strerror}") from None


def _is_same(path: Path, other: Path) -> bool:
    return other.exists() and path.samefile(other)


def _resumed(session: Session) -> bool:
    """Whether anything has happened yet."""
    return any(line.split()[0].isdigit() for line in session.text.splitlines() if line.split())
