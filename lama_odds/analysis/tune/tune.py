"""The best parameters of a family of policies against others, found by racing.

Every candidate sits in each seat in turn at tables whose other seats play one policy, all on the
same deals. Candidates that are behind for certain are dropped, and so are those as good as the
leader within `ZONE`; the others continue. A family with several numbers is searched one number
after the other, twice, each time on games of its own; for cards of rules see `card_search`. What is
reported of the winner is measured on games that the search never saw.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import lama_odds
from lama_odds.analysis.tune.card_search import WORTH, CardSearch
from lama_odds.analysis.tune.racing import Field, Search
from lama_odds.core.errors import ReadError
from lama_odds.core.estimate import Estimate
from lama_odds.core.plain import Plain
from lama_odds.core.policies import Family, Policy
from lama_odds.core.progress import StageProgress
from lama_odds.games.interface.game import Game, P, R
from lama_odds.games.shared.rule_cards import language_of
from lama_odds.simulation.run import USUAL, Play, default_threads
from lama_odds.statistics.race import BEHIND

MOST_VALUES = 25  # of one number that are tried at once
ZONE = {"win": 0.001, "points": 0.005}
CARD_RACES = 60  # about as many as a search for cards takes
STARTS = {"T": (0, 30)}  # where thresholds are looked for first: hands cost that much


@dataclass(frozen=True)
class Tried(Plain):
    """A candidate: its numbers, its value in the search, and what became of it.

    state: ``stayed`` to the end of the race, ``alike``: left it as good as one that stayed, within
    ZONE, or left ``behind``.
    """

    KEYS = "policy value stayed state"

    policy: str
    numbers: Mapping[str, int]
    value: Estimate
    state: str

    @property
    def stayed(self) -> bool:
        """Whether it was not shown to be worse."""
        return self.state != BEHIND


@dataclass(frozen=True)
class Tuned(Plain):
    """The answer: the policy found, its value on fresh games, and what the search saw.

    higher: whether a higher value is better. unit: of points.
    """

    KEYS = (
        "rules players family objective against policy numbers value fair searched luck "
        "tried games search_games seed threads seconds version"
    )

    rules: str
    players: int
    family: str
    objective: str
    higher: bool
    against: str
    policy: str
    numbers: Mapping[str, int]
    value: Estimate
    fair: float | None
    searched: Estimate
    tried: tuple[Tried, ...]
    games: int
    search_games: int
    seed: int
    threads: int
    seconds: float
    version: str = field(default=lama_odds.__version__)
    variant: str = ""  # the name of the rule set in a file of variants
    unit: str = "points"

    @property
    def plateau(self) -> list[Tried]:
        """Candidates of the last race that were not shown to be worse."""
        return [tried for tried in self.tried if tried.stayed]

    @property
    def luck(self) -> Estimate:
        """The search's own value of its winner less that on fresh games, with its interval."""
        return Estimate.difference(self.searched, self.value)


