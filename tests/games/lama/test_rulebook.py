"""The Polish rule book: the basic game, Lama 20, Lama Party and Lama Drama, section by section."""

import pytest

from lama_odds.games.lama.records.round import Round
from lama_odds.games.lama.rules.position import card_text
from lama_odds.games.lama.rules.ruleset import EDITIONS, NAMES, parse_rules
from lama_odds.games.shared.record import Refused
from tests.games.lama.cases import cards_of

EGMONT, PARTY = "lama/egmont", "lama/party"
TWENTY, EACH = "lama/egmont+twenty", "lama/egmont+llama_each"
DRAMA, PARTY_DRAMA = "lama/egmont+drama", "lama/party+drama"
PINK_OFF = PARTY_DRAMA + "+pink_drama=off"
# Seven cards: two hands of three and one to open; nothing is left to draw.
NO_PILE = "lama/egmont+copies=1+dealt=3+llamas=1"
ALL = "11+22+33+44+55+66+LP"


class Table:
    """A round under a rule set; a script has the cards played, `draw:` with a card, or `quit`."""

    def __init__(self, rules_id, hands, top="1", scores=None, first=0, pot=()):
        held = [tuple(map(cards_of(hand).count, NAMES)) for hand in hands.split()]
        start = list(scores or [0] * len(held))[: len(held)]
        self.moved = None
        self.round = Round(parse_rules(rules_id), held, NAMES.index(top), start, first, list(pot))

    def follow(self, script):
        """Do what a script says, each word by the seat to act."""
        for word in script.split():
            if word == "quit":
                moved = self.round.quit()
            elif word.startswith("draw:"):
                moved = self.round.draw(NAMES.index(word[5:]))
            else:
                moved = self.round.play(NAMES.index(word))
            self.moved = moved.paid, moved.taken
        return self

    @property
    def hands(self):
        return " ".join(card_text(hand) for hand in self.round.hands)

    @property
    def pile(self):
        return sum(self.round.pack)

    def __getattr__(self, name):
        """Give seat, scores, pot, running, ended and penalties of the round."""
        return getattr(self.round, name)


# --- Przygotowanie gry, przygotowanie rundy: what is needed, and who plays -------------------


def test_the_cards_and_numbers_of_each_edition():
    cards = {"egmont": (8, 0, 7, 0, 55), "amigo": (8, 0, 8, 0, 56), "party": (7, 1, 7, 1, 56)}
    assert set(cards) == set(EDITIONS)
    for edition, (copies, plus, llamas, pink, size) in cards.items():
        rules = parse_rules(f"lama/{edition}")
        assert (rules.deck, sum(rules.deck)) == ((copies, plus) * 6 + (llamas, pink), size)
        assert (rules.dealt, rules.players, rules.target) == (6, range(2, 7), 40)
        assert (rules.points, rules.llama_points) == ((1, 2, 3, 4, 5, 6), 10)
        assert (rules.black, rules.pink, rules.twenty) == (10, 20, edition == "party")
        assert rules.starter == ("last_actor" if edition == "amigo" else "rotate")
        assert {rules.drama, rules.llama_each, rules.pink_adds} == {False}
    assert " ".join(NAMES) == "1 1+ 2 2+ 3 3+ 4 4+ 5 5+ 6 6+ L P"


@pytest.mark.parametrize("players", [2, 6])
def test_play_goes_round_in_seat_order(players):
    table, seats = Table(EGMONT, "123456 " * players, first=1), []
    assert table.pile == 55 - 6 * players - 1
    for _ in range(players + 1):
        seats.append(table.seat)
        table.follow("draw:L")
    assert seats == [*range(1, players), 0, 1]


# --- Zagranie karty: what goes on what -------------------------------------------------------


def goes_on(book, hand, card, top):
    try:
        Table(book, f"{hand} 1", top=top).follow(card)
    except Refused:
        return False
    return True


