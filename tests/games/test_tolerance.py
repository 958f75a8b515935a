"""Positions as people type them: what is clear reads as the canonical text, the rest is refused."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from lama_odds.core.errors import ReadError
from lama_odds.games.registry import game_of

DICE = "hand=25L row=1346L opp=13,q6LL rolled=13L scores=12,3,20"
CARDS = "hand=33+5LP top=L opp=4,q2,6 seen=1123 pot=1,1,10 scores=12,31,5,0"
WORMS = "kept=444W rolled=1245 centre=21-23,25,30-36 own=24 tops=27,-"
GRID = (
    "grid=3,?,-1/?,(7),10/J,?,? mine=D top=4 seen=3,J,-1 "
    "opp=?,?,?/?,?,9/?,?,?:DK;?,?,?/?,-5,?/?,?,?"
)
SAME = [
    ("dice/amigo", DICE, "HAND=2,5,l Row=1,3,4,6,llama opp=13, 6llQ ROLLED=1 3 L scores=12 3 20"),
    ("dice/amigo", DICE, "hand=2 5 Llama row=1346l opp=13,Q6LL rolled=1,3,L scores=12, 3, 20"),
    ("dice/amigo", "hand=25L opp=q=16,13", "hand=L52 opp=Q=16, 13"),
    ("lama/party+drama", CARDS, "hand=3 3+ 5 llama pink TOP=l opp=4 2q 6 seen=1 1 2 3 "
     "pot=10 1 1 scores=12 31 5 0"),
    ("lama/party+drama", CARDS, "hand=p,l,5,3,3+ top=LLAMA opp=4, Q2, 6 seen=1,1,2,3 "
     "pot=1, 1, 10 scores=12,31,5,0"),
    ("pikomino/egmont", WORMS, "Kept=4,4,4,w rolled=1 2 4 5 centre=21-23 25 30-36 "
     "own=24 tops=27 -"),
    ("pikomino/egmont", WORMS, "kept=worm 444 rolled=5421 centre=21-23, 25, 30-36 OWN=24 "
     "tops=27, -"),
    ("noprob/starnberger", GRID, "grid=3?-1/?(7)10/j?? mine=drama top=4 seen=3J-1 "
     "opp=???/??9/???:dk;???/?-5?/???"),
    ("noprob/starnberger", GRID, "grid=3 ? -1 / ? (7) 10 / joker ? ? Mine=d top=4 seen=3 j -1 "
     "opp=? ? ?/? ? 9/? ? ?:DK ; ????-5????"),
    ("noprob/starnberger", GRID, "grid=3?-1?(7)10J?? mine=D top=4 seen=3,J,-1 "
     "opp=?????9???:D,K;????-5????"),
]  # fmt: skip
UNCLEAR = [
    # Cards of one player or of two? A mark before or behind, not both. One number, one card.
    ("dice/amigo", "hand=25L opp=1 ^3", "a comma between players"),
    ("dice/amigo", "hand=25L opp=13 ^6LL rolled=13L", "a comma between players"),
    ("dice/amigo", "hand=25L opp=q13^q", "cards 1-6 or L"),
    ("dice/amigo", "hand=25L,^ opp=13", "cards 1-6 or L"),
    ("dice/amigo", "hand=25L first=1 ^2 opp=13", "one number"),
    ("lama/egmont", "hand=35 top=^34 opp=4", "one card"),
    ("lama/egmont", "hand=35 top=4 opp=q^", "the number of cards"),
    ("lama/egmont", "hand=35 top=4 opp=^2q3", "a whole number"),
    ("lama/egmont", "hand=35 top=4 opp=4,^,6", "the number of cards"),
    ("lama/egmont", "hand=35 ^topp4 opp=4", "name=value"),
    ("lama/egmont", "hand=35 top=4 pile=20 ^3 opp=4", "one number"),
    ("noprob/starnberger", "grid=^3?/?(7)?/J?? top=4 opp=?????????", "here 2"),
    ("noprob/starnberger", "grid=^3?5?(7)?J? top=4 opp=?????????", "here 8"),
    ("noprob/starnberger", "grid=3?5/?(7)?/^3,5? top=4 opp=?????????", "here 3"),
    ("noprob/starnberger", "grid=3?5/?(7)?/^1?? top=4 opp=?????????", "here"),
    ("noprob/starnberger", "grid=3?5/?(7)?/J?? top=4 opp=^????????? ?????????", "here 18"),
]  # fmt: skip


def read(rules: str, text: str) -> Any:
    """A position as it is read, whether or not it can occur."""
    game = game_of(rules)
    module = __import__(f"lama_odds.games.{game.name}.rules.position", fromlist=["read_position"])
    if game.name in ("pikomino", "noprob"):
        return module.read_position(game.rules(rules), text)
    return module.read_position(text)


@pytest.mark.parametrize(("rules", "canonical", "typed"), SAME)
def test_what_is_clear_reads_as_the_canonical_text(rules: str, canonical: str, typed: str) -> None:
    assert read(rules, typed) == read(rules, canonical)
    assert read(rules, read(rules, typed).format()) == read(rules, canonical)


@pytest.mark.parametrize(("rules", "marked", "told"), UNCLEAR)
def test_what_is_not_clear_is_refused_with_its_place(rules: str, marked: str, told: str) -> None:
    text = marked.replace("^", "")
    with pytest.raises(ReadError) as caught:
        read(rules, text)
    assert told in caught.value.message
    assert (caught.value.text, caught.value.at) == (text, marked.index("^"))


@pytest.mark.parametrize(
    ("rules", "text"),
    [("dice/amigo", DICE), ("lama/party+drama", CARDS), ("noprob/starnberger", GRID)],
)
def test_any_case_and_any_space_around_words(rules: str, text: str) -> None:
    rng = random.Random(rules)
    for _ in range(100):
        typed = "".join(rng.choice((c.lower(), c.upper())) for c in text)
        typed = re.sub(",", lambda _: rng.choice((",", ", ", " ,")), typed)
        typed = re.sub(" ", lambda _: rng.choice((" ", "  ")), typed)
        if rules == "dice/amigo":
            typed = re.sub(r"\s+,", ",", typed)
        assert read(rules, typed) == read(rules, text), typed
