"""The policies of Pikomino by name, and the arrays that compiled functions read for them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any

import numpy as np

from lama_odds.core.language import later, say
from lama_odds.core.notation import Part
from lama_odds.core.policies import Family, Policy
from lama_odds.core.reading import data_bytes, data_json
from lama_odds.games.pikomino.engine.learned import FEATURES, HIDDEN, Learned, PlayTables
from lama_odds.games.pikomino.engine.policy_kernels import (
    CARD,
    EARLY_WORM,
    FIRST_TILE,
    LEAD,
    LEARNED,
    MOST,
    RANDOM,
    TURN,
)
from lama_odds.games.pikomino.engine.round_loop import roll_counts
from lama_odds.games.pikomino.rules.ruleset import FACES, PikominoRules
from lama_odds.games.shared.families import code_of
from lama_odds.games.shared.rule_cards import (
    CardLanguage,
    Feature,
    blocks_of,
    family_of,
    parameters_of,
)
from lama_odds.jit.arrays import array_of

# What cards of rules for Pikomino can speak of, and their blocks for compiled functions.

WORM, TILE = "worm", "tile"
CARD_FEATURES = (
    Feature(
        *("dice", 1, MOST, "dice left", (1, 2, 3)),
        said=later("{amount} dice are left"),
        told={(1, 1): later("one die is left")},
    ),
    Feature(
        *("short", 0, FACES, "dice that are left fewer than faces are kept", (0, 1, 2)),
        said=later("{amount} fewer dice are left than faces are kept"),
        told={
            (0, 0): later("you have kept no more faces than dice are left"),
            (0, 1): later("you have kept no more faces than dice are left plus one"),
        },
    ),
    Feature(
        *("worms", 1, MOST, "worms on the tile that you would get", (1, 2, 3)),
        noun=WORM,
        said=later("you would get {amount}"),
    ),
    Feature(
        *("steal", 0, MOST, "worms on a tile that you can steal", (0, 1, 2)),
        noun=WORM,
        said=later("you can steal {amount}"),
        told={(0, 0): later("you cannot steal"), (1, MOST): later("you can steal a tile")},
    ),
    Feature(
        *("own", 0, MOST, "worms on your top tile", (0, 1, 2)),
        noun=WORM,
        said=later("your top tile has {amount}"),
        told={(0, 0): later("you have no tile"), (1, MOST): later("you have a tile")},
    ),
    Feature(
        *("tiles", 0, MOST, "tiles in the centre", (1, 2, 4, 8)),
        noun=TILE,
        said=later("the centre has {amount}"),
    ),
    Feature(
        *("ahead", 0, MOST, "worms you would be ahead of the best other player", (0, 3)),
        noun=WORM,
        said=later("stopping puts you ahead by {amount}"),
        told={
            (0, 0): later("stopping does not put you ahead"),
            (1, MOST): later("stopping puts you ahead"),
        },
    ),
    Feature(
        *("behind", 0, MOST, "worms you would be behind the best other player", (0, 3)),
        noun=WORM,
        said=later("stopping leaves you behind by {amount}"),
        told={
            (0, 0): later("stopping does not leave you behind"),
            (1, MOST): later("stopping leaves you behind"),
        },
    ),
)
HABITS = {
    "net": later("Keep the face with the most points after two are taken off each die."),
    "stop": later(
        "If a face lets you stop at once, keep that one, of several the one with the highest total."
    ),
    "worm": later("With five dice or fewer, keep worms if you have none yet."),
}
LANGUAGE = CardLanguage(
    CARD_FEATURES,
    48,
    HABITS,
    least=21,
    tried=(21, 24, 27, 30),
    deed=later("stop with {amount} or more"),
    noun="",
    never=later("roll on"),
    lowest=later("stop"),
)
CARDS = family_of(
    LANGUAGE,
    CARD,
    "Stops from the total on that the first line says whose conditions hold, otherwise rolls; with "
    "never it stops only when no dice are left. Prefers to steal, and keeps the face with the most "
    "points (the worm above the 5), unless a habit says otherwise",
)


def blocks(policies: Sequence[Policy]) -> np.ndarray | None:
    """Return the blocks of the cards among some policies; None if there is none."""
    return blocks_of(LANGUAGE, policies, lambda card: (card.bits,))


# What `learned` knows, as shipped in data/pikomino.

AS_SOLD = "pikomino/egmont"
PLAYERS = range(2, 8)
MANIFEST = "pikomino/learned.json"
TABLE = "pikomino/learned.npy"
ERRORS = "pikomino/learned_errors.json"
NOTHING = Learned(
    np.zeros((0, FEATURES, HIDDEN), np.float32), np.zeros((0, HIDDEN + 1), np.float32)
)


def suits(rules_id: str) -> bool:
    """Return whether `learned` plays well under a rule set: it was measured on no other one."""
    return rules_id == AS_SOLD


def joined(weights: np.ndarray, out: np.ndarray) -> np.ndarray:
    """Return float16[players, FEATURES · HIDDEN + HIDDEN + 1], as it is shipped."""
    return np.concatenate([weights.reshape(len(weights), -1), out], axis=1).astype(np.float16)


def split(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the weights and the output layer of what is shipped."""
    values = rows.astype(np.float32)
    weights, out = values[:, : FEATURES * HIDDEN], values[:, FEATURES * HIDDEN :]
    shape = len(rows), FEATURES, HIDDEN
    return np.ascontiguousarray(weights).reshape(shape), np.ascontiguousarray(out)


