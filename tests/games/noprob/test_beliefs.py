"""What a player knows and infers: of what it cannot see nothing, of the others' turns a little."""

from collections import Counter, defaultdict
from dataclasses import replace
from itertools import chain, product
from random import Random

import numpy as np
import pytest

from lama_odds.analysis.advice.advise import advise
from lama_odds.analysis.advice.rollouts import Limits
from lama_odds.analysis.odds import odds
from lama_odds.core.errors import ReadError
from lama_odds.core.estimate import Estimate
from lama_odds.games.noprob.engine import kernels as engine
from lama_odds.games.noprob.engine.grids import DRAW
from lama_odds.games.noprob.engine.kernels import deal_unknown
from lama_odds.games.noprob.engine.learned import TrailTables
from lama_odds.games.noprob.game import GAME
from lama_odds.games.noprob.policies import policy_rows, tables_of
from lama_odds.games.noprob.records.live import ANY, LOG, QUERY, _table, play_on
from lama_odds.games.noprob.records.record import read_record, replay_entry
from lama_odds.games.noprob.rules import transition
from lama_odds.games.noprob.rules.position import Grid, Past, grid_text
from lama_odds.games.noprob.rules.transition import (
    GRID,
    KINDS,
    KNOWN,
    PACK,
    PILE,
    UNKNOWN,
    UP,
)
from lama_odds.games.noprob.solvers import beliefs
from lama_odds.games.noprob.solvers.exact import root_table
from lama_odds.games.shared.decisions import decisions
from lama_odds.luck.stream import stream_of
from lama_odds.report.terminal import printed
from lama_odds.report.text.odds import others_text
from tests.games.cases import product_record, product_rules
from tests.games.noprob.cases import END, FOUR, SMALL, TIES, TINY, id_of

OPTIONS = ({}, FOUR | {"peeks": 4}, SMALL | END)
POLICIES = ("random", "greedy", "random")
PLAYED = ("greedy", "planner:chase=40,lead=0,deny=20,haste=20", "learned")


def cut_records(options, games):
    """Give first rounds cut before every turn, as lists of lines."""
    for game in range(games):
        record = product_record(id_of(options), POLICIES, 8, game, rounds=True)
        lines = [line for line in record.splitlines() if not line.startswith("policies")]
        for at, line in enumerate(lines):
            if line[0].isdigit():
                yield lines[:at]


def shuffled(lines, options, seed):
    """Deal again what the seat to decide cannot see: cards face down, and the pile."""
    rules = product_rules(id_of(options))
    state = read_record("\n".join(lines)).rounds[-1]
    down = [
        (seat, cell)
        for seat, up in enumerate(state.up)
        for cell in range(9)
        if not up[cell] and not (seat == state.seat and cell < rules.peeks)
    ]
    at = next(i for i, line in enumerate(lines) if line.startswith("deal"))
    grids = [[rules.names.index(card) for card in row.replace("/", ",").split(",")]
             for row in lines[at].split()[1:]]  # fmt: skip
    pool = [grids[seat][cell] for seat, cell in down]
    pool += [kind for kind, count in enumerate(state.pile) for _ in range(count)]
    Random(seed).shuffle(pool)
    for (seat, cell), kind in zip(down, pool, strict=False):
        grids[seat][cell] = kind
    dealt = [grid_text(rules.names, Grid(tuple(grid), (True,) * 9)) for grid in grids]
    return [*lines[:at], f"deal {' '.join(dealt)}", *lines[at + 1 :]]


@pytest.mark.long
@pytest.mark.parametrize(("objective", "turns"), [("points", 40), ("win", 45)])
def test_records_that_look_alike_to_me_are_answered_alike(objective, turns):
    rules = product_rules(id_of({}))
    limits = Limits(games=1_000, threads=1)
    lines = list(cut_records({}, 1))[turns]
    other = shuffled(lines, {}, seed=3)
    assert other != lines
    answers = []
    for text in (lines, other):
        position = GAME.position_after(rules, "\n".join(text))
        answer = advise(GAME, rules, position, objective=objective, limits=limits, seed=4)
        answers.append(replace(answer, seconds=0.0))
    assert answers[0] == answers[1]


