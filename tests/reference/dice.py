"""Lama Dice in plain Python, written from the rule books.

Sources: the English rules of Amigo (seed 001), the French of Gigamic (seed 003), and the dice part
of the Polish of Egmont (seed 000). Where they do not say, `rules.md` does.

A card is one character, "1" to "6" or "L", and so is a face. A row of cards is a dict from kind to
number of cards, without zeros: its keys are the kinds that score.
"""

from collections import Counter, deque
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import prod

from . import luck

LLAMA = "L"
KINDS = "123456L"
DRAWN_FROM_ONE_WORD = 6


@dataclass
class Rules:
    """A rule set; the defaults are those of Amigo.

    `copies` (cards of each number) and `llamas` count the card in the llama row too. Two house
    rules: `out_token` says when going out returns a token (always, with a llama among the last
    cards, or never), `quit_cost` is added to the points of a player who quits.
    """

    black: int = 10
    copies: int = 6
    dealt: int = 6
    empty_row_ends: bool = True
    faces: str = "1234LL.3456LL.1256LL"
    llama_points: int = 10
    llama_safe_alone: bool = True
    llamas: int = 7
    out_token: str = "always"
    pink: int = 20
    points: tuple = (1, 2, 3, 4, 5, 6)
    quit_cost: int = 0
    target: int = 40
    twenty: bool = False


def edition(name):
    """Give the rules of a rule book.

    Amigo ("The End of a Round") and Gigamic ("Fin de la manche") list the empty llama row among
    the ends. Egmont ("Koniec rundy") does not.
    """
    if name not in ("amigo", "gigamic", "egmont"):
        raise ValueError(f"no edition of Lama Dice: {name}")
    return Rules(empty_row_ends=name != "egmont")


# --- Cards, dice, points, tokens -------------------------------------------------------------


def full_pack(rules):
    """List the cards to deal from, sorted: all except the llama row ("Setting Up the Game")."""
    numbers = [kind for kind in KINDS if kind != LLAMA for _ in range(rules.copies - 1)]
    return numbers + [LLAMA] * (rules.llamas - 1)


def deal(rules, players, stream, game, round_index):
    """Deal each seat its row of cards, seat after seat."""
    pack = full_pack(rules)
    address = luck.address_of(game, round_index, luck.DEAL)
    hands = []
    for _ in range(players):
        hand = {}
        for drawn in range(rules.dealt):
            if drawn % DRAWN_FROM_ONE_WORD == 0:
                word = luck.word_at(stream, address)
                address += 1
            index, word = luck.split(word, len(pack))
            card = pack.pop(index)
            hand[card] = hand.get(card, 0) + 1
        hands.append(hand)
    return hands


@cache
def all_rolls(faces):
    """List every roll of the dice, first die slowest, as {kind: dice showing it}, kinds sorted."""
    return [dict(Counter(sorted(shown))) for shown in product(*faces.split("."))]


def points_of_kinds(rules):
    return dict(zip(KINDS, (*rules.points, rules.llama_points), strict=True))


def penalty_of(points, kinds):
    return sum([points[kind] for kind in kinds])


def score_after_return(rules, score):
    """Return the most valuable token held, if any ("Returning tokens"; Egmont, "Lama 20").

    Exchange is free, so the score tells the tokens.
    """
    if rules.twenty and score >= rules.pink:
        return score - rules.pink
    if score >= rules.black:
        return score - rules.black
    return score - 1 if score >= 1 else score


# --- Policies: `coins` is the address of the two coin words of this turn ---------------------


class Threshold:
    """Quit at `limit` points or fewer, discard all one can, take the lowest number."""

    def __init__(self, limit):
        self.limit = limit

    def look(self, *table):
        pass

    def quits(self, points, hand, stream, coins):
        return penalty_of(points, hand) <= self.limit

    def discard(self, matches, stream, coins):
        return matches

    def take(self, takeable, stream, coins):
        return takeable[0]


class Random(Threshold):
    """Choose quit or roll, then what to do with the roll, each evenly among what is legal."""

    def __init__(self):
        pass

    def quits(self, points, hand, stream, coins):
        return luck.below(luck.word_at(stream, coins), 2) == 0

    def discard(self, matches, stream, coins):
        # Number the choices like an odometer, lowest kind fastest; number 0 discards nothing.
        choices = prod([most + 1 for _, most in matches]) - 1
        choice = 1 + luck.below(luck.word_at(stream, coins + 1), choices)
        discarded = []
        for kind, most in matches:
            choice, number = divmod(choice, most + 1)
            if number:
                discarded.append((kind, number))
        return discarded

    def take(self, takeable, stream, coins):
        return takeable[luck.below(luck.word_at(stream, coins + 1), len(takeable))]


