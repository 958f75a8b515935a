"""Questions that are answered by playing games at whole tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from lama_odds.api.asked import (
    MAX_GAMES,
    asked_of,
    check_games,
    check_numbers,
    check_progress,
    names_of,
    policy_of,
    ready,
    several_of,
    table_of,
    tell,
)
from lama_odds.core.checks import (
    check_flag,
    check_name,
    check_one,
    check_precision,
    check_seconds,
    check_text,
    check_whole,
)
from lama_odds.core.errors import ReadError
from lama_odds.core.policies import BEST
from lama_odds.core.progress import StageProgress
from lama_odds.report.python.answer import Answer

FEWEST_AT_A_TABLE = 30
PRECISION = 0.01  # of win shares of a tournament
LONGEST = 0.5  # of a win share, no interval is wider
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
    check_games(games, needed=True)
    check_numbers(threads, seed)
    check_flag(rounds, "rounds")
    game, rule_set = table_of(rules, players)
    names = names_of(policy, "policy")
    if len(names) not in (1, players):
        raise ReadError(
            f"{len(names)} policies for {players} players: give one, or one for each seat"
        )
    aim = "points" if rounds else "win"
    chosen = [policy_of(game, rule_set, name, players, aim) for name in names]

    from lama_odds.analysis import simulate as analysis
    from lama_odds.report.python import frames
    from lama_odds.report.text.answers import simulated_text

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
    progress: StageProgress | None = None,
) -> Answer:
    """The match equity table of two players of a policy: chance to win by both scores.

    rounds: from each pair of scores; None: the shipped table, or a quick one where there is none.
    """
    check_numbers(threads, seed)
    check_progress(progress)
    check_whole(rounds, FEWEST_ROUNDS, MOST_ROUNDS, "rounds")
    game, rule_set = asked_of(rules)
    chosen = policy_of(game, rule_set, policy, 2)

    from lama_odds.analysis.equity import equities
    from lama_odds.report.python import frames
    from lama_odds.report.text.equity import equity_text

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

    policy: read for the baseline. policies: ``same`` seats one in all, ``retuned`` the best known
    for each. delta: a difference that nobody minds, of all measures or by name. games, seconds,
    precision: at most one.
    """
    check_one({"games": games, "seconds": seconds, "precision": precision})
    check_games(games)
    check_numbers(threads, seed)
    check_flag(all_pairs, "all_pairs")
    check_text(policy, "policy")
    check_whole(players, 1, MAX_GAMES, "players", needed=True)
    if seconds is not None:
        check_seconds(seconds)
    if precision is not None:
        check_precision(precision)
    ready()
    from lama_odds.analysis.compare import compare as analysis
    from lama_odds.analysis.compare.variants import RETUNED, read_policies, read_variants
    from lama_odds.report.python import frames
    from lama_odds.report.text.compare import compared_text

    game, variants = read_variants(several_of(rules, "rules"), players)
    given = delta if isinstance(delta, Mapping) else {} if delta is None else {None: delta}
    for name, value in given.items():
        check_text(name, "measure")
        check_precision(value, "delta")
    found = analysis.compare(
        game,
        variants,
        read_policies(game, variants, players, policy, policies, tell),
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
    policies: Iterable[str],
    *,
    precision: float | None = None,
    games: int | None = None,
    threads: int | None = None,
    seed: int = 0,
) -> Answer:
    """Policies against each other, in every seat and mix: win shares, points, ranks.

    games: at each table, instead of as many as the half-width `precision` of win shares (default:
    0.01) takes.
    """
    check_one({"games": games, "precision": precision})
    check_games(games, FEWEST_AT_A_TABLE, MAX_GAMES >> 4)
    check_numbers(threads, seed)
    precision = PRECISION if precision is None else precision
    check_precision(precision)
    if precision > LONGEST:
        raise ReadError(f"precision {precision:g}: a share, so at most {LONGEST}")
    game, rule_set = table_of(rules, players)
    names = several_of(policies, "policies")
    chosen = [policy_of(game, rule_set, name, players) for name in names]
    named = [policy.name for policy in chosen]
    if len(named) < 2 or len(set(named)) < len(named):
        raise ReadError(f"policies {', '.join(named)}: expected two or more, each once")

    from lama_odds.analysis.tournament import tournament as analysis
    from lama_odds.report.python import frames
    from lama_odds.report.text.tournament import tournament_text

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
    check_games(games, FEWEST_TO_TUNE, needed=True)
    check_numbers(threads, seed)
    game, rule_set = table_of(rules, players)
    families = {known.name: known for known in game.families}
    check_name(family, families, f"policy family {family!r}", needed=True)
    check_name(objective, ("win", "points"), f"objective {objective!r}", needed=True)
    named = BEST if against is None else against
    others = policy_of(game, rule_set, named, players, objective)

    from lama_odds.analysis.tune import tune as analysis
    from lama_odds.report.python import frames
    from lama_odds.report.text.tune import tuned_text

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
