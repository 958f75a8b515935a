"""No Prob-Lama in plain Python, written from the rule book: rounds, games and their records.

Sources: the German rules of Starnberger Spiele (seed 004), and where they leave something open,
`rules.md`. The cards and the policies are in `noprob_players`.
"""

from . import luck
from .noprob_players import (
    CELLS,
    DRAW,
    PASS,
    PUT_AWAY,
    TAKE,
    Deck,
    Rules,
    View,
    edition,
    grid_points,
    policy_of,
    score,
)

__all__ = ["Rules", "edition", "play_first_round", "record", "score"]

ALL_UP = (1 << CELLS) - 1
DEALT_AT_ONCE = 5  # cards dealt from one word
MANY = 5  # players
MOST_TURNS = 1000
MOST_ROUNDS = 1023
WIN = 420

GIVE, REPLACE, DISCARD = "give", "replace", "discard"
DONE, EMPTY = "done", "empty"


# --- A round ---------------------------------------------------------------------------------


class Table:
    """What stays the same from game to game: the rules, worked out, and the players."""

    def __init__(self, rules, policies, seed):
        self.rules = rules
        self.deck = Deck(rules)
        self.policies = [policy_of(name) for name in policies]
        self.players = len(policies)
        self.stream = luck.stream_of(seed)