class Card(Threshold):
    """Rules on a card: habits, then lines; the first line whose conditions hold has the limit."""

    def __init__(self, text):
        pieces = text.split("/")
        self.habits = {piece for piece in pieces if piece.isalnum() and piece[0] in "ls"}
        lines = [piece.rpartition(":") for piece in pieces if piece not in self.habits]
        self.lines = [(wanted.split("+") if wanted else [], limit) for wanted, _, limit in lines]

    def look(self, rules, points, seat, hands, row, waiting, scores):
        own = penalty_of(points, hands[seat])
        others = [other for other in range(len(hands)) if other != seat]
        costs = [penalty_of(points, hand) for hand in hands]
        final = {
            other: scores[other] + costs[other] + (0 if other in waiting else rules.quit_cost)
            for other in others
        }
        best = min(scores[other] if other in waiting else final[other] for other in others)
        total, lowest = min(scores[seat] + own, 99), min(99, *final.values())
        self.seen = {
            "fewest": min([15] + [sum(hands[other].values()) for other in waiting]),
            "others": len(waiting),
            "cards": min(sum(hands[seat].values()), 15),
            "kinds": len(hands[seat]),
            "row": len(row),
            "score": min(scores[seat], 99),
            "ahead": max(0, min(best, 99) - scores[seat]),
            "behind": min(99, max(0, scores[seat] - min(best, 99))),
            "total": total,
            "leads": max(0, lowest - total),
            "trails": max(0, total - lowest),
        }
        self.settled = None
        mine = scores[seat] + own + rules.quit_cost
        if "settle" in self.habits and not waiting and max(mine, *final.values()) >= rules.target:
            self.settled = {-1: True, 1: False, 0: None}[
                (mine > min(final.values())) - (mine < min(final.values()))
            ]

    def holds(self, condition):
        name, _, bounds = condition.partition("=")
        low, dots, high = bounds.partition("..")
        value = self.seen[name]
        return int(low or 0) <= value and value <= int((high or 999) if dots else low)

    def quits(self, points, hand, stream, coins):
        if self.settled is not None:
            return self.settled
        limit = next(limit for wanted, limit in self.lines if all(map(self.holds, wanted)))
        return limit != "never" and penalty_of(points, hand) <= int(limit)

    def take(self, takeable, stream, coins):
        above = {"llama": "1", "llama4": "4", "llama5": "5", "llama6": "6"}
        least = min([above[habit] for habit in self.habits if habit in above], default=LLAMA)
        return LLAMA if LLAMA in takeable and takeable[0] >= least else takeable[0]


def policy_of(name):
    if name == "random":
        return Random()
    kind, _, limit = name.partition(":")
    if kind == "card":
        return Card(limit)
    if kind != "threshold":
        raise ValueError(f"no policy of Lama Dice: {name}")
    return Threshold(int(limit))


# --- A round ---------------------------------------------------------------------------------


class Table:
    """What stays the same from round to round: the rules, worked out, and the players."""

    def __init__(self, rules, policies, seed):
        self.rules = rules
        self.policies = [policy_of(name) for name in policies]
        self.stream = luck.stream_of(seed)
        self.rolls = all_rolls(rules.faces)
        self.points = points_of_kinds(rules)


def returns_token(rules, discarded):
    kinds = [kind for kind, _ in discarded]
    return {"always": True, "llama": LLAMA in kinds, "never": False}[rules.out_token]


def costs_of(table, turns, hands):
    """Add up what the round costs every seat, from the cards left, more for those who have quit."""
    costs = [penalty_of(table.points, hand) for hand in hands]
    for seat, case, *_ in turns:
        if case == "quit":
            costs[seat] += table.rules.quit_cost
    return costs


def judge(rules, roll, hand, row, alone):
    """Say what a roll means ("Rolling"): a case and what there is to choose from.

    Alone, one may not take from the llama row ("The End of a Round").
    """
    all_llamas = len(roll) == 1 and LLAMA in roll
    if all_llamas and (rules.llama_safe_alone or not alone or LLAMA in hand):
        return "llamas", ()
    matches = [(kind, min(dice, hand[kind])) for kind, dice in roll.items() if kind in hand]
    if matches:
        return "discard", matches
    takeable = () if alone else [kind for kind in roll if kind in row]
    if takeable:
        return "take", takeable
    return "blown", ()


def remove_cards(hand, discarded):
    for kind, number in discarded:
        if hand[kind] == number:
            del hand[kind]
        else:
            hand[kind] -= number


def apply_case(rules, case, chosen, hand, row):
    """Move the cards of a roll; return how the round ends by it, or None if it continues."""
    if case == "discard":
        remove_cards(hand, chosen)
        if not hand:
            return "out"
    elif case == "take":
        row.remove(chosen)
        hand[chosen] = 1  # one takes only kinds one does not hold
        if not row and rules.empty_row_ends:
            return "row"
    elif case == "blown":
        for kind in row:
            hand[kind] = hand.get(kind, 0) + 1
        row.clear()
        return "blown"
    return None


