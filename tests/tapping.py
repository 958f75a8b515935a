"""Entries made of choices, as a page makes them: one picked at random of all that are offered."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
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
        words = [f"{place}={card}" for place, card in zip(places, dealt(choice, rng), strict=True)]
    elif "hands" in choice:
        cards = dealt(choice, rng)
        words = ["".join(cards[at : at + count]) for at in range(0, len(cards), count)]
    elif "rolls" in choice:
        words = [rng.choice(choice["rolls"])]
    elif count:
        words = ["".join(rng.choices(options, k=count))]
    else:
        words = [rng.choice(options)]
        if "then" in choice:
            words.append(rng.choice(choice["then"]["options"]))
    return " ".join([choice["verb"], *words])


def dealt(choice: Choice, rng: random.Random) -> list[str]:
    """Cards of a deal, no more of each than there are."""
    cards = [card for card, there in choice["copies"].items() for _ in range(there)]
    return rng.sample(cards, choice["count"] * choice["hands"])


def every_entry(choice: Choice, rng: random.Random) -> Iterator[str]:
    """Each option of a choice, the rest of the entry at random; a deal or points once."""
    if choice["takes"] == "dice":
        if "rolls" in choice:
            yield from (f"{choice['verb']} {roll}" for roll in choice["rolls"])
            return
        for face in choice["options"]:
            yield f"{choice['verb']} {face}" + "".join(
                rng.choices(choice["options"], k=choice["count"] - 1)
            )
    elif choice["takes"] is None or "count" in choice:
        yield entry_of(choice, rng)
    else:
        for option in choice["options"]:
            yield entry_of({**choice, "options": [option]}, rng)
        for more in choice.get("then", {}).get("options", []):
            yield entry_of({**choice, "then": {"options": [more]}}, rng)
