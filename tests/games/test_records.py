"""Records and positions of all games: decisions read once, text as people type it."""

from __future__ import annotations

import random
import re
from itertools import pairwise
from typing import Any

import pytest

from lama_odds.core.errors import ReadError
from lama_odds.games.interface.capabilities import CHOICE, LUCK, NOTHING
from lama_odds.games.interface.game import Game
from lama_odds.games.pikomino.records.record import RECORDED
from lama_odds.games.pikomino.records.record import read_record as read_pikomino
from lama_odds.games.registry import game_of
from lama_odds.games.shared import decisions as module
from lama_odds.games.shared.decisions import (
    Asking,
    decisions,
    is_turn,
    points_by_turn,
    read_record,
    viewer,
)
from lama_odds.games.shared.record import RecordReader

Told = tuple[int, int, int, int, str, str, Any, str]


def slow_decisions(game: Game, rules: Any, text: str) -> list[Told]:
    """Line, round, turn, seat, action, random event shown, position, and the record before."""
    seen = viewer(read_record(game, text))
    lines = text.splitlines()
    found: list[Told] = []
    round_ = turn = -1
    for number, line in enumerate(lines, 1):
        words = line.split()
        round_ += words[:1] == ["round"]
        if not is_turn(line):
            continue
        turn += 1
        if seen in (None, int(words[0])):
            before = "\n".join(lines[: number - 1])
            for seat, chosen, shown, position, upto in of_turn(game, rules, before, words):
                place = number, max(round_, 0), turn
                found.append((*place, seat, chosen, shown, position, upto))
    return found


def of_turn(game: Game, rules: Any, before: str, words: list[str]) -> list[Any]:
    """The decisions of a line, `before` being the record up to it."""
    recorded = game.recorded()
    verbs, seat, at = recorded.verbs, int(words[0]), 1
    found: list[Any] = []
    while at < len(words) and words[at] in verbs:
        follows = verbs[words[at]]
        upto = before + ("\n" + " ".join(words[:at]) if at > 1 else "")
        position = game.position_after(rules, upto)
        what = words[at + 1] if follows != NOTHING else ""
        chosen = named(game, position, words, at) if follows == CHOICE else words[at]
        shown = what if follows == LUCK and recorded.shown_at_once else ""
        found.append((seat, chosen, shown, position, upto))
        at += 1 if follows == NOTHING else 2
    return found


def named(game: Game, position: Any, words: list[str], at: int) -> str:
    """An action in the agreed notation."""
    verb, what = words[at], words[at + 1]
    if game.name == "dice":
        return f"{verb} {''.join(sorted(what))}"
    if verb == "steal":
        return f"steal {int(what)} from {position.tops.index(int(what), 1)}"
    if verb == "stop":
        return f"stop {int(what)}"
    if verb == "give":
        return f"give {words[2]} to {(int(what) - int(words[0])) % position.players}"
    return f"{verb} {what}"


CASES = [
    ("dice/amigo", "threshold:5", 3),
    ("dice/egmont+twenty", "random", 2),
    ("lama/egmont", "random", 4),
    ("lama/party+drama", "meanfield", 3),
    ("noprob/starnberger", "random", 2),
    ("noprob/starnberger+four_rounds+refill=off", "greedy", 3),
    ("pikomino/egmont", "random", 3),
]
# Lines of a record: the slow way takes the square of that.
LINES, LINES_OF_ROLLS = 60, 16


def record_of(rules: str, policy: str, players: int) -> str:
    game = game_of(rules)
    named = [game.policy(policy)] * players
    lines = game.record(game.rules(rules), named, 3, 1, False).splitlines()
    return "\n".join(lines[: LINES_OF_ROLLS if game.name == "pikomino" else LINES]) + "\n"


def as_seen_by(text: str, seat: int) -> str:
    """The first round of a record of cards, told from one seat."""
    lines, told = text.splitlines(), []
    noprob = "rules noprob" in text
    for line in lines:
        words = line.split()
        if words[0] == "end":
            break
        if words[0] == "deal":
            hand = words[1 + seat]
            if noprob:  # the first two cards have been looked at
                one, two, *_ = hand.split("/")[0].split(",")
                hand = f"({one}),({two}),?/?,?,?/?,?,?"
            words[1:] = [hand if s == seat else "?" for s in range(len(words) - 1)]
        if not noprob and words[1:2] == ["draw"] and words[0] != str(seat):
            words[2] = "?"
        told.append(" ".join(words))
    return "\n".join(told) + "\n"