def first_decisions(record, peeks):
    """The first decisions of two seats: what each knew, then what it did, the card drawn told."""
    lines = record.splitlines()
    deal = next(line for line in lines if line.startswith("deal")).split()[1:]
    top = next(line for line in lines if line.startswith("top"))
    first, second = [line for line in lines if line[0].isdigit()][:2]
    shown = (tuple(grid.replace("/", ",").split(",")[:peeks]) for grid in deal)
    for own, before, line in zip(shown, ("", first), (first, second), strict=False):
        words = line.split(" turns")[0].split()
        knew = own, top, before
        yield knew, words[1]
        if words[1] in ("draw", "take"):
            yield (knew, *words[1:3]), " ".join(words[3:])


@pytest.mark.one_in(3)
@pytest.mark.parametrize("policy", PLAYED)
@pytest.mark.parametrize("peeks", [0, 1])
def test_what_a_player_cannot_see_has_no_part_in_its_decisions(policy, peeks):
    """Of cards of few kinds; seats that know the same must do the same."""
    options = TIES | {"peeks": peeks, "dramas": 2, "karmas": 2}
    done, times = defaultdict(set), 0
    for game in range(400):
        record = product_record(id_of(options), (policy,) * 2, 3, game, rounds=True)
        for knew, did in first_decisions(record, peeks):
            times += 1
            done[knew].add(did)
    assert {knew: found for knew, found in done.items() if len(found) > 1} == {}
    assert len(done) < times / 2


def test_who_decides_by_coins_is_found_out():
    done = defaultdict(set)
    for game in range(100):
        record = product_record(id_of(TIES | {"peeks": 0}), ("random",) * 2, 3, game, rounds=True)
        for knew, did in first_decisions(record, 0):
            done[knew].add(did)
    assert max(len(found) for found in done.values()) > 1


MODELS = ("greedy", *beliefs.PLAYERS)


def cut(options, players, policy, game, turns, seed=4):
    """Give the lines of a first round before a turn."""
    record = product_record(id_of(options), (policy,) * players, seed, game, rounds=True)
    lines = [line for line in record.splitlines() if not line.startswith("policies")]
    at = [i for i, line in enumerate(lines) if line[0].isdigit()]
    return lines[: at[turns]]


def with_hand(lines, rules, seat, hand):
    """Deal a seat other cards in cells that are face down still, and the rest of what is hidden."""
    state = read_record("\n".join(lines)).rounds[-1]
    dealt = next(i for i, line in enumerate(lines) if line.startswith("deal"))
    grids = [
        [rules.names.index(card) for card in row.replace("/", ",").split(",")]
        for row in lines[dealt].split()[1:]
    ]
    mine = range(rules.peeks)
    hidden = [
        (s, c)
        for s, up in enumerate(state.up)
        for c in range(9)
        if not up[c] and not (s == state.seat and c in mine) and not (s == seat and c in hand)
    ]
    pool = [kind for kind, n in enumerate(state.pile) for _ in range(n)]
    pool += [grids[s][c] for s, c in hidden] + [grids[seat][c] for c in hand]
    for cell, kind in hand.items():
        pool.remove(kind)
        grids[seat][cell] = kind
    for (s, c), kind in zip(hidden, pool, strict=False):
        grids[s][c] = kind
    texts = [grid_text(rules.names, Grid(tuple(grid), (True,) * 9)) for grid in grids]
    return "\n".join([*lines[:dealt], f"deal {' '.join(texts)}", *lines[dealt + 1 :]])


def blindly(situation):
    """Give the situation of a player who has looked at other cards."""
    mine, *others = situation.position.grids
    cards = [kind if up else UNKNOWN for kind, up in zip(mine.cards, mine.up, strict=True)]
    grids = (replace(mine, cards=tuple(cards)), *others)
    return replace(situation, position=replace(situation.position, grids=grids))


def likelihoods(text, rules, seat, players):
    """Give the chance of a seat's turns for each model, asked decision by decision."""
    reader = QUERY.reader(lambda number: True)
    reader.read(text)
    asked = [QUERY.player(rules, GAME.policy(name), players) for name in MODELS[:-1]]
    found = np.ones(len(MODELS) + 1)
    for decision, situation in zip(decisions(GAME, rules, text), reader.found, strict=True):
        if decision.seat != seat:
            continue
        even = 1 / len(QUERY.legal_actions(rules, situation.position))
        told = [player.decides(situation, 0) == decision.chosen for player in asked]
        told.append(None)  # at random
        told.append(asked[0].decides(blindly(situation), 0) == decision.chosen)
        for m, same in enumerate(told):
            share = beliefs.EPSILON * even
            found[m] *= even if same is None else share + (1 - beliefs.EPSILON) * same
    return found


