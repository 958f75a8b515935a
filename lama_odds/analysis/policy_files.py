"""Policies kept in files: written by `tune`, named as ``@FILE`` wherever a policy is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lama_odds.core.errors import ReadError, near_names
from lama_odds.core.policies import Policy
from lama_odds.games.protocol import Game

if TYPE_CHECKING:
    from lama_odds.analysis.tune import Tuned

KIND = "lama-odds policy 1"
BEST = "best"
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
    return json.dumps(content, indent=1) + "\n"


def named_policy(game: Game, rules: Any, text: str, players: int) -> Policy:
    """The policy of a name, or of a file named ``@FILE``; ``best`` is the strongest known.

    Raises ReadError for an unknown policy, a file that is not there or no policy file, unknown or
    missing keys, and a policy of another rule set.
    """
    if text == BEST:
        return game.best_policy(rules, players)
    if not text.startswith("@"):
        return game.policy(text)
    path = Path(text[1:])
    content = _content(path)
    if not isinstance(content, dict) or content.get("kind") != KIND:
        raise ReadError(f"{path} is no policy file: expected one that tune has written")
    for key, value in content.items():
        if key not in KEYS:
            raise ReadError(f"{path}: unknown key {key!r}", None, 0, near_names(key, KEYS))
        if not isinstance(value, KEYS[key]):
            raise ReadError(f"{path}: {key} is no {KEYS[key].__name__}")
    missing = [key for key in ("rules", "policy") if key not in content]
    if missing:
        raise ReadError(f"{path}: {missing[0]} is missing")
    if content["rules"] != rules.id:
        raise ReadError(f"{path} is a policy for {content['rules']}, not for {rules.id}")
    return game.policy(content["policy"])


def _content(path: Path) -> Any:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise ReadError(f"{path} is too large for a policy file")
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ReadError(f"policy file {path}: {error.strerror or error}") from None
    except ValueError:
        raise ReadError(f"{path} is no policy file: it cannot be read as JSON") from None
