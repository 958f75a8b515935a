"""Questions that are answered by playing games at whole tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from lama_odds.api.asked import MAX_GAMES, asked_of, check_numbers, names_of, policy_of, ready
from lama_odds.core.checks import check_name, check_precision, check_seconds, check_whole
from lama_odds.core.errors import ReadError
from lama_odds.report.answer import Answer

FEWEST_AT_A_TABLE = 30
FEWEST_TO_TUNE = 1_000
FEWEST_ROUNDS, MOST_ROUNDS = 100, 10_000_000  # of an equity table, from each pair of scores


def simulate(
    rules: str,
    players: int,
    policy: str | Iterable[str],
    games: int,
    *,
    rounds: bool = False,
    threads: int | None = None,
    seed: int = 0,
) -> Answer:
    """Play games (or first rounds) and count what happens. policy: one for all, or one a seat."""
    check_numbers(games, threads, seed)
    game, rule_set = asked_of(rules, players)
    names = names_of(policy)
    if len(names) not in (1, players):
        raise ReadError(
            f"{len(names)} policies for {players} players: give one, or one for each seat"
        )
    chosen = [policy_of(game, rule_set, name, players) for name in names]

    from lama_odds.analysis import simulate as analysis
    from lama_odds.report import frames
    from lama_odds.report.text import simulated_text

    found = analysis.simulate(
        game,
        rule_set,
        chosen * (players // len(chosen)),
        games,
        rounds=rounds,
        seed=seed,
        threads=threads,
    )
    return Answer(found, simulated_text, frames.simulated_frame)


def equity(
    rules: str,
    *,
    policy: str = "best",
    rounds: int | None = None,
    threads: int | None = None,
    seed: int = 0,
    progress: Callable[[float, str], None] | None = None,
) -> Answer:
    """The match equity table of two players of a policy: chance to win by both scores.

    rounds: from each pair of scores; None: the shipped table, or a quick one where there is none.
    """
    check_numbers(None, threads, seed)
    check_whole(rounds, FEWEST_ROUNDS, MOST_ROUNDS, "rounds")
    game, rule_set = asked_of(rules)
    chosen = policy_of(game, rule_set, policy, 2)

    from lama_odds.analysis.equity import equities
    from lama_odds.report import frames
    from lama_odds.report.equity import equity_text

    found = equities(
        game, rule_set, chosen, rounds=rounds, seed=seed, threads=threads, progress=progress
    )
    return Answer(found, equity_text, frames.equity_frame)


def compare(
    rules: Iterable[str],
    players: int,
    *,
    policy: str | None = None,
    policies: str = "same",
    all_pairs: bool = False,
    delta: Mapping[str | None, float] | float | None = None,
    games: int | None = None,
    seconds: float | None = None,
    precision: float | None = None,
    threads: int | None = None,
    seed: int = 0,
) -> Answer:
    """What a rule changes: every measure of rule sets, the baseline first, on the same luck.

    policies: ``same`` seats one in all, ``retuned`` the best known for each. delta: a difference
    that nobody minds, of all measures or by name. games, seconds, precision: at most one.
    """
    check_numbers(games, threads, seed)
    if sum(given is not None for given in (games, seconds, precision)) > 1:
        raise ReadError("expected one of games, seconds and precision")
    if seconds is not None:
        check_seconds(seconds)
    if precision is not None:
        check_precision(precision)
    ready()
    from lama_odds.analysis import compare as analysis
    from lama_odds.analysis.variants import RETUNED, read_policies, read_variants
    from lama_odds.report import frames
    from lama_odds.report.compare import compared_text

    game, variants = read_variants(names_of(rules), players)
    given = delta if isinstance(delta, Mapping) else {} if delta is None else {None: delta}
    found = analysis.compare(
        game,
        variants,
        read_policies(game, variants, players, policy, policies),
        players,
        retuned=policies == RETUNED,
        amount=analysis.Amount(games, seconds, precision),
        all_pairs=all_pairs,
        deltas={name: analysis.Delta(value) for name, value in given.items()},
        seed=seed,
        threads=threads,
    )
    return Answer(found, compared_text, frames.compared_frame)


def tournament(
    rules: str,
    players: int,
    policies: str | Iterable[str],
    *,
    precision: float = 0.01,
    games: int | None = None,
    threads: int | None = None,
    seed: int = 0,
) -> Answer:
    """Policies against each other, in every seat and mix: win shares, points, ranks.

    games: at each table, instead of as many as the half-width `precision` of win shares takes.
    """
    check_whole(games, FEWEST_AT_A_TABLE, MAX_GAMES >> 4, "games")
    check_numbers(None, threads, seed)
    check_precision(precision)
    game, rule_set = asked_of(rules, players)
    chosen = [policy_of(game, rule_set, name, players) for name in names_of(policies)]
    named = [policy.name for policy in chosen]
    if len(named) < 2 or len(set(named)) < len(named):
        raise ReadError(f"policies {', '.join(named)}: expected two or more, each once")

    from lama_odds.analysis import tournament as analysis
    from lama_odds.report import frames
    from lama_odds.report.tournament import tournament_text

    found = analysis.tournament(
        game,
        rule_set,
        chosen,
        players,
        precision=precision,
        games=games,
        seed=seed,
        threads=threads,
    )
    return Answer(found, tournament_text, frames.tournament_frame)


def tune(
    rules: str,
    family: str,
    players: int = 4,
    *,
    objective: str = "win",
    against: str | None = None,
    games: int = 40_000,
    threads: int | None = None,
    seed: int = 0,
) -> Answer:
    """The best parameters of a family of policies by racing, measured on fresh games."""
    check_whole(games, FEWEST_TO_TUNE, MAX_GAMES, "games")
    check_numbers(None, threads, seed)
    game, rule_set = asked_of(rules, players)
    families = {known.name: known for known in game.families}
    check_name(family, families, f"policy family {family!r}")
    check_name(objective, ("win", "points"), f"objective {objective!r}")
    others = None if against is None else policy_of(game, rule_set, against, players)

    from lama_odds.analysis import tune as analysis
    from lama_odds.report import frames
    from lama_odds.report.tune import tuned_text

    found = analysis.tune(
        game,
        rule_set,
        families[family],
        players,
        objective=objective,
        against=others,
        games=games,
        seed=seed,
        threads=threads,
    )
    return Answer(found, tuned_text, frames.tuned_frame)