@pytest.mark.parametrize(
    ("book", "tops", "playable"),
    [
        (EGMONT, "1", "12"), (EGMONT, "2", "23"), (EGMONT, "3", "34"), (EGMONT, "4", "45"),
        (EGMONT, "5", "56"), (EGMONT, "6", "6L"), (EGMONT, "L", "1L"),
        # On a plus card goes what goes on its number; the pink llama goes on any card.
        (PARTY, "1 1+", "11+22+P"), (PARTY, "2 2+", "22+33+P"), (PARTY, "3 3+", "33+44+P"),
        (PARTY, "4 4+", "44+55+P"), (PARTY, "5 5+", "55+66+P"), (PARTY, "6 6+", "66+LP"),
        (PARTY, "L P", "11+LP"),
    ],
)  # fmt: skip
def test_what_goes_on_what(book, tops, playable):
    hand = ALL if book == PARTY else "123456L"
    for top in tops.split():
        assert [card for card in cards_of(hand) if goes_on(book, hand, card, top)] == cards_of(
            playable
        )


# --- Punktacja -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("book", "cards", "penalty"),
    [
        (EGMONT, "1L", 11), (EGMONT, "25", 7), (EGMONT, "46L", 20),  # A, B and C of the example
        (EGMONT, "444", 4), (EGMONT, "LLL", 10), (EGMONT, "11LL", 11), (EGMONT, "123456L", 31),
        (EACH, "LLL", 30), (EACH, "L", 10), (EACH, "44LL", 24), (EACH, "66", 6),
        (PARTY, "1L", 11), (PARTY, "25", 7), (PARTY, "46P", 30),  # the example of Lama Party
        (PARTY, "444+", 4), (PARTY, "LLL", 10), (PARTY, "LLP", 20), (PARTY, "P", 20),
        (PARTY, "4+", 4), (PARTY, "11+66+LP", 27), (PARTY, ALL, 41),
        (PARTY + "+pink_adds", "LLP", 30), (PARTY + "+pink_adds", "P", 20),
        (PARTY + "+pink_adds", "LL", 10), (PARTY + "+pink_llamas=2", "PP", 20),
        (PARTY + "+pink_points=35", "4LP", 39), (PARTY + "+llama_points=15+pink_adds", "LP", 35),
    ],
)  # fmt: skip
def test_each_kind_of_card_costs_once_and_llamas_as_the_book_says(book, cards, penalty):
    assert Table(book, f"{cards} 3").penalties == [penalty, 3]


@pytest.mark.parametrize("rules_id", [EGMONT, EACH, PARTY, EGMONT + "+pink_llamas=2"])
def test_no_hand_costs_more_than_the_bound_of_the_engine(rules_id):
    rules = parse_rules(rules_id)
    dearest, slack = rules.penalty(rules.deck), rules.llama_points * (rules.deck[-1] > 0)
    assert dearest <= rules.most_points <= dearest + slack


@pytest.mark.parametrize(
    ("score", "best", "least"),
    [
        (0, 0, 0), (1, 1, 1), (9, 1, 1), (10, 10, 10), (19, 10, 1), (20, 20, 20), (21, 20, 1),
        (29, 20, 1), (30, 20, 10), (39, 20, 1), (40, 20, 20), (50, 20, 10), (60, 20, 20),
    ],
)  # fmt: skip
def test_the_best_token_goes_back_on_going_out_and_a_llama_puts_the_least_on_the_pot(
    score, best, least
):
    """With tokens of 20, ten is the lowest if an odd one is held."""
    for book in (EGMONT, TWENTY, PARTY):
        largest = 10 if book == EGMONT else 20
        back, paid = min(best, largest), min(least, largest)
        out = Table(book, "2 25", scores=[score, 33]).follow("2")
        assert (out.scores, out.penalties) == ([score - back, 33], [0, 7])
        table = Table(book + "+drama", "3L 25", top="6", scores=[score, 7]).follow("L")
        assert (table.moved, table.scores) == ((paid, 0), [score - paid, 7])
        assert (table.pot, table.running) == ([paid] if paid else [], False)


# --- Rounds, step by step --------------------------------------------------------------------


def case(name, book, dealt, script, refused=None, start=None, **expected):
    """A case: what holds after a script, or why its last word is refused; `start`: see `Table`."""
    return pytest.param(book, dealt, script, refused, start or {}, expected, id=name)


# One token less than the drama takes.
SOON = {"top": "6", "scores": (5, 12, 7), "pot": (1, 1, 1, 1)}
TEN = SOON | {"pot": (1, 1, 1, 10)}
TWO, THREE, SIX, LLAMA = {"top": "2"}, {"top": "3"}, {"top": "6"}, {"top": "L"}
LAID = SIX | {"scores": (5, 5)}
ENOUGH = LLAMA | {"scores": (0, 9), "pot": (1,) * 6}
TAKEN = {"moved": (0, 14), "scores": [4, 26, 7], "pot": [], "running": False}