def ways_to_deal(kinds, pool):
    """Give the number of ways to deal these cards one after the other."""
    left, ways = list(pool), 1
    for kind in kinds:
        ways *= left[kind]
        left[kind] -= 1
    return ways


def enumerated(lines, rules, players):
    """Give the chance of each combination of cards that others know, by going through all."""
    text = "\n".join(lines)
    position, state = GAME.position_after(rules, text), read_record(text).rounds[-1]
    assert not state.recycled
    pool = position.pool(rules)
    shares = beliefs.shares_of([GAME.policy(name) for name in MODELS])
    options = []
    for step in range(1, players):
        seat = (state.seat + step) % players
        cells = [c for c in range(rules.peeks) if not state.up[seat][c]]
        weights = {}
        for kinds in product(range(KINDS), repeat=len(cells)):
            if ways_to_deal(kinds, pool):
                told = with_hand(lines, rules, seat, dict(zip(cells, kinds, strict=True)))
                chances = likelihoods(told, rules, seat, players)
                weights[kinds] = float(shares @ chances**beliefs.POWER)
        options.append(weights)
    found = {}
    for hands in product(*options):
        kinds = [kind for hand in hands for kind in hand]
        weight = ways_to_deal(kinds, pool)
        for hand, weights in zip(hands, options, strict=True):
            weight *= weights[hand]
        found[hands] = weight
    total = sum(found.values())
    return {hands: weight / total for hands, weight in found.items() if weight}


def hands_of(grids, players):
    """Give the kinds in the cells of each player."""
    return tuple(
        tuple(int(grid) >> 4 * cell & 15 for cell in player.cells)
        for grid, player in zip(grids, players, strict=True)
    )


def believed(lines, rules, players):
    """Give the beliefs, and the same chances as rollouts have them."""
    position = GAME.position_after(rules, "\n".join(lines))
    found = beliefs.beliefs_of(rules, position, [GAME.policy("greedy")] * players)
    chances = defaultdict(float)
    steps = np.diff(found.tables.upto, prepend=0.0)
    for hands, chance in zip(found.tables.hands, steps, strict=True):
        chances[hands_of(hands[1:], found.players)] += chance
    return found, position, chances


def apart(one, other):
    """Give the total variation of two distributions."""
    return sum(abs(one.get(k, 0) - other.get(k, 0)) for k in {*one, *other}) / 2


@pytest.mark.parametrize(("players", "game", "turns"), [(2, 1, 5), (2, 1, 9), (2, 3, 14)])
def test_hands_have_the_chances_that_trying_all_gives_them(players, game, turns):
    rules, lines = product_rules(id_of(SMALL)), cut(SMALL, players, "greedy", game, turns)
    expected = enumerated(lines, rules, players)
    _, _, found = believed(lines, rules, players)
    assert len(expected) > 10
    assert apart(found, expected) < 1e-9


def cuts(options, turns):
    """Give first rounds of three, cut before a turn."""
    for game in range(40):
        yield cut(options, 3, "greedy", game, turns)


def all_down(lines):
    """Tell whether nobody has turned the first card up."""
    state = read_record("\n".join(lines)).rounds[-1]
    return not any(up[0] for up in state.up)


@pytest.mark.long
@pytest.mark.parametrize("most", [beliefs.MOST_DEALS, 0], ids=["all", "sampled"])
def test_hands_of_several_fit_together(monkeypatch, most):
    """Listed they are exact; where some represent the others they come near."""
    options = SMALL | {"peeks": 1}
    rules = product_rules(id_of(options))
    lines = next(lines for lines in cuts(options, 7) if all_down(lines))
    expected = enumerated(lines, rules, 3)
    monkeypatch.setattr(beliefs, "MOST_DEALS", most)
    beliefs._beliefs.cache_clear()
    _, _, found = believed(lines, rules, 3)
    beliefs._beliefs.cache_clear()
    assert len(expected) > 50
    assert apart(found, expected) < (1e-9 if most else 0.01)