def play_turns(table, game, round_index, starter, scores):
    """Play a round ("Playing the Game"); `scores` change by the tokens returned.

    Give the turns as (seat, case, roll, what was chosen), how the round ended and the cards
    everybody is left with. The last turn is that of the last actor.
    """
    rules, stream, points, rolls = table.rules, table.stream, table.points, table.rolls
    players = len(table.policies)
    hands = deal(rules, players, stream, game, round_index)
    row = set(KINDS)
    # A player still in has rolled in every turn so far: one address counts the turns of a seat.
    dice = [luck.address_of(game, round_index, luck.DICE + seat) for seat in range(players)]
    coins = [luck.address_of(game, round_index, luck.COINS + seat) for seat in range(players)]
    turns = []
    waiting = deque((starter + step) % players for step in range(players))
    while waiting:
        seat = waiting.popleft()
        policy, hand, coin = table.policies[seat], hands[seat], coins[seat]
        policy.look(rules, points, seat, hands, row, waiting, scores)
        if policy.quits(points, hand, stream, coin):
            turns.append((seat, "quit", {}, ()))
            continue
        roll = rolls[luck.below(luck.word_at(stream, dice[seat]), len(rolls))]
        case, chosen = judge(rules, roll, hand, row, alone=not waiting)
        if case == "discard":
            chosen = policy.discard(chosen, stream, coin)
        elif case == "take":
            chosen = policy.take(chosen, stream, coin)
        turns.append((seat, case, roll, chosen))
        ended = apply_case(rules, case, chosen, hand, row)
        if case == "llamas" or (ended == "out" and returns_token(rules, chosen)):
            scores[seat] = score_after_return(rules, scores[seat])
        if ended:
            return turns, ended, hands
        dice[seat] += 1
        coins[seat] += 2
        waiting.append(seat)
    return turns, "quit", hands


def play_round(rules, policies, seed, game, round_index, starter, scores):
    """Give turn lines, how it ended, last actor, penalties, and the scores before these."""
    table = Table(rules, policies, seed)
    scores = list(scores)
    turns, ended, hands = play_turns(table, game, round_index, starter, scores)
    penalties = costs_of(table, turns, hands)
    return [turn_line(*turn) for turn in turns], ended, turns[-1][0], penalties, scores


def rounds(rules, policies, seed, first, count):
    """Add up penalties by seat, actions, rounds gone out and blown of the first rounds of games."""
    table, ends = Table(rules, policies, seed), Counter()
    penalties, actions = [0] * len(policies), 0
    for game in range(first, first + count):
        turns, ended, hands = play_turns(table, game, 0, 0, [0] * len(policies))
        for seat, points in enumerate(costs_of(table, turns, hands)):
            penalties[seat] += points
        actions += len(turns)
        ends[ended] += 1
    return penalties, actions, ends["out"], ends["blown"]


# --- Records ---------------------------------------------------------------------------------


def cards_text(numbered):
    return "".join([kind * number for kind, number in sorted(numbered)])


def turn_line(seat, case, roll, chosen):
    if case == "quit":
        return f"{seat} quit"
    line = f"{seat} roll {cards_text(roll.items())}"
    if case == "llamas":
        return line
    if case == "discard":
        return f"{line} discard {cards_text(chosen)}"
    if case == "take":
        return f"{line} take {chosen}"
    return f"{line} blown"


def numbers(values):
    return " ".join(map(str, values))


def header_lines(rules_id, policies, seed, game):
    return [
        "lama-odds record 1",
        f"rules {rules_id}",
        f"players {len(policies)}",
        f"policies {' '.join(policies)}",
        f"luck {seed} {game}",
    ]


def round_lines(rules, policies, seed, game, round_index, starter, scores):
    hands = deal(rules, len(policies), luck.stream_of(seed), game, round_index)
    turns, ended, last_actor, penalties, returned = play_round(
        rules, policies, seed, game, round_index, starter, scores
    )
    lines = [
        f"round {round_index} first {starter}",
        f"scores {numbers(scores)}",
        f"deal {' '.join(cards_text(hand.items()) for hand in hands)}",
        *turns,
        f"end {ended}",
        f"penalties {numbers(penalties)}",
    ]
    after = [score + penalty for score, penalty in zip(returned, penalties, strict=True)]
    return lines, last_actor, after


def round_record(rules, rules_id, policies, seed, game):
    lines, _, _ = round_lines(rules, policies, seed, game, 0, 0, [0] * len(policies))
    return "\n".join([*header_lines(rules_id, policies, seed, game), *lines, ""])


def game_record(rules, rules_id, policies, seed, game):
    """Write a whole game: rounds until a score reaches the target ("The End of the Game").

    The player who acted last starts the next round.
    """
    lines = header_lines(rules_id, policies, seed, game)
    scores = [0] * len(policies)
    starter = round_index = 0
    while True:
        new_lines, starter, scores = round_lines(
            rules, policies, seed, game, round_index, starter, scores
        )
        lines += new_lines
        round_index += 1
        if max(scores) >= rules.target:
            return "\n".join([*lines, f"final {numbers(scores)}", ""])
