"""The job that plays a position out after each legal action, and what can be known exactly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial

import numpy as np

from lama_odds.core.errors import LimitError
from lama_odds.core.policies import Policy, read_policy
from lama_odds.games.interface.jobs import RolloutJob
from lama_odds.games.interface.tally_layout import WIN
from lama_odds.games.lama.engine import kernels, round_loop
from lama_odds.games.lama.policies.catalogue import FAMILIES, policy_rows, tables_of
from lama_odds.games.lama.records.round import can_play
from lama_odds.games.lama.rules import transition
from lama_odds.games.lama.rules.draw_bounds import is_ordered, pile_left
from lama_odds.games.lama.rules.odds import next_chances
from lama_odds.games.lama.rules.position import Position
from lama_odds.games.lama.rules.ruleset import KINDS, NAMES, LamaRules
from lama_odds.games.lama.solvers.hidden_hands import CHEAPEST, Quitters, find_quitters
from lama_odds.games.shared.match_equity import PLAYED_ON
from lama_odds.jit.job import Job

OBJECTIVES = ("points", "margin", "win")
# Other guesses at hands of those who have quit where their policy would not: any hand, and what
# such a limit would quit with.
LIMITS = ("threshold:10", "threshold:20")
MOST_POINTS = 1_000_000  # scores and pots beyond this are refused: sums must stay exact


def legal_actions(rules: LamaRules, position: Position) -> list[str]:
    """Names of what I may do, in the agreed notation."""
    plays = [
        f"play {NAMES[kind]}"
        for kind in range(KINDS)
        if position.hand[kind] and can_play(kind, position.top)
    ]
    draws = position.others_in > 0 and pile_left(rules, position) > 0
    return [*plays, *(["draw"] if draws else []), "quit"]


def rollouts(
    rules: LamaRules,
    position: Position,
    policies: Sequence[Policy],
    play_out: bool,
    quit_by: Sequence[Policy | None] | None = None,
    only: Sequence[str] = (),
) -> RolloutJob:
    """The job that plays a position out after each legal action, or some, on the same redraws.

    quit_by: policies by which hands of those who have quit are drawn (see `find_quitters`), if
    not by `policies`.
    """
    points = sum(position.pot or ()) + max(position.scores or (0,))
    if points > MOST_POINTS:
        raise LimitError(f"scores and pot of {points} points: at most {MOST_POINTS} are handled")
    actions = only or legal_actions(rules, position)
    job, quitters = job_of(rules, position, policies, play_out, actions, quit_by)
    k = len(actions)

    def notes(counted: np.ndarray, _games: int) -> tuple[str, ...]:
        return (
            *_notes_on_hands(position, policies[-1], quitters),
            *_note_on_turns(rules, position),
            *_notes_on_pile(rules, position, actions, counted.reshape(k, -1)),
            *_note_on_starter(rules, position, play_out),
        )

    beside = {}
    if "draw" in actions:  # any card that nobody who has quit holds
        left = [Fraction(cards) for cards in quitters.left]
        beside["draw"] = next_chances(rules, position, left)
    caution = _caution(position, policies[-1], quitters)
    return RolloutJob(
        job,
        tuple(actions),
        OBJECTIVES[: 3 if play_out else 2],
        (1.0, 1 / (position.players - 1), 1 / WIN),
        kernels.EVENT_NAMES,
        tuple(f"penalty {penalty}" for penalty in range(rules.most_points + 1)),
        k * (1 + sum(rules.deck)),
        notes,
        beside=beside,
        caution=caution,
        guesses=partial(_guesses, rules, position, policies, play_out, caution),
    )


def _guesses(
    rules: LamaRules,
    position: Position,
    policies: Sequence[Policy],
    play_out: bool,
    caution: str,
) -> Iterator[tuple[str, RolloutJob]]:
    """The same with other hands of those who have quit, and which these are; caution: of the job.

    Nothing where no hand is a guess.
    """
    if not caution:
        return
    again = partial(rollouts, rules, position, policies, play_out)
    yield "hands dealt at random", again([None] * position.players)
    for name in LIMITS:
        job = again([read_policy(name, FAMILIES)] * position.players)
        if job.caution != caution:  # else as many of them are the same guess
            yield f"hands that {name} would quit with", job


def job_of(
    rules: LamaRules,
    position: Position,
    policies: Sequence[Policy],
    play_out: bool,
    actions: Sequence[str],
    quit_by: Sequence[Policy | None] | None = None,
) -> tuple[Job, Quitters]:
    """The kernel with its arguments, and the hands of those who have quit that it deals."""
    counts = [sum(position.hand), *(opponent.cards for opponent in position.opponents)]
    starter = -1 if position.first is None else position.first
    tokens = play_out or bool(position.pot) or any(position.scores or ())
    own, root = tables_of(rules, policies, tokens=tokens), root_table(rules, position)
    quitters = find_quitters(rules, position, quit_by or policies, own, root)
    tables = (
        *own,
        root,
        np.array([_move(rules, action) for action in actions], dtype=np.int64),
        np.array(counts, dtype=np.int64),
        np.array([position.others_in, int(play_out), starter], dtype=np.int64),
        *quitters.arrays,
        PLAYED_ON,
    )
    k = len(actions)
    counters = kernels.EVENTS + rules.most_points + 1 + 1 + sum(rules.deck)
    size = kernels.OBJECTIVES * k * (k + 1) + k * counters + 1
    return Job(kernels.roll_out, rules.columns, policy_rows(policies), tables, (size,)), quitters


def _move(rules: LamaRules, action: str) -> int:
    """An action as the compiled loop knows it."""
    verb, _, card = action.partition(" ")
    if verb == "play":
        return rules.shifts[NAMES.index(card)]
    return transition.DRAW if verb == "draw" else transition.QUIT


def root_table(rules: LamaRules, position: Position) -> np.ndarray:
    """The table of the compiled loop at a position; the others hold some cards each, so many."""
    table = np.zeros(round_loop.TABLE_SIZE, dtype=np.int64)
    table[round_loop.HAND] = rules.pack(position.hand)
    table[round_loop.PENALTY] = -1
    active = [0]
    for seat, opponent in enumerate(position.opponents, 1):
        table[round_loop.PENALTY + seat] = 0 if opponent.quit else -1
        table[round_loop.HAND + seat] = _some_cards(opponent.cards)
        if not opponent.quit:
            active.append(seat)
    for seat, following in zip(active, [*active[1:], 0], strict=True):
        table[round_loop.NEXT + seat] = following
        table[round_loop.BEFORE + following] = seat
    for seat, score in enumerate(position.scores or ()):
        table[round_loop.SCORE + seat] = score
    unseen = position.unseen(rules)
    played = list(position.seen)
    played[position.top] += 1
    place = table[round_loop.PLACE :]
    place[round_loop.TOP] = rules.places[position.top // 2]
    place[round_loop.LEFT] = sum(unseen)
    place[round_loop.PILE] = pile_left(rules, position)
    place[round_loop.POT] = sum(position.pot or ())
    place[round_loop.POT_TOKENS] = len(position.pot or ())
    place[round_loop.RUNNING] = position.running
    place[round_loop.PLAYED] = rules.pack(tuple(played))
    place[round_loop.PLAIN_PACK], place[round_loop.SPECIAL_PACK] = rules.pack_words(unseen)
    return table


def _some_cards(count: int) -> int:
    """So many cards, packed: hidden ones are known by their number only."""
    packed, at = 0, 0
    while count:
        here = min(count, 15)
        packed |= here << 4 * at
        count -= here
        at += 1
    return packed


def _caution(position: Position, opponents: Policy, quitters: Quitters) -> str:
    """That hands of those who have quit are a guess."""
    if not quitters.strangers:
        return ""
    those = sum(opponent.quit for opponent in position.opponents)
    return (
        f"the cards of {quitters.strangers} of {those} players who have quit are a guess "
        f"({opponents.name} would not quit there)"
    )


def _notes_on_hands(position: Position, opponents: Policy, quitters: Quitters) -> list[str]:
    """What the others' hands rest on, in words."""
    found = ["hidden cards are dealt anew in every game from the cards I have not seen"]
    those = sum(opponent.quit for opponent in position.opponents)
    if quitters.strangers < those:
        found.append(
            f"who has quit holds a hand with which {opponents.name} would quit on a random card"
        )
    if quitters.strangers:
        found.append(
            f"{quitters.strangers} of {those} who have quit: {opponents.name} would do so with no "
            f"hand that can be, so it is any of the cheapest {100 * CHEAPEST:.0f} % of all hands"
        )
    if quitters.spread:
        found.append("they can hold so many hands that some stand for others like them")
    return found


