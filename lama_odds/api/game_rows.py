"""Simulated games as rows, in Python or in a file."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import lama_odds
from lama_odds.api.asked import check_games, check_playing
from lama_odds.api.tables import seated
from lama_odds.core.checks import check_flag, check_name, check_path, check_text
from lama_odds.core.errors import ReadError
from lama_odds.core.progress import StageProgress
from lama_odds.report.python.answer import Answer

if TYPE_CHECKING:
    from lama_odds.analysis.game_rows import GameRows
    from lama_odds.core.policies import Policy
    from lama_odds.games.interface.game import AnyGame
    from lama_odds.report.rows.kept_rows import KeptRows
    from lama_odds.report.rows.streamed import StreamedRows


@dataclass(frozen=True)
class Played:
    """The games whose rows are wanted."""

    game: AnyGame
    rules: Any
    policies: Sequence[Policy]
    games: int
    seed: int
    kind: str
    first_rounds: bool

    def of_game(self, number: int) -> list[dict[str, Any]]:
        """Return the rows of one game."""
        from lama_odds.analysis.game_rows import rows_of

        return rows_of(
            self.game, self.rules, self.policies, self.seed, number, self.kind, self.first_rounds
        )


def simulate_rows(
    rules: str,
    players: int,
    policy: str | Iterable[str],
    games: int,
    *,
    rows: str = "games",
    rounds: bool = False,
    out: str | Path | None = None,
    format: str | None = None,
    threads: int | None = None,
    seed: int = 0,
    progress: StageProgress | None = None,
) -> Answer[GameRows]:
    """The games that `simulate` plays, as rows: to analyse them with tools of your own.

    rules: id of a rule set, or ``"@FILE"`` for a variant in a file.
    players: number of players.
    policy: one policy for all seats, or a list with one for each seat.
    games: number of games, or of first rounds.
    rows: ``"games"`` (a row for each seat), ``"rounds"`` (for each seat of each round) or
    ``"decisions"`` (each with its position, as `advise` reads it).
    rounds: play first rounds instead of games.
    out: a file for the rows. The same call resumes it where it was stopped; with more games the new
    ones are added.
    format: of that file: ``"csv"``, ``"jsonl"`` or ``"parquet"``; default: by its suffix.
    threads: accepted as in `simulate`; rows are made one game at a time.
    seed: of the random numbers, 0 or more. Game i is the same as in `simulate`.
    progress: called with the share done, 0 to 1, and what is being done.

    The answer's ``rows`` are mappings, and ``to_frame()`` has them as a frame; with `out` they are
    in the file alone. The page "Games as data" of the documentation lists all columns.

    Raises ReadError for arguments that cannot be used. Raises LimitError for a game without such
    rows, and for a file that is not a stopped one of the same games.

    >>> import lama_odds as lo
    >>> found = lo.simulate_rows("dice/amigo", 2, "threshold:5", 2, rows="rounds", rounds=True)
    >>> [(row["game"], row["seat"], row["hand"], row["penalty"]) for row in found.rows[:2]]
    [(0, 0, '11366L', 1), (0, 1, '12236L', 31)]
    """
    check_playing(threads, seed, progress)
    chosen = played(rules, players, policy, games, rows, rounds, seed)
    from lama_odds.report.python.frames import rows_frame
    from lama_odds.report.rows.in_words import rows_text

    if out is None:
        check_text(format, "format")
        if format is not None:
            raise ReadError(f"format {format!r}: only with out, a file")
        made = []
        for number in range(games):
            made += chosen.of_game(number)
            _tell(progress, number + 1, games)
        found = _found(chosen, tuple(made), len(made))
    else:
        check_path(out, "out")
        found = rows_to(chosen, Path(out), format, progress)
    return Answer(found, rows_text, rows_frame)


def played(
    rules: str,
    players: int,
    policy: str | Iterable[str],
    games: int,
    rows: str,
    rounds: bool,
    seed: int,
) -> Played:
    """Return the games; ReadError for arguments that cannot be used."""
    from lama_odds.analysis.game_rows import KINDS, check_kind

    check_games(games, needed=True)
    check_flag(rounds, "rounds")
    check_name(rows, KINDS, f"rows {rows!r}", needed=True)
    given, chosen = seated(rules, players, policy, rounds)
    check_kind(given.game, rows, rounds)
    return Played(given.game, given.rules, chosen, games, seed, rows, rounds)


def rows_to(
    played: Played, out: Path | None, format_: str | None, progress: StageProgress | None
) -> GameRows:
    """Write the rows of all games that are not in a file yet, or of all to stdout (None).

    Raises KeyboardInterrupt where it is stopped, after the rows so far are written.
    """
    from lama_odds.analysis.game_rows import question_of
    from lama_odds.report.rows.formats import format_for
    from lama_odds.report.rows.game_columns import COLUMNS
    from lama_odds.report.rows.kept_rows import kept_rows
    from lama_odds.report.rows.streamed import streamed_rows

    format_ = format_for(format_, out)
    columns = COLUMNS[played.kind]
    if out is None:
        with streamed_rows(sys.stdout, format_, columns) as rows:
            return _add(rows, played, progress)
    question = {
        **question_of(played.rules, played.policies, played.seed, played.kind, played.first_rounds),
        "format": format_,
        "version": lama_odds.__version__,
    }
    with kept_rows(out, format_, columns, question) as kept:
        kept.skip(map(_key, range(played.games)), f"{played.games:,} games are given")
        return _add(kept, played, progress, str(out))


def _key(number: int) -> bytes:
    return f"{number} ".encode()


def _add(
    rows: KeptRows | StreamedRows,
    played: Played,
    progress: StageProgress | None,
    file: str = "",
) -> GameRows:
    """Add the rows of all games after the first ones, which are there already."""
    for number in range(rows.done, played.games):
        rows.add(played.of_game(number), _key(number))
        _tell(progress, number + 1, played.games)
    rows.write()
    return _found(played, (), rows.rows, file)


def _found(
    played: Played, rows: tuple[Mapping[str, Any], ...], written: int, file: str = ""
) -> GameRows:
    from lama_odds.analysis.game_rows import GameRows

    return GameRows(played.rules.id, played.kind, played.games, played.seed, rows, written, file)


def _tell(progress: StageProgress | None, done: int, of: int) -> None:
    if progress is not None:
        progress(done / of, f"game {done:,} of {of:,}")
