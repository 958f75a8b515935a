"""Rule sets as you give them: an id, or ``@FILE`` and ``@FILE#NAME`` for a variant in a file.

The one reading of rule sets that a person gives. What is stored (records, run folders, policies)
and what comes over the network has ids only, and is read by `stored_rules`, which opens no file.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from lama_odds.analysis.policy_files import named_policy
from lama_odds.core.checks import check_name, check_players
from lama_odds.core.errors import ReadError, near_names
from lama_odds.core.language import say
from lama_odds.core.policies import BEST, Policy
from lama_odds.games.interface.game import AnyGame
from lama_odds.games.registry import game_of

if TYPE_CHECKING:
    from lama_odds.analysis.variants.files import Variant


MARK, NAME_MARK = "@", "#"
SUFFIX = ".toml"  # of files of variants


@dataclass(frozen=True)
class Given:
    """A rule set as it was given. variant: what its file says, None for an id."""

    game: AnyGame
    rules: Any
    variant: Variant | None = None

    @property
    def name(self) -> str:
        """The name that a file gives it; empty for an id."""
        return self.variant.name if self.variant else ""


class Named(Protocol):
    """An answer about one rule set. variant: the name of it, empty if it has none."""

    @property
    def rules(self) -> str:
        """Id of the rule set."""

    @property
    def variant(self) -> str:
        """Its name in a file of variants."""


def titled(answer: Named) -> str:
    """Return how the rule set of an answer is called: by its id, after its name if it has one."""
    return f"{answer.variant} ({answer.rules})" if answer.variant else answer.rules


def names_of(given: Iterable[Given]) -> dict[str, str]:
    """Return the names of rule sets by id; raise ReadError if two rule sets have the same name."""
    names: dict[str, str] = {}
    for one in given:
        if one.variant is None:
            continue
        other = next((id_ for id_, name in names.items() if name == one.name), one.rules.id)
        if other != one.rules.id:
            raise ReadError(f"{other} and {one.rules.id} are both called {one.name!r}")
        names[one.rules.id] = one.name
    return names


def named(rules: str, names: Mapping[str, str]) -> str:
    """Return the name of a rule set, or its id if it has none."""
    return names.get(rules, rules)


def names_file(text: str) -> bool:
    """Return whether a text stands for a variant in a file."""
    return text.startswith(MARK)


def given_rules(text: str) -> Given:
    """Return the rule set of an id or of a file; raise ReadError if there is none."""
    if not names_file(text):
        if text.partition(NAME_MARK)[0].endswith(SUFFIX):
            message = say("{text} looks like a file of variants", text=text)
            hint = "  " + say("did you mean {names}?", names=f"{MARK}{text}")
            raise ReadError(message, text, 0, (hint,))
        return Given(*stored_rules(text))
    variant = _chosen(text)
    return Given(*stored_rules(variant.rules), variant)


def stored_rules(id_: str) -> tuple[AnyGame, Any]:
    """Return the game and the rule set of an id; no file is opened, whatever the text is."""
    game = game_of(id_)
    return game, _read_once(game, id_)


@functools.lru_cache(maxsize=64)
def _read_once(game: AnyGame, id_: str) -> Any:
    """Return the rule set of an id, read once: what is derived from it is then derived once too."""
    return game.rules(id_)


def _chosen(text: str) -> Variant:
    """Return the variant that ``@FILE`` or ``@FILE#NAME`` stands for."""
    from lama_odds.analysis.variants.files import variants_in

    path, name = split_file(text)
    if not str(path) or str(path) == ".":
        message = say("a file of variants: expected @FILE or @FILE#NAME")
        raise ReadError(message, text, len(MARK))
    variants = {variant.name: variant for variant in variants_in(path)}
    if name is None:
        if len(variants) > 1:
            known = tuple(f"  {MARK}{path}{NAME_MARK}{choice}" for choice in variants)
            raise ReadError(
                say(
                    "{path} has {variants} variants: expected one of",
                    path=path,
                    variants=len(variants),
                ),
                hints=known,
            )
        return next(iter(variants.values()))
    if name not in variants:
        place = len(text) - len(name)
        message = say("{path} has no variant {name}", path=path, name=repr(name))
        raise ReadError(message, text, place, near_names(name, variants))
    return variants[name]


def split_file(text: str) -> tuple[Path, str | None]:
    """Return the file of ``@FILE#NAME``, and the name; None without one.

    A file whose own name has a ``#`` is found too.
    """
    whole = text.removeprefix(MARK)
    before, mark, name = whole.rpartition(NAME_MARK)
    if not mark or Path(whole).is_file():
        return Path(whole), None
    return Path(before), name


# The rule sets of a comparison by name, and the policies that play them.

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
    return without(baseline, {word.partition("=")[0] for word in text.split("+")}) + text


def without(base: str, names: Collection[str]) -> str:
    """Return an id without some options that it names."""
    edition, *words = base.split("+")
    return "+".join([edition, *(word for word in words if word.partition("=")[0] not in names)])


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
