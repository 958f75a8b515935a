"""`copy` and `learned` decide as their plain twin says, and win where they are trained."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

import lama_odds as lo
from lama_odds.core.reading import data_bytes, data_json
from lama_odds.games.dice.engine import policy_kernels as copying
from lama_odds.games.dice.engine import trained
from lama_odds.games.dice.engine.tables import BLOCK, HAND, PENALTY, SCORE, SCRATCH, TABLE_SIZE
from lama_odds.games.dice.game import GAME
from lama_odds.games.dice.policies import MANIFEST, joined, split
from lama_odds.games.dice.records.live import Player
from lama_odds.games.dice.rules.position import pack_hand
from lama_odds.games.interface.capabilities import Situation
from lama_odds.games.interface.match_equity import best_play
from lama_odds.games.shared.shipped_weights import PLAYERS
from lama_odds.jit import compiled
from tests.reference import dice_networks as twin

RULES = GAME.rules("dice/amigo")
NEAR = 1e-3  # sums in other orders may differ by so much: such decisions are left out


@compiled
def learned_rows_at(points, hand, row, others, table, seat):
    return trained.write_rows(points, hand, row, others, table, seat)


@compiled
def copy_rows_at(hand, theirs, row, rows):
    copying.write_rows(hand, theirs, row, rows, 0)


def packed(cards: str) -> int:
    return pack_hand(tuple(cards.count(kind) for kind in twin.KINDS))


def drawn(luck: random.Random, players: int, alone: bool = False) -> tuple:
    """Any cards, a row, a score and other players, who have quit if the player is alone."""
    pack = list(twin.KINDS * 5)
    luck.shuffle(pack)
    others = []
    for number in range(players - 1):
        cards = "".join(sorted(pack.pop() for _ in range(luck.randint(1, 6))))
        has_quit = alone or (number > 0 and luck.random() < 0.4)
        penalty = twin.points(cards) if has_quit else None
        others.append(twin.Other(cards, luck.randrange(40), penalty))
    luck.shuffle(others)
    cards = "".join(sorted(pack.pop() for _ in range(luck.randint(1, 6))))
    row = "".join(sorted(luck.sample(twin.KINDS, luck.randint(1, 7))))
    return cards, row, luck.randrange(40), others


@pytest.mark.parametrize("players", PLAYERS)
def test_rows_are_those_of_the_twin(players):
    luck = random.Random(players)
    sizes = trained.ROWS, trained.FIRST, trained.SECOND
    assert sizes == (twin.LEARNED_ROWS, twin.LEARNED_FIRST, twin.LEARNED_SECOND)
    assert (copying.COPY_ROWS, copying.FIRST, copying.SECOND) == (
        twin.ROWS,
        twin.FIRST,
        twin.SECOND,
    )
    assert copying.SCRATCH_END <= TABLE_SIZE
    for _ in range(60):
        cards, row, score, others = drawn(luck, players)
        seat, table = luck.randrange(players), np.zeros(TABLE_SIZE, np.int64)
        everybody = [twin.Other(cards, score), *others]
        for step, other in enumerate(everybody):
            there = (seat + step) % players
            table[HAND + there], table[SCORE + there] = packed(other.cards), other.score
            table[PENALTY + there] = -1 if other.penalty is None else other.penalty
        table[BLOCK + seat] = players
        in_ = sum(other.penalty is None for other in others)
        number = learned_rows_at(RULES.penalties, packed(cards), twin.set_of(row), in_, table, seat)
        found = table[SCRATCH : SCRATCH + number].tolist()
        assert number <= trained.MOST_ROWS
        assert number % trained.GROUP == 0
        expected = twin.learned_rows(cards, row, score, others)
        assert sorted(r for r in found if r != trained.NOTHING) == expected
        rows = np.zeros(copying.PARTS, np.int64)
        copy_rows_at(packed(cards), packed(others[0].cards), twin.set_of(row), rows)
        assert rows.tolist() == twin.copy_rows(cards, others[0].cards, row)


def decided(player: Player, situation: tuple, shown: str = "") -> str:
    cards, row, score, others = situation
    opponents = ",".join(
        other.cards if other.penalty is None else f"q{other.cards}" for other in others
    )
    scores = ",".join(str(number) for number in (score, *(other.score for other in others)))
    text = f"hand={cards} row={row} opp={opponents} scores={scores}"
    if shown:
        text += f" rolled={shown}"
    return player.decides(Situation(0, GAME.position(RULES, text)), 0)


def compared(
    player: Player, reference, players: int, alone: bool, seed: int, times: int
) -> Counter:
    """Ask both in situations drawn at random; count what they decided."""
    luck, said = random.Random(seed), Counter()
    for _ in range(times):
        situation = drawn(luck, players, alone)
        gain = reference.gain(*situation)
        if abs(gain) > NEAR:
            expected = "roll" if gain > 0 else "quit"
            assert decided(player, situation) == expected, situation
            said[expected] += 1
        cards, row, *_ = situation
        shown = luck.choice("1234LL") + luck.choice("3456LL") + "2"
        matches = "".join(kind * min(shown.count(kind), cards.count(kind)) for kind in twin.KINDS)
        takeable = "" if matches or alone else "".join(sorted(set(shown) & set(row)))
        if matches and len(matches) < len(cards):
            verb, worth = "discard", reference.discards(matches, *situation)
        elif takeable:
            verb, worth = "take", reference.takes(takeable, *situation)
        else:
            continue
        ranked = sorted(worth, key=worth.__getitem__, reverse=True)
        if len(ranked) > 1 and worth[ranked[0]] - worth[ranked[1]] > NEAR / 100:
            assert decided(player, situation, shown) == f"{verb} {ranked[0]}", (situation, shown)
            said[verb] += 1
    return said


def shipped_copy() -> np.ndarray:
    entry = data_json(MANIFEST)["rules"][RULES.id]
    content = data_bytes(f"copy/{entry['file']}", entry["sha256"])
    size = sum(part.size for net in split(np.zeros(1 << 20, np.float16)) for part in net)
    return np.frombuffer(content[-2 * size :], dtype="<f2")


@pytest.mark.parametrize("alone", [False, True])
def test_copy_decides_as_its_twin_does_with_the_weights_that_are_shipped(alone):
    weights = shipped_copy()
    assert np.array_equal(joined(split(weights)), weights)
    reference = twin.Copy(weights.tolist(), best_play(RULES.id).values.tolist())
    said = compared(Player(RULES, GAME.policy("copy"), 2), reference, 2, alone, 1, 60)
    assert min(said[verb] for verb in ("roll", "quit", "discard")) > 2
    assert alone or said["take"] > 2


@pytest.mark.parametrize(("players", "alone"), [(3, False), (6, False), (3, True)])
def test_learned_decides_as_its_twin_does_with_any_weights(players, alone):
    player, said = Player(RULES, GAME.policy("learned"), players), Counter()
    for number in range(3):
        luck = np.random.default_rng(number)
        parts = [luck.normal(0, 0.4, shape).astype(np.float32) for shape in trained.SHAPES]
        nets = trained.Net(*parts[:4]), trained.Net(*parts[4:])
        player.tables = player.tables._replace(learned=trained.laid_out(nets))
        reference = twin.Learned([[part.tolist() for part in net] for net in nets])
        said += compared(player, reference, players, alone, number, 25)
    assert min(said[verb] for verb in ("roll", "quit", "discard")) > 2
    assert alone or said["take"] > 2


# --- What is shipped, and for what -----------------------------------------------------------


def test_each_is_best_to_win_where_it_is_trained():
    def best(rules: str, players: int, aim: str = "win") -> str:
        return GAME.best_policy(GAME.rules(rules), players, aim).family.name

    assert best("dice/amigo", 2) == best("dice/gigamic", 2) == best("dice/egmont", 2) == "copy"
    assert best("dice/amigo", 3) == best("dice/gigamic", 6) == "learned"
    assert best("dice/amigo", 3, "points") == best("dice/amigo", 2, "points") == "meanfield"
    assert best("dice/amigo+twenty", 3) == "meanfield"
    assert best("dice/amigo+target=30", 2) == best("dice/egmont+twenty", 2) == "meanfield"


@pytest.mark.long
@pytest.mark.parametrize(
    ("policy", "other", "players", "games"),
    [
        ("learned", "meanfield:out=5", 4, 3_000),
        ("copy", "meanfield:out=1,even=3,ahead=3,behind=2,win=5,lose=20", 2, 2_000),
    ],
)
def test_it_wins_more_than_its_share_among_a_tuned_meanfield(policy, other, players, games):
    won = 0.0
    for seat in range(players):
        policies = [other] * players
        policies[seat] = policy
        won += (
            lo.simulate("dice/egmont", players, policies, games, seed=seat).seats[seat]["win"].value
        )
    share = 1 / players
    error = (share * (1 - share) / (games * players)) ** 0.5
    assert won / players > share + 3 * error
