"""Fit `copy`, which plays Lama Dice for two nearly as solved, alone and against another."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from lab.copy.net import (
    CHOICES,
    LOST,
    LOST_CHOICES,
    SEEN,
    SQUARED,
    STATS,
    WRONG,
    taught,
)
from lab.copy.solved_decisions import OPTIONS, TRIED, Decisions, Found, decisions
from lama_odds import __version__
from lama_odds.core.reading import data_json
from lama_odds.games.dice.game import GAME
from lama_odds.games.dice.policies import (
    MANIFEST,
    Weights,
    joined,
    outlook,
    shapes,
    worths,
)
from lama_odds.games.dice.rules import transition
from lama_odds.games.dice.rules.position import unpack_hand
from lama_odds.games.dice.rules.ruleset import EVEN, DiceRules, chance_to_win
from lama_odds.games.dice.rules.transition import BLOWN, LLAMAS, MATCH, count_of, kinds_of
from lama_odds.games.dice.solvers.last_player import (
    AlonePayoff,
    alone_space,
    end_ranks,
    scores_at_the_end,
    solve_alone,
    tokens_of,
)
from lama_odds.games.interface.match_equity import MatchEquity, best_play
from lama_odds.jit import compiled, inlined
from tools.publishing.target import Making, Target

# Decisions of a player of Lama Dice alone, the other having quit, with what each is worth.
#
# Each player alone that is found in solved rounds (see `solved_decisions`) is solved for the win,
# and continues a few times. At every decision the player mostly does what is best.

LEVELS = 4  # tokens that are followed
PATHS, TURNS = 3, 10  # how often each continues, and decisions at most
MOVED = 8  # points by which scores are moved at most, so that more of them are seen
QUITS_NOT = 4  # every fourth player who had better quit continues


def alone_decisions(
    rules: DiceRules, table: MatchEquity, starts: np.ndarray, seed: int
) -> tuple[Decisions, np.ndarray]:
    """Return decisions of players alone, and from which start each is; starts: see `Found`."""
    random = np.random.default_rng(seed)
    size = PATHS * TURNS
    columns: list[list[np.ndarray]] = []
    for number, (hand, row, first, second) in enumerate(starts.tolist()):
        score, final = first, second
        if number % 2:
            moved = np.array([first, second]) + random.integers(-MOVED, MOVED + 1, 2)
            most = rules.target - 1, rules.target + rules.most_points - 1
            score, final = np.clip(moved, (0, 1), most).tolist()
        words = random.integers(0, len(rules.rolls), (PATHS, TURNS, TRIED + 2))
        played = _played_on(rules, table, hand, row, score, final, words, size)
        columns.append([*played, np.full(len(played[0]), number)])
    joined = [np.concatenate(column) for column in zip(*columns, strict=True)]
    count = len(joined[0])
    ones, nobody = np.ones(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
    hands, rows, scores, quitting, rolling, left_hands, left, number_of = joined
    left_rows = np.repeat(rows[:, None], OPTIONS, axis=1)
    return Decisions(
        hands, nobody, rows, scores, quitting, rolling, ones, left_hands, left_rows, left
    ), number_of


def _played_on(
    rules: DiceRules,
    table: MatchEquity,
    hand: int,
    row: int,
    score: int,
    final: int,
    words: np.ndarray,
    size: int,
) -> list[np.ndarray]:
    """Return what one player alone decides: see `alone_decisions`."""
    tokens = tokens_of(rules, score, LEVELS)
    finals = scores_at_the_end(rules, score, tokens)
    results = EVEN - chance_to_win(rules, finals, np.full_like(finals, final), table)
    payoff = AlonePayoff(np.ascontiguousarray(results), np.zeros(len(finals)))
    space = alone_space(unpack_hand(hand), 0, row)
    solved = solve_alone(rules, space, tokens, False, payoff)
    levels = score - np.append(0, np.cumsum(tokens.values[:-1]))
    hands, of_level = np.zeros((2, size), dtype=np.int64)
    worth = np.zeros((size, 2))
    left_hands, left = np.zeros((size, OPTIONS), dtype=np.int64), np.full((size, OPTIONS), np.inf)
    count = _play_on(
        rules.columns, rules.rolls, end_ranks(rules), space.strides, solved.worth, results, hand,
        row, words, hands, of_level, worth, left_hands, left,
    )  # fmt: skip
    scores = np.column_stack((levels[of_level[:count]], np.full(count, final)))
    both = worth[:count, 0], worth[:count, 1]
    return [hands[:count], np.full(count, row), scores, *both, left_hands[:count], left[:count]]


@inlined
def place_of(strides, hand):
    """Return the number of a hand in the space of its player."""
    place = 0
    for kind in range(strides.size):
        place += count_of(hand, kind) * strides[kind]
    return place


@inlined
def best_left(strides, worth, hand, most, level):
    """Return the best hand that a discard within `most` leaves."""
    best = 0
    least = np.inf
    for choice in range(transition.discard_options(most), 0, -1):
        left = hand - transition.discard_option(most, choice)
        value = worth[place_of(strides, left), level]
        if value < least:
            least = value
            best = left
    return best


@inlined
def rolled_worth(columns, rolls, ranks, strides, worth, results, hand, row, level):
    """Return what rolling once is worth, if the player then plays as well as possible."""
    mask = kinds_of(hand)
    last = worth.shape[1] - 1
    total = 0.0
    again = 0
    for roll in rolls:
        case = transition.roll_case(columns, mask, row, roll, True)
        if case == LLAMAS:
            if level == last:
                again += 1
            else:
                total += worth[place_of(strides, hand), level + 1]
        elif case == BLOWN:
            total += results[level, ranks[transition.blown_kinds(mask, row)]]
        else:
            most = transition.most_discarded(hand, roll)
            left = best_left(strides, worth, hand, most, level)
            total += worth[place_of(strides, left), level]
    return total / (rolls.size - again)


@compiled
def _play_on(
    columns, rolls, ranks, strides, worth, results, start, row, words, hands, levels, both,
    left_hands, left,
):  # fmt: skip
    """Write the decisions of a player who continues; return how many there are."""
    count = 0
    for path in range(words.shape[0]):
        hand = start
        level = 0
        for turn in range(words.shape[1]):
            drawn = words[path, turn]
            mask = kinds_of(hand)
            quitting = results[level, ranks[mask]]
            rolling = rolled_worth(columns, rolls, ranks, strides, worth, results, hand, row, level)
            if path == 0 or turn > 0:
                hands[count], levels[count] = hand, level
                both[count, 0], both[count, 1] = quitting, rolling
                for tried in range(drawn.size - 2):
                    roll = rolls[drawn[tried]]
                    if transition.roll_case(columns, mask, row, roll, True) != MATCH:
                        continue
                    most = transition.most_discarded(hand, roll)
                    options = transition.discard_options(most)
                    if options < 2 or most == hand or options > left.shape[1]:
                        continue
                    for choice in range(options, 0, -1):
                        after = hand - transition.discard_option(most, choice)
                        left_hands[count, options - choice] = after
                        left[count, options - choice] = worth[place_of(strides, after), level]
                    break
                count += 1
            if rolling >= quitting and drawn[drawn.size - 1] % QUITS_NOT:
                break
            roll = rolls[drawn[drawn.size - 2]]
            case = transition.roll_case(columns, mask, row, roll, True)
            if case == BLOWN:
                break
            if case == LLAMAS:
                level = min(level + 1, worth.shape[1] - 1)
                continue
            most = transition.most_discarded(hand, roll)
            hand = best_left(strides, worth, hand, most, level)
            if hand == 0:
                break
    return count


# Fit the networks of `copy` to decisions of solved rounds of two players of Lama Dice.
#
# One network is for two players who are both in. The other is for a player alone, whose decisions
# are solved too. `--set only=dice/egmont` fits one rule set and leaves the others unchanged.

RULES = ("dice/amigo", "dice/egmont")
ALIKE = {"dice/gigamic": "dice/amigo"}  # play alike (tested): fitted once
TESTED = 10  # every tenth round is left out, to see how well the rest foretells it
NETS = ("together", "alone")
PART = 50  # rounds that are kept together


def shown(stats: np.ndarray) -> dict[str, float]:
    """How well decisions are made, from the sums of `copy_net.teach`."""
    seen, choices = stats[SEEN], max(stats[CHOICES], 1.0)
    figures = {
        "wrong": stats[WRONG] / seen,
        "cost": stats[LOST] / seen,
        "choices cost": stats[LOST_CHOICES] / choices,
        "points": (stats[SQUARED] / seen) ** 0.5,
    }
    return {name: float(f"{value:.3g}") for name, value in figures.items()}


def gathered(making: Making, rules: DiceRules, text: str) -> tuple[Found, np.ndarray]:
    """Return decisions of all solved rounds, and the number of the round of each."""
    table = best_play(text)
    assert table is not None, "the table of best play is shipped"
    folder = making.work / text.replace("/", "-")
    folder.mkdir(parents=True, exist_ok=True)
    threads = making.threads or os.cpu_count() or 1
    parts: list[tuple[Found, np.ndarray]] = []
    for first in range(0, making["rounds"], PART):
        path = folder / f"{first:06}.npz"
        if not path.exists():
            solved = [
                (number, decisions(rules, table, making["seed"], number, threads))
                for number in range(first, min(first + PART, making["rounds"]))
            ]
            _keep(path, [(number, seen) for number, seen in solved if seen is not None])
        with np.load(path) as kept:
            seen = Decisions(*(kept[name] for name in Decisions._fields))
            parts.append((Found(seen, kept["alone"]), kept["numbers"]))
        making.bar(first + PART, making["rounds"])
    return _joined([solved for solved, _ in parts]), np.concatenate([of for _, of in parts])


def _joined(parts: Sequence[Found]) -> Found:
    columns = zip(*(part.seen for part in parts), strict=True)
    alone = np.concatenate([part.alone for part in parts])
    return Found(Decisions(*(np.concatenate(column) for column in columns)), alone)


def _keep(path: Path, numbered: Sequence[tuple[int, Found]]) -> None:
    """Write a part, whole or not at all."""
    partial = path.with_name("partial.npz")
    numbers = np.concatenate([np.full(len(one.seen.hands), number) for number, one in numbered])
    joined = _joined([one for _, one in numbered])
    np.savez(partial, numbers=numbers, alone=joined.alone, **joined.seen._asdict())
    os.replace(partial, path)


def fit_net(
    making: Making, rules: DiceRules, seen: Decisions, numbers: np.ndarray, alone: bool
) -> tuple[Weights, dict[str, Any]]:
    """Return a network, and how well it does. numbers: of the rounds."""
    table = best_play(rules.id)
    assert table is not None
    worth = worths(rules, table, alone)
    name = NETS[alone]
    last = np.zeros((2, STATS))

    def told(epoch: int, learned: np.ndarray, rest: np.ndarray) -> None:
        last[:] = learned, rest
        making.tell(f"{name}, {epoch}: {shown(learned)}, others {shown(rest)}")

    weights = taught(
        shapes(alone), outlook(worth, alone), worth, rules.penalties, seen,
        numbers % TESTED > 0, alone, making["epochs"], making["seed"], told,
    )  # fmt: skip
    facts = {"learned": shown(last[0]), "others": shown(last[1])}
    return weights, {"decisions": len(numbers), **facts}


def fit_rules(making: Making, text: str) -> tuple[np.ndarray, dict[str, Any]]:
    """Return the weights of both networks, and how well they do."""
    rules = GAME.rules(text)
    table = best_play(text)
    assert table is not None
    solved, numbers = gathered(making, rules, text)
    making.tell(f"{text}: {len(numbers):,} decisions of {making['rounds']:,} rounds")
    alone, starts = alone_decisions(rules, table, solved.alone, making["seed"])
    making.tell(f"{text}: {len(starts):,} decisions of {len(solved.alone):,} players alone")
    together, facts = fit_net(making, rules, solved.seen, numbers, False)
    single, facts_alone = fit_net(making, rules, alone, starts, True)
    return joined((together, single)), dict(zip(NETS, (facts, facts_alone), strict=True))


def make(making: Making) -> None:
    """Fit and write."""
    entries: dict[str, Any] = {}
    for text in RULES:
        if not text.startswith(making["only"]):
            entries[text] = data_json(MANIFEST)["rules"][text]
            continue
        weights, facts = fit_rules(making, text)
        name = text.replace("/", "-") + ".npy"
        digest = making.write_array(f"data/copy/{name}", weights)
        entries[text] = {"file": name, **facts, "sha256": digest}
    entries.update({text: entries[other] for text, other in ALIKE.items()})
    manifest = {
        "what": "weights of the networks of `copy`, fitted to decisions of solved rounds: for two "
        "players who are in, and for one alone. How well they do at decisions that taught them, "
        "and at others. wrong: share of wrong decisions to quit or roll. cost: what they cost on "
        "average, in chances to win. choices cost: the same for discards and takes. points: error "
        "of what a situation costs",
        "command": making.command,
        "version": __version__,
        **{name: making[name] for name in ("rounds", "epochs", "seed")},
        "rules": entries,
    }
    making.write(f"data/{MANIFEST}", json.dumps(manifest, indent=1) + "\n")


TARGET = Target(
    name="copy",
    what="the weights of `copy`, which plays Lama Dice for two nearly as solved",
    make=make,
    writes=("data/copy/",),
    reads=("data/dice/", "data/best_play/"),
    options={"rounds": 1_700, "epochs": 9, "seed": 1, "only": ""},
    quick={"rounds": 20, "epochs": 2},
    deep=True,
)