BASIC = [
    # Zagranie karty
    case("Tomek plays a 6 and Agnieszka a llama on it", EGMONT, "134556 12336L", "6 L",
         start={"top": "5"}, seat=0, hands="13455 12336"),
    case("only a card that is held", EGMONT, "134556 123456", "2", "seat 0 has no 2"),
    # Dobranie karty
    case("drawing is allowed with a card to play, and ends the turn", EGMONT, "123456 123456",
         "draw:L", start={"top": "5"}, seat=1, hands="123456L 123456", pile=41),
    case("only a card that is left", EGMONT, "LLLLLL 123456", "draw:L", "no L is left",
         start=LLAMA),
    case("no card is left to draw", NO_PILE, "124 35L", "draw:1", "pile is empty", start=SIX),
    case("so whoever cannot play passes", NO_PILE, "124 35L", "quit", start=SIX, seat=1, pile=0),
    # Spasowanie
    case("Tomek passes with three fives and takes no further part", EGMONT, "555 123456 12345L",
         "quit draw:4 draw:4 draw:L draw:L", start=TWO, seat=1, penalties=[5, 31, 25]),
    # Koniec rundy
    case("the last card ends the round", EGMONT, "1 44L 25", "1", start=LLAMA, ended="out",
         penalties=[0, 14, 7]),
    case("at once", EGMONT, "1 44L 25", "1 2", "is over", start=LLAMA),
    case("two of three have passed", EGMONT, "3L 25 446", "quit quit", ended=None),
    case("all have passed", EGMONT, "3L 25 446", "quit quit quit", ended="quit",
         penalties=[13, 7, 10]),
    case("the last player plays on", EGMONT, "3L 25 34466L", "quit quit 3 4 4", start=TWO, seat=2,
         ended=None),
    case("but never draws", EGMONT, "3L 25 34466L", "quit quit draw:1", "last player does not draw",
         start=TWO),
    case("and may stop", EGMONT, "3L 25 34466L", "quit quit 3 4 4 quit", start=TWO, ended="quit",
         penalties=[13, 7, 16]),
    case("or go out", EGMONT, "3L 34", "quit 3 4", start=TWO, ended="out", penalties=[13, 0]),
]  # fmt: skip
PLUS = [
    # Karty z plusem: another turn
    case("to play", PARTY, "23+4L 123456", "3+ 4", start=TWO, seat=1, hands="2L 123456"),
    case("that is the same player's", PARTY, "23+4L 123456", "3+", start=TWO, seat=0, ended=None),
    case("to draw", PARTY, "123+5 123456", "3+ draw:4", start=TWO, seat=1, hands="1245 123456"),
    case("to pass", PARTY, "13+ 1234", "3+ quit", start=TWO, seat=1, penalties=[1, 10]),
    case("plus cards may follow one another", PARTY, "1+2+2+3+3+45 123456", "1+ 2+ 2+ 3+ 3+",
         seat=0, hands="45 123456"),
    case("on 6+ goes no 1", PARTY, "16L6+ 1", "6+ 1", r"1 cannot be played on 6\+",
         start={"top": "5"}),
    case("as the last card it ends the round", PARTY, "2+ 13L", "2+", start={"scores": (4, 0)},
         ended="out", scores=[3, 0], penalties=[0, 14]),
    case("as the first on the table it gives nothing", PARTY, "123456 123456", "draw:L 4",
         start={"top": "4+"}, seat=0),
    case("the last player may play one", PARTY, "1 2+6", "quit 2+ quit", penalties=[1, 6]),
    case("but not draw after it", PARTY, "1 2+6", "quit 2+ draw:1", "last player does not draw"),
    case("the pink llama gives no other turn", PARTY, "P5 13", "P", start={"top": "4+"}, seat=1),
    case("and may be the last card", PARTY, "P 13", "P", start=THREE | {"scores": (22, 0)},
         ended="out", scores=[2, 0]),
]  # fmt: skip
POT = [
    # Lama Drama: only llamas that are played put tokens on the pot.
    case("no number", PARTY_DRAMA, "123+6P 25", "3+", start=TWO | {"scores": (5, 5)}, moved=(0, 0)),
    case("the pink llama too", PARTY_DRAMA, "123+6P 25", "3+ P", start=TWO | {"scores": (5, 5)},
         moved=(1, 0), pot=[1], running=False),
    case("not unless that is on", PINK_OFF, "3P 25", "P", start=LAID, moved=(0, 0)),
    case("not without the drama", PARTY, "3L 25", "L", start=LAID, moved=(0, 0)),
    case("not the llama that opens", DRAMA, "3L 25", "", start=LLAMA, pot=[], running=False),
    # The fifth token starts it: the next player takes all, unless by a llama.
    case("five tokens", PARTY_DRAMA, "3L 1251+ 46", "L", start=TEN, pot=[1, 1, 1, 1, 10],
         running=True),
    case("taken by a card", PARTY_DRAMA, "3L 1251+ 46", "L 1", start=TEN, **TAKEN),
    case("taken by drawing", PARTY_DRAMA, "3L 1251+ 46", "L draw:4", start=TEN, **TAKEN),
    case("taken by passing", PARTY_DRAMA, "3L 1251+ 46", "L quit", start=TEN, **TAKEN),
    case("taken by a plus card", PARTY_DRAMA, "3L 1251+ 46", "L 1+", start=TEN, seat=1, **TAKEN),
    case("a llama passes it on with one more token", DRAMA, "3L 25L 46L", "L L L", start=SOON,
         moved=(1, 0), pot=[1] * 7, running=True),
    case("which all are taken", DRAMA, "3L 25L 46L", "L L L draw:4", start=SOON, moved=(0, 7),
         scores=[11, 11, 6]),
    case("or without a token", DRAMA, "3L 25L 46L", "L L L draw:4",
         start=SOON | {"scores": (1, 0, 0)}, moved=(0, 5), scores=[5, 0, 0]),
    case("who has passed is left out", DRAMA, "25 3L 46", "quit L draw:4", start=SOON | LLAMA,
         seat=1, moved=(0, 5), scores=[5, 11, 12]),
    case("taken tokens may go back on going out", DRAMA, "3L 1", "L 1",
         start=TEN | {"scores": (5, 0)}, moved=(0, 14), ended="out", scores=[4, 4]),
    case("a llama after a plus card pays into the emptied pot", PARTY_DRAMA, "3L 1+25P 46",
         "L 1+ P", start=SOON, moved=(1, 0), pot=[1], running=False, scores=[4, 16, 7]),
    case("a llama after a plus card starts it", PARTY_DRAMA, "36+L 25 46", "6+ L draw:4",
         start=SOON, seat=2, moved=(0, 5)),
    case("alone it runs", DRAMA, "25 123LL", "quit L", start=SOON, pot=[1] * 5, running=True),
    case("but nothing is taken", DRAMA, "25 123LL", "quit L L 1", start=SOON, moved=(0, 0),
         pot=[1] * 6, running=False),
    case("and the pot stays", DRAMA, "25 123LL", "quit L L 1 quit", start=SOON, scores=[5, 10],
         pot=[1] * 6),
    case("a round begins with the drama not running", DRAMA, "3L 25", "draw:4 draw:4", start=ENOUGH,
         moved=(0, 0), pot=[1] * 6, running=False),
    case("a llama without a token starts it then", DRAMA, "3L 25", "draw:4 draw:4 L quit",
         start=ENOUGH, moved=(0, 6)),
    case("going out with a llama pays, ends the round and gives one token back", DRAMA, "L 25", "L",
         start=SOON | {"scores": (12, 3)}, moved=(1, 0), ended="out", scores=[1, 3], pot=[1] * 5,
         penalties=[0, 7]),
    case("the pink llama passes it on", PARTY_DRAMA, "3L 25P 46", "L P", start=SOON, moved=(1, 0),
         pot=[1] * 6, running=True),
    case("or takes it if that is off", PINK_OFF, "3L 25P 46", "L P", start=SOON, moved=(0, 5),
         pot=[], running=False),
]  # fmt: skip


@pytest.mark.parametrize(
    ("book", "dealt", "script", "refused", "start", "expected"), [*BASIC, *PLUS, *POT]
)
def test_a_round_goes_as_the_book_says(book, dealt, script, refused, start, expected):
    table = Table(book, dealt, **start)
    if refused:
        table.follow(script.rpartition(" ")[0])
        with pytest.raises(Refused, match=refused):
            table.follow(script.split()[-1])
    else:
        table.follow(script)
    assert {name: getattr(table, name) for name in expected} == expected
