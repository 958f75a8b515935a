"""What a player knows and infers: of what it cannot see nothing, of the others' turns a little."""

from collections import Counter, defaultdict
from dataclasses import replace
from itertools import chain, product
from random import Random

import numpy as np
import pytest

from lama_odds.core.estimate import Estimate
from lama_odds.games.noprob.engine import kernels as engine
from lama_odds.games.noprob.game import GAME
from lama_odds.games.noprob.policies import policy_rows, tables_of
from lama_odds.games.noprob.records.live import ANY, LOG, QUERY, _table, play_on
from lama_odds.games.noprob.records.record import read_record, replay_entry
from lama_odds.games.noprob.rules import transition
from lama_odds.games.noprob.rules.position import Grid, Past, grid_text
from lama_odds.games.noprob.rules.transition import GRID, KINDS, KNOWN, PACK, PILE, UNKNOWN, UP
from lama_odds.games.noprob.solvers import beliefs
from lama_odds.games.noprob.solvers.exact import root_table
from lama_odds.games.shared.decisions import decisions
from lama_odds.luck.stream import stream_of
from tests.games.cases import product_record, product_rules
from tests.games.noprob.cases import END, SMALL, TIES, TINY, id_of

MODELS = ("greedy", *beliefs.PLAYERS)


def first_round(options, policies, game, seed=4):
    """Give the lines of a first round, and the numbers of those that are turns."""
    text = product_record(id_of(options), policies, seed, game, rounds=True)
    lines = [line for line in text.splitlines() if not line.startswith("policies")]
    return lines, [at for at, line in enumerate(lines) if line[0].isdigit()]


def cut(options, players, policy, game, turns):
    """Give the lines of a first round before a turn."""
    lines, at = first_round(options, (policy,) * players, game)
    return lines[: at[turns]]


def state_of(lines):
    return read_record("\n".join(lines)).rounds[-1]


def seen_after(rules, lines):
    return GAME.position_after(rules, "\n".join(lines))


def dealt_again(lines, rules, fixed, order):
    """Deal other cards where one lies face down whose place is not fixed; the pile has the rest.

    order: changes the list of all these cards, in place.
    """
    state = state_of(lines)
    at = next(i for i, line in enumerate(lines) if line.startswith("deal"))
    grids = [
        [rules.names.index(card) for card in row.replace("/", ",").split(",")]
        for row in lines[at].split()[1:]
    ]
    places = product(range(len(grids)), range(9))
    down = [(s, c) for s, c in places if not state.up[s][c] and (s, c) not in fixed]
    pool = [kind for kind, n in enumerate(state.pile) for _ in range(n)]
    pool += [grids[s][c] for s, c in [*down, *fixed]]
    for (s, c), kind in fixed.items():
        pool.remove(grids[s][c] if kind is None else kind)
        grids[s][c] = grids[s][c] if kind is None else kind
    order(pool)
    for (s, c), kind in zip(down, pool, strict=False):
        grids[s][c] = kind
    texts = [grid_text(rules.names, Grid(tuple(grid), (True,) * 9)) for grid in grids]
    return [*lines[:at], f"deal {' '.join(texts)}", *lines[at + 1 :]]


def looked_at(lines, rules):
    """Give the places of cards that the seat to decide has looked at and not turned up."""
    state = state_of(lines)
    return {(state.seat, c): None for c in range(rules.peeks) if not state.up[state.seat][c]}


def as_seen(lines):
    """Give a record in which only the seat to decide has cards, those that it looked at."""
    record = read_record("\n".join(lines))
    seat, peeks = record.rounds[-1].seat, record.rules.peeks
    row = [*"*" * peeks, *"?" * (9 - peeks)]
    at = next(i for i, line in enumerate(lines) if line.startswith("deal"))
    mine = lines[at].split()[1 + seat].replace("/", ",").split(",")
    known = [f"({card})" if c < peeks else "?" for c, card in enumerate(mine)]
    grids = [known if s == seat else row for s in range(record.players)]
    texts = ["/".join(",".join(grid[at : at + 3]) for at in (0, 3, 6)) for grid in grids]
    return [*lines[:at], f"deal {' '.join(texts)}", *lines[at + 1 :]]


