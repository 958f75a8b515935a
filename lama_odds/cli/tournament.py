"""``lama-odds tournament``: which policy is best against which?"""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from lama_odds.api.asked import policy_of, read_rules
from lama_odds.api.options import Option
from lama_odds.api.tables import LONGEST
from lama_odds.api.tables import tournament as ask
from lama_odds.cli import common
from lama_odds.cli.asking import asks
from lama_odds.cli.runs import tell_kept
from lama_odds.core.errors import LimitError, ReadError, extra
from lama_odds.core.files import write_output
from lama_odds.core.policies import EVERYWHERE, Policy

if TYPE_CHECKING:
    from lama_odds.analysis.tournament import Tournament
    from lama_odds.games.interface.game import Game, P, R

FURTHER_NUMBER = re.compile(r"\s*\w+=")  # of the policy before, not another policy

EXAMPLES = """
lama-odds tournament lama/egmont --players 4 --policies random,threshold:5,matching:5,meanfield

lama-odds tournament dice/amigo --players 2 --policies threshold:5,threshold:6 --precision 0.002

lama-odds tournament noprob/starnberger --policies best,planner:chase=40,lead=6 --games 200

lama-odds tournament pikomino/egmont --players 3 --policies first-tile,optimal-turn,lead:50 \
--games 1000 --csv all.csv --plot league.svg
"""

MOST_POLICIES = 40


@asks(
    "rules policies players precision games csv parquet plot threads engine run seed verbose "
    "as_json",
    ask,
)
def tournament(
    options: dict[str, Any],
    csv: Path | None,
    plot: Path | None,
    verbose: bool,
    as_json: bool,
    parquet: Annotated[
        Path | None, Option("The same to a Parquet file (pyarrow).", shown="FILE")
    ] = None,
) -> None:
    """Which policy is best? Policies play each other: win rates, points and ranks.

    All seatings of every balanced line-up are played, with the same cards and dice. Policies that
    are not separated share a rank.
    """
    common.start_kernels()
    precision = options.get("precision", LONGEST)
    if precision > LONGEST:
        raise ReadError(f"--precision {precision:g}: a share, so at most {LONGEST}")
    common.check_plot(plot)
    game, players = common.seat_players(options), options["players"]
    chosen = read_policies(game, read_rules(options["rules"]).rules, players, options["policies"])
    if parquet is not None and importlib.util.find_spec("pyarrow") is None:
        raise LimitError(f"--parquet needs pyarrow: {extra('parquet')}, or use --csv")
    common.check_files(csv, as_json, parquet=parquet, plot=plot)
    options["policies"] = [policy.name for policy in chosen]
    with common.progress_bar("tournament") as progress:
        answer = ask(**options, progress=progress)
    _tell(answer.found, options)
    from lama_odds.report.text.tournament import tournament_csv, tournament_parquet

    def write_parquet() -> None:
        if parquet is not None:
            write_output(parquet, tournament_parquet(answer.found))

    common.show_answer(answer, as_json, verbose, csv, tournament_csv, plot, write_parquet)


def _tell(answer: Tournament, options: dict[str, Any]) -> None:
    """Say if it was stopped, or is less precise than requested."""
    if answer.interrupted:
        common.note(f"stopped early: the answer rests on {answer.games} games at each table")
        tell_kept(options)
    elif answer.precision is not None and answer.half_width > answer.precision:
        common.note(
            f"the widest interval is ± {answer.half_width:.3g}, a little more than requested"
        )


def read_policies(game: Game[R, P], rules: R, players: int, text: str) -> list[Policy]:
    """The policies of a list with commas; ReadError at the place of an unknown one."""
    policies: list[Policy] = []
    for at, part in _parts_of(text):
        name = part.strip()
        place = at + len(part) - len(part.lstrip())
        if not name:
            raise ReadError("--policies: a policy is missing", text, at)
        try:
            policy = policy_of(game, rules, name, players)
        except ReadError as error:
            within = error.at if error.text == name else 0
            raise ReadError(error.message, text, place + within, error.hints) from error
        if policy in policies:
            raise ReadError(f"--policies: {policy.name} is named twice", text, place)
        policies.append(policy)
    if len(policies) < 2:
        known = ", ".join([*(family.usage for family in game.families), *EVERYWHERE])
        raise ReadError(
            "--policies: one policy, expected two or more", text, len(text), (f"  known: {known}",)
        )
    if len(policies) > MOST_POLICIES:
        raise ReadError(f"--policies: {len(policies)} policies, expected at most {MOST_POLICIES}")
    return policies


def _parts_of(text: str) -> list[tuple[int, str]]:
    """The parts of a list with commas and their places: numbers of a policy stay with it."""
    parts: list[tuple[int, str]] = []
    at = 0
    for part in text.split(","):
        if parts and ":" in parts[-1][1] and FURTHER_NUMBER.match(part):
            begun, policy = parts.pop()
            parts.append((begun, f"{policy},{part}"))
        else:
            parts.append((at, part))
        at += len(part) + 1
    return parts
