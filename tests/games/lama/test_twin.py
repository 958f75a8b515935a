"""L.A.M.A. against its twin on the same random numbers: records, tallies, forks, golden games."""

import re
from collections import Counter, deque
from copy import deepcopy
from itertools import combinations

import numpy as np
import pytest

from lama_odds.games.interface.capabilities import Situation
from lama_odds.games.interface.tally_layout import (
    CERTAIN,
    HandTally,
    decisions_of,
)
from lama_odds.games.lama.engine.hands import LLAMA_INSTEAD, OF_A_CARD
from lama_odds.games.lama.game import GAME
from lama_odds.games.lama.records.live import Player
from lama_odds.games.lama.records.record import read_record
from lama_odds.games.shared.decisions import decisions
from lama_odds.simulation.run import run
from tests.games.cases import (
    games_at,
    product_record,
    product_rules,
    rounds_of,
    sums_of,
    tally_of,
)
from tests.games.forked import counted, is_taken, payoffs_of, product_rows
from tests.games.lama.cases import CASES, MIXES, id_of, most_players, twin_rules
from tests.games.lama.golden_update import GAMES, GOLDEN, SEED, record
from tests.reference import lama as twin
from tests.reference import luck

# --- Records (those of all options and numbers of players: tests/games/test_twins.py) --------


@pytest.mark.long
def test_the_games_compared_show_every_event():
    seen = Counter()
    for edition, options in CASES:
        rules = twin_rules(edition, options)
        for players in range(2, most_players(edition, options) + 1):
            for policies, seed, game in games_at(MIXES, players, 0):
                for line in twin.game_record(rules, "", policies, seed, game).splitlines():
                    words = line.split()
                    if not words[0].isdigit():
                        seen[line] += 1
                        continue
                    action = words[1:2] if words[1] == "quit" else words[1:3]
                    moved = words[1 + len(action) :]
                    seen[" ".join(action)] += 1
                    seen[" ".join(action + moved[:1])] += 1
                    seen[" ".join(moved)] += 1
    events = ["end out", "end quit", "quit", "quit takes", "play P takes", "play 1+ takes"]
    events += [f"{action} {card}" for action in ("play", "draw") for card in twin.NAMES]
    events += ["play L pays", "play P pays", "draw L takes", "draw 3 takes"]
    events += [f"pays {token}" for token in (1, 3, 4, 7, 10, 20, 30)]
    assert [event for event in events if seen[event] < 10] == []


# --- Golden games: kept so that product and twin do not change together ----------------------

DEAL = r"deal .*\ntop .*\n"
TURNS = r"(?:\d .*\n)*"
FOURTH_TOKEN_LIES = r"pot 1 1 1 1\n" + DEAL + r"(?:\d (?!play L).*\n)*\d play L pays 1\n"