# What nobody can see


@pytest.mark.one_in(2)
@pytest.mark.parametrize("options", [{}, SMALL | END], ids=str)
def test_what_a_seat_cannot_see_changes_nothing(options):
    rules, changed = product_rules(id_of(options)), 0
    policies = [GAME.policy("learned")] * 3
    for game in range(2):
        lines, turns = first_round(options, ("random", "greedy", "random"), game, seed=8)
        for upto in turns[4::9]:
            told = lines[:upto]
            other = dealt_again(told, rules, looked_at(told, rules), Random(upto).shuffle)
            changed += other != told
            seen = [seen_after(rules, text) for text in (told, other, as_seen(told))]
            assert seen[0] == seen[1]
            assert seen[0].past == seen[1].past == seen[2].past
            found = [beliefs.beliefs_of(rules, position, policies) for position in seen]
            for one in found[1:] if found[0] else ():
                for mine, theirs in zip(found[0].tables, one.tables, strict=True):
                    assert np.array_equal(mine, theirs)
    assert changed > 4


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


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    "policy", ["random", "planner:chase=40,lead=0,deny=20,haste=20", "greedy", "learned"]
)
def test_what_a_player_cannot_see_has_no_part_in_its_decisions(policy):
    """Of cards of few kinds; seats that know the same must do the same, but for coins."""
    options = TIES | {"peeks": 1, "dramas": 2, "karmas": 2}
    done, times = defaultdict(set), 0
    for game in range(400):
        record = product_record(id_of(options), (policy,) * 2, 3, game, rounds=True)
        for knew, did in first_decisions(record, 1):
            times += 1
            done[knew].add(did)
    otherwise = {knew: found for knew, found in done.items() if len(found) > 1}
    assert bool(otherwise) == (policy == "random"), otherwise
    assert len(done) < times / 2 or policy == "random"


# What turns tell, against going through all hands


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
    position, state = seen_after(rules, lines), state_of(lines)
    pool = position.pool(rules)
    shares = beliefs.shares_of([GAME.policy(name) for name in MODELS])
    options = []
    for step in range(1, players):
        seat = (state.seat + step) % players
        cells = [c for c in range(rules.peeks) if not state.up[seat][c]]
        weights = {}
        for kinds in product(range(KINDS), repeat=len(cells)):
            if ways_to_deal(kinds, pool):
                hand = {(seat, cell): kind for cell, kind in zip(cells, kinds, strict=True)}
                told = dealt_again(lines, rules, looked_at(lines, rules) | hand, list)
                chances = likelihoods("\n".join(told), rules, seat, players)
                weights[kinds] = float(shares @ chances**beliefs.POWER)
        options.append(weights)
    found = {}
    for hands in product(*options):
        weight = ways_to_deal([kind for hand in hands for kind in hand], pool)
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
    policies = [GAME.policy("greedy")] * players
    found = beliefs.beliefs_of(rules, seen_after(rules, lines), policies)
    chances = defaultdict(float)
    steps = np.diff(found.tables.upto, prepend=0.0)
    for hands, chance in zip(found.tables.hands, steps, strict=True):
        chances[hands_of(hands[1:], found.players)] += chance
    return found, chances


def apart(one, other):
    """Give the total variation of two distributions."""
    return sum(abs(one.get(k, 0) - other.get(k, 0)) for k in {*one, *other}) / 2


@pytest.mark.parametrize(("game", "turns"), [(7, 4), (3, 14)])  # two cards, one card
def test_hands_have_the_chances_that_trying_all_gives_them(game, turns):
    rules, lines = product_rules(id_of(SMALL)), cut(SMALL, 2, "greedy", game, turns)
    expected = enumerated(lines, rules, 2)
    assert len(expected) > 10
    assert apart(believed(lines, rules, 2)[1], expected) < 1e-9


