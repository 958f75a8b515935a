"""Records and positions of all games: decisions told apart, damage refused, text as typed."""

from __future__ import annotations

from collections import Counter
from importlib import import_module
from random import Random
from typing import Any

import pytest

from lama_odds.core.errors import ImpossibleError, ReadError
from lama_odds.games.interface.capabilities import LUCK, NOTHING
from lama_odds.games.registry import GAMES, game_of
from lama_odds.games.shared import decisions as module
from lama_odds.games.shared.decisions import decisions, is_turn, read_record, viewer
from lama_odds.games.shared.in_words import words_of
from tests.games.cases import product_record, seats_of

LAMA = ("threshold:5", "random", "matching:6")
GRIDS = ("greedy", "random", "random")
SMALL = "copies=3+dramas=1+jokers=2+karmas=1+negative_copies=2.1.1"
# Rule set, policies, seed, game, and whether the record is of a first round.
RECORDS = {
    "dice round": ("dice/amigo", ("threshold:5", "random"), 3, 1, True),
    "dice": ("dice/egmont+twenty+quit_cost=2", ("threshold:5", "random", "random"), 3, 0, False),
    "dice row": ("dice/gigamic", ("threshold:5", "random"), 3, 2, False),
    "lama": ("lama/egmont", LAMA, 51, 3, False),
    "lama round": ("lama/amigo", LAMA[:2], 51, 1, True),
    "party": ("lama/party+drama+drama_tokens=2", LAMA, 51, 2, False),
    "six": ("lama/egmont+drama", seats_of(LAMA, 6), 51, 4, True),
    "noprob": ("noprob/starnberger", GRIDS, 61, 1, True),
    "noprob refill": (f"noprob/starnberger+{SMALL}+refill=off", GRIDS, 61, 2, True),
    "noprob rounds": (f"noprob/starnberger+four_rounds+{SMALL}+rounds=1", GRIDS, 62, 0, False),
    "pikomino": ("pikomino/egmont", ("first-tile", "random"), 0, 155, False),
    "pikomino five": ("pikomino/egmont+short", ("random",) * 5, 3, 4, False),
    "pikomino flips": ("pikomino/egmont+flip_without_tile", ("optimal-turn",) * 3, 8, 1, False),
}
every_record = pytest.mark.parametrize("name", RECORDS)


def begun(name: str) -> str:
    """The beginning of a record: each position is worked out from all that is before it."""
    lines = product_record(*RECORDS[name]).splitlines()
    return "\n".join(lines[: 16 if "pikomino" in name else 60]) + "\n"


# Decisions


def as_seen_by(text: str, seat: int) -> str:
    """The first round of a record of cards, told from one seat."""
    told = []
    noprob = "rules noprob" in text
    for line in text.split("\nend")[0].splitlines():
        words = line.split()
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


def places(game: Any, text: str) -> list[tuple[Any, ...]]:
    """Line, round, turn, seat, words before, verb and shown luck of each decision of a record."""
    recorded, seen = game.recorded(), viewer(read_record(game, text))
    found, round_, turn = [], -1, -1
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        round_ += words[:1] == ["round"]
        turn += is_turn(line)
        if not is_turn(line) or seen not in (None, int(words[0])):
            continue
        at = 1
        while at < len(words) and words[at] in recorded.verbs:
            follows = recorded.verbs[words[at]]
            shown = words[at + 1] if follows == LUCK and recorded.shown_at_once else ""
            found.append((number, max(round_, 0), turn, int(words[0]), at, words[at], shown))
            at += 1 if follows == NOTHING else 2
    return found


def check_decisions(text: str) -> None:
    """Each decision is told with its place, and with the position of the record before it."""
    game = game_of(text.split()[4])
    rules = game.rules(text.split()[4])
    found = decisions(game, rules, text)
    assert places(game, text) == [
        (d.line, d.round, d.turn, d.seat, d.words, d.chosen.split()[0], d.rolled) for d in found
    ]
    assert len(found) > 1
    for at, decision in enumerate(found):
        assert game.position_after(rules, decision.before) == decision.position
        assert game.position(rules, decision.position.format()) == decision.position
        assert decision.chosen in game.policy_query().legal_actions(rules, decision.position)
        if at % 7 == 3:  # a record may stop anywhere in a turn
            assert decisions(game, rules, decision.before) == found[:at]


@pytest.mark.one_in(2)
@every_record
def test_decisions_are_those_of_the_record_read_again_for_each(name: str) -> None:
    check_decisions(begun(name))


@pytest.mark.parametrize("name", ["lama", "party", "noprob", "noprob refill"])
def test_of_a_round_told_from_one_seat_only_that_seats_decisions_are_given(name: str) -> None:
    check_decisions(as_seen_by(begun(name), 1))