def _note_on_turns(rules: LamaRules, position: Position) -> list[str]:
    if is_ordered(rules, position):
        return []
    return ["no order of turns leads to hands of so many cards: taken as they are"]


def _notes_on_pile(
    rules: LamaRules, position: Position, actions: Sequence[str], drawn: np.ndarray
) -> list[str]:
    """Whether it matters how many cards the pile has, in words.

    drawn: int64[actions, cards + 1], rounds by the cards drawn from the pile.
    """
    if position.pile is not None or not position.others_in:
        return []
    pile = pile_left(rules, position)
    if not pile:
        return ["the draw pile is not given: taken as empty, as it must be"]
    most = int(np.argmax(drawn @ np.arange(drawn.shape[1])))
    shares = np.cumsum(drawn[most]) / drawn[most].sum()
    emptied = 1 - float(shares[pile - 1])
    half = int(np.searchsorted(shares, 0.5))
    amount = f"{_cards(half)} or fewer" if half > 1 else "one card or none" if half else "no card"
    return [
        f"the draw pile is not given: taken as {_cards(pile)}, the most there can be; after "
        f"{actions[most]} half of the rounds drew {amount}, {100 * emptied:.1f} % the whole pile"
    ]


def _cards(number: int) -> str:
    return f"{number} card{'s' if number != 1 else ''}"


def _note_on_starter(rules: LamaRules, position: Position, play_out: bool) -> list[str]:
    if play_out and position.first is None and rules.starter == "rotate":
        return ["who started this round is not given: averaged over all players"]
    return []