def tune(
    game: Game[R, P],
    rules: R,
    family: Family,
    players: int,
    *,
    objective: str = "win",
    against: Policy | None = None,
    games: int = 20_000,
    start: Policy | None = None,
    play: Play = USUAL,
    progress: StageProgress | None = None,
) -> Tuned:
    """Find the best policy of a family and measure it on fresh games.

    games: for the report; the search plays at most as many for each candidate. start: of the
    family, where a search of several numbers begins. play: games are kept in its folder look by
    look. Raises ReadError for a family without numbers, LimitError if games do not
    end, KeyboardInterrupt for Ctrl-C: there is no answer before the end.
    """
    language = language_of(family)
    if not family.searchable and language is None:
        raise ReadError(f"policy {family.name} has no parameter to tune")
    steps = [] if language else _plan(family, start is not None)
    others = against or game.best_policy(rules, players, objective)
    field = Field(game, rules, players, objective, others)
    search = Search(
        field,
        games,
        play,
        zone=ZONE[objective],
        races=len(steps) or CARD_RACES,
        progress=progress,
    )
    if language is not None:
        tried, chosen = _cards(CardSearch(search, family, language), objective)
    else:
        first = _start(family) if start is None else family.numbers_of(start.parameter)
        tried, numbers = _races(search, family, first, steps)
        chosen = family.with_numbers(numbers)
    value = search.measure(chosen)
    taken = next(candidate for candidate in tried if candidate.policy == chosen.name)
    return Tuned(
        rules=rules.id,
        players=players,
        family=family.name,
        objective=objective,
        higher=field.higher,
        against=others.name,
        policy=chosen.name,
        numbers=taken.numbers,
        value=value,
        fair=1 / players if objective == "win" else None,
        searched=taken.value,
        tried=tried,
        games=value.n,
        search_games=search.played,
        seed=play.seed,
        threads=play.threads or default_threads(),
        seconds=search.seconds,
        unit=game.objectives[objective].unit,
    )


def measure(
    game: Game[R, P],
    rules: R,
    players: int,
    objective: str,
    against: Policy,
    policy: Policy,
    games: int,
    seed: int,
) -> Estimate:
    """What a policy is worth among others that play `against`, on games no search has played."""
    search = Search(Field(game, rules, players, objective, against), games, Play(seed))
    return search.measure(policy)


def _races(
    search: Search, family: Family, numbers: dict[str, int], steps: Sequence[tuple[str, bool]]
) -> tuple[tuple[Tried, ...], dict[str, int]]:
    """Candidates of the last race, and the best numbers; each race tries values of one of them."""
    tried: tuple[Tried, ...] = ()
    for name, fine in steps:
        values = _values(family, numbers, name, fine)
        candidates = [family.with_numbers({**numbers, name: value}) for value in values]
        outcomes, best = search.race(candidates, f"{len(values)} values of {name}")
        tried = tuple(
            Tried(candidate.name, {**numbers, name: value}, *result)
            for candidate, value, result in zip(candidates, values, outcomes, strict=True)
        )
        numbers = {**numbers, name: values[best]}
    return tried, numbers


def _cards(cards: CardSearch, objective: str) -> tuple[tuple[Tried, ...], Policy]:
    """The cards of the last race, from one line to five, and the one that is chosen."""
    chosen, raced = cards.chosen(cards.by_lines(), WORTH[objective])
    tried = tuple(
        Tried(cards.policy(card).name, {"lines": len(card.lines)}, value, state)
        for card, value, state in raced
    )
    return tried, cards.policy(chosen)


def _start(family: Family) -> dict[str, int]:
    """Numbers to start from: the middle of the range, or near nothing where it is wide."""
    return {
        name: low + (min(high, STARTS.get(name, (low, high))[1]) - low) // 3
        for name, (low, high) in family.searchable.items()
    }


def _plan(family: Family, near: bool) -> list[tuple[str, bool]]:
    """Which number is searched when, and whether finely: all coarsely, twice, then finely.

    near: several numbers are searched finely only, around those to start from.
    """
    names = list(family.searchable)
    passes = (False, True) if len(names) == 1 else (True,) if near else (False, False, True)
    return [(name, fine) for fine in passes for name in names]


def _values(family: Family, numbers: Mapping[str, int], name: str, fine: bool) -> list[int]:
    """Values of a number to try: the whole range in even steps, or around the best so far."""
    low, high = family.searchable[name]
    if name in STARTS:
        low, high = max(low, STARTS[name][0]), min(high, STARTS[name][1])
    step = max(1, -(-(high - low) // (MOST_VALUES - 1 if len(family.searchable) == 1 else 10)))
    values = set(range(low, high + 1, step)) | {numbers[name]}
    if fine:
        inner = max(1, step // 4)
        values = {numbers[name] + inner * i for i in range(-4, 5)}
    return sorted(value for value in values if low <= value <= high)
