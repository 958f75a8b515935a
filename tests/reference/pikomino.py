"""Pikomino in plain Python, written from the rule book.

Sources: the Polish rules of Egmont (seed 002), and where they leave something open, `rules.md`.

A face is a number from 0 to 5, the last one the worm; as text "1" to "5" and "W". A roll is a
packed number: how often each face shows, BITS bits a face. Faces kept are a set of bits, and so are
the open tiles in the centre: bit 0 is the lowest tile.
"""

from dataclasses import dataclass
from functools import cache
from itertools import product

from . import luck

FACES = "12345W"
WORM = 5
BITS = 6
AT_ONCE = 4  # dice decoded by one look into a list
MOST_TURNS = 5000
WIN = 420

ROLL, STOP, STEAL, BUST = "roll", "stop", "steal", "bust"


@dataclass
class Rules:
    """A rule set: its options and all its numbers; the defaults are those of Egmont.

    The tiles are numbered from `low` on. They fall into as many groups of neighbours as `worms` has
    numbers, each number the worms on every tile of its group.
    """

    dice: int = 8
    flip_without_tile: bool = False
    low: int = 21
    no_steal: bool = False  # a house rule: no tile is taken from another stack
    short: bool = False
    tiles: int = 16
    worm_value: int = 5
    worms: tuple = (1, 2, 3, 4)


def edition(name):
    """Give the rules of a rule book."""
    if name != "egmont":
        raise ValueError(f"no edition of Pikomino: {name}")
    return Rules()