@cache
def learned() -> Learned:
    """Return what `learned` knows: it was fitted to the game as it is sold."""
    manifest = data_json(MANIFEST)
    return Learned(*split(array_of(data_bytes(TABLE, manifest["sha256"]))))


def errors_of(players: int) -> dict[str, Any] | None:
    """Return the measured errors of chances one turn ahead, see `look_ahead.Errors`."""
    errors: dict[str, dict[str, Any]] = data_json(ERRORS)["errors"]
    return errors.get(str(players))


# The policies of Pikomino by name, and the arrays that the compiled functions read for them.

UNIT = 1000
BY_PLAYERS = -1  # parameter of optimal-turn: the weight of a steal is 1 / (players − 1)
MOST_WEIGHT = 10


def read_weight(part: Part) -> int:
    """Return a weight written as ``steal=0.5``, in thousandths."""
    name, equals, text = part.text.partition("=")
    if name != "steal" or not equals:
        raise part.fail(say("steal=WEIGHT, for example steal=0.5"), what=say("policy"))
    try:
        value = round(UNIT * float(text))
    except (ValueError, OverflowError):
        value = -1
    if not 0 <= value <= MOST_WEIGHT * UNIT:
        raise part.fail(
            say("a weight from 0 to {most}", most=MOST_WEIGHT),
            offset=len(name) + 1,
            what=say("policy"),
        )
    return value


def write_weight(value: int) -> str:
    """Return the inverse of `read_weight`; an empty text for the default."""
    return "" if value == BY_PLAYERS else f"steal={value / UNIT:g}"


LEAD_FAMILY = Family(
    "lead",
    LEAD,
    "plays the turn exactly for the chance to win that its lead in worms over the best other "
    "is worth at the end of the turn. With the worms left in the centre that is 1 / (1 + "
    "exp(-k lead / sqrt(left))), k in hundredths; with none left, won or lost",
    "K",
    1,
    1000,
    brief="plays for the lead",
)
FAMILIES = (
    Family(
        "random",
        RANDOM,
        "keeps any face it can, with equal chance; then rolls on, takes the tile of the centre or "
        "steals, whatever is possible, with equal chance",
        brief="random",
    ),
    Family(
        "first-tile",
        FIRST_TILE,
        "keeps the face with the largest count times value (of equals the higher, the worm above "
        "the 5). It stops as soon as it can have a tile, and prefers to steal",
        brief="takes the first tile",
    ),
    Family(
        "early-worm",
        EARLY_WORM,
        "keeps the worm of the first roll that shows one after another face was kept. Otherwise it "
        "plays like first-tile",
        brief="keeps the worm early",
    ),
    Family(
        "optimal-turn",
        TURN,
        "plays the turn exactly for worms: those of the tile, or minus those of its own top tile "
        "in a bust. A steal adds the victim's loss times the weight (default: 1 / (players - 1))",
        "steal=WEIGHT",
        allowed=f"WEIGHT from 0 to {MOST_WEIGHT}",
        read=read_weight,
        write=write_weight,
        default=BY_PLAYERS,
        space={"steal": (0, 2 * UNIT)},
        pack=lambda numbers: numbers["steal"],
        brief="best turn for worms",
    ),
    LEAD_FAMILY,
    Family(
        "learned",
        LEARNED,
        "plays the turn exactly for its chance to win the game, which it reads off the board after "
        "the turn. It has learned these chances from games against itself, for each number of "
        "players",
        brief="learned",
    ),
    CARDS,
)
BEST_K = 50

NO_LOG = np.zeros(0, dtype=np.int64)


def policy_rows(policies: Sequence[Policy]) -> np.ndarray:
    """Return int64[seats, POLICY_COLUMNS]: family code and its weight, in thousandths.

    Of a card: the family code and its block.
    """
    per_opponent, cards = UNIT // (len(policies) - 1), parameters_of(policies)
    rows = []
    for policy in policies:
        weight = per_opponent if policy.parameter == BY_PLAYERS else policy.parameter
        if policy.family is LEAD_FAMILY:
            weight *= UNIT // 100  # hundredths to thousandths
        elif policy.family is CARDS:
            weight = cards.index(policy.parameter)
        rows.append([code_of(policy, FAMILIES), weight])
    return np.array(rows, dtype=np.int64)


@lru_cache(maxsize=1)
def rolls_of_four() -> np.ndarray:
    """Return the table for `round_loop.roll_dice`."""
    return roll_counts()


def play_tables(
    rules: PikominoRules,
    known: Learned = NOTHING,
    log: np.ndarray = NO_LOG,
    cards: np.ndarray | None = None,
) -> PlayTables:
    """Return what the kernels read of a rule set. known: what `learned` knows; cards: blocks."""
    return PlayTables(rules.tables, rules.worm_table, rolls_of_four(), known, cards, log)


def tables_of(
    rules: PikominoRules, policies: Sequence[Policy], log: np.ndarray = NO_LOG
) -> PlayTables:
    """Return what the kernels read of a rule set and for policies."""
    known = learned() if any(p.family.code == LEARNED for p in policies) else NOTHING
    return play_tables(rules, known, log, blocks(policies))