@pytest.mark.long
@pytest.mark.parametrize("most", [beliefs.MOST_DEALS, 0], ids=["all", "sampled"])
def test_hands_of_several_fit_together(monkeypatch, most):
    """Listed they are exact; where some represent the others they come near."""
    options = SMALL | {"peeks": 1}
    rules = product_rules(id_of(options))
    rounds = (cut(options, 3, "greedy", game, 7) for game in range(40))
    lines = next(lines for lines in rounds if not any(up[0] for up in state_of(lines).up))
    expected = enumerated(lines, rules, 3)
    monkeypatch.setattr(beliefs, "MOST_DEALS", most)
    beliefs._beliefs.cache_clear()
    _, found = believed(lines, rules, 3)
    beliefs._beliefs.cache_clear()
    assert len(expected) > 50
    assert apart(found, expected) < (1e-9 if most else 0.01)


def test_odds_show_what_others_know():
    rules, lines = product_rules(id_of(SMALL)), cut(SMALL, 2, "greedy", 7, 4)
    expected = enumerated(lines, rules, 2)
    policies = [GAME.policy("greedy")] * 2
    (held,) = GAME.held_by_others(rules, seen_after(rules, lines), policies).players
    assert (held.cards, list(held.cells)) == (2, ["1,1", "1,2"])
    shown, parts = [*held.cells.values(), held.holds], (slice(0, 1), slice(1, 2), slice(2))
    for kind, name in enumerate(rules.names[:KINDS]):
        for chances, part in zip(shown, parts, strict=True):
            chance = sum(c for (hand,), c in expected.items() if kind in hand[part])
            found = chances.get(name, Estimate(0.0))
            assert found.value == pytest.approx(chance, abs=1e-9)
            assert found.n == 0


def test_rollouts_deal_these_hands():
    rules, lines = product_rules(id_of(SMALL)), cut(SMALL, 2, "greedy", 1, 9)
    held, chances = believed(lines, rules, 2)
    position = seen_after(rules, lines)
    root, unknown = root_table(rules, position)
    shown = [position.top, *position.seen, *chain(*(grid.beside for grid in position.grids))]
    key, gamma = stream_of(5)
    counted, games = Counter(), 20_000
    for game in range(games):
        table = root.copy()
        start = np.uint64((int(key) + 977 * game * int(gamma)) % 2**64)
        engine.deal_unknown(table, held.tables, 2, unknown, rules.peeks, start, np.uint64(gamma))
        counted[hands_of([table[GRID + 1]], held.players)] += 1
        assert table[KNOWN + 1] == table[UP + 1] | 3
        if game < 100:  # every card is there once
            cards = [table[GRID + s] >> 4 * c & 15 for s in range(2) for c in range(9)]
            up_to = np.array([table[PACK], table[PACK + 1]]).view(np.uint8)[:KINDS].astype(int)
            assert up_to[-1] == table[PILE]
            kinds = np.bincount([*cards, *shown], minlength=KINDS) + np.diff(up_to, prepend=0)
            assert tuple(kinds) == rules.deck
    dealt = {hands: n / games for hands, n in counted.items()}
    assert apart(dealt, chances) < 0.01 + 0.5 * (len(chances) / games) ** 0.5


# Where nothing is inferred


def test_nothing_is_inferred_unless_others_have_acted_and_it_is_told_what_they_looked_at():
    rules, four = product_rules(id_of({})), product_rules(id_of({"peeks": 4}))
    lines = as_seen(cut({}, 2, "learned", 1, 20))
    unknown = [line.replace("*,*,?/?,?,?/?,?,?", "?") for line in lines]
    policies = [GAME.policy("learned")] * 2
    for rule_set, told, inferred in (
        (rules, lines, True),
        (rules, unknown, False),
        (rules, cut({}, 2, "learned", 0, 0), False),
        (four, cut({"peeks": 4}, 2, "learned", 0, 3), False),  # too many hands to list
    ):
        position = seen_after(rule_set, told)
        assert (beliefs.beliefs_of(rule_set, position, policies) is not None) == inferred
        job = GAME.rollouts(rule_set, position, policies, False, "points")
        assert bool(job.inferred) == inferred
    # A position that is written down has no past.
    bare = GAME.position(rules, seen_after(rules, lines).format())
    assert bare == seen_after(rules, lines)
    assert beliefs.beliefs_of(rules, bare, policies) is None
    # All others must be known to have looked, not the one who asks.
    looked = {(0b11, 0, 0b101): True, (0b11, 0b1, 0b101): True, (0, 0, 0b101): False}
    for masks, told in looked.items():
        past = Past(seat=1, top=4, looked=masks, turns=(), closed=())
        assert beliefs.told_of_all(past) == told