@pytest.mark.parametrize("name", [name for name in RECORDS if name[:4] not in ("nopr", "piko")])
def test_a_record_cut_after_any_line_asks_the_next_seat_or_says_why_not(name: str) -> None:
    lines, game = begun(name).splitlines(), game_of(RECORDS[name][0])
    rules = game.rules(RECORDS[name][0])
    for end in range(len(lines)):
        cut = "\n".join(lines[:end])
        if end < 3:
            with pytest.raises(ReadError):
                read_record(game, cut)
        elif is_turn(lines[end]):
            found, position = read_record(game, cut), game.position_after(rules, cut)
            state = found.state or found.rounds[-1]
            assert state.seat == int(lines[end].split()[0])
            assert game.position(rules, position.format()) == position
        else:
            with pytest.raises(ImpossibleError):
                game.position_after(rules, cut)


def test_too_many_turns_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    text, game = begun("dice"), game_of("dice")
    turns, rules = sum(map(is_turn, text.splitlines())), game.rules(RECORDS["dice"][0])
    monkeypatch.setattr(module, "MOST_TURNS", turns)
    assert decisions(game, rules, text)
    monkeypatch.setattr(module, "MOST_TURNS", turns - 1)
    with pytest.raises(ReadError, match=f"has {turns} turns, but at most {turns - 1} can be"):
        decisions(game, rules, text)


# Damage

ANY = "0123456789-+=.:/ qx#\t\n\r\x00\x0bé²٣𝟛\u2028LPJDKW?(),!"
WORDS = (
    *("-1", "00", "9" * 30, "1" * 20, "7", "-", "²", "end", "final", "scores", "quit", "luck"),
    *("roll", "LLL", "discard", "take", "blown", "dice/amigo+twenty", "+faces=1L", "play", "draw"),
    *("6+", "pays", "takes", "pot", "top", "deal", "lama/party+drama", "pass", "give", "replace"),
    *("turns", "1,1", "4,4", "0,0", "done", "empty", "llamas", "noprob/starnberger", "+refill=off"),
    *("keep", "stop", "steal", "bust", "returns", "flips", "21", "36", "WWWWW444", "+short"),
)


def damage(luck: Random, text: str) -> str:
    """Change lines, a character or a word of a text, the first lines more often."""
    lines = text.splitlines(keepends=True) or [""]
    some = luck.choice((lines, lines[:12]))
    one, other = luck.randrange(len(some)), luck.randrange(len(some))
    words = some[one].rstrip("\n").split(" ")
    at, way = luck.randrange(len(words)), luck.randrange(6)
    if way == 0:
        lines[one], lines[other] = lines[other], lines[one]
    elif way == 1:
        del lines[one]
    elif way == 2:
        lines.insert(one, lines[other])
    elif way == 3:
        place = luck.randrange(len(lines[one]) or 1)
        lines[one] = lines[one][:place] + luck.choice(ANY) + lines[one][place + 1 :]
    else:
        words[at : at + 1] = [luck.choice(WORDS)] if way == 4 else []
        lines[one] = " ".join(words) + "\n"
    return "".join(lines)


def refusal(error: ReadError | ImpossibleError) -> str:
    """What an error means, checked to name its line and place."""
    if isinstance(error, ImpossibleError):
        assert error.defects
        return "over"
    headless = error.message.startswith(("this is not a record", "the record ends before"))
    assert headless or error.message.startswith("line ")
    assert str(error).startswith(error.message)
    assert error.text is None or 0 <= error.at <= len(error.text)
    return "refused"


def outcome(game: Any, text: str) -> str:
    """What becomes of a damaged record, checked to be what may become of one."""
    try:
        found = read_record(game, text)
        position = game.position_after(found.rules, text)
    except (ReadError, ImpossibleError) as error:
        return refusal(error)
    assert game.position(found.rules, position.format()) == position
    return "asks"


@pytest.mark.one_in(3)
@every_record
def test_a_damaged_record_is_read_or_refused(name: str) -> None:
    luck, text, seen = Random(name), product_record(*RECORDS[name]), Counter[str]()
    game = game_of(RECORDS[name][0])
    for number in range(120):
        damaged = text
        for _ in range(number % 4):
            damaged = damage(luck, damaged)
        if number % 4 == 0:
            damaged = text[: luck.randrange(len(text))]
            if number % 8:  # after a line
                damaged = damaged.rpartition("\n")[0]
        seen[outcome(game, damaged)] += 1
    assert seen["refused"] > 60
    assert seen["asks"] + seen["over"] > 5


@every_record
def test_the_header_is_enough_to_write_the_record_again(name: str) -> None:
    text = product_record(*RECORDS[name])
    found = read_record(game_of(RECORDS[name][0]), text)
    again = product_record(found.rules.id, found.policies, *found.luck, found.final is None)
    assert again == text
    if found.final is not None:
        assert text.splitlines()[-1] == f"final {' '.join(map(str, found.final))}"


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("text", ["", "\n", "hello", "lama-odds record 2\nrules dice/amigo"])
def test_what_is_no_record_is_called_so(game: str, text: str) -> None:
    with pytest.raises(ReadError, match="this is not a record"):
        read_record(game_of(game), text)


