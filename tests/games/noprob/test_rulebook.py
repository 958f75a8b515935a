"""The rule book of Starnberger, section by section (seed 004): the twin, and the points in play."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from lama_odds.games.noprob.rules.transition import UNKNOWN
from lama_odds.games.noprob.rules.transition import score as compiled_score
from tests.games.cases import product_rules
from tests.games.noprob.cases import id_of, twin_rules
from tests.reference.noprob import (
    DONE,
    EMPTY,
    GIVE,
    MOST_TURNS,
    REPLACE,
    WIN,
    Round,
    Rules,
    Standing,
    Table,
    edition,
    rounds_of,
    score,
)
from tests.reference.noprob_players import CELLS, DRAW, PASS, PUT_AWAY, TAKE, Deck, grid_points

RULES = edition("starnberger")
DECK = Deck(RULES)
OTHERS = 3 + 4 + 5 + 7 + 8 + 10  # points of six cards that form no line


def cards(text):
    return [DECK.texts.index(word) for word in text.split()]


def texts(found):
    return [DECK.texts[card] for card in found]


def points(text, **options):
    return score(replace(RULES, **options), text.split())


class Script:
    """Plays the turns given: (source, what is done with the card); passes when none is left."""

    def __init__(self, *turns):
        self.turns = list(turns)
        self.seen = []

    def source(self, view):
        self.seen.append((view.grid(view.seat), view.last_turn))
        source, self.use = self.turns.pop(0) if self.turns else (PASS, None)
        return source

    def place(self, view, card, source):
        return self.use

    def give(self, view, card):
        return self.use


def round_of(*scripts, top="10", pile="10 10 10", up=None, **options):
    """Set up a round: every card hidden is a 9, those of `up`, by seat, lie face up."""
    table = Table(replace(RULES, **options), ["random"] * len(scripts), 0)
    table.policies = [Script(*turns) for turns in scripts]
    state = Round(table, 0, 0)
    state.grids = [cards("9 " * CELLS) for _ in scripts]
    for seat, number in (up or {}).items():
        state.up[seat] = (1 << number) - 1
    state.pile, state.discards = sorted(cards(pile)), cards(top)
    return state


# Spielmaterial, Spielvorbereitung


def test_142_numbers_and_14_specials():
    count = Counter(texts(DECK.pack))
    assert [count[str(number)] for number in range(3, 11)] == [14] * 8
    assert [count[kind] for kind in ("-1", "-2", "-5", "J")] == [10, 10, 5, 5]
    assert [count["D"], count["K"]] == [6, 8]
    assert count.total() == 142 + 14


@pytest.mark.parametrize("players", [2, 6])
def test_nine_cards_each_of_which_two_were_looked_at_and_one_on_the_discards(players):
    state = Round(Table(RULES, ["random"] * players, 0), 3, 0)
    assert [len(grid) for grid in state.grids] == [9] * players
    assert len(state.discards) == 1
    assert sorted(sum(state.grids, state.discards + state.pile)) == DECK.pack
    assert state.up == [0] * players
    for seat, view in enumerate(state.views):
        own = [*state.grids[seat][:2], *[None] * 7]
        assert [view.grid(s) for s in range(players)] == [
            own if s == seat else [None] * 9 for s in range(players)
        ]


# Spielverlauf: the turn, the discards, the pile; what lies where and face up, discards, gifts


@pytest.mark.parametrize(
    ("turn", "top", "pile", "up", "placed", "face_up", "discards", "given"),
    [
        # Aktion A and B: a number or joker replaces a card, which goes onto the discards.
        *(((DRAW, 4), "8", card, 0, {4: card}, 1 << 4, "8 9", "") for card in ("4", "-5", "J")),
        *(((TAKE, 4), f"8 {card}", "", 0, {4: card}, 1 << 4, "8 9", "") for card in ("4", "J")),
        # A card face up may be replaced too.
        ((DRAW, 1), "10", "3", 2, {1: "3"}, 0b11, "10 9", ""),
        # A card drawn may be discarded, and nothing is turned up.
        ((DRAW, PUT_AWAY), "8", "7", 0, {}, 0, "8 7", ""),
        # Sonderkarten: a special goes to another player, and the turn is over.
        *(((DRAW, 1), "8", card, 0, {}, 0, "8", card) for card in "DK"),
        *(((TAKE, 1), f"8 {card}", "", 0, {}, 0, "8", card) for card in "DK"),
    ],
)
def test_a_turn(turn, top, pile, up, placed, face_up, discards, given):
    state = round_of([turn], [], top=top, pile=pile, up={0: up})
    state.play_turn(0)
    assert texts(state.grids[0]) == [placed.get(cell, "9") for cell in range(CELLS)]
    assert state.up == [face_up, 0]
    assert texts(state.discards) == discards.split()
    assert [texts(beside) for beside in state.beside] == [[], given.split()]
    assert not state.pile


@pytest.mark.parametrize(
    ("turn", "told"),
    [
        ((TAKE, PUT_AWAY), "must replace"),
        ((PASS, None), "only a last turn"),
        ((DRAW, 0), "another player"),
    ],
)
def test_a_turn_that_is_not_allowed(turn, told):
    with pytest.raises(ValueError, match=told):
        round_of([turn], [], pile="D").play_turn(0)


def test_a_special_in_the_grid_that_is_replaced_can_be_taken_and_given():
    state = round_of([(DRAW, 0)], [(TAKE, 0)], pile="3 3")
    state.grids[0] = cards("K 9 9 9 9 9 9 9 9")
    for seat in (0, 1):
        state.history.append(state.play_turn(seat))
        state.turns += 1
    assert [turn[3] for turn in state.history] == [REPLACE, GIVE]
    assert [texts(beside) for beside in state.beside] == [["K"], []]
    assert texts(state.discards) == ["10"]


def test_example_lisa_adds_two_dramas_and_subtracts_a_karma():
    state = round_of([], [])
    state.grids[0] = cards("3 -1 4 5 3 6 -2 4 8")
    assert state.penalties()[0] == 30
    state.beside[0] = cards("D D")
    assert state.penalties()[0] == 36
    state.beside[0] = cards("D D K")
    assert state.penalties()[0] == 33


# Ende einer Runde


@pytest.mark.parametrize(
    ("scripts", "up", "turns"),
    [
        ([[(DRAW, 8)], [(DRAW, 0)], [(TAKE, 1)]], {0: 8}, [(0, DRAW), (1, DRAW), (2, TAKE)]),
        # Round the table from the player who ended; a last turn may be passed.
        (
            [[(DRAW, 0)], [(DRAW, 8)], []],
            {1: 8},
            [(0, DRAW), (1, DRAW), (2, PASS), (0, PASS)],
        ),
        # A second player with all cards face up gives no more last turns.
        ([[(DRAW, 8)]] * 3, {0: 8, 1: 8, 2: 8}, [(0, DRAW), (1, DRAW), (2, DRAW)]),
        # Nobody ends the round by discarding.
        (
            [[(DRAW, PUT_AWAY), (DRAW, 8)], [(DRAW, 0)]],
            {0: 8},
            [(0, DRAW), (1, DRAW), (0, DRAW), (1, PASS)],
        ),
    ],
)
def test_the_round_ends_after_one_last_turn_of_every_other_player(scripts, up, turns):
    state = round_of(*scripts, up=up)
    state.play()
    assert state.end == DONE
    assert [turn[:2] for turn in state.history] == turns
    ended = len(turns) - len(scripts)
    last = [told for policy in state.table.policies for told in policy.seen]
    assert [told[1] for told in last].count(False) == ended + 1


def test_a_special_in_a_last_turn_goes_to_a_player_even_the_one_who_ended():
    state = round_of([(TAKE, 8)], [(DRAW, 0)], top="3", pile="D", up={0: 8})
    state.grids[0] = cards("3 4 5 6 -1 -1 -2 -2 9")
    state.play()
    assert state.end == DONE
    assert state.up[1] == 0
    assert state.penalties()[0] == 3 + 4 + 5 + 6 - 6 + 3 + 3


def test_hidden_cards_count_and_so_do_the_lines_they_form():
    state = round_of([], [])
    state.grids = [cards("6 6 6 3 4 5 7 8 10"), cards("6 6 5 3 4 6 7 8 10")]
    state.up = [0b000011, 0]
    assert state.penalties() == [OTHERS - 6, OTHERS + 18]


def llamas_of(rules, players, *rounds):
    standing = Standing(rules, players)
    for penalties in rounds:
        assert not standing.winners
        standing.settle(penalties)
    return standing


def test_the_lowest_points_earn_a_llama_also_each_of_several():
    standing = llamas_of(RULES, 3, [12, -3, 40], [5, 6, 4])
    assert (standing.llamas, standing.totals) == ([0, 1, 1], [17, 3, 44])
    assert llamas_of(RULES, 3, [7, 12, 7]).llamas == [1, 0, 1]
    assert llamas_of(RULES, 4, [-2, -2, -2, -2]).llamas == [1, 1, 1, 1]


A, B, BOTH = [1, 9, 9], [9, 1, 9], [1, 1, 9]


def test_two_who_reach_the_target_together_raise_it_by_one():
    standing = llamas_of(RULES, 3, A, B, BOTH, BOTH)
    assert (standing.llamas, standing.target, standing.winners) == ([3, 3, 0], 4, [])
    standing.settle(BOTH)
    assert (standing.llamas, standing.target, standing.winners) == ([4, 4, 0], 5, [])
    standing.settle(B)
    assert standing.winners == [1]
    assert standing.shares() == [0, WIN, 0]


def test_a_tie_of_which_one_reaches_the_target_wins_unless_any_tie_raises_it():
    tie = A, A, BOTH
    assert llamas_of(RULES, 3, *tie).winners == [0]
    standing = llamas_of(replace(RULES, any_tie=True), 3, *tie)
    assert (standing.llamas, standing.target, standing.winners) == ([3, 1, 0], 4, [])
    standing.settle(A)
    assert standing.winners == [0]

    # Once a round, and not before the deciding one.
    standing = llamas_of(replace(RULES, any_tie=True), 3, BOTH, BOTH, BOTH)
    assert (standing.llamas, standing.target, standing.winners) == ([3, 3, 0], 4, [])
    for any_tie in (False, True):
        assert llamas_of(replace(RULES, any_tie=any_tie), 3, BOTH, A).target == 3


def test_the_next_round_starts_left_of_the_player_who_started():
    table = Table(RULES, ["random"] * 3, 0)
    assert [Round(table, 0, number).first for number in range(5)] == [0, 1, 2, 0, 1]


# Spielende


@pytest.mark.parametrize(("players", "target"), [(2, 3), (3, 3), (4, 3), (5, 2), (6, 2)])
def test_three_llamas_win_or_two_among_five_or_six(players, target):
    penalties = [-4, *range(players - 1)]
    standing = llamas_of(RULES, players, *[penalties] * target)
    assert standing.winners == [0]
    assert standing.llamas == [target, *[0] * (players - 1)]


def test_alternative_end_the_lowest_sum_of_four_rounds_wins():
    rules = Rules(four_rounds=True)
    standing = llamas_of(rules, 3, [1, 9, 9], [1, 9, 9], [1, 9, 9], [20, 9, -9])
    assert (standing.totals, standing.llamas) == ([23, 36, 18], [0, 0, 0])
    assert standing.shares() == [0, 0, WIN]
    tied = llamas_of(rules, 3, [1, 9, 9], [1, 9, 9], [1, 9, 9], [20, 9, -4])
    assert tied.shares() == [WIN // 2, 0, WIN // 2]
    assert len(list(rounds_of(Table(rules, ["random"] * 3, 0), 0))) == 4


# What the rule book leaves open


def test_an_empty_pile_is_made_of_all_discards_but_the_top():
    state = round_of([(DRAW, 0)], [(DRAW, 0)], top="3 8 4 D 5", pile="6")
    state.history.append(state.play_turn(0))
    assert texts(state.discards) == ["3", "8", "4", "D", "5", "9"]
    state = round_of([(DRAW, 8)], [], top="7 7 7 8", pile="", up={0: 8})
    state.play()
    assert texts([state.history[0][2]]) == ["7"]
    assert texts(state.pile) == ["7", "7"]
    assert texts(state.discards) == ["8", "9"]


def test_without_refill_the_round_ends_with_the_pile():
    state = round_of([(DRAW, 0)], [(DRAW, 0)], pile="3", refill=False)
    state.play()
    assert (state.end, state.turns) == (EMPTY, 1)
    state = round_of([(DRAW, 8)], [], [], pile="3", up={0: 8}, refill=False)
    state.play()
    assert (state.end, state.turns) == (EMPTY, 1)


def test_without_any_card_to_take_one_passes_and_such_a_round_is_abandoned():
    state = round_of([(TAKE, 1)], [], top="K", pile="")
    state.play()
    assert state.history[1:] == [(turn % 2, PASS, *[None] * 4) for turn in range(1, MOST_TURNS)]
    assert (state.end, state.turns) == (None, MOST_TURNS)


# Drillinge sammeln, Joker einsetzen: a grid, its points, and options of the rule set

GRIDS = [
    ("3 4 5 6 6 6 7 8 10", OTHERS - 6, {}),  # example: Paula has three sixes in a row
    ("3 6 4 5 6 7 8 6 10", OTHERS - 6, {}),  # a column counts like a row
    ("6 4 5 3 6 7 8 10 6", OTHERS + 18, {}),  # a diagonal does not
    ("6 6 4 6 5 3 7 8 10", OTHERS + 18, {}),
    ("6 6 6 4 4 4 3 5 7", -6 - 4 + 15, {}),  # there may be several lines
    ("6 6 6 6 6 6 3 5 7", -6 - 6 + 15, {}),
    ("10 10 10 5 5 5 3 3 3", -18, {}),
    ("7 7 7 7 7 7 7 7 7", -42, {}),  # three rows and three columns, each nine cards once
    ("7 7 7 7 3 4 7 5 6", -14 + 18, {}),  # a row and a column may cross
    *((f"{n} 3 4 {n} 5 7 {n} 8 10", OTHERS + 3 * n, {}) for n in (-1, -2, -5)),
    # Example: Fred has a column and a row of sevens with a joker, also where they cross.
    ("3 7 4 7 J 7 5 7 6", -14 + 18, {}),
    ("3 7 4 7 7 J 5 7 6", -14 + 18, {}),
    ("3 J 4 7 7 7 5 7 6", -14 + 18, {}),
    *((f"{n} J {n} -1 -1 -2 -2 -5 -5", -n - 16, {}) for n in range(3, 11)),
    *((f"J J {n} -1 -1 -2 -2 -5 -5", -n - 16, {}) for n in range(3, 11)),
    ("J 3 4 5 J 6 -1 7 9", 33, {}),  # a joker without a line counts nothing
    ("J 3 4 5 9 6 -1 7 9", 42, {}),
    # A joker stands for nothing but a number.
    *((f"{n} {n} J 3 4 5 6 7 9", 2 * n + 34, {}) for n in (-1, -2, -5)),
    ("D D J 3 4 5 6 7 9", 6 + 34, {}),
    ("K K J 3 4 5 6 7 9", -6 + 34, {}),
    # It has one value: a row of fours or a column of nines, which saves more.
    ("4 4 J 3 5 9 6 7 9", -9 + 8 + 21, {}),
    ("J 9 9 4 3 5 4 6 7", -9 + 8 + 21, {}),
    # Row and column of fours (-8), and two nines lost, against a row of nines (-9).
    ("J 4 4 4 3 5 4 6 7", -8 + 21, {}),
    # Jokers that are threes make a row and two columns; tens would leave four threes.
    ("J J J 3 3 -1 3 3 -2", -9 - 3, {}),
    # Three jokers are a line of the highest number, or of a crossing line if that is better.
    ("J J J 3 4 5 6 7 9", -10 + 34, {}),
    ("J J J 3 4 5 6 7 9", 34, {"triple_joker": False}),
    ("J J J 3 4 5 6 7 9", -9 + 34, {"low": 2}),
    ("J J J 8 -1 -2 8 -1 -2", -8 - 8 - 6, {}),
    ("J J J 8 -1 -2 8 -1 -2", -8 - 6, {"triple_joker": False}),
    # The column of threes costs the row seven, but without it the threes would count six.
    ("J J J 3 -1 -2 3 -1 -2", -3 - 3 - 6, {}),
    # Hidden specials count and form no line.
    ("D 4 5 6 6 6 K 8 10", 4 + 5 - 6 + 8 + 10, {}),
    ("D 3 3 4 4 5 6 7 9", 3 + 41, {}),
    ("D D D 4 4 5 6 7 9", 9 + 35, {}),
    ("K K K 4 4 5 6 7 9", -9 + 35, {}),
    ("D 6 6 4 4 5 3 7 9", 6 + 12 + 32, {"special": 6}),
]


def packed(rules, cards):
    kinds = [UNKNOWN if card == "?" else rules.names.index(card) for card in cards]
    return sum(kind << 4 * cell for cell, kind in enumerate(kinds))


def compiled_points(text, **options):
    rules = product_rules(id_of(options))
    return compiled_score(rules.tables, packed(rules, text.split()))


@pytest.mark.parametrize(("grid", "expected", "options"), GRIDS)
def test_a_grid_counts(grid, expected, options):
    assert points(grid, **options) == compiled_points(grid, **options) == expected


def test_nine_jokers():
    assert compiled_points("J J J J J J J J J") == -60
    assert compiled_points("J J J J J J J J J", triple_joker=False) == 0


def test_what_is_not_known_counts_nothing_and_makes_no_line():
    assert compiled_points("? ? ? 6 6 6 7 8 10") == -6 + 25
    assert compiled_points("J ? J 6 6 ? 7 8 10") == 12 + 25
    assert compiled_points("? ? ? ? ? ? ? ? ?") == 0


OPTIONS = (
    {},
    {"low": 1, "negatives": (9, 4, 2), "special": 7},
    {"low": 90, "negatives": (99, 98, 97), "triple_joker": False},
)


def random_grids(luck, deck, number):
    """Give grids of few kinds, with up to six jokers."""
    while number:
        few = [*luck.sample(range(14), 3), *luck.sample(range(8), 1), deck.joker]
        grid = luck.choices(few, (2, 2, 2, 4, luck.choice((1, 3, 6))), k=9)
        if grid.count(deck.joker) <= 6:
            number -= 1
            yield grid


@pytest.mark.one_in(3)
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_points_are_those_of_trying_every_joker_as_every_number(options):
    """Up to two jokers, of some grids more; with many only values that a line can have."""
    rules, deck = product_rules(id_of(options)), Deck(twin_rules(options))
    luck, seen = Random(str(options)), Counter()
    for grid in random_grids(luck, deck, 300):
        cards, jokers = [deck.texts[kind] for kind in grid], grid.count(deck.joker)
        found = compiled_score(rules.tables, packed(rules, cards))
        assert found == grid_points(deck, grid), cards
        seen[jokers, found != sum(deck.values[kind] for kind in grid)] += 1
        if jokers <= 2 or seen["tried", jokers] < {3: 40, 4: 4, 5: 1}.get(jokers, 0):
            seen["tried", jokers] += 1
            assert found == score(twin_rules(options), cards), cards
    assert min(seen[jokers, lined] for jokers in range(4) for lined in (False, True)) > 2
    assert min(seen[jokers, True] for jokers in range(4, 7)) > 2
    assert seen["tried", 4] == 4
