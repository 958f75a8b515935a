"""Self-play that trains `equilibrium`: counterfactual regrets of two-player rounds, sampled.

A round is sampled. At each decision of one player every move is tried. The sampled one is part of
the round. For each other one, the rest of a round is sampled too (probing: Gibson and others 2012).
Players take turns in doing so. External sampling tries all moves of later decisions too. Here that
takes too long, because a player can draw again and again. What a player sees is abstracted (see
`equilibrium`), so a situation may have more than one past. Then nothing is guaranteed, and
measurements decide.

Both players draw from one shuffled pile, one from its front and one from its back. So a player
draws the same cards whatever is tried.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lama_odds.games.lama.engine.policy_kernels import last_move
from lama_odds.games.lama.engine.trained import (
    ABOVE,
    DRAWN,
    HANDS,
    LEFT,
    MOST_OTHER,
    MOVES,
    SAME,
    fewer_cards,
    hand_rank,
)
from lama_odds.games.lama.policies.equilibrium import SHAPE, rank_table
from lama_odds.games.lama.rules.ruleset import LamaRules
from lama_odds.games.lama.rules.transition import (
    PLACES,
    PLAIN,
    QUIT,
    count_cards,
    dearest,
    places_of,
    same_as_top,
)
from lama_odds.jit import compiled, inlined
from lama_odds.luck.stream import below, lane_start, mix, stream_of

MOST_DEEP = 256  # own decisions of a round: cards of the deck and more


class Rounds(NamedTuple):
    """The rounds that are played, from several pairs of scores.

    playable, penalties: of the rule set. alone: int64[PLACES, 2**PLACES], the penalty of a player
    alone, by the top and the values held.
    deck: int64, a hand of one for each card. dealt: cards of each player.
    worth: float64[…, …], the chance to win (or another worth) of a player who starts the next
    round, by both scores after a round. rotates: whether the other player starts it.
    pairs: int64[n, 2], scores before the round. upto: float64[n], their cumulated chances.
    returned: int64, by score, the token that is returned.
    ranks: see `equilibrium.hand_rank`.
    """

    playable: np.ndarray
    penalties: np.ndarray
    alone: np.ndarray
    deck: np.ndarray
    dealt: int
    worth: np.ndarray
    rotates: int
    pairs: np.ndarray
    upto: np.ndarray
    returned: np.ndarray
    ranks: np.ndarray


@inlined
def legal_moves(cards, top, can_draw):
    """Return the legal moves as a mask of slots; cards: those that can be played."""
    same = same_as_top(cards, top)
    moves = 1 << LEFT | can_draw << DRAWN
    return moves | (same != 0) << SAME | ((cards ^ same) != 0) << ABOVE


@inlined
def situation(rounds, side, top, hand, other_hand, hands):
    """Return the row of a situation; side: of the player who decides, 0 or 1."""
    other = min(count_cards(other_hand), MOST_OTHER) - 1
    row = ((side * PLACES + top) * MOST_OTHER + other) * hands
    return row + hand_rank(fewer_cards(hand), rounds.ranks)


@inlined
def positive(regrets, row, legal, move):
    """Return the regret of a move if it is legal and above 0, else 0."""
    return max(regrets[row, move], np.float32(0)) * np.float32(legal >> move & 1)


@inlined
def matched(regrets, row, legal, chances):
    """Fill in the chances of moves: in proportion to regrets above 0, or all equal."""
    total = np.float32(0)
    for move in range(MOVES):
        chances[move] = positive(regrets, row, legal, move)
        total += chances[move]
    if total > 0:
        for move in range(MOVES):
            chances[move] /= total
    else:
        count = np.float32(0)
        for move in range(MOVES):
            chances[move] = np.float32(legal >> move & 1)
            count += chances[move]
        for move in range(MOVES):
            chances[move] /= count


@inlined
def selected(chances, word):
    """Return the move that a random word selects."""
    left = np.float32(np.int64(word >> np.uint64(40))) * np.float32(2.0**-24)
    move = 0
    while move < MOVES - 1 and left >= chances[move]:
        left -= chances[move]
        move += 1
    while chances[move] == 0 and move > 0:  # rounding
        move -= 1
    return move


@inlined
def shuffle(deck, start, gamma):
    """Shuffle a deck; return the next word."""
    for at in range(deck.size - 1):
        other = at + below(mix(start), deck.size - at)
        start += gamma
        deck[at], deck[other] = deck[other], deck[at]
    return start


@inlined
def ended(worth, returned, mine, other, my_score, other_score, first):
    """Return what a round is worth to a player, by both penalties (0: gone out).

    first: whether this player starts the next round.
    """
    if mine == 0:
        my_score -= returned[my_score]
    if other == 0:
        other_score -= returned[other_score]
    mine += my_score
    other += other_score
    return worth[mine, other] if first else 1.0 - worth[other, mine]


@inlined
def card_played(hand, top, playable, move):
    """Return the kind of card that a move of a hand plays."""
    cards = hand & playable[top]
    same = same_as_top(cards, top)
    return dearest(same if move == SAME else cards ^ same)


@compiled
def rest_of_round(rounds, deck, luck, state, sides, me, starter, scores, regrets, hands, chances):
    """Return what the rest of a round is worth to `me`, sampled; the other is to move.

    luck: first word and step. state: the hands by seat, the top, and the cards drawn by seat.
    """
    playable, penalties, alone = rounds.playable, rounds.penalties, rounds.alone
    worth, returned, rotates = rounds.worth, rounds.returned, rounds.rotates
    word, gamma = luck
    hand0, hand1, top, drawn0, drawn1 = state
    pile = deck.size - 2 * rounds.dealt - 1
    my_score, other_score = scores
    seat = 1 - me
    while True:
        hand, theirs = (hand0, hand1) if seat == 0 else (hand1, hand0)
        can_draw = np.int64(drawn0 + drawn1 < pile)
        legal = legal_moves(hand & playable[top], top, can_draw)
        row = situation(rounds, seat if sides == 2 else 0, top, hand, theirs, hands)
        matched(regrets, row, legal, chances)
        move = selected(chances, mix(word))
        word += gamma
        if move == LEFT:
            cost, rest = penalties[places_of(hand)], alone[top, places_of(theirs)]
            mine, other = (cost, rest) if seat == me else (rest, cost)
            first = starter != me if rotates else seat != me
            return ended(worth, returned, mine, other, my_score, other_score, first)
        if move == DRAWN:
            drawn = drawn0 if seat == 0 else pile - 1 - drawn1
            hand += deck[drawn]
            drawn0 += 1 - seat
            drawn1 += seat
        else:
            kind = card_played(hand, top, playable, move)
            hand -= 1 << kind
            top = kind >> 3
            if hand == 0:
                cost = penalties[places_of(theirs)]
                mine, other = (0, cost) if seat == me else (cost, 0)
                first = starter != me if rotates else seat == me
                return ended(worth, returned, mine, other, my_score, other_score, first)
        if seat == 0:
            hand0 = hand
        else:
            hand1 = hand
        seat = 1 - seat


@compiled
def train(rounds, seed, first, games, sides, regrets, totals, weight):
    """Play games, adding to regrets and to the totals of strategies; return decisions examined.

    sides: 2 if the players have separate tables, else 1. regrets, totals: float32[sides ·
    PLACES · MOST_OTHER · HANDS, MOVES]. weight: of this part in both.
    """
    playable, penalties, alone = rounds.playable, rounds.penalties, rounds.alone
    worth, pairs, upto = rounds.worth, rounds.pairs, rounds.upto
    returned, dealt, rotates = rounds.returned, rounds.dealt, rounds.rotates
    deck = rounds.deck.copy()
    hands = regrets.shape[0] // (sides * PLACES * MOST_OTHER)
    pile = deck.size - 2 * dealt - 1
    # A row for every own decision on the way.
    rows = np.zeros(MOST_DEEP, np.int64)
    legals = np.zeros(MOST_DEEP, np.int64)
    moves = np.zeros(MOST_DEEP, np.int64)
    chances = np.zeros((MOST_DEEP, MOVES), np.float32)
    values = np.zeros((MOST_DEEP, MOVES))
    theirs = np.zeros(MOVES, np.float32)
    examined = 0
    key, gamma = stream_of(seed)
    for game in range(first, first + games):
        start = shuffle(deck, lane_start(key, gamma, game, 0, 0), gamma)
        lucky = np.float64(np.int64(mix(start) >> np.uint64(11))) * 2.0**-53
        pair = np.searchsorted(upto, lucky, side="right")
        starter = game & 1
        for me in range(2):
            start = lane_start(key, gamma, game, 1 + me, 0)
            scores = pairs[pair, me], pairs[pair, 1 - me]
            my_score, other_score = scores
            hand0, hand1 = 0, 0
            for card in range(dealt):
                hand0 += deck[pile + 1 + card]
                hand1 += deck[pile + 1 + dealt + card]
            top = dearest(deck[pile]) >> 3
            drawn0, drawn1 = 0, 0
            depth = 0
            value = 0.0
            seat = starter
            while True:
                hand, other = (hand0, hand1) if seat == 0 else (hand1, hand0)
                can_draw = np.int64(drawn0 + drawn1 < pile)
                legal = legal_moves(hand & playable[top], top, can_draw)
                row = situation(rounds, seat if sides == 2 else 0, top, hand, other, hands)
                word = mix(start)
                start += gamma
                if seat == me:
                    examined += 1
                    chance = chances[depth]
                    matched(regrets, row, legal, chance)
                    rows[depth], legals[depth] = row, legal
                    if word >> np.uint64(60) == 0:  # one of 16 is any move
                        options = np.int64(0)
                        for m in range(MOVES):
                            options += legal >> m & 1
                        number = below(mix(word), options)
                        move = 0
                        while number > 0 or not legal >> move & 1:
                            number -= legal >> move & 1
                            move += 1
                    else:
                        move = selected(chance, word << np.uint64(4))
                    moves[depth] = move
                    for m in range(MOVES):
                        if not legal >> m & 1 or (m == move and m != LEFT):
                            continue
                        if m == LEFT:
                            values[depth, m] = ended(
                                worth, returned, penalties[places_of(hand)],
                                alone[top, places_of(other)], my_score, other_score,
                                (starter != me) if rotates else False,
                            )  # fmt: skip
                            continue
                        after, next_top, more = hand, top, 0
                        if m == DRAWN:
                            after += deck[drawn0 if me == 0 else pile - 1 - drawn1]
                            more = 1
                        else:
                            kind = card_played(hand, top, playable, m)
                            after -= 1 << kind
                            next_top = kind >> 3
                        if after == 0:
                            values[depth, m] = ended(
                                worth, returned, 0, penalties[places_of(other)],
                                my_score, other_score, (starter != me) if rotates else True,
                            )  # fmt: skip
                            continue
                        state = (
                            after if me == 0 else other, other if me == 0 else after, next_top,
                            drawn0 + more * (1 - me), drawn1 + more * me,
                        )  # fmt: skip
                        values[depth, m] = rest_of_round(
                            rounds, deck, (start, gamma), state, sides, me, starter, scores,
                            regrets, hands, theirs,
                        )  # fmt: skip
                    depth += 1
                    if move == LEFT:
                        break
                else:
                    matched(regrets, row, legal, theirs)
                    for m in range(MOVES):
                        totals[row, m] += weight * theirs[m]
                    move = selected(theirs, word)
                    if move == LEFT:
                        value = ended(
                            worth, returned, alone[top, places_of(other)],
                            penalties[places_of(hand)], my_score, other_score,
                            (starter != me) if rotates else True,
                        )  # fmt: skip
                        break
                if move == DRAWN:
                    hand += deck[drawn0 if seat == 0 else pile - 1 - drawn1]
                    drawn0 += 1 - seat
                    drawn1 += seat
                else:
                    kind = card_played(hand, top, playable, move)
                    hand -= 1 << kind
                    top = kind >> 3
                    if hand == 0:
                        cost = penalties[places_of(other)]
                        mine, theirs_left = (0, cost) if seat == me else (cost, 0)
                        value = ended(
                            worth, returned, mine, theirs_left, my_score, other_score,
                            starter != me if rotates else seat == me,
                        )  # fmt: skip
                        break
                if seat == 0:
                    hand0 = hand
                else:
                    hand1 = hand
                seat = 1 - seat
            for at in range(depth - 1, -1, -1):
                if moves[at] != LEFT:
                    values[at, moves[at]] = value
                value = 0.0
                for m in range(MOVES):
                    if legals[at] >> m & 1:
                        value += chances[at, m] * values[at, m]
                for m in range(MOVES):
                    if legals[at] >> m & 1:
                        regrets[rows[at], m] += weight * np.float32(values[at, m] - value)
    return examined


# Rounds of cards for two that train `equilibrium`, and the moves that come of it.

SITUATIONS = PLACES * MOST_OTHER * HANDS


class Trained(NamedTuple):
    """What training adds to: float32[situations of both sides, MOVES], and situations visited."""

    regrets: np.ndarray
    totals: np.ndarray
    visited: int


def alone_table(rules: LamaRules) -> np.ndarray:
    """Return int64[PLACES, 2**PLACES]: the penalty once alone, by the top and the values held."""
    table = np.zeros((PLACES, 1 << PLACES), dtype=np.int64)
    playable, penalties = rules.playable, rules.penalties
    for start in range(PLACES):
        for held in range(1 << PLACES):
            hand = sum(1 << 8 * place + PLAIN for place in range(PLACES) if held >> place & 1)
            top = start
            while (
                move := int(last_move(rules.columns, hand, hand & int(playable[top]), top))
            ) != QUIT:
                hand -= 1 << move
                top = move >> 3
            left = sum(1 << place for place in range(PLACES) if hand >> 8 * place + PLAIN & 1)
            table[start, held] = penalties[left]
    return table


def rounds_of(
    rules: LamaRules, worth: np.ndarray, pairs: np.ndarray, chances: np.ndarray
) -> Rounds:
    """Return what `train` plays. pairs, chances: scores before a round, and how often."""
    deck = [
        1 << shift
        for shift, count in zip(rules.shifts, rules.deck, strict=True)
        for _ in range(count)
    ]
    upto = np.cumsum(chances / chances.sum())
    upto[-1] = 1.0
    return Rounds(
        np.array(rules.playable, dtype=np.int64),
        rules.penalties,
        alone_table(rules),
        np.array(deck, dtype=np.int64),
        rules.dealt,
        worth,
        int(rules.starter == "rotate"),
        pairs.astype(np.int64),
        upto,
        np.array([rules.token(score) for score in range(rules.target)], dtype=np.int64),
        rank_table(),
    )


def nothing_yet(sides: int) -> Trained:
    """Return what training begins with."""
    shape = (sides * SITUATIONS, MOVES)
    return Trained(np.zeros(shape, np.float32), np.zeros(shape, np.float32), 0)


def copied(start: Trained, sides: int, share: float) -> Trained:
    """Return what another training begins with: a share of one that had one side."""
    regrets, totals = (np.tile(part, (sides, 1)) * np.float32(share) for part in start[:2])
    return Trained(regrets, totals, 0)


def train_part(
    rounds: Rounds, trained: Trained, sides: int, seed: int, number: int, games: int
) -> Trained:
    """Train with part `number` of the games, from 0; later parts count more (linear CFR)."""
    visited = train(
        rounds, seed, number * games, games, sides, trained.regrets, trained.totals,
        np.float32(number + 1),
    )  # fmt: skip
    return trained._replace(visited=trained.visited + int(visited))


def moves_of(trained: Trained, sides: int) -> np.ndarray:
    """Return uint8[sides, …]: the most frequent move of each situation.

    Where none was ever sampled, it is the one with the highest regret.
    """
    sampled = np.asarray(trained.totals.any(axis=1))
    weights = np.where(sampled[:, None], trained.totals, trained.regrets)
    moves: np.ndarray = np.argmax(weights, axis=1).astype(np.uint8).reshape(sides, *SHAPE)
    return moves
