"""Records of all games: written again from their header; damaged, they are read or refused."""

from collections import Counter
from functools import cache
from importlib import import_module
from random import Random

import pytest

from lama_odds.core.errors import ReadError
from tests.games.cases import product_record, seats_of
from tests.games.damage import checked, cut, damages, put_for, several, words_changed
from tests.games.dice.golden_update import GOLDEN
from tests.games.noprob.cases import END, FOUR, SMALL, id_of

LAMA = ("threshold:5", "random", "matching:6")
GRIDS = ("greedy", "random", "random")
# Rule set, policies, seed, games, and whether the record is of a first round.
WRITTEN = {
    "lama": {
        "egmont": ("lama/egmont", LAMA, 51, (3,), False),
        "amigo": ("lama/amigo", LAMA[:2], 51, (1,), True),
        "party": ("lama/party", LAMA, 51, (2,), False),
        "drama": ("lama/party+drama+drama_tokens=2", LAMA, 51, (0,), False),
        "six": ("lama/egmont+drama", seats_of(LAMA, 6), 51, (4,), True),
    },
    "noprob": {
        "usual": (id_of({}), GRIDS, 61, range(5), True),
        "small": (id_of(SMALL | END), GRIDS, 61, range(5), True),
        "four rounds": (id_of(SMALL | FOUR | {"rounds": 1}), GRIDS, 62, range(5), False),
    },
    "pikomino": {
        "two": ("pikomino/egmont", ("first-tile", "random"), 0, (155,), False),
        "five": ("pikomino/egmont+short", ("random",) * 5, 3, (4,), False),
        "flips": ("pikomino/egmont+flip_without_tile", ("optimal-turn",) * 3, 8, (1,), False),
    },
}
DICE = ("amigo", "egmont_twenty", "amigo_four_dice", "amigo_house_rules", "gigamic_empty_row")
NAMES = [
    *(("dice", name) for name in DICE),
    *((game, name) for game, found in WRITTEN.items() for name in found),
]
ANY = "0123456789-+=.:/ qx#\t\n\r\x00\x0bé²٣𝟛\u2028"
WORDS = ("-1", "00", "9" * 30, "1" * 20, "7", "-", "²", "end", "final", "scores", "quit", "luck")
CARDS = (*map(str, range(2, 12)), "-1", "-2", "-5", "-3", "J", "D", "K", "?", "(4)", "", "-")


def change_card(luck, text):
    """Put another card in place of one, in a grid too."""

    def put(words, one, _):
        cards = words[one].replace("/", ",").split(",")
        words[one] = words[one].replace(luck.choice(cards) or " ", luck.choice(CARDS), 1)

    return words_changed(luck, text, put)


OWN_WORDS = {
    "dice": ("roll", "LLL", "discard", "take", "blown", "dice/amigo+twenty", "+faces=1L"),
    "lama": (
        *("play", "draw", "L", "P", "6+", "pays", "takes", "pot", "top", "deal"),
        *("lama/party+drama", "+plus=2"),
    ),
    "noprob": (
        *("draw", "take", "pass", "give", "discard", "replace", "turns", "1,1", "3,3", "4,4"),
        *("0,0", "done", "empty", "top", "deal", "llamas", "target", "round", "J", "D"),
        *("noprob/starnberger", "+refill=off", "lama/egmont"),
    ),
    "pikomino": (
        *("roll", "keep", "stop", "steal", "bust", "returns", "flips", "W", "21", "36"),
        *("WWWWW444", "pikomino/egmont", "+short", "dice/amigo"),
    ),
}
OWN = {
    "dice": ("L", put_for("0123456789", "0123456789L")),
    "lama": ("LP!,", put_for("0123456789LP", ("1", "3", "5", "6", "6+", "L", "P", "0", "10"))),
    "noprob": ("JDK?,()!", change_card),
    "pikomino": ("W", put_for("0123456789W", "0123456789W")),
}
DAMAGES = {
    game: damages(ANY + characters, (*WORDS, *OWN_WORDS[game]), way)
    for game, (characters, way) in OWN.items()
}
REFUSED = {"dice": 1 / 2, "lama": 1 / 3, "noprob": 1 / 4, "pikomino": 1 / 5}  # at least, of a kind
WAYS = [damage.__name__ for damage in DAMAGES["dice"]]  # a card is changed in each game's way


@cache
def texts_of(game, name):
    if game == "dice":
        return (GOLDEN.read(name),)
    rules_id, policies, seed, games, rounds = WRITTEN[game][name]
    return tuple(product_record(rules_id, policies, seed, number, rounds) for number in games)


def modules_of(game):
    """Give the modules that read a record and a position."""
    within = f"lama_odds.games.{game}"
    return import_module(f"{within}.records.record"), import_module(f"{within}.rules.feasibility")


def outcomes(game, name, damage, times):
    """Count what becomes of records that are damaged many times."""
    luck, texts = Random(f"{game} {name} {damage.__name__}"), texts_of(game, name)
    return Counter(
        checked(damage(luck, texts[time % len(texts)]), *modules_of(game)) for time in range(times)
    )


@pytest.mark.parametrize(("game", "name"), NAMES)
def test_the_header_is_enough_to_write_the_record_again(game, name):
    for text in texts_of(game, name):
        found = modules_of(game)[0].read_record(text)
        again = product_record(found.rules.id, found.policies, *found.luck, found.final is None)
        assert again == text
        if found.final is not None:
            assert text.splitlines()[-1] == f"final {' '.join(map(str, found.final))}"


@pytest.mark.parametrize("game", DAMAGES)
@pytest.mark.parametrize("text", ["", "\n", "hello", "lama-odds record 2\nrules dice/amigo"])
def test_what_is_no_record_is_called_so(game, text):
    with pytest.raises(ReadError, match="this is not a record"):
        modules_of(game)[0].read_record(text)


@pytest.mark.one_in(5)
@pytest.mark.parametrize(("game", "name"), NAMES)
@pytest.mark.parametrize("way", range(len(WAYS)), ids=WAYS)
def test_a_damaged_record_is_read_or_refused(game, name, way):
    damage = DAMAGES[game][way]
    times = 60 if damage is cut else 30  # of records cut short, few end with the game
    seen = outcomes(game, name, damage, times)
    assert seen["refused"] > times * REFUSED[game]
    if damage is cut:
        assert seen["asks"] > 0
        assert seen["over"] > 0 or game in ("noprob", "pikomino")


@pytest.mark.parametrize(("game", "name"), NAMES)
def test_damage_upon_damage_is_read_or_refused(game, name):
    assert outcomes(game, name, several(DAMAGES[game], 4), 30)["refused"] > 15
