"""Policies as you give them: by name, the best known, or kept in a file that `tune` wrote."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import lama_odds
from lama_odds.core.errors import ReadError, near_names, shown
from lama_odds.core.estimate import Estimate
from lama_odds.core.language import ENGLISH, language, say
from lama_odds.core.plain import Plain
from lama_odds.core.policies import BEST, CARD, EVERYWHERE, SEARCH, Policy, read_policy
from lama_odds.core.reading import read_handed
from lama_odds.core.strict_json import from_json, to_json
from lama_odds.core.wording import decimal, in_percent, rounded
from lama_odds.games.interface.best import WIN, card_entry, card_of
from lama_odds.games.interface.game import AnyGame, Game, P, R
from lama_odds.games.shared.rule_cards import card_in

if TYPE_CHECKING:
    from lama_odds.analysis.tune.tune import Tuned


KIND = "lama-odds policy 1"
KEYS = {"kind": str, "rules": str, "policy": str, "players": int, "objective": str, "made": dict}
MOST_BYTES = 1_000_000


def policy_file(tuned: Tuned) -> str:
    """The file of a tuned policy: what it is, for what, and how it was found."""
    made = {
        "against": tuned.against,
        "value": tuned.value.to_json(),
        "games": tuned.games,
        "search games": tuned.search_games,
        "seed": tuned.seed,
        "version": tuned.version,
    }
    content = {
        "kind": KIND,
        "rules": tuned.rules,
        "players": tuned.players,
        "objective": tuned.objective,
        "policy": tuned.policy,
        "made": made,
    }
    return to_json(content, indent=1) + "\n"


def named_policy(
    game: Game[R, P],
    rules: R,
    text: str,
    players: int,
    objective: str = WIN,
    tell: Callable[[str], None] | None = None,
) -> Policy:
    """The policy of a name, or of a file named ``@FILE``; ``best`` is the strongest known.

    ``card`` is the published card of rules.

    The one reading of policies for all commands. objective: what the answer counts, for which
    ``best`` is the best.

    A file for another rule set is refused: its numbers are about other cards. A policy that was
    tuned for another number of players, another objective or by another version is accepted, as
    you may want to know how it does. But it may be weak, so `tell` gets a line that warns of that.

    Raises ReadError for an unknown policy, a missing file, a file that is not a policy file,
    unknown or missing keys, and a policy of another rule set.
    """
    if text == BEST:
        return game.best_policy(rules, players, game.objectives[objective].aim)
    if text.startswith(f"{BEST}:"):
        raise ReadError(say("policy {name}: expected no parameter", name=BEST), text, len(BEST))
    if text == CARD and any(family.name == CARD for family in game.families):
        return _published_card(game, rules, players)
    if not text.startswith("@"):
        more = tuple(name for name in EVERYWHERE if name != SEARCH.usage)
        return read_policy(text, (*game.families, SEARCH), more)
    path = Path(text[1:])
    content = _content(path)
    if content["rules"] != rules.id:
        message = say(
            "{path} is a policy for {rules}, not for {played}",
            path=path,
            rules=content["rules"],
            played=rules.id,
        )
        raise ReadError(message)
    policy = read_policy(content["policy"], game.families)
    apart = _apart(content, players, game.objectives[objective].aim)
    if apart and tell is not None:
        tell(
            say(
                "{path}: {policy} was tuned {apart}: it may be weaker here",
                path=path,
                policy=policy.name,
                apart=", ".join(apart),
            )
        )
    return policy


def _published_card(game: Game[R, P], rules: R, players: int) -> Policy:
    """The published card of a rule set and number of players; ReadError if there is none."""
    card = card_of(game.name, rules.edition, players, game.families)
    if card is not None and game.card_suits(rules):
        return card
    about = {"card": CARD, "rules": rules.id, "players": players}
    if card is None:
        message = say("policy {card}: none is published (here {rules}, {players} players)", **about)
    else:
        message = say(
            "policy {card}: none suits these options: they change what that of the edition is "
            "about (here {rules}, {players} players)",
            **about,
        )
    find = say(
        "write one, {card}:LIMIT, or find one: lama-odds tune {rules} {card} --players {players}",
        **about,
    )
    raise ReadError(f"{message}; {find}")


def _apart(content: Mapping[str, Any], players: int, aim: str) -> list[str]:
    """In what a policy was tuned for something else than it is used for, in words."""
    differences = []
    if content.get("players", players) != players:
        tuned = content["players"]
        differences.append(say("for {tuned} players, not for {here}", tuned=tuned, here=players))
    if content.get("objective", aim) != aim:
        tuned = shown(content["objective"], 40)
        differences.append(say("for {tuned}, not for {here}", tuned=tuned, here=aim))
    version = content.get("made", {}).get("version", lama_odds.__version__)
    if version != lama_odds.__version__:
        tuned, here = shown(str(version), 40), lama_odds.__version__
        differences.append(say("by version {tuned}, not by {here}", tuned=tuned, here=here))
    return differences


def _content(path: Path) -> dict[str, Any]:
    """The content of a policy file; ReadError for any other file."""
    try:
        content = from_json(read_handed(path, MOST_BYTES))
    except OSError as error:
        why = error.strerror or error
        raise ReadError(say("policy file {path}: {why}", path=path, why=why)) from None
    except ValueError as error:
        raise ReadError(
            say(
                "{path} is not a policy file: it cannot be read as JSON ({why})",
                path=path,
                why=error,
            )
        ) from None
    if not isinstance(content, dict) or content.get("kind") != KIND:
        raise ReadError(
            say("{path} is not a policy file: expected one that tune has written", path=path)
        )
    for key, value in content.items():
        if key not in KEYS:
            message = say("{path}: unknown key {key}", path=path, key=repr(key))
            raise ReadError(message, None, 0, near_names(key, KEYS))
        if not isinstance(value, KEYS[key]) or isinstance(value, bool):
            kind = KEYS[key].__name__
            raise ReadError(
                say("{path}: {key} is not of type {kind}", path=path, key=key, kind=kind)
            )
    missing = [key for key in ("rules", "policy") if key not in content]
    if missing:
        raise ReadError(say("{path}: {key} is missing", path=path, key=missing[0]))
    return content


# The published card of a rule set: a rule that was played, in sentences, with what it wins.

SMALL = ("no", "one", "two", "three", "four", "five", "six")


@dataclass(frozen=True)
class PublishedCard(Plain):
    """A card of rules.

    policy: as it is written. lines: in sentences, habits last. wins: win rate of one player of it
    among players of `best`, the strongest policy known, every seat in turn.
    """

    KEYS = "policy lines wins among=best"

    policy: str
    lines: tuple[str, ...]
    wins: Estimate
    best: str
    players: int

    @property
    def said(self) -> str:
        """What it wins, in a sentence."""
        half = 50 * (self.wins.high - self.wins.low)
        others = self.players - 1
        chances = {
            "share": in_percent(decimal(f"{100 * self.wins.value:.1f} ± {half:.1f}")),
            "even": in_percent(rounded(100 / self.players, 0)),
        }
        if others == 1:
            return say(
                "One such player against a strong player wins {share} of games; an equal one would "
                "win {even}.",
                **chances,
            )
        number = SMALL[others] if language() == ENGLISH else others
        return say(
            "One such player among {number} strong ones wins {share} of games; an equal one would "
            "win {even}.",
            number=number,
            **chances,
        )


def published_card(game: AnyGame, rules: Any, players: int) -> PublishedCard | None:
    """Return the card of a rule set and number of players; None if none was published."""
    entry = card_entry(game.name, rules.edition, players) if game.card_suits(rules) else None
    if entry is None:
        return None
    won = entry["among best"]
    wins = Estimate.from_interval(won["value"], won["stderr"], won["low"], won["high"], won["n"])
    cards, card = card_in(game.policy(entry["policy"]))
    lines = tuple(cards.in_words(card))
    return PublishedCard(entry["policy"], lines, wins, entry["best"], players)