def test_rollouts_deal_these_hands():
    rules, lines = product_rules(id_of(SMALL)), cut(SMALL, 2, "greedy", 1, 9)
    held, position, chances = believed(lines, rules, 2)
    root, unknown = root_table(rules, position)
    key, gamma = stream_of(5)
    counted = defaultdict(int)
    (player,) = held.players
    games = 20_000
    for game in range(games):
        table = root.copy()
        start = np.uint64((int(key) + 977 * game * int(gamma)) % 2**64)
        deal_unknown(table, held.tables, 2, unknown, rules.peeks, start, np.uint64(gamma))
        counted[hands_of([table[GRID + 1]], held.players)] += 1
        cards = [table[GRID + s] >> 4 * c & 15 for s in range(2) for c in range(9)]
        assert max(cards) < KINDS
        assert table[KNOWN + 1] == table[UP + 1] | 3
        if game < 100:  # no card is there twice
            kinds = np.bincount(cards, minlength=KINDS) + packed(table)
            open_cards = [position.top, *position.seen]
            kinds += np.bincount(open_cards, minlength=KINDS)
            beside = [kind for grid in position.grids for kind in grid.beside]
            kinds += np.bincount(beside, minlength=KINDS)
            assert tuple(kinds) == rules.deck
    assert player.hidden
    dealt = {hands: n / games for hands, n in counted.items()}
    assert apart(dealt, chances) < 0.01 + 0.5 * (len(chances) / games) ** 0.5


def packed(table):
    """Give the number of cards of each kind in the pile."""
    words = np.array([table[PACK], table[PACK + 1]]).view(np.uint8)
    totals = words[:KINDS].astype(int)
    assert totals[-1] == table[PILE]
    return np.diff(totals, prepend=0)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("options", [{}, SMALL | END], ids=str)
def test_what_a_seat_cannot_see_changes_nothing(options):
    rules, changed = product_rules(id_of(options)), 0
    policies = [GAME.policy("learned")] * 3
    for lines in list(cut_records(options, 2))[4::9]:
        other = shuffled(lines, options, seed=len(lines))
        changed += other != lines
        seen = [GAME.position_after(rules, "\n".join(text)) for text in (lines, other)]
        seen.append(GAME.position_after(rules, as_seen(lines)))
        assert seen[0].past == seen[1].past == seen[2].past
        found = [beliefs.beliefs_of(rules, position, policies) for position in seen]
        if found[0] is None:
            continue
        for one in found[1:]:
            for mine, theirs in zip(found[0].tables, one.tables, strict=True):
                assert np.array_equal(mine, theirs)
    assert changed > 4


def as_seen(lines):
    """Give a record in which only the seat to decide has cards, those that it looked at."""
    text = "\n".join(lines)
    record = read_record(text)
    state, rules = record.rounds[-1], record.rules
    row = [*"*" * rules.peeks, *"?" * (9 - rules.peeks)]
    others = "/".join(",".join(row[at : at + 3]) for at in (0, 3, 6))
    grids = [others] * record.players
    at = next(i for i, line in enumerate(lines) if line.startswith("deal"))
    mine = lines[at].split()[1 + state.seat].replace("/", ",").split(",")
    known = [f"({card})" if c < rules.peeks else "?" for c, card in enumerate(mine)]
    grids[state.seat] = "/".join(",".join(known[row : row + 3]) for row in (0, 3, 6))
    return "\n".join([*lines[:at], f"deal {' '.join(grids)}", *lines[at + 1 :]])


@pytest.mark.long
def test_without_word_of_what_the_others_looked_at_nothing_is_inferred():
    rules, lines = product_rules(id_of({})), cut({}, 2, "learned", 1, 20)
    told = as_seen(lines)
    for text, inferred in ((told, True), (told.replace("*,*,?/?,?,?/?,?,?", "?"), False)):
        position = GAME.position_after(rules, text)
        answer = advise(
            GAME, rules, position, objective="points", limits=Limits(games=1_000, threads=1)
        )
        notes = " ".join(answer.assumptions)
        assert ("drawn by what they did" in notes) == inferred
        assert ("does not say which cards" in notes) != inferred


@pytest.mark.parametrize("grid", ["*,*,*/?,?,?/?,?,?", "*,?,?", "*,3,?/?,?,?/?,?,?"])
def test_a_wrong_word_of_it_is_refused(grid):
    told = as_seen(cut({}, 2, "learned", 1, 3)).replace("*,*,?/?,?,?/?,?,?", grid)
    with pytest.raises(ReadError, match=r"looked at"):
        read_record(told)


