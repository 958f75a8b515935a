"""The L.A.M.A. card games in plain Python, written from the rule book.

Source: the Polish rules of Egmont (seed 000: "Gra podstawowa", "Lama 20", "Lama Party", "Lama
Drama"). Where they do not say, `rules.md` does.

A card is a power of two, in the order 1, 1+, 2, 2+, ... 6, 6+, L, P. So a set of kinds is a sum of
cards, and sorting puts cards in the order in which they are written. Drawing and quitting are the
two powers above. A player's cards are a list (`hand`) and the set of its kinds (`held`).
"""

from collections import Counter, deque
from dataclasses import dataclass
from functools import cache

from . import luck

NAMES = ("1", "1+", "2", "2+", "3", "3+", "4", "4+", "5", "5+", "6", "6+", "L", "P")
CARDS = [1 << at for at in range(len(NAMES))]
LLAMA, PINK = CARDS[-2:]
DRAW, QUIT = 2 * PINK, 4 * PINK
NAME_OF = dict(zip(CARDS, NAMES, strict=True))
VALUE_OF = {card: at // 2 for at, card in enumerate(CARDS)}  # 0 to 5 the numbers, 6 the llamas
PLUS = sum(card for card, name in NAME_OF.items() if name.endswith("+"))
DRAWN_FROM_ONE_WORD = 6


@dataclass
class Rules:
    """A rule set: its options and all its numbers; the defaults are those of Egmont.

    `black` and `pink` are token values, pink tokens are used with `twenty` only. `copies` and
    `plus` count the cards of each number without and with a plus. All llamas together cost
    `llama_points`, with a pink one `pink_points`; with `pink_adds` the others cost theirs too.
    `drama_tokens` on the pot start the drama; `pink_drama` lets pink llamas count for it.
    Two house rules:
    `out_token` says when going out returns a token: always, with a llama as the
    last card, or never. `quit_cost` is added to the points of a player who quits.
    """

    black: int = 10
    copies: int = 8
    dealt: int = 6
    drama: bool = False
    drama_tokens: int = 5
    llama_each: bool = False
    llama_points: int = 10
    llamas: int = 7
    out_token: str = "always"
    pink: int = 20
    pink_adds: bool = False
    pink_drama: bool = True
    pink_llamas: int = 0
    pink_points: int = 20
    plus: int = 0
    points: tuple = (1, 2, 3, 4, 5, 6)
    quit_cost: int = 0
    starter: str = "rotate"
    target: int = 40
    twenty: bool = False


def edition(name):
    """Give the rules of an edition ("Elementy gry" lists the cards and tokens of each)."""
    if name == "egmont":
        return Rules()
    if name == "amigo":
        return Rules(llamas=8, starter="last_actor")
    if name == "party":
        return Rules(copies=7, plus=1, pink_llamas=1, twenty=True)
    raise ValueError(f"no edition of L.A.M.A.: {name}")


# --- Cards, points, tokens -------------------------------------------------------------------


def kinds_in(held):
    """List the cards of a set of kinds, in order."""
    return [card for card in CARDS if held & card]


def full_deck(rules):
    """List all cards as they lie before shuffling: the plain ones and llamas, then the others.

    Either part begins with its cheapest value, of equal points the lower one.
    """
    points = (*rules.points, rules.llama_points)
    copies = dict.fromkeys(CARDS[0:12:2], rules.copies) | {LLAMA: rules.llamas}
    others = dict.fromkeys(CARDS[1:12:2], rules.plus) | {PINK: rules.pink_llamas}

    def cheapest_first(cards):
        return sorted(cards, key=lambda card: (points[VALUE_OF[card]], VALUE_OF[card]))

    deck = [card for card in cheapest_first(copies) for _ in range(copies[card])]
    return deck + [card for card in cheapest_first(others) for _ in range(others[card])]


def of_values(*values):
    """Give the set of all kinds that have one of these values."""
    return sum(card for card in CARDS if VALUE_OF[card] in values)


def penalty(rules, cards):
    """Add up the points of a hand ("Punktacja"); a plus card is a card of its number."""
    total = sum(rules.points[value] for value in {VALUE_OF[card] for card in cards} - {6})
    if PINK in cards:
        both = rules.pink_adds and LLAMA in cards
        return total + rules.pink_points + (rules.llama_points if both else 0)
    llamas = cards.count(LLAMA)
    return total + rules.llama_points * (llamas if rules.llama_each else min(llamas, 1))


def tokens_of(rules, score):
    """Turn a score into the tokens held: how many pink, black and white ones."""
    pink, rest = divmod(score, rules.pink) if rules.twenty else (0, score)
    return pink, rest // rules.black, rest % rules.black


def most_valuable(rules, score):
    """Give the value of the token returned on going out, 0 if none is held."""
    pink, black, white = tokens_of(rules, score)
    return rules.pink if pink else rules.black if black else min(white, 1)


def returned_for(rules, score, last):
    """Give the value of the token that is returned for going out with this last card."""
    returns = {"always": True, "llama": last in (LLAMA, PINK), "never": False}[rules.out_token]
    return most_valuable(rules, score) if returns else 0


def least_valuable(rules, score):
    """Give the value of the token that a llama puts on the pot, 0 if none is held."""
    pink, black, white = tokens_of(rules, score)
    return 1 if white else rules.black if black else rules.pink if pink else 0


# --- Policies --------------------------------------------------------------------------------
#
# A policy chooses a card to play, DRAW or QUIT; `coin` is the address of this decision's word.


def costliest(rules, kinds):
    """Choose by points, then by value; a plain card before a plus, L before P, a llama like L."""
    points = (*rules.points, rules.llama_points)
    return max(kinds_in(kinds), key=lambda card: (points[VALUE_OF[card]], VALUE_OF[card], -card))


class Threshold:
    """Play the costliest card; if none can be played, quit at `limit` points or fewer."""

    def __init__(self, limit):
        self.limit = limit

    def choose(self, table, hand, held, top, may_draw, coin):
        playable = held & table.follows[top]
        if playable:
            return table.costliest(playable)
        if may_draw and table.penalty_of(hand, held) > self.limit:
            return DRAW
        return QUIT


class Matching(Threshold):
    """Play the value of the top card if possible; otherwise as the threshold."""

    def choose(self, table, hand, held, top, may_draw, coin):
        matching = held & table.equals[top]
        if matching:
            return table.costliest(matching)
        return super().choose(table, hand, held, top, may_draw, coin)


class Card:
    """Rules on a card: habits, then lines; the first line whose conditions hold has the limit."""

    def __init__(self, text):
        pieces = text.split("/")
        self.habits = {piece for piece in pieces if piece in ("same", "hold", "alone", "plus")}
        lines = [piece.rpartition(":") for piece in pieces if piece not in self.habits]
        self.lines = [(wanted.split("+") if wanted else [], limit) for wanted, _, limit in lines]

    def look(self, table, seat, hands, top, pile, waiting, scores):
        own, others = hands[seat], [other for other in waiting if other != seat]
        points = table.penalty_of(own, sum(set(own)))
        mine = min(scores[seat], 99)
        lowest = min([99] + [scores[other] for other in range(len(hands)) if other != seat])
        self.alone = not others
        self.seen = {
            "fewest": min([15] + [len(hands[other]) for other in others]),
            "others": len(others),
            "cards": min(len(own), 15),
            "values": len({VALUE_OF[card] for card in own}),
            "pile": min(len(pile), 60),
            "score": mine,
            "ahead": max(0, lowest - mine),
            "behind": max(0, mine - lowest),
            "total": min(mine + points, 99),
            "second": sum(VALUE_OF[card] == self.second(top) for card in own),
            "doubles": min(len(own) - len({VALUE_OF[card] for card in own}), 15),
        }

    @staticmethod
    def second(top):
        """Two values above the top; whether the deck has such cards is not asked."""
        return (VALUE_OF[top] + 2) % 7

    def holds(self, condition):
        name, _, bounds = condition.partition("=")
        low, dots, high = bounds.partition("..")
        value = self.seen[name]
        return int(low or 0) <= value and value <= int((high or 999) if dots else low)

    def choose(self, table, hand, held, top, may_draw, coin):
        action = self.first_choice(table, hand, held, top, may_draw)
        if self.alone and "alone" in self.habits:
            return action
        if "plus" in self.habits and action < LLAMA and not action & PLUS and action * 2 in hand:
            return action * 2
        return action

    def first_choice(self, table, hand, held, top, may_draw):
        playable, matching = held & table.follows[top], held & table.equals[top]
        if self.alone and "alone" in self.habits:
            return self.play_on(table, hand, held, top)
        if playable:
            if not matching or not self.habits & {"same", "hold"}:
                return table.costliest(playable)
            rest = playable & ~matching
            if rest and "hold" in self.habits and len(hand) >= 5 and self.seen["fewest"] > 3:
                count = Counter(VALUE_OF[card] for card in hand)
                now, after = VALUE_OF[top], VALUE_OF[table.costliest(rest)]
                if count[now] == 1 and count[(now - 1) % 7] < count[after]:
                    return table.costliest(rest)
            return table.costliest(matching)
        limit = next(limit for wanted, limit in self.lines if all(map(self.holds, wanted)))
        if may_draw and (limit == "never" or table.penalty_of(hand, held) > int(limit)):
            return DRAW
        return QUIT

    @staticmethod
    def play_on(table, hand, held, top):
        """Alone: the top's value, then the next, the pink llama last; else quit."""
        playable = held & table.follows[top] & ~PINK
        matching = playable & table.equals[top]
        if (
            table.rules.out_token == "llama"
            and matching == LLAMA
            and hand.count(LLAMA) == 1
            and PINK not in hand
            and len({VALUE_OF[card] for card in hand}) == 7
        ):
            matching, playable = 0, playable & ~LLAMA
        if matching:
            return table.costliest(matching)
        if playable:
            return table.costliest(playable)
        return PINK if held & table.follows[top] & PINK else QUIT


class Random:
    """Choose evenly among the kinds that can be played, drawing if allowed, and quitting."""

    def choose(self, table, hand, held, top, may_draw, coin):
        options = kinds_in(held & table.follows[top])
        if may_draw:
            options.append(DRAW)
        options.append(QUIT)
        return options[luck.below(luck.word_at(table.stream, coin), len(options))]


def policy_of(name):
    """Make a policy from its name, "random", "threshold:T", "matching:T" or "card:…"."""
    if name == "random":
        return Random()
    kind, _, limit = name.partition(":")
    if kind == "card":
        return Card(limit)
    if kind not in ("threshold", "matching"):
        raise ValueError(f"no policy of L.A.M.A.: {name}")
    return (Threshold if kind == "threshold" else Matching)(int(limit))


# --- A round ---------------------------------------------------------------------------------


class Table:
    """What stays the same from round to round: the rules, worked out, and the players."""

    def __init__(self, rules, policies, seed):
        self.rules = rules
        self.policies = [policy_of(name) for name in policies]
        self.stream = luck.stream_of(seed)
        self.deck = full_deck(rules)
        # What may be played on a card: the same value, the next one, the pink llama always.
        self.follows = {c: PINK | of_values(v, (v + 1) % 7) for c, v in VALUE_OF.items()}
        self.equals = {c: of_values(v) for c, v in VALUE_OF.items()}
        self.costliest = cache(lambda kinds: costliest(rules, kinds))
        self.by_kinds = cache(lambda held: penalty(rules, kinds_in(held)))
        # The cards that pay into the pot; none without the drama.
        self.payers = (LLAMA | PINK if rules.pink_drama else LLAMA) if rules.drama else 0

    def penalty_of(self, hand, held):
        """Give what a hand costs, mostly from the kinds held alone."""
        if self.rules.llama_each:
            return penalty(self.rules, hand)
        return self.by_kinds(held)


def deal(table, game, round_index):
    """Deal seat after seat, then open the discard pile; give (hands, top, draw pile)."""
    pile = table.deck[:]
    address = luck.address_of(game, round_index, luck.DEAL)
    hands = []
    for _ in table.policies:
        hand = []
        for drawn in range(table.rules.dealt):
            if drawn % DRAWN_FROM_ONE_WORD == 0:
                word = luck.word_at(table.stream, address)
                address += 1
            x, word = luck.split(word, len(pile))
            hand.append(pile.pop(x))
        hands.append(hand)
    top = pile.pop(luck.below(luck.word_at(table.stream, address), len(pile)))
    return hands, top, pile


def play_turns(table, game, round_index, starter, scores, pot):
    """Play a round ("Przebieg rundy"); `scores` and `pot` change by the tokens that move.

    Give the turns as (seat, action, card drawn, token paid, sum taken), how the round ended, and
    the penalties. The last turn is that of the last actor.
    """
    players = len(table.policies)
    hands, top, pile = deal(table, game, round_index)
    draws = [luck.address_of(game, round_index, luck.DICE + seat) for seat in range(players)]
    coins = [luck.address_of(game, round_index, luck.COINS + seat) for seat in range(players)]
    waiting = deque((starter + step) % players for step in range(players))
    return play_on(table, hands, top, pile, draws, coins, waiting, scores, pot)


def play_on(table, hands, top, pile, draws, coins, waiting, scores, pot):
    """Play a round on while the drama does not run; `waiting` are those still in, in turn order.

    `draws` and `coins` are the addresses of each seat's next words. Gives what play_turns gives.
    """
    rules, stream, policies, payers = table.rules, table.stream, table.policies, table.payers
    held = [sum(set(hand)) for hand in hands]
    running = False
    ended = "quit"
    turns = []
    while waiting:
        seat = waiting[0]
        hand = hands[seat]
        alone = len(waiting) == 1
        may_draw = bool(pile) and not alone
        if isinstance(policies[seat], Card):
            policies[seat].look(table, seat, hands, top, pile, waiting, scores)
        action = policies[seat].choose(table, hand, held[seat], top, may_draw, coins[seat])
        coins[seat] += 1
        drawn = paid = taken = 0
        if running:  # a llama sets it running again below
            running = False
            if not alone and not action & payers:
                taken = sum(pot)
                scores[seat] += taken
                pot.clear()
        if action < DRAW:
            hand.remove(action)
            if action not in hand:
                held[seat] ^= action
            top = action
            if action & payers:
                paid = least_valuable(rules, scores[seat])
                if paid:
                    scores[seat] -= paid
                    pot.append(paid)
                running = len(pot) >= rules.drama_tokens
            if not hand:
                scores[seat] -= returned_for(rules, scores[seat], action)
                ended = "out"
                waiting.clear()
            elif not action & PLUS:  # a plus card gives another turn
                waiting.rotate(-1)
        elif action == DRAW:
            drawn = pile.pop(luck.below(luck.word_at(stream, draws[seat]), len(pile)))
            draws[seat] += 1
            hand.append(drawn)
            held[seat] |= drawn
            waiting.rotate(-1)
        else:
            waiting.popleft()
        turns.append((seat, action, drawn, paid, taken))
    penalties = [table.penalty_of(*cards) for cards in zip(hands, held, strict=True)]
    for seat, action, *_ in turns:
        if action == QUIT:
            penalties[seat] += rules.quit_cost
    return turns, ended, penalties


def whole_game(table, game):
    """Play rounds until a score reaches the target ("Koniec gry"); yield them one by one.

    A round is (starter, scores and pot at its start, turns, end, penalties, scores after it).
    """
    players = len(table.policies)
    scores, pot = [0] * players, []
    starter = round_index = 0
    while max(scores) < table.rules.target:
        start, pot_before = tuple(scores), tuple(pot)
        turns, ended, penalties = play_turns(table, game, round_index, starter, scores, pot)
        scores = [score + points for score, points in zip(scores, penalties, strict=True)]
        yield starter, start, pot_before, turns, ended, penalties, scores
        round_index += 1
        rotates = table.rules.starter == "rotate"
        starter = round_index % players if rotates else turns[-1][0]


def games(rules, policies, seed, first, count):
    """Play `count` whole games from game `first` on; list (final scores, rounds) of each."""
    table = Table(rules, policies, seed)
    found = []
    for game in range(first, first + count):
        played = list(whole_game(table, game))
        found.append((played[-1][-1], len(played)))
    return found


# --- Records ---------------------------------------------------------------------------------


def turn_line(seat, action, drawn, paid, taken):
    """Write a turn as a line of a record."""
    if action < DRAW:
        line = f"{seat} play {NAME_OF[action]}"
    else:
        line = f"{seat} draw {NAME_OF[drawn]}" if action == DRAW else f"{seat} quit"
    if paid:
        return f"{line} pays {paid}"
    return f"{line} takes {taken}" if taken else line


def numbers(values):
    """Write numbers with spaces between."""
    return " ".join(map(str, values))


def written(table, rules_id, names, seed, game, played, finished):
    """Write rounds played as a record, with the final scores if the game is finished."""
    lines = ["lama-odds record 1", f"rules {rules_id}", f"players {len(names)}"]
    lines += [f"policies {' '.join(names)}", f"luck {seed} {game}"]
    for index, (starter, start, pot, turns, ended, penalties, _) in enumerate(played):
        hands, top, _ = deal(table, game, index)
        lines += [f"round {index} first {starter}", f"scores {numbers(start)}"]
        lines += [f"pot {numbers(sorted(pot)) or '-'}"] if table.rules.drama else []
        texts = ["".join([NAME_OF[card] for card in sorted(hand)]) for hand in hands]
        lines += [f"deal {' '.join(texts)}", f"top {NAME_OF[top]}"]
        lines += [turn_line(*turn) for turn in turns]
        lines += [f"end {ended}", f"penalties {numbers(penalties)}"]
    if finished:
        lines.append(f"final {numbers(played[-1][-1])}")
    return "\n".join([*lines, ""])


def round_record(rules, rules_id, policies, seed, game):
    """Write the first round of a game as a record."""
    table = Table(rules, policies, seed)
    first = next(whole_game(table, game))
    return written(table, rules_id, policies, seed, game, [first], finished=False)


def game_record(rules, rules_id, policies, seed, game):
    """Write a whole game as a record."""
    table = Table(rules, policies, seed)
    played = list(whole_game(table, game))
    return written(table, rules_id, policies, seed, game, played, finished=True)