SHOWN = {
    "egmont": r"^end quit\n(.*\n)*end out\n",
    # Seat 0 has quit: seat 1 plays card after card to the last, or stops of its own will.
    "egmont_alone": r"^0 quit\n(1 play .\n){3,}end out\n",
    "egmont_stops": r"^1 quit\n0 play .\n0 quit\nend quit\n",
    # More than 1 + 2 + 3 + 4 + 5 + 6 + 10.
    "egmont_each": r"^penalties .*\b(3[2-9]|[4-9]\d)\b",
    "egmont_designer": r"^\d play \d\+\n(.*\n)*\d play P\n",
    "egmont_drama": DEAL + TURNS + r"\d (play \d|draw .|quit) takes \d+\n",
    "egmont_drama_passed": FOURTH_TOKEN_LIES + r"\d play L pays 1\n\d .* takes 6\n",
    "egmont_drama_passed_unpaid": FOURTH_TOKEN_LIES + r"\d play L\n\d .* takes 5\n",
    # Five tokens lie there, but the first action takes nothing; a llama starts the drama again.
    "egmont_drama_carried": (
        r"^pot( \d+){5,}\n" + DEAL + r"\d (quit|draw .|play \d)\n"
        f"{TURNS}" + r"\d play L pays \d+\n\d .* takes \d+\n"
    ),
    # Seat 1 is alone, puts the second of two tokens down and goes on: they stay.
    "egmont_drama_alone": (
        r"^pot 1\n" + DEAL + TURNS + r"0 quit\n(1 play \d\n)*1 play L pays 1\n1 play 1\n"
        f"{TURNS}" + r"end .*\npenalties .*\nround .*\nscores .*\npot 1 1\n"
    ),
    "egmont_drama_out": r"^\d play L pays \d+\nend out\n",
    "egmont_drama_taken_and_out": r"^\d play \d takes \d+\nend out\n",
    "egmont_drama_tokens": r"pays 4\n(.*\n)*.* pays 12\n",
    "party": r"^(\d) play \d\+\n\1 play \d\+\n\1 play \d\n",
    "party_pink": r"^\d play [1-5]\n\d play P\n\d play [1L]\n",
    "party_plus_out": r"^\d play \d\+\nend out\n",
    # 1 + 2 + 3 + 4 + 5 + 6 + 20 are at most 41: the llama beside the pink one counts too.
    "party_pink_adds": r"^penalties .*\b43\b",
    "party_drama": r"^\d play P pays 1\n\d .* takes \d+\n",
    # The pot is taken with the plus card; the llama of the next turn pays again.
    "party_drama_chain": r"^(\d) play \d\+ takes \d+\n\1 play [LP] pays \d+\n",
    "party_drama_pink_off": r"^\d play P takes \d+\n",
}


def numbers(words):
    return [int(word) for word in words[1:]]


def scores_before_penalties(text):
    """List for each round the scores after its tokens moved: those after it minus penalties."""
    rounds = rounds_of(text)
    after = [numbers(lines[1]) for lines in rounds[1:]]
    after.append(numbers(text.splitlines()[-1].split()))
    costs = [numbers(next(x for x in lines if x[0] == "penalties")) for lines in rounds]
    return [
        [score - points for score, points in zip(*both, strict=True)]
        for both in zip(after, costs, strict=True)
    ]


@pytest.mark.parametrize("name", GAMES)
def test_product_and_twin_write_the_golden_record_and_it_is_read(name):
    edition, options, policies, game = GAMES[name]
    text = GOLDEN.read(name)
    assert product_record(id_of(edition, options), policies.split(), SEED, game) == text
    assert record(name) == text
    assert not options or record(name, options={}) != text
    assert re.search(SHOWN.get(name, "^end"), text, re.MULTILINE)
    found = read_record(text)
    assert (found.rules.id, found.luck) == (id_of(edition, options), (SEED, game))
    assert found.policies == tuple(policies.split())
    for state, lines in zip(found.rounds, rounds_of(text), strict=True):
        words = {line[0]: line for line in lines}
        assert (state.first, state.ended) == (int(lines[0][3]), words["end"][1])
        assert state.penalties == numbers(words["penalties"])
    assert [state.scores for state in found.rounds] == scores_before_penalties(text)
    assert list(found.final) == numbers(text.splitlines()[-1].split())


def test_every_golden_game_has_its_file_and_without_a_pile_nobody_draws():
    assert GOLDEN.files() == set(GAMES)
    assert "draw" not in GOLDEN.read("egmont_no_pile")
    # One card is left after the deal; a threshold of 0 quits with points only if it must.
    for lines in rounds_of(GOLDEN.read("egmont_pile_runs_out")):
        drawn = [at for at, line in enumerate(lines) if line[1] == "draw"]
        quits = [at for at, line in enumerate(lines) if line[1] == "quit" and line[0] != "end"]
        assert len(drawn) == 1
        assert drawn < quits


# --- Tallies ---------------------------------------------------------------------------------