def check(rules: str, text: str) -> int:
    game = game_of(rules)
    found = decisions(game, game.rules(rules), text)
    slow = slow_decisions(game, game.rules(rules), text)
    fast = [
        (d.line, d.round, d.turn, d.seat, d.chosen, d.rolled, d.position, d.before) for d in found
    ]
    assert fast == slow
    return len(found)


@pytest.mark.long
@pytest.mark.parametrize(("rules", "policy", "players"), CASES)
def test_as_if_the_record_were_read_again_for_each(rules: str, policy: str, players: int) -> None:
    text = record_of(rules, policy, players)
    assert check(rules, text) > 5
    # A record may stop anywhere in a turn.
    lines = text.splitlines()
    at = max(i for i in range(len(lines) // 2) if is_turn(lines[i]))
    kept, words = lines[:at], lines[at].split()
    for count in range(2, len(words) + 1):
        part = " ".join(words[:count])
        try:
            check(rules, "\n".join([*kept, part]) + "\n")
        except ReadError:
            assert count < len(words)  # a verb without what follows it


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("rules", "policy", "players"), CASES[2:6])
def test_of_a_round_told_from_one_seat(rules: str, policy: str, players: int) -> None:
    if "four_rounds" in rules:
        policy = "random"
    text = as_seen_by(record_of(rules, policy, players), 1)
    assert "?" in text
    assert check(rules, text) > 1


def test_a_record_is_read_twice_whatever_its_length(monkeypatch: pytest.MonkeyPatch) -> None:
    game, rules = game_of("noprob/starnberger"), game_of("noprob/starnberger").rules
    text, read = record_of("noprob/starnberger", "random", 2), []
    usual = RecordReader.read

    def counted(self: RecordReader, text: str) -> object:
        read.append(isinstance(self, Asking))
        return usual(self, text)

    monkeypatch.setattr(RecordReader, "read", counted)
    assert len(decisions(game, rules("noprob/starnberger"), text)) > 50
    assert read == [False, True]


def test_too_many_turns_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    text = record_of("dice/amigo", "threshold:5", 3)
    game = game_of("dice/amigo")
    turns = sum(is_turn(line) for line in text.splitlines())
    monkeypatch.setattr(module, "MOST_TURNS", turns)
    assert decisions(game, game.rules("dice/amigo"), text)
    monkeypatch.setattr(module, "MOST_TURNS", turns - 1)
    with pytest.raises(
        ReadError, match=f"this record has {turns} turns, but at most {turns - 1} can be"
    ):
        decisions(game, game.rules("dice/amigo"), text)


def test_a_record_of_other_rules_is_refused() -> None:
    game = game_of("dice/amigo")
    with pytest.raises(ReadError, match="are dice/amigo, not dice/egmont"):
        decisions(game, game.rules("dice/egmont"), record_of("dice/amigo", "threshold:5", 3))


def test_worms_by_turn_are_those_of_the_record_so_far() -> None:
    lines = record_of("pikomino/egmont", "first-tile", 3).splitlines()
    turns = [i for i, line in enumerate(lines) if is_turn(line)]
    slow = [read_pikomino("\n".join(lines[:at])).state.worms for at in [*turns, len(lines)]]
    assert points_by_turn(RECORDED, "\n".join(lines)) == list(pairwise(slow))
    assert max(slow[-1]) > 0
    half = "\n".join([*lines[: turns[9]], lines[turns[9]].split(" keep ")[0]])
    assert points_by_turn(RECORDED, half) == list(pairwise(slow[:10]))


DICE = "hand=25L row=1346L opp=13,q6LL rolled=13L scores=12,3,20"
CARDS = "hand=33+5LP top=L opp=4,q2,6 seen=1123 pot=1,1,10 scores=12,31,5,0"
WORMS = "kept=444W rolled=1245 centre=21-23,25,30-36 own=24 tops=27,-"
GRID = (
    "grid=3,?,-1/?,(7),10/J,?,? mine=D top=4 seen=3,J,-1 "
    "opp=?,?,?/?,?,9/?,?,?:DK;?,?,?/?,-5,?/?,?,?"
)
CLEAR = [
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


@pytest.mark.parametrize(("rules", "canonical", "typed"), CLEAR)
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
