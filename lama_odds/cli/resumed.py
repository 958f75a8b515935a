"""A game that `play` resumes: everything is in its file, and the options must agree with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from lama_odds.api.asked import policy_of
from lama_odds.cli.common import record_text
from lama_odds.core.errors import ReadError

if TYPE_CHECKING:
    from lama_odds.analysis.coach.session import Session

_OBJECTIVE = ("#", "objective")  # a comment of the record: readers of the format skip it


@dataclass(frozen=True)
class Said:
    """The options for a game besides its file; None or empty if not given."""

    rules: str | None
    players: int | None
    me: int | None
    against: Sequence[str]
    table: bool
    file: Path | None
    seed: int | None


def resumed(path: Path, said: Said) -> Session:
    """The game in a file.

    ReadError if it cannot be read or resumed, or if the options contradict it.
    """
    from lama_odds.analysis.coach.session import Session
    from lama_odds.analysis.variants.given import stored_rules
    from lama_odds.games.shared.decisions import rules_named

    text = record_text(path)
    session = Session(*stored_rules(rules_named(text)), text)
    for told, found in _disagreements(session, path, said):
        raise ReadError(f"{told}, but {path} is a game {found}")
    return session


def kept_objective(session: Session) -> str | None:
    """What advice counts by the record of a game; None if it does not say, or says it wrongly."""
    for line in session.text.splitlines():
        words = line.split()
        if tuple(words[:-1]) == _OBJECTIVE and words[-1] in session.game.objectives:
            return words[-1]
    return None


def keep_objective(session: Session, objective: str) -> None:
    """Write into the record of a new game what advice counts."""
    session.text += f"{' '.join((*_OBJECTIVE, objective))}\n"


def _disagreements(session: Session, path: Path, said: Said) -> Iterator[tuple[str, str]]:
    """Options that contradict the file, each with the value in the file."""
    from lama_odds.analysis.variants.given import given_rules

    if said.rules is not None and given_rules(said.rules).rules.id != session.rules.id:
        yield f"RULES {said.rules}", f"of {session.rules.id}"
    players = len(session.policies)
    if said.players not in (None, players):
        yield f"--players {said.players}", f"of {players} players"
    if said.me not in (None, session.me):
        yield f"--me {said.me}", f"where your seat is {session.me}"
    others = [policy.name for policy in session.policies if policy is not None]
    against = " ".join(f"--against {name}" for name in others) or "at a --table"
    if said.table and not session.table:
        yield "--table", f"with {against}"
    game, rules = session.game, session.rules
    names = [policy_of(game, rules, name, players).name for name in said.against]
    all_of = names * len(others) if len(names) == 1 and others else names
    if names and all_of != others:
        yield " ".join(f"--against {name}" for name in names), f"with {against}"
    if said.seed not in (None, session.seed):
        yield f"--seed {said.seed}", f"with --seed {session.seed}"
    if said.file is not None and said.file.resolve() != path.resolve():
        yield f"--file {said.file}", "that continues in its own file (save FILE writes a copy)"
