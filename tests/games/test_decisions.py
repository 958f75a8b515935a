"""Decisions of a record: as if it were read anew for each, but it is read twice in all."""

from __future__ import annotations

import pytest

from lama_odds.core.errors import ReadError
from lama_odds.games.pikomino.records.record import read_record as read_pikomino
from lama_odds.games.pikomino.records.recorded import worms_by_turn
from lama_odds.games.registry import game_of
from lama_odds.games.shared import decisions as module
from lama_odds.games.shared.decisions import decisions, is_turn
from lama_odds.games.shared.policy_query import Asking
from lama_odds.games.shared.record import RecordReader
from tests.reference.decisions import slow_decisions

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
def test_as_if_the_record_were_read_anew_for_each(rules: str, policy: str, players: int) -> None:
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
        ReadError, match=f"this record has {turns} turns, but at most {turns - 1} can"
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
    assert worms_by_turn("\n".join(lines)) == slow
    assert max(slow[-1]) > 0