class Round:
    """A round in play; the top of the discards is last, the pile is sorted.

    `up` says by seat which cells lie face up, as a set of bits. `closer` is the turn, counted from
    1, that turned up the last of nine cards, and None before. A turn, as kept in `history`, is
    (seat, source, card, what it was used for, cell or seat it went to, card replaced).
    """

    def __init__(self, table, game, number):
        self.table = table
        self.game = game
        self.number = number
        self.first = number % table.players
        seats = range(table.players)
        self.deal()
        self.up = [0 for _ in seats]
        self.beside = [[] for _ in seats]
        self.turns = 0
        self.closer = None
        self.end = None
        self.history = []
        # A player may choose which cells to look at; here they are always the first.
        known = (1 << table.rules.peeks) - 1
        self.draws = [luck.address_of(game, number, luck.DICE + seat) for seat in seats]
        coins = [luck.address_of(game, number, luck.COINS + seat) for seat in seats]
        self.views = [View(self, seat, known, coins[seat]) for seat in seats]

    def deal(self):
        """Deal nine cards to each seat and open the discards ("Spielvorbereitung")."""
        table, pack, cards = self.table, self.table.deck.pack.copy(), []
        address = luck.address_of(self.game, self.number, luck.DEAL)
        for at in range(table.players * CELLS + 1):
            if at % DEALT_AT_ONCE == 0:
                word = luck.word_at(table.stream, address + at // DEALT_AT_ONCE)
            number, word = luck.split(word, len(pack))
            cards.append(pack.pop(number))
        self.pile = pack
        self.discards = cards[-1:]
        self.dealt = [cards[at : at + CELLS] for at in range(0, len(cards) - 1, CELLS)]
        self.opened = cards[-1]
        self.grids = [grid.copy() for grid in self.dealt]

    def play(self):
        """Play to the end of the round ("Ende einer Runde"), or to the most turns."""
        table, players = self.table, self.table.players
        while self.turns < MOST_TURNS:
            if not self.pile:
                if not table.rules.refill:
                    self.end = EMPTY
                    return
                self.pile = sorted(self.discards[:-1])
                self.discards = self.discards[-1:]
            seat = (self.first + self.turns) % players
            self.history.append(self.play_turn(seat))
            self.turns += 1
            if self.closer is None:
                if self.up[seat] == ALL_UP:
                    self.closer = self.turns
            elif self.turns - self.closer == players - 1:
                self.end = DONE
                return

    def play_turn(self, seat):
        """Play one turn of a seat ("Spielverlauf"); give it as kept in the history."""
        view, policy = self.views[seat], self.table.policies[seat]
        pile, discards = self.pile, self.discards
        source = policy.source(view) if pile or discards else PASS
        if source == PASS:
            if (pile or discards) and not view.last_turn:
                raise ValueError("only a last turn may be passed")
            return seat, PASS, None, None, None, None
        card = self.draw(seat) if source == DRAW else discards.pop()
        if card > self.table.deck.joker:
            other = policy.give(view, card)
            if other == seat:
                raise ValueError("a special goes to another player")
            self.beside[other].append(card)
            return seat, source, card, GIVE, other, None
        cell = policy.place(view, card, source)
        if cell == PUT_AWAY:
            if source == TAKE:
                raise ValueError("a card from the discards must replace another")
            discards.append(card)
            return seat, source, card, DISCARD, None, None
        grid = self.grids[seat]
        replaced = grid[cell]
        grid[cell] = card
        self.up[seat] |= 1 << cell
        discards.append(replaced)
        return seat, source, card, REPLACE, cell, replaced

    def draw(self, seat):
        """Draw a card from the pile for a seat."""
        turn = self.turns // self.table.players
        word = luck.word_at(self.table.stream, self.draws[seat] + turn)
        return self.pile.pop(luck.below(word, len(self.pile)))

    def penalties(self):
        """Count the points of each seat, hidden cards and specials beside the grid included."""
        deck = self.table.deck
        return [
            grid_points(deck, grid) + sum([deck.values[card] for card in beside])
            for grid, beside in zip(self.grids, self.beside, strict=True)
        ]


def play_first_round(rules, policies, seed, game):
    """Play the first round of a game; give the penalties by seat, and the turns."""
    state = Round(Table(rules, policies, seed), game, 0)
    state.play()
    return state.penalties(), state.turns


# --- A game ----------------------------------------------------------------------------------


class Standing:
    """How a game stands between rounds, and by the end who has won ("Spielende")."""

    def __init__(self, rules, players):
        self.rules = rules
        self.llamas = [0] * players
        self.totals = [0] * players
        self.target = rules.target_many if players >= MANY else rules.target
        self.rounds = 0
        self.winners = []

    def settle(self, penalties):
        """Count a round that has ended."""
        self.rounds += 1
        self.totals = [a + b for a, b in zip(self.totals, penalties, strict=True)]
        if self.rules.four_rounds:
            if self.rounds == self.rules.rounds:
                self.winners = lowest(self.totals)
            return
        best = lowest(penalties)
        for seat in best:
            self.llamas[seat] += 1
        if self.rules.any_tie and len(best) > 1 and self.reached():
            self.target += 1
        while len(self.reached()) > 1:
            self.target += 1
        self.winners = self.reached()

    def reached(self):
        """List the seats that have as many llamas as it takes."""
        return [seat for seat, llamas in enumerate(self.llamas) if llamas >= self.target]

    def shares(self):
        """Give each seat its share of the win in 420ths, nothing if nobody has won."""
        won = self.winners
        return [WIN // len(won) if seat in won else 0 for seat in range(len(self.totals))]


def lowest(points):
    """List the seats with the fewest points."""
    return [seat for seat, own in enumerate(points) if own == min(points)]


def rounds_of(table, game):
    """Play a game; yield each round once it is played, with the standing before it."""
    standing = Standing(table.rules, table.players)
    while not standing.winners and standing.rounds < MOST_ROUNDS:
        state = Round(table, game, standing.rounds)
        state.play()
        yield standing, state
        if state.end is None:
            return
        standing.settle(state.penalties())


# --- Records ---------------------------------------------------------------------------------


def spaced(words):
    """Write words in a line."""
    return " ".join(map(str, words))


def grid_text(deck, grid):
    """Write a grid, its rows apart."""
    texts = [deck.texts[card] for card in grid]
    return "/".join(",".join(texts[at : at + 3]) for at in (0, 3, 6))


def turn_line(deck, seat, source, card, use, place, replaced):
    """Write a turn as a line of a record."""
    if source == PASS:
        return f"{seat} pass"
    line = f"{seat} {source} {deck.texts[card]} {use}"
    if use == GIVE:
        return f"{line} {place}"
    if use == REPLACE:
        return f"{line} {place // 3 + 1},{place % 3 + 1} turns {deck.texts[replaced]}"
    return line


def round_lines(standing, state):
    """Write a round as lines of a record; one not played to its end has no end."""
    deck = state.table.deck
    lines = [f"round {state.number} first {state.first}"]
    if standing.rules.four_rounds:
        lines.append(f"scores {spaced(standing.totals)}")
    else:
        lines += [f"llamas {spaced(standing.llamas)}", f"target {standing.target}"]
    lines.append(f"deal {spaced(grid_text(deck, grid) for grid in state.dealt)}")
    lines.append(f"top {deck.texts[state.opened]}")
    lines += [turn_line(deck, *turn) for turn in state.history]
    if state.end is not None:
        lines += [f"end {state.end}", f"penalties {spaced(state.penalties())}"]
    return lines


def record(rules, rules_id, policies, seed, game, whole_game):
    """Write a first round or a whole game as a record, with the final result if there is one."""
    lines = ["lama-odds record 1", f"rules {rules_id}", f"players {len(policies)}"]
    lines += [f"policies {spaced(policies)}", f"luck {seed} {game}"]
    for standing, state in rounds_of(Table(rules, policies, seed), game):
        lines += round_lines(standing, state)
        if not whole_game:
            break
    if standing.winners:
        lines.append(f"final {spaced(standing.totals if rules.four_rounds else standing.llamas)}")
    return "\n".join([*lines, ""])
