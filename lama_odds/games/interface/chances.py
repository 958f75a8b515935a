"""Chances as a table names them, in the language in force.

English uses the agreed names themselves, such as ``next bust``.
"""

from __future__ import annotations

import re

from lama_odds.core.language import ENGLISH, language, later, say
from lama_odds.games.interface.actions import action_words, thing

NAMES = frozenset(
    (
        later("playable"),
        later("new kind"),
        later("llama"),
        later("raises"),
        later("keeps"),
        later("three llamas"),
        later("match"),
        later("miss"),
        later("blown"),
        later("out"),
        later("last"),
        later("other out"),
        later("other blown"),
        later("bust"),
        later("turn bust"),
        later("improves"),
        later("completes a line"),
        later("draw a special"),
        later("next draw a special"),
        later("ends"),
        later("other ends"),
        later("mean penalty"),
        later("mean kinds"),
        later("mean llamas"),
        later("mean run"),
        later("mean of my hidden cards"),
        later("my hidden cards"),
    )
)
# What a name ends or begins with, by the template that has it.
PATTERNS = tuple(
    (re.compile(f"^{pattern}$"), template)
    for pattern, template in (
        (r"penalty (?P<n>\d+)", later("penalty {n}")),
        (r"kinds (?P<n>\d+)", later("kinds {n}")),
        (r"llamas (?P<n>\d+)", later("llamas {n}")),
        (r"run (?P<n>\d+)", later("run {n}")),
        (r"next draw (?P<card>\S+)", later("next draw {card}")),
        (r"draw (?P<card>\S+)", later("draw {card}")),
        (r"match (?P<card>\S+)", later("match {card}")),
        (r"improves by (?P<n>\d+) or more", later("improves by {n} or more")),
        (r"(?P<card>\S+) completes a line", later("{card} completes a line")),
        (
            r"(?P<card>\S+) completes a line in (?P<row>\d),(?P<column>\d)",
            later("{card} completes a line in row {row}, column {column}"),
        ),
        (r"(?P<card>\S+) improves", later("{card} improves")),
        (r"opponent (?P<player>\d+) playable", later("player {player} can play")),
        (r"opponent (?P<player>\d+) out", later("player {player} goes out")),
        (
            r"(?P<player>\d+) can end the round by drawing",
            later("player {player} can end the round by drawing"),
        ),
        (r"(?:the )?hidden cards of (?P<player>\d+)", later("hidden cards of player {player}")),
        (
            r"mean of the hidden cards of (?P<player>\d+)",
            later("mean of the hidden cards of player {player}"),
        ),
        (r"mean points saved by (?P<action>.+)", later("mean points saved: {action}")),
    )
)


def chance_words(name: str) -> str:
    """Return a chance in the language in force; an unknown one as an action."""
    if language() == ENGLISH:
        return name
    if name in NAMES:
        return say(name)
    if name.startswith("next ") and name.removeprefix("next ") in NAMES:
        return say("next: {what}", what=say(name.removeprefix("next ")))
    for pattern, template in PATTERNS:
        match = pattern.match(name)
        if match is not None:
            return say(
                template, **{key: _part(key, part) for key, part in match.groupdict().items()}
            )
    return action_words(name)


def _part(key: str, part: str) -> str:
    if key == "player":  # the others count from 1, and you are player 1
        return str(int(part) + 1)
    return thing(part) if key == "card" else action_words(part) if key == "action" else part