# Positions as people type them

DICE = "hand=25L row=1346L opp=13,q6LL rolled=13L scores=12,3,20"
CARDS = "hand=33+5LP top=L opp=4,q2,6 seen=1123 pot=1,1,10 scores=12,31,5,0"
WORMS = "kept=444W rolled=1245 centre=21-23,25,30-36 own=24 tops=27,-"
GRID = (
    "grid=3,?,-1/?,(7),10/J,?,? mine=D top=4 seen=3,J,-1 "
    "opp=?,?,?/?,?,9/?,?,?:DK;?,?,?/?,-5,?/?,?,?"
)
CLEAR = [
    ("dice/amigo", DICE, "HAND=2,5,l Row=1,3,4,6,llama opp=13, 6llQ ROLLED=1 3 L scores=12 3 20"),
    ("dice/amigo", DICE, "hand=2 5 Llama row=1346l  opp=13,Q6LL rolled=1,3,L scores=12 ,3, 20"),
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
]  # fmt: skip
# A place is marked. Cards of one player or of two? A mark before or behind? One number, one card.
UNCLEAR = [
    ("dice/amigo", "hand=25L opp=1 ^3", "a comma between players"),
    ("dice/amigo", "hand=25L opp=13 ^6LL rolled=13L", "a comma between players"),
    ("dice/amigo", "hand=25L opp=q13^q", "cards 1-6 or L"),
    ("dice/amigo", "hand=25L,^ opp=13", "cards 1-6 or L"),
    ("dice/amigo", "hand=25L first=1 ^2 opp=13", "one number"),
    ("lama/egmont", "hand=35 top=^34 opp=4", "one card"),
    ("lama/egmont", "hand=35 top=4 opp=^2q3", "a whole number"),
    ("lama/egmont", "hand=35 top=4 opp=4,^,6", "the number of cards"),
    ("lama/egmont", "hand=35 ^topp4 opp=4", "name=value"),
    ("noprob/starnberger", "grid=^3?/?(7)?/J?? top=4 opp=?????????", "here 2"),
    ("noprob/starnberger", "grid=3?5/?(7)?/^3,5? top=4 opp=?????????", "here 3"),
    ("noprob/starnberger", "grid=3?5/?(7)?/J?? top=4 opp=^????????? ?????????", "here 18"),
]  # fmt: skip


def read(rules: str, text: str) -> Any:
    """A position as it is read, whether or not it can occur."""
    game = game_of(rules)
    reads = import_module(f"lama_odds.games.{game.name}.rules.position").read_position
    given = (game.rules(rules),) if game.name in ("pikomino", "noprob") else ()
    return reads(*given, text)


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


# Numbers that are a guess, with the word of the position for each value: half as many and half as
# many again, by 3 at least; the lowest cards leave the row first; hands are of each size.
GUESSED = [
    ("dice/amigo", "hand=25L row=1346L? opp=13", "row",
     {1: "L?", 3: "46L?", 5: "1346L?", 7: "123456L?"}),
    ("dice/amigo", "hand=25L opp=q=2?,q6", "opp", {1: "q=1?,q6", 2: "q=2?,q6", 5: "q=5?,q6"}),
    ("dice/amigo", "hand=25L opp=q22L?,13", "opp",
     {6: "q=6?,13", 12: "q22L?,13", 18: "q=18?,13"}),
    # Who holds fewest holds each number, the other no fewer: of new kinds, or without the most.
    ("dice/amigo", "hand=25L opp=1355?,66?", "opp",
     {1: "1355?,6?", 2: "1355?,66?", 3: "1355?,166?", 4: "1355?,1266?", 5: "12355?,12366?",
      6: "123455?,123466?"}),
    ("lama/egmont", "hand=25L top=1 opp=4?,2?", "opp",
     {1: "4?,1?", 2: "4?,2?", 3: "4?,3?", 4: "4?,4?", 5: "5?,5?", 6: "6?,6?"}),
    ("lama/egmont", "hand=25L top=1 opp=q4?,q2?", "opp",
     {2: "q1?,q1?", 6: "q4?,q2?", 12: "q7?,q5?"}),
    ("lama/egmont", "hand=25L top=1 opp=4,2 pile=~20", "pile", {10: "~10", 20: "~20", 30: "~30"}),
    ("lama/egmont", "hand=25L top=1 opp=4,2", "pile", {17: "~17", 35: None}),
]  # fmt: skip


@pytest.mark.parametrize(("rules", "text", "word", "expected"), GUESSED)
def test_a_guess_is_tried_with_the_values_about_it(
    rules: str, text: str, word: str, expected: dict[int, str | None]
) -> None:
    game = game_of(rules)
    rule_set = game.rules(rules)
    position = game.position(rule_set, text)
    words = [
        {value: words_of(p).get(word) for value, p in zip(g.values, g.positions, strict=True)}
        for g in game.guessed(rule_set, position)
        if g.positions[g.at] == position
    ]
    assert expected in words