# A card that was seen is seen once, also after a refill

FEW = TINY | {"peeks": 2}


def never_open(state):
    """Count by kind what lies face down, and the pile as long as it is the first one."""
    cards = zip(chain(*state.hands), chain(*state.up), strict=True)
    found = Counter(kind for kind, up in cards if not up)
    if not state.recycled:
        found.update(dict(enumerate(state.pile)))
    return [found[kind] for kind in range(KINDS)]


def unseen_in(table):
    """Give what the compiled round counts as never open, by kind."""
    return [int(table[transition.UNSEEN]) >> 4 * kind & 15 for kind in range(KINDS)]


def refilled():
    """Give a round in which several cards are drawn from a pile made of discards."""
    for game in range(40):
        lines, turns = first_round(FEW, ("random",) * 2, game)
        again = [at for at in turns if state_of(lines[:at]).recycled]
        if sum(lines[at].split()[1] == "draw" for at in again) > 3:
            return lines, turns, again
    return pytest.fail("no round is long enough")


def test_a_record_counts_a_card_as_seen_once():
    lines, turns, _ = refilled()
    for at in turns:
        state = state_of(lines[:at])
        assert state.unseen == never_open(state)


def test_play_counts_a_card_as_seen_once():
    rules, policies = product_rules(id_of(FEW)), [GAME.policy("greedy")] * 2
    log, again = np.zeros(LOG, np.int64), 0
    tables = tables_of(rules, policies, log)
    for game in range(12):
        lines, turns = first_round(FEW, ("greedy",) * 2, game)
        record = read_record("\n".join(lines[: turns[0]]))
        table, state, log[0] = _table(record), record.rounds[-1], 0
        play_on(rules.columns, policy_rows(policies), tables, (4, game, 0), table, 0, ANY)
        for entry in log[1 : log[0] + 1].tolist():
            again += state.recycled
            replay_entry(state, entry)
        assert unseen_in(table) == state.unseen == never_open(state)
    assert again > 100


def test_beliefs_about_others_count_a_card_as_seen_once(monkeypatch):
    lines, _, again = refilled()
    rules, tables, usual = product_rules(id_of(FEW)), [], engine.follow
    monkeypatch.setattr(engine, "follow", lambda *given: tables.append(given[-3]) or usual(*given))
    for at in again:
        past = seen_after(rules, lines[:at]).past
        models = [GAME.policy("greedy")]
        hidden, *_ = beliefs.follow(rules, past, 1 - past.seat, models, beliefs.EPSILON)
        if hidden:
            assert unseen_in(tables[-1]) == list(past.closed)
    assert tables


def test_a_card_that_i_know_face_down_is_not_what_another_looked_at():
    """Even where as many of its kind are in a pile that was made of discards."""
    rules, tried = product_rules(id_of(SMALL)), 0
    record = product_record(id_of(SMALL), ("random",) * 3, 4, 0, rounds=True)
    for decision in decisions(GAME, rules, record):
        mine, closed = decision.position.grids[0], decision.position.past.closed
        known = [k for k, up in zip(mine.cards, mine.up, strict=True) if not up and k != UNKNOWN]
        ways, pool = beliefs.ways_of(rules, decision.position), decision.position.pool(rules)
        for kind, count in Counter(known).items():
            assert ways[kind] <= closed[kind] - count
            tried += pool[kind] > closed[kind] - count
    assert tried > 3