@pytest.mark.long
def test_the_same_record_gives_the_same_answer_on_any_number_of_threads():
    rules, lines = product_rules(id_of({})), cut({}, 3, "learned", 1, 20)
    position = GAME.position_after(rules, "\n".join(lines))
    answers = []
    for threads in (1, 2):
        beliefs._beliefs.cache_clear()
        beliefs._followed.cache_clear()
        limits = Limits(games=1_000, threads=threads)
        answer = advise(GAME, rules, position, objective="points", limits=limits, seed=3)
        answers.append(replace(answer, seconds=0.0))
    assert answers[0] == answers[1]
    assert any("drawn by what they did" in note for note in answers[0].assumptions)
    bare = GAME.position(rules, position.format())
    assert bare == position
    assert bare.past is None
    even = advise(GAME, rules, bare, objective="points", limits=limits, seed=3)
    assert even.actions != answers[0].actions
    assert any("drawn at random" in note for note in even.assumptions)


@pytest.mark.long
def test_before_anybody_acts_and_with_many_cards_known_nothing_is_inferred():
    rules = product_rules(id_of({}))
    best = [GAME.policy("learned")] * 2
    first = GAME.position_after(rules, "\n".join(cut({}, 2, "learned", 0, 0)))
    assert beliefs.beliefs_of(rules, first, best) is None
    assert not GAME.rollouts(rules, first, best, False, "points").inferred
    four = product_rules(id_of({"peeks": 4}))
    early = GAME.position_after(four, "\n".join(cut({"peeks": 4}, 2, "learned", 0, 3)))
    assert beliefs.beliefs_of(four, early, best) is None


@pytest.mark.parametrize("most", [beliefs.MOST_DEALS, 0], ids=["all", "sampled"])
def test_odds_show_what_others_know(monkeypatch, most):
    monkeypatch.setattr(beliefs, "MOST_DEALS", most)
    beliefs._beliefs.cache_clear()
    rules, lines = product_rules(id_of(SMALL)), cut(SMALL, 2, "greedy", 1, 9)
    expected = enumerated(lines, rules, 2)
    position = GAME.position_after(rules, "\n".join(lines))
    (held,) = GAME.held_by_others(rules, position, [GAME.policy("greedy")] * 2).players
    beliefs._beliefs.cache_clear()
    off = 1e-9 if most else 0.01
    (grid,) = read_record("\n".join(lines)).rounds[-1].up[1:]
    cells = [cell for cell in range(rules.peeks) if not grid[cell]]
    assert (held.cards, list(held.cells)) == (len(cells), [f"1,{cell + 1}" for cell in cells])
    for kind, name in enumerate(rules.names[:KINDS]):
        any_cell = sum(chance for (hand,), chance in expected.items() if kind in hand)
        for at, chances in enumerate(held.cells.values()):
            chance = sum(c for (hand,), c in expected.items() if hand[at] == kind)
            found = chances.get(name, Estimate(0.0))
            assert found.value == pytest.approx(chance, abs=off)
            assert (found.n == 0) == (most > 0) or not found.value
        assert held.holds.get(name, Estimate(0.0)).value == pytest.approx(any_cell, abs=off)
    found = odds(GAME, rules, position, GAME.policy("greedy"))
    told = found.to_json()["others"][0]
    assert list(told["cells"]) == list(held.cells)
    assert "can_play" not in told
    text = printed(others_text(found), width=80, plain=True)
    assert "row, column" in text
    assert "taken, kept and thrown away" in text


FEW = TINY | {"peeks": 2}
SEED = 4


def first_round(game, policy):
    """Give the lines of a first round of two, and the numbers of those that are turns."""
    text = product_record(id_of(FEW), (policy,) * 2, SEED, game, rounds=True)
    lines = [line for line in text.splitlines() if not line.startswith("policies")]
    return lines, [at for at, line in enumerate(lines) if line[0].isdigit()]


def state_at(lines, at):
    """Give the round before a line."""
    return read_record("\n".join(lines[:at])).rounds[-1]


def never_open(state):
    """Count by kind what lies face down, and the pile as long as it is the first one."""
    cards = zip(chain(*state.hands), chain(*state.up), strict=True)
    found = Counter(kind for kind, up in cards if not up)
    if not state.recycled:
        found.update(dict(enumerate(state.pile)))
    return [found[kind] for kind in range(transition.KINDS)]


def unseen_in(table):
    """Give what the compiled round counts as never open, by kind."""
    return [int(table[transition.UNSEEN]) >> 4 * kind & 15 for kind in range(transition.KINDS)]