PAIR = ("threshold:6", "random")
FOUR = ("random", "threshold:3", "matching:9", "threshold:16")
SIX = ("threshold:5", "matching:5", "random") * 2
TABLES = (
    ("egmont", {}, PAIR),
    ("egmont", {"llama_each": True, "twenty": True}, FOUR),
    ("party", {"drama": True}, SIX),
    ("party", {"dealt": 5, "drama": True, "drama_tokens": 3, "pink_drama": False}, PAIR),
)
# Few points, so that many games are shared by two, three or all.
TIES = ("egmont", {"llama_points": 1, "points": (1,) * 6, "target": 6}, ("random",) * 4)


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("edition", "options", "policies"), TABLES)
@pytest.mark.parametrize("threads", [1, 2])
def test_sums_and_squares_over_first_rounds(edition, options, policies, threads):
    found = tally_of(id_of(edition, options), policies, True, 11, 500, 300, threads)
    measured = [{("blown", None): 0}]
    for game in range(500, 800):
        turns, ended, _, penalties, _, _ = twin.play_round(
            twin_rules(edition, options), policies, 11, game, 0, 0, [0] * len(policies)
        )
        values = {("penalty", seat): penalty for seat, penalty in enumerate(penalties)}
        values |= {("actions", None): len(turns), ("went_out", None): int(ended == "out")}
        measured.append(values)
    assert found == sums_of(measured)
    assert 0 < found["went_out", None][0] < 300


def measures_of(final, rounds):
    """Give what a game adds to the measures; a win is 420 shares."""
    winners = [seat for seat, score in enumerate(final) if score == min(final)]
    found = {("rounds", None): rounds, ("unfinished", None): 0}
    for seat, score in enumerate(final):
        found["win", seat] = 420 // len(winners) if seat in winners else 0
        found["outright", seat] = int(winners == [seat])
        found["score", seat] = score
    return found, len(winners)


@pytest.mark.parametrize(("edition", "options", "policies"), [*TABLES, TIES])
def test_measures_of_games_are_those_of_the_twin(edition, options, policies):
    games = 120
    found = tally_of(id_of(edition, options), policies, False, 13, 40, games, threads=2)
    table = twin_rules(edition, options)
    played = [measures_of(*each) for each in twin.games(table, policies, 13, 40, games)]
    assert found == sums_of(measures for measures, _ in played)
    if (edition, options, policies) == TIES:
        assert {winners for _, winners in played} == {1, 2, 3, 4}


# --- Decisions played both ways: the twin's policies are forced to quit or to draw -----------


class Watched:
    """A policy that notes its decisions to draw or quit; one of them is given to it."""

    def __init__(self, seat, policy, round_):
        self.seat, self.policy, self.round = seat, policy, round_

    def choose(self, table, hand, held, top, may_draw, coin):
        action = self.policy.choose(table, hand, held, top, may_draw, coin)
        sizes, met = self.round.sizes, self.round.met
        if may_draw and not held & table.follows[top]:
            fewest = min(cards for seat, cards in sizes.items() if seat != self.seat)
            left = len(sizes) - 1
            met.append((self.seat, table.penalty_of(hand, held), len(hand), fewest, left))
            if len(met) == self.round.forced_at:
                action = self.round.forced
        sizes[self.seat] = len(hand) + (1 if action == twin.DRAW else -1)
        if action == twin.QUIT:
            del sizes[self.seat]
        return action


class Watch:
    """A first round of the twin; decision number forced_at (from 1) is taken out of its hands."""

    def __init__(self, table, game, forced_at=0, forced=None):
        self.forced_at, self.forced, self.met = forced_at, forced, []
        plain = table.policies
        self.sizes = dict.fromkeys(range(len(plain)), table.rules.dealt)
        table.policies = [Watched(seat, policy, self) for seat, policy in enumerate(plain)]
        scores = [0] * len(plain)
        _, _, penalties = twin.play_turns(table, game, 0, 0, scores, [])
        table.policies = plain
        self.changes = [a + b for a, b in zip(scores, penalties, strict=True)]


def twin_forks(edition, options, policies, seed, games, chances):
    """Play every decision of first rounds both ways; give the forks of each round."""
    table = twin.Table(twin_rules(edition, options), policies, seed)
    for game in range(games):
        forks = []
        for number, decision in enumerate(Watch(table, game).met, 1):
            seat, penalty, own, fewest, left = decision
            if not is_taken(table.stream, game, number, chances[penalty]):
                continue
            ways = [Watch(table, game, number, action) for action in (twin.QUIT, twin.DRAW)]
            own, fewest = min(own, 10), min(fewest, 6)
            cells = [(None, None), (own, None), (None, fewest), (own, fewest)]
            cells = [(*cell, None) for cell in cells] + [(None, None, left)]
            keys = [(penalty, *cell) for cell in cells]
            forks.append((keys, *(payoffs_of(seat, way.changes) for way in ways)))
        yield forks