def tile_worms(rules, tile):
    """Count the worms on a tile ("Elementy gry")."""
    return rules.worms[(tile - rules.low) * len(rules.worms) // rules.tiles]


# --- Dice ------------------------------------------------------------------------------------

ONE = [1 << BITS * face for face in range(len(FACES))]
# By number of dice: every result, in the order of the numbers whose digits it is.
SHOWN = [
    [sum(ONE[face] for face in faces) for faces in product(range(6), repeat=dice)]
    for dice in range(AT_ONCE + 1)
]


def roll_of(dice, number):
    """Read a number below 6**dice as a roll of `dice` dice, each digit to base six a die."""
    roll = 0
    while dice > AT_ONCE:
        number, digits = divmod(number, 6**AT_ONCE)
        roll += SHOWN[AT_ONCE][digits]
        dice -= AT_ONCE
    return roll + SHOWN[dice][number]


def count_of(roll, face):
    """Count the dice of a roll that show a face."""
    return roll >> BITS * face & (1 << BITS) - 1


def choices_of(rules, roll, kept):
    """List what can be kept of a roll: (face, dice, their value), faces ascending."""
    found = []
    for face in range(len(FACES)):
        dice = count_of(roll, face)
        if dice and not kept >> face & 1:
            found.append((face, dice, dice * (rules.worm_value if face == WORM else face + 1)))
    return found


# --- Policies --------------------------------------------------------------------------------
#
# A policy decides two things: what to keep of a roll, and then what to do. `coin` is the address of
# the word for the decision.


class Blind:
    """What does not look at the table."""

    def look(self, rules, seat, state):
        pass


class FirstTile(Blind):
    """Keep the face that adds most, and take the first tile that can be had."""

    def keep(self, table, roll, kept, coin):
        return table.dearest(roll, kept)

    def decide(self, table, left, tile, fits, coin):
        return STEAL if fits else STOP if tile else ROLL


class EarlyWorm(FirstTile):
    """The same, but keep the worm as soon as another face is kept."""

    def keep(self, table, roll, kept, coin):
        for choice in table.choices(roll, kept):
            if kept and choice[0] == WORM:
                return choice
        return table.dearest(roll, kept)


class Random(Blind):
    """Choose evenly among what is legal."""

    def keep(self, table, roll, kept, coin):
        choices = table.choices(roll, kept)
        return choices[luck.below(luck.word_at(table.stream, coin), len(choices))]

    def decide(self, table, left, tile, fits, coin):
        options = ([ROLL] if left else []) + ([STOP] if tile else []) + ([STEAL] if fits else [])
        return options[luck.below(luck.word_at(table.stream, coin), len(options))]


class Card:
    """Rules on a card: habits, then lines; the first line whose conditions hold has the limit."""

    def __init__(self, text):
        pieces = text.split("/")
        self.habits = {piece for piece in pieces if piece in ("net", "stop", "worm")}
        lines = [piece.rpartition(":") for piece in pieces if piece not in self.habits]
        self.lines = [(wanted.split("+") if wanted else [], limit) for wanted, _, limit in lines]

    def look(self, rules, seat, state):
        self.rules, self.seat, self.state, self.total = rules, seat, state, 0

    def holds(self, condition, seen):
        name, _, bounds = condition.partition("=")
        low, dots, high = bounds.partition("..")
        return int(low or 0) <= seen[name] <= int((high or 999) if dots else low)

    def stops(self, kept, total, left):
        """Tell whether it stops with these faces kept, this total and this number of dice left."""
        rules, stacks = self.rules, self.state.stacks
        centre = tile_for(rules, self.state.open, total)
        steals = total in self.state.others(self.seat)
        if not kept >> WORM or not (centre or steals):
            return False
        worms = tile_worms(rules, total if steals else centre)
        held = self.state.worms
        if steals:
            victim = next(at for at, s in enumerate(stacks) if s and s[-1] == total)
            held[victim] -= worms
        ahead = held[self.seat] + worms - max(h for at, h in enumerate(held) if at != self.seat)
        own = stacks[self.seat]
        seen = {
            "dice": left,
            "short": max(0, kept.bit_count() - left),
            "worms": worms,
            "steal": worms if steals else 0,
            "own": tile_worms(rules, own[-1]) if own else 0,
            "tiles": len(self.state.centre),
            "ahead": max(0, ahead),
            "behind": max(0, -ahead),
        }
        wanted = (limit for line, limit in self.lines if all(self.holds(c, seen) for c in line))
        limit = next(wanted)
        return not left or (limit != "never" and total >= int(limit))

    def keep(self, table, roll, kept, coin):
        choices = table.choices(roll, kept)
        left = sum(count_of(roll, face) for face in range(len(FACES)))

        def rank(choice):
            face, dice, value = choice
            after = self.total + value
            if "stop" in self.habits and self.stops(kept | 1 << face, after, left - dice):
                return 2, after, face
            if "worm" in self.habits and face == WORM and left <= 5:
                return 1, 0, face
            return 0, value - 2 * dice * ("net" in self.habits), face

        best = max(choices, key=rank)
        self.total += best[2]
        self.kept = kept | 1 << best[0]
        return best

    def decide(self, table, left, tile, fits, coin):
        if not self.stops(self.kept, self.total, left):
            return ROLL
        return STEAL if fits else STOP


def policy_of(name):
    """Make a policy from its name: "random", "first-tile", "early-worm" or "card:…"."""
    if name.startswith("card:"):
        return Card(name.partition(":")[2])
    policies = {"random": Random, "first-tile": FirstTile, "early-worm": EarlyWorm}
    if name not in policies:
        raise ValueError(f"no policy of Pikomino: {name}")
    return policies[name]()


# --- A turn ----------------------------------------------------------------------------------


class Table:
    """What stays the same from game to game: the rules, worked out, and the players."""

    def __init__(self, rules, policies, seed):
        self.rules = rules
        self.policies = [policy_of(name) for name in policies]
        self.stream = luck.stream_of(seed)
        self.powers = [6**dice for dice in range(rules.dice + 1)]
        self.choices = cache(lambda roll, kept: choices_of(rules, roll, kept))
        # Of equal value the higher face, and the worm before all others.
        self.dearest = cache(
            lambda roll, kept: max(choices_of(rules, roll, kept), key=lambda c: (c[2], c[0]))
        )


def tile_for(rules, centre, total):
    """Give the tile that a total earns in the centre, or None: its own, else the next lower."""
    open_up_to = centre & (2 << total - rules.low) - 1 if total >= rules.low else 0
    return rules.low + open_up_to.bit_length() - 1 if open_up_to else None


def play_turn(table, seat, turn, game, centre, others):
    """Play one turn of a seat ("Przebieg gry"), its own turns numbered from 0.

    centre: the open tiles; others: the tiles on top of the other stacks. Give the rolls, each with
    the face kept of it (None if none could be), what the turn ends with, and the tile.
    """
    rules, stream, policy = table.rules, table.stream, table.policies[seat]
    dice = luck.address_of(game, turn, luck.DICE + seat)
    coin = luck.address_of(game, turn, luck.COINS + seat)
    rolls = []
    kept = total = 0
    left = rules.dice
    while True:
        roll = roll_of(left, luck.below(luck.word_at(stream, dice), table.powers[left]))
        if not table.choices(roll, kept):
            rolls.append((roll, None))
            return rolls, BUST, None
        face, count, value = policy.keep(table, roll, kept, coin)
        rolls.append((roll, face))
        kept |= 1 << face
        total += value
        left -= count
        # A tile takes a worm among the dice kept ("Zdobycie płytki", "Podbieranie płytek").
        worm = kept >> WORM
        tile = tile_for(rules, centre, total) if worm else None
        fits = worm and total in others
        if not left and not tile and not fits:
            return rolls, BUST, None
        action = policy.decide(table, left, tile, fits, coin + 1)
        if action == STOP:
            return rolls, STOP, tile
        if action == STEAL:
            return rolls, STEAL, total
        dice += 1
        coin += 2


# --- A game ----------------------------------------------------------------------------------


class Game:
    """A game in play: the tiles in the centre, in the stacks (top last), turned over."""

    def __init__(self, rules, players):
        self.rules = rules
        self.stacks = [[] for _ in range(players)]
        self.open = (1 << rules.tiles) - 1
        self.turned = []
        self.turns = 0

    @property
    def centre(self):
        """List the open tiles."""
        return [self.rules.low + at for at in range(self.rules.tiles) if self.open >> at & 1]

    @property
    def worms(self):
        """Count the worms of each seat."""
        return [sum(tile_worms(self.rules, tile) for tile in stack) for stack in self.stacks]

    @property
    def ended(self):
        """Tell whether no open tile is left ("Koniec gry")."""
        return not self.open

    def others(self, seat):
        """List the tiles on top of the other stacks, none if none can be taken from there."""
        if self.rules.no_steal:
            return []
        return [stack[-1] for at, stack in enumerate(self.stacks) if stack and at != seat]

    def settle(self, seat, action, tile):
        """Move the tiles at the end of a turn; give (tile returned, tile turned over)."""
        self.turns += 1
        returned = flipped = None
        if action == STOP:
            self.open ^= 1 << tile - self.rules.low
            self.stacks[seat].append(tile)
        elif action == STEAL:
            victim = next(stack for stack in self.stacks if stack and stack[-1] == tile)
            self.stacks[seat].append(victim.pop())
        else:
            returned, flipped = self.bust(self.stacks[seat])
        return returned, flipped

    def bust(self, stack):
        """Give a tile back and turn one over ("Spalony rzut", with its exceptions)."""
        rules = self.rules
        returned = stack.pop() if stack else None
        if returned is not None:
            self.open |= 1 << returned - rules.low
        highest = rules.low + self.open.bit_length() - 1
        turns_over = rules.flip_without_tile if returned is None else rules.short
        if returned not in (None, highest):
            turns_over = True
        if not turns_over:
            return returned, None
        self.open ^= 1 << highest - rules.low
        self.turned.append(highest)
        return returned, highest

    def shares(self):
        """Give each seat its share of the win in 420ths, nothing if the game has not ended.

        The highest single tile decides between equal worms; without any tile they share.
        """
        if not self.ended:
            return [0] * len(self.stacks)
        ranks = [
            (worms, max(stack, default=-1))
            for worms, stack in zip(self.worms, self.stacks, strict=True)
        ]
        best = max(ranks)
        return [WIN // ranks.count(best) * (rank == best) for rank in ranks]


def play_game(table, game):
    """Play a game to its end, or a number of turns; yield it after each turn, with that turn.

    A turn is (seat, rolls, what it ended with, tile won, tile returned, tile turned over).
    """
    players = len(table.policies)
    state = Game(table.rules, players)
    while not state.ended and state.turns < MOST_TURNS:
        turn, seat = divmod(state.turns, players)
        others = state.others(seat)
        table.policies[seat].look(table.rules, seat, state)
        rolls, action, tile = play_turn(table, seat, turn, game, state.open, others)
        returned, flipped = state.settle(seat, action, tile)
        yield state, (seat, rolls, action, tile, returned, flipped)


def games(rules, policies, seed, first, count):
    """Play `count` whole games from game `first` on and list their results.

    Each is (worms by seat, shares of the win in 420ths by seat, outright wins by seat, turns,
    busts, steals).
    """
    table = Table(rules, policies, seed)
    found = []
    for game in range(first, first + count):
        busts = steals = 0
        for state, (_, _, action, *_) in play_game(table, game):  # noqa: B007
            busts += action == BUST
            steals += action == STEAL
        shares = state.shares()
        outright = [int(share == WIN) for share in shares]
        found.append((state.worms, shares, outright, state.turns, busts, steals))
    return found


# --- Records ---------------------------------------------------------------------------------


def roll_text(roll):
    """Write a roll, faces ascending."""
    return "".join(name * count_of(roll, face) for face, name in enumerate(FACES))


def turn_line(seat, rolls, action, tile, returned, flipped):
    """Write a turn as a line of a record."""
    words = [str(seat)]
    for roll, face in rolls:
        words += ["roll", roll_text(roll)]
        words += [] if face is None else ["keep", FACES[face]]
    words.append(action)
    words += [] if tile is None else [str(tile)]
    words += [] if returned is None else ["returns", str(returned)]
    words += [] if flipped is None else ["flips", str(flipped)]
    return " ".join(words)


def played(rules, policies, seed, game):
    """Play a game; give its lines and what it has come to."""
    lines = []
    for state, turn in play_game(Table(rules, policies, seed), game):  # noqa: B007
        lines.append(turn_line(*turn))
    return lines, state


def game_record(rules, rules_id, policies, seed, game):
    """Write a whole game as a record, with the final worms if it has ended."""
    lines, state = played(rules, policies, seed, game)
    head = ["lama-odds record 1", f"rules {rules_id}", f"players {len(policies)}"]
    head += [f"policies {' '.join(policies)}", f"luck {seed} {game}"]
    if state.ended:
        lines.append(f"final {' '.join(map(str, state.worms))}")
    return "\n".join([*head, *lines, ""])