def refilled(policy):
    """Give a round in which several cards are drawn from a pile made of discards."""
    for game in range(40):
        lines, turns = first_round(game, policy)
        again = [at for at in turns if state_at(lines, at).recycled]
        if sum(lines[at].split()[1] == "draw" for at in again) > 3:
            return lines, turns, again
    return pytest.fail("no round is long enough")


def test_a_record_counts_a_card_as_seen_once():
    lines, turns, _ = refilled("random")
    for at in turns:
        state = state_at(lines, at)
        assert state.unseen == never_open(state)


def test_play_counts_a_card_as_seen_once():
    rules, policies = product_rules(id_of(FEW)), [GAME.policy("greedy")] * 2
    log, again = np.zeros(LOG, np.int64), 0
    tables = tables_of(rules, policies, log)
    for game in range(12):
        lines, turns = first_round(game, "greedy")
        record = read_record("\n".join(lines[: turns[0]]))
        table, state, log[0] = _table(record), record.rounds[-1], 0
        play_on(rules.columns, policy_rows(policies), tables, (SEED, game, 0), table, 0, ANY)
        for entry in log[1 : log[0] + 1].tolist():
            again += state.recycled
            replay_entry(state, entry)
        assert unseen_in(table) == state.unseen == never_open(state)
    assert again > 100


def test_beliefs_about_others_count_a_card_as_seen_once(monkeypatch):
    lines, _, again = refilled("random")
    rules, followed, usual = product_rules(id_of(FEW)), [], engine.follow
    monkeypatch.setattr(
        engine, "follow", lambda *given: followed.append(given[-3]) or usual(*given)
    )
    for at in again:
        past = GAME.position_after(rules, "\n".join(lines[:at])).past
        models = [GAME.policy("greedy")]
        hidden, *_ = beliefs.follow(rules, past, 1 - past.seat, models, beliefs.EPSILON)
        if hidden:
            assert unseen_in(followed[-1]) == list(past.closed)
    assert followed


# Chances of cards that another has looked at


def test_two_cards_are_drawn_from_one_pack():
    """Two cards of one kind and one of another: both the same in 2 of 6 deals, else one of each."""
    hands = np.array([0x00, 0x10, 0x01, 0x11])
    found = beliefs.weighed(0b11, hands, np.zeros((1, 4)), (2, 1), np.ones(1))
    assert found.hands.tolist() == [0x00, 0x10, 0x01]
    assert found.chances == pytest.approx([1 / 3] * 3)


def test_a_card_that_i_know_face_down_is_not_what_another_looked_at():
    """Even where as many of its kind are in a pile that was made of discards."""
    rules = product_rules(id_of(SMALL))
    record = product_record(id_of(SMALL), ("random",) * 3, 4, 0, rounds=True)
    tried = 0
    for decision in decisions(GAME, rules, record):
        mine = decision.position.grids[0]
        known = [k for k, up in zip(mine.cards, mine.up, strict=True) if not up and k != UNKNOWN]
        ways, closed = beliefs.ways_of(rules, decision.position), decision.position.past.closed
        pool = decision.position.pool(rules)
        for kind, count in Counter(known).items():
            assert ways[kind] <= closed[kind] - count
            tried += pool[kind] > closed[kind] - count
    assert tried > 3


@pytest.mark.long
def test_passing_is_one_of_the_ways_to_act_in_a_last_turn():
    """Who chooses at random draws, takes or, in a last turn, passes: each as often."""
    rules, models = product_rules("noprob/starnberger"), [GAME.policy("random")]
    rows, hands = policy_rows(models), np.zeros(1, np.int64)
    trail = TrailTables(0, 3, hands, np.zeros(0, np.int64), beliefs.EPSILON)
    for last, ways in ((-1, 2), (1, 3)):
        table = np.zeros(transition.TABLE_SIZE, np.int64)
        table[PILE] = table[transition.HEIGHT] = 1
        table[transition.LAST] = last
        weights = np.ones((2, 1))
        engine.weigh_source(
            tables_of(rules, models, seats=2), np.zeros((2, rows.shape[1]), np.int64), rows,
            trail, table, DRAW, weights,
        )  # fmt: skip
        assert weights == pytest.approx(1 / ways)


def test_nothing_is_inferred_unless_all_others_are_known_to_have_looked():
    looked = {(0b11, 0, 0b101): True, (0b11, 0b1, 0b101): True, (0, 0, 0b101): False}
    for masks, told in looked.items():
        past = Past(seat=1, top=4, looked=masks, turns=(), closed=())
        assert beliefs.told_of_all(past) == told
