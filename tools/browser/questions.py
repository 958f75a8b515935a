"""Questions that make Python call every compiled function that answers and drills call.

What matters is which tables there are, not how many cards somebody holds. So there is each rule set
with each option that changes what is compiled, each phase of a turn, each objective, and 2 to 6
players. Beside them come drills of every game, because they were picked from whole games.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple


class Query(NamedTuple):
    """A question.

    position: of `advise` and `odds`. objectives: what to aim for, each in turn. opponents: how the
    others play, likewise.
    """

    rules: str
    position: str
    objectives: tuple[str | None, ...] = (None,)
    opponents: tuple[str, ...] = ()


DICE = ("dice/amigo", "dice/egmont", "dice/gigamic")
DICE_VARIANTS = (
    "dice/amigo+twenty",
    "dice/amigo+llama_safe_alone=off",
    "dice/egmont+out_token=llama+quit_cost=4",
    "dice/amigo+faces=123456L",
    "dice/amigo+target=60",
)
DICE_POSITIONS = (
    "hand=2 row=6L opp=1",
    "hand=2L row=13456L opp=1",
    "hand=25 row=1346L opp=13 rolled=25L",
    "hand=2 row=134L opp=q13",
    "hand=25 opp=q6LL scores=12,15",
    "hand=25L row=1346L opp=13,6LL",
    "hand=25L row=1346L opp=13,6LL rolled=25L",
    "hand=25L row=1346L opp=13,6LL rolled=6LL",
    "hand=25L row=1346L opp=q13,q6LL",
    "hand=25 row=1346L opp=q=16,13 scores=12,20,30",
    "hand=25L row=1346L opp=13,q6LL,4 scores=5,20,31,16 first=2",
    "hand=25L row=1346L opp=13,q6LL,4,55",
    "hand=2 row=1346L opp=13,q6L,4,55,3 rolled=22L scores=5,0,31,16,9,2",
)
DICE_OPPONENTS = ("threshold:7", "random", "meanfield", "card:others=0..1:9/6")

LAMA = ("lama/egmont", "lama/amigo", "lama/party")
LAMA_VARIANTS = (
    *(f"{each}+drama" for each in LAMA),
    *(f"{each}+twenty" for each in LAMA[:2]),
    "lama/egmont+drama+twenty",
    "lama/party+twenty=off",
    "lama/party+drama+pink_drama=off",
    "lama/amigo+llama_each+quit_cost=2",
    "lama/egmont+pink_llamas=1",
    "lama/egmont+plus=2+out_token=llama",
)
LAMA_POSITIONS = (
    "hand=34 top=3 opp=4",
    "hand=34 top=3 opp=q4",
    "hand=2245 top=6 opp=4,3",
    "hand=3356L top=4 opp=q4,q2",
    "hand=3356L top=4 opp=4,q2,6 scores=12,31,5,20 first=1",
    "hand=122 top=6 opp=4,4 scores=3,31,36",
    "hand=34 top=1 opp=2?,2? pile=~10",
    "hand=34 top=1 opp=?,? pile=~10",
    "hand=3L top=2 opp=3?,4? pile=0",
    "hand=1256L top=2 opp=3,q5,2,4",
    "hand=1256L top=2 opp=3,q5,2,4,6 scores=0,2,20,15,8,9",
)
POT_POSITIONS = (
    "hand=33L top=4 opp=4,5 pot=1,1,10 scores=12,31,5",
    "hand=33L top=L opp=4 pot=1,1,1",
)
PARTY_POSITIONS = ("hand=33+5LP top=4 opp=4,5", "hand=3+4+P top=3 opp=4,q5 scores=12,31,5")
LAMA_OPPONENTS = ("threshold:7", "matching:5", "random", "meanfield", "card:fewest=1..2:9/6")

PIKOMINO = ("pikomino/egmont",)
PIKOMINO_VARIANTS = (
    "pikomino/egmont+no_steal",
    "pikomino/egmont+short",
    "pikomino/egmont+flip_without_tile",
    "pikomino/egmont+dice=7+worms=1.1.2.2",
)
PIKOMINO_POSITIONS = (
    "",
    "kept=444W",
    "kept=444WW tops=-,-",
    "kept=444W rolled=1245 own=24 tops=27",
    "kept=445WW centre=21,26 stacks=29/30",
    "kept=444W centre=21-23,25,30-36 stacks=24/27/-",
    "kept=445WW centre=21,26 stacks=29.22/30/24.25/-/31",
    "kept=444WW centre=21 stacks=22.23/24",
    "kept=555WW centre=24 stacks=23.22.25.21/27.29.28/26",
    "kept=55 rolled=112345 stacks=21/22/23/24/25",
    "rolled=1123455W own=24 tops=27,-,28,21",
)
PIKOMINO_OPPONENTS = (
    *("first-tile", "early-worm", "random", "optimal-turn", "lead:40"),
    "card:dice=1..2:24/26",
)

NOPROB = ("noprob/starnberger",)
NOPROB_VARIANTS = (
    "noprob/starnberger+any_tie",
    "noprob/starnberger+four_rounds",
    "noprob/starnberger+refill=off",
    "noprob/starnberger+triple_joker=off",
    "noprob/starnberger+peeks=0",
)
NOPROB_GRIDS = "grid=3,?,5/?,(7),?/J,?,?"
NOPROB_POSITIONS = (
    f"{NOPROB_GRIDS} top=4 opp=?,?,?/?,?,9/?,?,?:DK",
    f"{NOPROB_GRIDS} mine=D top=4 opp=?,?,?/?,?,9/?,?,?:DK drawn=7",
    f"{NOPROB_GRIDS} top=4 opp=?,?,?/?,?,9/?,?,? drawn=D",
    f"{NOPROB_GRIDS} top=4 opp=?,?,?/?,?,9/?,?,? drawn=K",
    f"{NOPROB_GRIDS} top=4 opp=?,?,?/?,?,9/?,?,?;3,?,?/?,4,9/?,?,? drawn=J",
    "grid=3,?,5/?,?,?/J,?,? top=4 opp=?,?,?/?,?,9/?,?,?",
    "grid=6,6,6/3,4,5/7,8,? top=10 opp=3,3,4/4,5,5/6,6,7 last=1",
    "grid=6,6,6/3,4,5/7,?,? top=10 opp=3,3,4/4,5,5/6,6,7;3,?,?/?,4,9/?,?,? last=1 drawn=-1",
)
NOPROB_SCORES = (
    f"{NOPROB_GRIDS} top=4 opp=?,?,?/?,?,9/?,?,?;3,?,?/?,4,9/?,?,? llamas=2,1,0 target=3 first=0",
    f"{NOPROB_GRIDS} top=4"
    " opp=?,?,?/?,?,9/?,?,?;3,?,?/?,4,9/?,?,?;3,?,?/?,4,9/?,?,? llamas=0,0,2,1",
    f"{NOPROB_GRIDS} top=4"
    " opp=?,?,?/?,?,9/?,?,?;3,?,?/?,4,9/?,?,?;?,?,?/?,8,9/?,?,?;3,?,?/?,?,7/?,?,?",
    f"{NOPROB_GRIDS} top=4 drawn=6 llamas=1,0,0,1,0,1"
    " opp=?,?,?/?,?,9/?,?,?;3,?,?/?,4,9/?,?,?;?,?,?/?,8,9/?,?,?;3,?,?/?,?,7/?,?,?"
    ";?,?,?/?,?,?/?,?,?",
)
NOPROB_OPPONENTS = ("low-cards", "greedy", "planner", "random", "card:down=..2:5/0")


def questions(game: str, objectives: tuple[str, ...]) -> Iterator[Query]:
    """Yield the questions about a game. objectives: all that it has."""
    every: tuple[str | None, ...] = (None, *objectives)
    editions, variants, positions, opponents = OF_GAME[game]
    for position in positions:
        for edition in editions:
            yield Query(edition, position, every if edition == editions[0] else (None,))
        yield from (Query(variant, position) for variant in variants)
        yield Query(editions[0], position, ("points", "win"), opponents)
    yield from MORE[game]


OF_GAME = {
    "dice": (DICE, DICE_VARIANTS, DICE_POSITIONS, DICE_OPPONENTS),
    "lama": (LAMA, LAMA_VARIANTS, LAMA_POSITIONS, LAMA_OPPONENTS),
    "pikomino": (PIKOMINO, PIKOMINO_VARIANTS, PIKOMINO_POSITIONS, PIKOMINO_OPPONENTS),
    "noprob": (NOPROB, NOPROB_VARIANTS, NOPROB_POSITIONS, NOPROB_OPPONENTS),
}
EITHER = (None, "points", "margin", "win")
MORE: dict[str, list[Query]] = {
    "dice": [],
    "lama": [
        *(
            Query(rules, position, EITHER)
            for rules in LAMA_VARIANTS
            if "drama" in rules
            for position in POT_POSITIONS
        ),
        *(
            Query(rules, position, EITHER)
            for rules in ("lama/party", "lama/party+drama")
            for position in PARTY_POSITIONS
        ),
    ],
    "pikomino": [],
    "noprob": [
        *(Query("noprob/starnberger", position, (None, "points")) for position in NOPROB_SCORES),
        Query(
            "noprob/starnberger+four_rounds",
            f"{NOPROB_GRIDS} top=4 opp=?,?,?/?,?,9/?,?,?;3,?,?/?,4,9/?,?,? scores=12,3,40 round=2",
        ),
    ],
}
