"""The rule sets of a comparison by name, and the policies that play them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from lama_odds.analysis.policy_files import named_policy
from lama_odds.analysis.variants.given import Given, given_rules, names_file
from lama_odds.core.checks import check_name, check_players
from lama_odds.core.errors import ReadError
from lama_odds.core.policies import BEST, Policy
from lama_odds.games.interface.game import AnyGame

SAME, RETUNED = "same", "retuned"


def read_variants(texts: Sequence[str], players: int | None) -> list[Given]:
    """The rule sets of one game; ReadError for fewer than two, other games, twice the same.

    texts: ids or files of variants, or after the first what sets it apart alone (``+target=30``).
    players: checked for each, unless None.
    """
    if len(texts) < 2:
        raise ReadError("found one rule set, expected at least two: the baseline and another")
    if texts[0].startswith("+"):
        raise ReadError(
            "the first rule set is the baseline: expected game/edition before its options",
            texts[0],
        )
    first = given_rules(texts[0])
    baseline = first.rules.id if names_file(texts[0]) else texts[0]
    variants: dict[str, tuple[str, Given]] = {}
    for at, given_text in enumerate(texts):
        text = with_options(baseline, given_text) if at else given_text
        given = given_rules(text) if at else first
        if given.game.name != first.game.name:
            raise ReadError(
                f"{texts[0]} is {first.game.title}, {text} is {given.game.title}: "
                "expected rule sets of one game",
                text,
            )
        rules = given.rules
        if rules.id in variants:
            before = variants[rules.id][0]
            again = f"both are {rules.id}" if text != before else "given twice"
            raise ReadError(f"the same rule set twice: {before} and {text} ({again})", text)
        if players is not None:
            check_players(rules, players)
        variants[rules.id] = (text, given)
    return [given for _, given in variants.values()]


def with_options(baseline: str, text: str) -> str:
    """An id as it is given, or with ``+x`` alone the baseline's with this option set.

    An option that the baseline names itself is taken from the text instead.
    """
    if not text.startswith("+"):
        return text
    named = {_option(word) for word in text.split("+")}
    edition, *words = baseline.split("+")
    kept = [word for word in words if _option(word) not in named]
    return "+".join([edition, *kept]) + text


def _option(word: str) -> str:
    return word.partition("=")[0]


def read_policies(
    game: AnyGame,
    variants: list[Any],
    players: int,
    policy: str | None,
    policies: str,
    tell: Callable[[str], None] | None = None,
) -> list[Policy]:
    """The policy of each rule set: one for all, or the best known for each.

    policy: read for the baseline, as nobody has learnt another rule yet. ``best`` (the default) is
    the strongest known there for winning that can play under all. A file must be one for it.
    tell: see `named_policy`.
    """
    check_name(policies, (SAME, RETUNED), f"choice of policies {policies!r}", needed=True)
    if policies == RETUNED:
        if policy is not None:
            raise ReadError(f"{RETUNED} seats the best of each rule set, not {policy} in all")
        return game.best_for_each(variants, players)
    if policy in (None, BEST):
        return [game.best_for_all(variants, players)] * len(variants)
    name = policy
    return [named_policy(game, variants[0], name, players, tell=tell)] * len(variants)
