"""Entries made of choices, as a page makes them: one picked at random of all that are offered."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

Choice = Mapping[str, Any]


def entry_of(choice: Choice, rng: random.Random) -> str:
    """An entry that a choice (as JSON) offers, at random."""
    takes, options, count = choice["takes"], choice.get("options", []), choice.get("count", 0)
    if takes is None:
        return str(choice["verb"])
    if takes == "numbers":
        words = [str(rng.randint(low, high)) for low, high in choice["bounds"]]
    elif takes == "places":
        places = rng.sample(choice["places"], count)
        cards = dealt(choice, count, rng)
        words = [f"{place}={card}" for place, card in zip(places, cards, strict=True)]
    elif "hands" in choice:
        hands = choice["hands"]
        cards = dealt(choice, count * hands, rng)
        words = ["".join(cards[at * count : (at + 1) * count]) for at in range(hands)]
    elif "rolls" in choice:
        words = [rng.choice(choice["rolls"])]
    elif count:
        words = ["".join(rng.choices(options, k=count))]
    else:
        words = [rng.choice(options)]
        if "then" in choice:
            words.append(rng.choice(choice["then"]["options"]))
    return " ".join([choice["verb"], *words])


def dealt(choice: Choice, cards: int, rng: random.Random) -> list[str]:
    """Cards of a deal, no more of each than there are."""
    return rng.sample([card for card, there in choice["copies"].items() for _ in range(there)], cards)


def every_entry(choices: Sequence[Choice], rng: random.Random) -> list[str]:
    """Each option of each choice once, with the rest of the entry at random."""
    found = []
    for choice in choices:
        name = "rolls" if "rolls" in choice else "options"
        alone = not choice.get("count") and choice["takes"] is not None
        for option in choice[name] if alone or name in choice and choice["takes"] == "dice" else [None]:
            if option is None:
                found.append(entry_of(choice, rng))
            elif choice["takes"] == "dice" and name == "options":
                rest = "".join(rng.choices(choice[name], k=choice["count"] - 1))
                found.append(f"{choice['verb']} {option}{rest}")
            else:
                found.append(entry_of({**choice, name: [option]}, rng))
    return found
