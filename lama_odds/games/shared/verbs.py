"""What a turn of a record is told in: the verbs of each game, and what follows them."""

from __future__ import annotations

# What follows the verb of a decision: nothing, what luck brought, or what was chosen.
NOTHING = "nothing"
LUCK = "luck"
CHOICE = "choice"
VERBS: dict[str, dict[str, str]] = {
    "dice": {"quit": NOTHING, "roll": LUCK, "discard": CHOICE, "take": CHOICE},
    "lama": {"quit": NOTHING, "draw": LUCK, "play": CHOICE},
    "pikomino": {"roll": LUCK, "keep": CHOICE, "stop": CHOICE, "steal": CHOICE},
    "noprob": {
        **{"draw": LUCK, "take": LUCK, "pass": NOTHING},
        **{"replace": CHOICE, "discard": NOTHING, "give": CHOICE},
    },
}