FORKED = [
    ("egmont", {}, ("threshold:5",) * 4, 1),
    ("egmont", {"llama_each": True}, ("threshold:0", "matching:9"), 1),
    ("egmont", {"dealt": 12, "llamas": 12}, ("threshold:12", "matching:3", "threshold:20"), 1),
    ("party", {"drama": True, "plus": 3, "pink_llamas": 4}, ("matching:2", "threshold:14"), 1),
    ("amigo", {"points": (6, 5, 4, 3, 2, 1), "dealt": 4}, ("threshold:3",) * 6, 1),
    ("egmont", {}, ("random", "threshold:4", "random"), 1),
    ("egmont", {}, ("threshold:6",) * 3, 4),  # by the penalty, fewer of some than of others
]


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("edition", "options", "policies", "thinned"), FORKED)
def test_forks_are_the_twins_rounds_played_both_ways(edition, options, policies, thinned):
    rules = product_rules(id_of(edition, options))
    penalties = range(GAME.most_points(rules) + 1)
    chances = np.array([CERTAIN // (1 + p % thinned) - (p % thinned > 0) for p in penalties])
    job = GAME.forks(rules, [GAME.policy(name) for name in policies], chances)
    expected = counted(twin_forks(edition, options, policies, 4, 60, chances))
    assert len(expected) > 20
    assert product_rows(job, 4, 60, threads=1 + (thinned > 1)) == expected
    assert (job.actions, job.margin_unit) == (("quit", "draw"), 1 / (len(policies) - 1))


def test_thinning_leaves_a_fair_sample_and_does_not_change_the_round():
    rules = product_rules("lama/egmont")
    policies = [GAME.policy("threshold:5")] * 3
    every, some = (
        GAME.forks(rules, policies, np.full(GAME.most_points(rules) + 1, chance, dtype=np.int64))
        for chance in (CERTAIN, CERTAIN // 8)
    )
    whole, part = (decisions_of(run(job.job, 1, 8_000).tally) for job in (every, some))
    often = whole > 800
    assert often.sum() > 20
    assert (abs(part - whole / 8)[often] < 5 * np.sqrt(whole[often] * 7 / 64)).all()
    few, all_ = (product_rows(job, 3, 200) for job in (some, every))
    assert few.keys() < all_.keys()
    assert all(row[0] <= all_[key][0] for key, row in few.items())


# --- Cards of rules --------------------------------------------------------------------------

AMIGO = GAME.rules("lama/amigo")


@pytest.mark.parametrize("rounds", [True, False])
@pytest.mark.parametrize(
    ("rules_id", "cards", "policies"),
    [
        ("lama/egmont", ("card:4", "card:0"), ("threshold:4", "threshold:0")),
        ("lama/party+drama", ("card:4", "card:9"), ("threshold:4", "threshold:9")),
        ("lama/amigo", ("card:same/5", "card:same/0"), ("matching:5", "matching:0")),
    ],
)  # fmt: skip
def test_simple_cards_play_as_other_policies(rules_id, cards, policies, rounds):
    played = [tally_of(rules_id, names, rounds, 3, 0, 200) for names in (cards, policies)]
    assert played[0] == played[1]


@pytest.mark.long
def test_single_decisions_of_cards_are_those_of_their_games():
    seats = [GAME.policy(name) for name in MIXES[-1]]
    players = [Player(AMIGO, policy, len(seats)) for policy in seats]
    seen = set()
    for game in range(20):
        for each in decisions(GAME, AMIGO, GAME.record(AMIGO, seats, 8, game, False)):
            assert players[each.seat].decides(Situation(0, each.position), 0) == each.chosen
            seen.add(each.chosen.split()[0])
    assert seen == {"quit", "draw", "play"}
    assert len({str(player.basis) for player in players}) == len(players)


# --- Situations played on with other hands ---------------------------------------------------


STUDY = 15  # the lane that picks the decision


class Stopped(Exception):
    """A round of the twin has come to the decision that was picked."""


class Stops:
    """A policy that stops the round at a decision, counted from 0 over all seats."""

    def __init__(self, seat, policy, countdown):
        self.seat, self.policy, self.countdown = seat, policy, countdown

    def choose(self, table, hand, held, top, may_draw, coin):
        if self.countdown[0] == 0:
            raise Stopped(self.seat, top, may_draw)
        self.countdown[0] -= 1
        return self.policy.choose(table, hand, held, top, may_draw, coin)


class Forced:
    """A policy whose first choice is given."""

    def __init__(self, policy, action):
        self.policy, self.action = policy, action

    def choose(self, *what):
        action, self.action = self.action, None
        return self.policy.choose(*what) if action is None else action


class Stopping:
    """A first round of the twin at the decision that is picked."""

    def __init__(self, table, game):
        players = len(table.policies)
        word = luck.word_at(table.stream, luck.address_of(game, 0, STUDY))
        countdown = [luck.below(word, 12 * players)]
        self.table, self.plain = table, table.policies
        hands, top, self.pile = twin.deal(table, game, 0)
        self.hands = hands
        self.draws = [luck.address_of(game, 0, luck.DICE + seat) for seat in range(players)]
        self.coins = [luck.address_of(game, 0, luck.COINS + seat) for seat in range(players)]
        self.waiting = deque(range(players))
        self.met = False
        table.policies = [Stops(s, policy, countdown) for s, policy in enumerate(self.plain)]
        try:
            self.play_on(top)
        except Stopped as stopped:
            self.seat, self.top, self.met = stopped.args
        table.policies = self.plain

    def play_on(self, top):
        scores = [0] * len(self.plain)
        rest = (self.draws, self.coins, self.waiting, scores, [])
        _, _, penalties = twin.play_on(self.table, self.hands, top, self.pile, *rest)
        return [a + b for a, b in zip(scores, penalties, strict=True)]

    @property
    def hand(self):
        return self.hands[self.seat]

    def points(self, hand=None, pile=None, action=None):
        """Points of who decides, with another hand and pile, or another first action."""
        copied = ("hands", "pile", "draws", "coins", "waiting")
        before = {name: getattr(self, name) for name in copied}
        for name in copied:
            setattr(self, name, deepcopy(before[name]))
        if hand is not None:
            self.hands[self.seat], self.pile = list(hand), list(pile)
        if action is not None:
            self.table.policies = list(self.plain)
            self.table.policies[self.seat] = Forced(self.plain[self.seat], action)
        found = self.play_on(self.top)[self.seat]
        self.table.policies = self.plain
        for name in copied:
            setattr(self, name, before[name])
        return found


def less(cards, taken):
    """Cards without some of them; None if they are not there."""
    left = list(cards)
    for card in taken:
        if card not in left:
            return None
        left.remove(card)
    return left


def add(rows, key, difference):
    n, total, squares = rows.get(key, (0, 0, 0))
    rows[key] = (n + 1, total + difference, squares + difference**2)


def add_card_rows(rows, at):
    base, more = at.points(), {}
    for card in twin.CARDS:
        if card in at.pile:
            more[card] = at.points([*at.hand, card], less(at.pile, [card]))
    for card, points in more.items():
        name = twin.NAME_OF[card]
        held = sum(twin.VALUE_OF[c] == twin.VALUE_OF[card] for c in at.hand)
        cards = min(len(at.hand), 6)
        keys = [(), (("copies", min(held, 2)),), (("first", held == 0), ("cards", cards))]
        for key in keys:
            add(rows, (("card", name), *key), points - base)
        if twin.LLAMA in more:
            add(rows, (("instead of", name),), more[twin.LLAMA] - points)


def add_top_rows(rows, at):
    value = twin.VALUE_OF[at.top]
    same, after = twin.CARDS[2 * value], twin.CARDS[2 * ((value + 1) % 7)]
    if same in at.hand and after in at.hand:
        more = at.points(action=after) - at.points(action=same)
        top = (("top", twin.NAME_OF[same]), ("next", twin.NAME_OF[after]))
        held = sum(twin.VALUE_OF[card] == value for card in at.hand)
        for key in ((), (("copies", min(held, 2)),), (("cards", min(len(at.hand), 6)),)):
            add(rows, (*top, *key), more)


def other_hands(at, table, size):
    """Points by hand of so many plain cards, each value once; None if they cannot all be had."""
    order = {card: number for number, card in enumerate(dict.fromkeys(table.deck))}
    pool = sorted([*at.pile, *at.hand], key=order.get)
    plain = [card for card in twin.CARDS[0:14:2] if card in table.deck]
    if len(at.hand) != size or not set(plain) <= set(pool):
        return None
    hands = combinations(plain, size)
    return [at.points(hand, less(pool, hand)) for hand in hands]


WITH_HANDS = [
    ("egmont", {}, ("threshold:5", "threshold:5", "threshold:5", "threshold:5")),
    ("egmont", {"llama_each": True}, ("threshold:0", "matching:9")),
    ("egmont", {"copies": 3, "dealt": 3, "llamas": 0}, ("threshold:0",) * 4),
    ("egmont", {"dealt": 4, "llamas": 12}, ("threshold:12", "matching:3", "threshold:20")),
    ("party", {}, ("threshold:7", "matching:4", "threshold:1")),
    ("party", {"drama": True, "plus": 3, "pink_llamas": 4}, ("matching:2", "threshold:14")),
    ("amigo", {"points": (6, 5, 4, 3, 2, 1), "dealt": 4}, ("threshold:3",) * 6),
]


@pytest.mark.one_in(6)
@pytest.mark.parametrize(("edition", "options", "policies"), WITH_HANDS)
def test_situations_are_the_twins_played_on_with_other_hands(edition, options, policies):
    rules = product_rules(id_of(edition, options))
    studies = GAME.hand_studies(rules, [GAME.policy(name) for name in policies])
    games, rows, hands = 60, {}, {size: [] for size in (3, 4)}
    table = twin.Table(twin_rules(edition, options), policies, 4)
    for game in range(games):
        at = Stopping(table, game)
        if at.met:
            add_card_rows(rows, at)
            add_top_rows(rows, at)
            for size, found in hands.items():
                points = other_hands(at, table, size)
                found += [points] if points else []
    tally = run(studies.job, 4, games, threads=1).tally
    product = {}
    for at, row in enumerate(studies.rows):
        cell = HandTally(tally).row(at)
        if row and cell.any():
            product[tuple(row.items())] = tuple(cell.tolist())
    expected = {key: row for key, row in rows.items() if any(row)}
    assert product == expected
    assert len(product) > 20
    for shown, found in zip(studies.hands, hands.values(), strict=True):
        assert HandTally(tally).situations(shown.at) == len(found)
        k = len(shown.names)
        sums = HandTally(tally).sums(shown.at, k)
        for i in range(k):
            assert sums[i, 0] == sum(points[i] for points in found)
            for j in range(k):
                assert sums[i, 1 + j] == sum(points[i] * points[j] for points in found)


@pytest.mark.long
def test_other_hands_are_there_to_be_tested():
    studies = GAME.hand_studies(GAME.rules("lama/egmont"), [GAME.policy("threshold:5")] * 4)
    tally = run(studies.job, 4, 400, threads=1).tally
    assert [HandTally(tally).situations(hands.at) > 10 for hands in studies.hands] == [True, True]
    assert [len(hands.names) for hands in studies.hands] == [35, 35]
    three = studies.hands[0]
    at = three.names.index
    assert three.names[at("6L1")] == "6L1"
    assert three.penalties[at("246")] == three.penalties[at("345")] == 12
    assert [three.tops[at(name)] for name in ("246", "345", "356", "6L1")] == [6, 4, 5, 4]
    first = studies.rows[:OF_A_CARD]
    assert first[0] == {"card": "L"}
    assert first[LLAMA_INSTEAD] == {"instead of": "L"}
