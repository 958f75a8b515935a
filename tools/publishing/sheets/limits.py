"""When to quit, in small tables: by players, and by what else is seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lama_odds import api
from lama_odds.analysis.thresholds.answer import Thresholds
from lama_odds.analysis.thresholds.limits import limit_in_table, limit_text
from lama_odds.games.registry import game_of
from lama_odds.report.text.thresholds import alone, others_of
from tools.publishing.reference.markdown import table

OBJECTIVE = "points"


@dataclass(frozen=True)
class Played:
    """With how many rounds the limits are found, and on how many threads."""

    rounds: int
    threads: int | None = None

    def thresholds(self, rules: str, players: int) -> Thresholds:
        """The limits of a rule set."""
        return api.thresholds(rules, players, games=self.rounds, threads=self.threads).found


def by_players(played: Played, editions: Mapping[str, str]) -> str:
    """The limit for each number of players; editions: heads by rule set."""
    return by_objectives(played, {(rules, OBJECTIVE): head for rules, head in editions.items()})


def by_objectives(played: Played, columns: Mapping[tuple[str, str], str]) -> str:
    """The same in several objectives; columns: heads by rule set and objective."""
    ranges = {rules: game_of(rules).rules(rules).players for rules, _ in columns}
    numbers = sorted({n for found in ranges.values() for n in found})
    rows = []
    for players in numbers:
        found = {
            rules: played.thresholds(rules, players)
            for rules, able in ranges.items()
            if players in able
        }
        limits = (
            _limit(found[rules], objective) if rules in found else "–"
            for rules, objective in columns
        )
        rows.append([str(players), *limits])
    return table(("players", *columns.values()), rows)


def by_key(found: Thresholds, key: str, head: str, what: str) -> str:
    """The limit by one more thing that is seen, where it is settled; nothing if it was not."""
    rows = [row for row in found.rows if set(others_of(row)) == {key}]
    values = sorted({others_of(row)[key] for row in rows})
    if not values:
        return ""
    limits = {
        value: limit_text(found, (row for row in rows if others_of(row) == {key: value}), OBJECTIVE)
        for value in values
    }
    settled = {value: limit for value, limit in limits.items() if limit[0].isdigit()}
    return table((head, *map(str, settled)), [[what, *settled.values()]]) if settled else ""


def _limit(found: Thresholds, objective: str) -> str:
    return limit_in_table(found, alone(found), objective)


def sheet_of(parts: Sequence[str]) -> str:
    """Parts of a page, those that there are."""
    return "\n\n".join(part.strip("\n") for part in parts if part.strip())
