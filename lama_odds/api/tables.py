"""Questions that are answered by playing games at whole tables."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Unpack

import lama_odds
from lama_odds.api.asked import names_of, playing, policy_of, read_rules, read_rules_for, several_of
from lama_odds.api.options import (
    MAX_GAMES,
    NAMED_SO,
    OnProgress,
    Option,
    Players,
    Playing,
    Rules,
    Seed,
    Threads,
    question,
)
from lama_odds.core.checks import check_name, check_players, check_whole
from lama_odds.core.errors import ReadError
from lama_odds.core.policies import BEST
from lama_odds.core.progress import StageProgress
from lama_odds.report.answer import Answer

if TYPE_CHECKING:
    from lama_odds.analysis.equity import Equities, Standings
    from lama_odds.analysis.simulate import GameRows, Simulated
    from lama_odds.analysis.tournament import Tournament
    from lama_odds.analysis.tune.tune import Tuned
    from lama_odds.analysis.variants.given import Given
    from lama_odds.core.policies import Policy
    from lama_odds.games.interface.game import AnyGame
    from lama_odds.report.rows import KeptRows, StreamedRows


MOST_RECORDS = 10_000
FEWEST_AT_A_TABLE = 30
PRECISION = 0.01  # of win rates in a tournament
LONGEST = 0.5  # of a win rate; no interval is wider
FEWEST_TO_TUNE = 1_000
FEWEST_ROUNDS, MOST_ROUNDS = 100, 10_000_000  # of an equity table, from each pair of scores


Seats = Annotated[
    str | Iterable[str],
    Option(
        f"One policy for all players, or one for each in order ({NAMED_SO}; with --rounds, best is "
        "for points).",
        shown="POLICY",
        offers="policies",
    ),
]
GamesToPlay = Annotated[int, Option("Games to play.", least=1, most=MAX_GAMES)]
FirstRounds = Annotated[bool, Option("Play first rounds, not whole games.")]


@question()
def simulate(
    rules: Rules,
    players: Players,
    policy: Seats,
    games: GamesToPlay,
    *,
    rounds: FirstRounds = False,
    records: Annotated[
        int,
        Option(
            "Print the records of the first N games.",
            "They are the answer's ``records``.",
            flag="--show",
            most=MOST_RECORDS,
        ),
    ] = 0,
    **how: Unpack[Playing],
) -> Answer[Simulated]:
    """Play games (or first rounds) and count what happens.

    The answer's ``seats`` has the measures of each seat by name, ``table`` those of all, such as
    ``rounds``. For games they include ``win`` (ties shared, 0 to 1), ``outright`` and ``score``;
    for rounds ``penalty`` in points.

    Raises ReadError for arguments that cannot be used, LimitError for a folder of another run::

        lo.simulate("dice/amigo", 2, ["threshold:5", "random"], 10_000).seats[0]["win"]
    """
    if records > games:
        raise ReadError(f"records {records}: only {games} games are played")
    given, chosen = seated(rules, players, policy, rounds)
    game, rule_set = given.game, given.rules
    question = {
        "command": "simulate",
        "rules": rule_set.id,
        "players": players,
        "policies": [choice.name for choice in chosen],
        "rounds": rounds,
        "seed": how["seed"],
    }
    from lama_odds.analysis import simulate as analysis
    from lama_odds.report import frames
    from lama_odds.report.text.simulate import simulated_text

    with playing(question, how, several=False) as play:
        answer = analysis.simulate(game, rule_set, chosen, games, rounds=rounds, play=play)
    shown = range(min(records, answer.games))
    texts = tuple(game.record(rule_set, chosen, how["seed"], number, rounds) for number in shown)
    answer = replace(answer, records=texts, variant=given.name)
    return Answer.in_short(answer, simulated_text, frames.simulated_frame)


def seated(
    rules: str, players: int, policy: str | Iterable[str], rounds: bool
) -> tuple[Given, list[Policy]]:
    """Return the rule set and the policy of each seat; ReadError if they do not fit."""
    given = read_rules_for(rules, players)
    names = names_of(policy, "policy")
    if len(names) not in (1, players):
        raise ReadError(
            f"{len(names)} policies for {players} players: give one, or one for each seat"
        )
    aim = "points" if rounds else "win"
    chosen = [policy_of(given.game, given.rules, name, players, aim) for name in names]
    return given, chosen * (players // len(names))


@question()
def equity(
    rules: Rules,
    *,
    players: Annotated[
        int | None,
        Option(
            "Number of players (default: 2, or that of the scores).",
            "Of more than two there are tables of the best policies only.",
        ),
    ] = None,
    scores: Annotated[
        Iterable[int] | None,
        Option(
            "Only these scores, for example 12,3,20,0: first of the player who starts the next "
            "round, then around the table.",
            shown="SCORES",
            typed=str,
        ),
    ] = None,
    policy: Annotated[
        str, Option(f"What all play ({NAMED_SO}).", shown="POLICY", offers="policies")
    ] = BEST,
    best_play: Annotated[
        bool, Option("Both play as well as possible: rounds of Lama Dice were solved for this.")
    ] = False,
    rounds: Annotated[
        int | None,
        Option(
            "Solve again from this many rounds per pair of scores (default: the shipped table, or "
            "5000 if there is none).",
            least=FEWEST_ROUNDS,
            most=MOST_ROUNDS,
        ),
    ] = None,
    threads: Threads = None,
    seed: Seed = 0,
    progress: OnProgress = None,
) -> Answer[Equities] | Answer[Standings]:
    """The match equity table of players with one policy: chances to win by their scores.

    For two players, the answer's ``win(mine, other)`` is the estimated chance to win of the player
    who starts the next round. ``table.values`` and ``table.stderr`` are float64[target, target].
    For more, or with scores, ``win(scores)`` has everybody's chance.

    Raises ReadError for arguments that cannot be used, LimitError for a game that has no such
    table.

    >>> import lama_odds as lo
    >>> table = lo.equity("dice/amigo").table
    >>> table.values.shape
    (40, 40)
    """
    if best_play and (policy != BEST or rounds is not None):
        raise ReadError("best play has one table, as shipped: leave out the policy and the rounds")
    numbers = None if scores is None else _scores_of(scores)
    number = players if players is not None else 2 if numbers is None else len(numbers)
    given = read_rules(rules)
    game, rule_set = given.game, given.rules
    check_players(rule_set, number)
    if (number > 2 or numbers) and (best_play or rounds is not None):
        raise ReadError("best play and rounds are for the table of two players, without scores")
    chosen = policy_of(game, rule_set, policy, number)

    from lama_odds.analysis.equity import best_play_equities, equities, standings
    from lama_odds.report import frames
    from lama_odds.report.text import equity as text

    if number > 2 or numbers:
        at = replace(standings(rule_set, chosen, number, numbers), variant=given.name)
        return Answer.in_short(
            at, text.standings_text, partial(frames.from_csv, text.standings_csv)
        )
    if best_play:
        answer = best_play_equities(rule_set)
    else:
        answer = equities(
            game, rule_set, chosen, rounds=rounds, seed=seed, threads=threads, progress=progress
        )
    answer = replace(answer, variant=given.name)
    return Answer.in_short(answer, text.equity_text, partial(frames.from_csv, text.equity_csv))


def _scores_of(scores: Iterable[int]) -> list[int]:
    """Return scores as a list; ReadError for anything but whole numbers."""
    if isinstance(scores, (str, bytes)) or not isinstance(scores, Iterable):
        raise ReadError(f"scores {scores!r}: expected a list of whole numbers")
    numbers = list(scores)
    for score in numbers:
        check_whole(score, 0, 10**6, "scores", needed=True)
    return numbers


@question(("games", "precision"))
def tournament(
    rules: Rules,
    players: Players,
    policies: Annotated[
        Iterable[str],
        Option(
            f"Two policies or more, with commas ({NAMED_SO}).",
            "A list of different names.",
            shown="A,B,…",
            offers="several_policies",
            typed=str,
        ),
    ],
    *,
    precision: Annotated[
        float | None, Option("Half-width wanted for every win rate (default: 0.01).")
    ] = None,
    games: Annotated[
        int | None,
        Option(
            "Games at each table, instead of as many as the precision takes.",
            least=FEWEST_AT_A_TABLE,
            most=MAX_GAMES >> 4,
        ),
    ] = None,
    **how: Unpack[Playing],
) -> Answer[Tournament]:
    """Policies against each other in every seat and balanced line-up: win rates, points, ranks.

    The answer's ``standings`` come best first, each with win rate, points and possible ranks.
    ``matrix[policy][opponent]`` is the win rate of one player among opponents, and ``pairs`` the
    differences with simultaneous intervals.

    Raises ReadError for arguments that cannot be used, LimitError for a folder of another run::

        lo.tournament("dice/amigo", 3, ["meanfield", "threshold:5"], games=2_000)
    """
    precision = PRECISION if precision is None else precision
    if precision > LONGEST:
        raise ReadError(f"precision {precision:g}: a share, so at most {LONGEST}")
    given = read_rules_for(rules, players)
    game, rule_set = given.game, given.rules
    names = several_of(policies, "policies")
    chosen = [policy_of(game, rule_set, name, players) for name in names]
    named = [policy.name for policy in chosen]
    if len(named) < 2 or len(set(named)) < len(named):
        raise ReadError(f"policies {', '.join(named)}: expected two or more, each once")
    question = {
        "command": "tournament",
        "rules": rule_set.id,
        "players": players,
        "policies": named,
        "seed": how["seed"],
    }
    from lama_odds.analysis import tournament as analysis
    from lama_odds.report import frames
    from lama_odds.report.text.tournament import tournament_text

    with playing(question, how) as play:
        answer = analysis.tournament(
            game, rule_set, chosen, players, precision=precision, games=games, play=play
        )
    answer = replace(answer, variant=given.name)
    return Answer.in_short(answer, tournament_text, frames.tournament_frame)


@question()
def tune(
    rules: Rules,
    family: Annotated[
        str,
        Option(
            "Policy family, for example threshold.",
            argument=True,
            shown="FAMILY",
            offers="families",
        ),
    ],
    players: Players = 4,
    *,
    objective: Annotated[
        str, Option("win: the game; points: per round, or worms.", choices=("win", "points"))
    ] = "win",
    against: Annotated[
        str | None, Option(f"What the others play ({NAMED_SO}).", shown="POLICY", offers="policies")
    ] = BEST,
    games: Annotated[
        int,
        Option(
            "Fresh games for the answer; also the most that a candidate plays in the search.",
            least=FEWEST_TO_TUNE,
            most=MAX_GAMES,
        ),
    ] = 40_000,
    **how: Unpack[Playing],
) -> Answer[Tuned]:
    """The best parameters of a family of policies, found by racing and measured on fresh games.

    The answer's ``policy`` is the best one found, ``numbers`` its parameters, ``value`` its
    estimate on fresh games. ``tried`` has all candidates of the search.

    Raises ReadError for arguments that cannot be used, LimitError for a folder of another run::

        lo.tune("dice/amigo", "threshold", 4, objective="points")
    """
    given = read_rules_for(rules, players)
    game, rule_set = given.game, given.rules
    families = {known.name: known for known in game.families}
    check_name(family, families, f"policy family {family!r}", needed=True)
    others = policy_of(game, rule_set, BEST if against is None else against, players, objective)
    question = {
        "command": "tune",
        "rules": rule_set.id,
        "players": players,
        "family": family,
        "objective": objective,
        "against": others.name,
        "games": games,
        "seed": how["seed"],
    }
    from lama_odds.analysis.tune import tune as analysis
    from lama_odds.report import frames
    from lama_odds.report.text.tournament import tuned_text

    with playing(question, how, doing="") as play:
        answer = analysis.tune(
            game,
            rule_set,
            families[family],
            players,
            objective=objective,
            against=others,
            games=games,
            play=play,
            progress=how["progress"],
        )
    answer = replace(answer, variant=given.name)
    return Answer.in_short(answer, tuned_text, frames.tuned_frame)


# Simulated games as rows, in Python or in a file.


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
        from lama_odds.analysis.simulate import rows_of

        return rows_of(
            self.game, self.rules, self.policies, self.seed, number, self.kind, self.first_rounds
        )


@question()
def simulate_rows(
    rules: Rules,
    players: Players,
    policy: Seats,
    games: GamesToPlay,
    *,
    rows: Annotated[
        str,
        Option(
            "Instead of the measures: the games themselves as rows of a table, for each seat of "
            "games or rounds, or for each of the decisions.",
            "A decision has its position, as `advise` reads it.",
            shown="KIND",
        ),
    ] = "games",
    rounds: FirstRounds = False,
    out: Annotated[
        str | Path | None,
        Option(
            python="A file for the rows. The same call resumes it where it was stopped; with more "
            "games the new ones are added."
        ),
    ] = None,
    format: Annotated[
        str | None, Option(python="Of that file: csv, jsonl or parquet; default: by its suffix.")
    ] = None,
    threads: Threads = None,  # noqa: ARG001 (rows are made one game at a time)
    seed: Seed = 0,
    progress: OnProgress = None,
) -> Answer[GameRows]:
    """The games that `simulate` plays, as rows: to analyse them with tools of your own.

    The answer's ``rows`` are mappings, and ``to_frame()`` has them as a frame; with `out` they are
    in the file alone. The page "Games as data" of the documentation lists all columns.

    Raises ReadError for arguments that cannot be used. Raises LimitError for a game without such
    rows, and for a file that is not a stopped one of the same games.

    >>> import lama_odds as lo
    >>> found = lo.simulate_rows("dice/amigo", 2, "threshold:5", 2, rows="rounds", rounds=True)
    >>> [(row["game"], row["seat"], row["hand"], row["penalty"]) for row in found.rows[:2]]
    [(0, 0, '11366L', 1), (0, 1, '12236L', 31)]
    """
    chosen = played(rules, players, policy, games, rows, rounds, seed)
    from lama_odds.report.frames import rows_frame
    from lama_odds.report.rows import rows_text

    if out is None:
        if format is not None:
            raise ReadError(f"format {format!r}: only with out, a file")
        made = []
        for number in range(games):
            made += chosen.of_game(number)
            _tell(progress, number + 1, games)
        answer = _found(chosen, tuple(made), len(made))
    else:
        answer = rows_to(chosen, Path(out), format, progress)
    return Answer(answer, rows_text, rows_frame)


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
    from lama_odds.analysis.simulate import KINDS, check_kind

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
    from lama_odds.analysis.simulate import question_of
    from lama_odds.report.rows import GAME_COLUMNS, format_for, kept_rows, streamed_rows

    format_ = format_for(format_, out)
    columns = GAME_COLUMNS[played.kind]
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
    rows: KeptRows | StreamedRows, played: Played, progress: StageProgress | None, file: str = ""
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
    from lama_odds.analysis.simulate import GameRows

    return GameRows(played.rules.id, played.kind, played.games, played.seed, rows, written, file)


def _tell(progress: StageProgress | None, done: int, of: int) -> None:
    if progress is not None:
        progress(done / of, f"game {done:,} of {of:,}")
