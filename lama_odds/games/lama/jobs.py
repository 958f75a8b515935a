"""Positions and policies of the card games as jobs: rollouts, games, hands for studies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np

from lama_odds.core.errors import LimitError
from lama_odds.core.estimate import Estimate
from lama_odds.core.language import later, say, say_count
from lama_odds.core.policies import Policy, read_policy
from lama_odds.core.wording import decimal, in_percent
from lama_odds.games.interface.actions import action_words
from lama_odds.games.interface.jobs import HandStudies, KeyWords, OtherHands, RolloutJob
from lama_odds.games.interface.later import Later
from lama_odds.games.interface.tally_layout import (
    DIFFERENCE_COLUMNS,
    WIN,
    hands_size,
)
from lama_odds.games.lama.engine import kernels, policy_kernels, steps
from lama_odds.games.lama.engine.hands import (
    MOST_CARDS,
    MOST_COPIES,
    OF_A_CARD,
    study_hands,
)
from lama_odds.games.lama.engine.tables import StudyTables
from lama_odds.games.lama.policies.catalogue import FAMILIES, policy_rows, tables_of
from lama_odds.games.lama.rules import transition
from lama_odds.games.lama.rules.odds import legal_actions, next_chances
from lama_odds.games.lama.rules.position import Position, is_ordered, pile_left
from lama_odds.games.lama.rules.ruleset import (
    KINDS,
    LLAMA,
    LLAMA_KIND,
    NAMES,
    VALUES,
    Counts,
    LamaRules,
)
from lama_odds.games.lama.solvers.beliefs import Beliefs, beliefs_of, known_hands
from lama_odds.games.lama.solvers.hidden_hands import CHEAPEST, Quitters, job_of
from lama_odds.games.shared.jobs import LEFT, PenaltyJobs
from lama_odds.jit.job import Job

# Rounds and games as jobs, and the deals of simulated games.

Deal = tuple[Sequence[Counts], int]  # hands by seat, and the opening card
FORK_KEYS = {
    "cards": KeyWords(later("your cards"), "cards you hold", "you hold {}"),
    "fewest": KeyWords(
        later("fewest cards of another"),
        "cards of the shortest other hand",
        "shortest other hand: {}",
    ),
    "others": LEFT,
}
_JOBS = PenaltyJobs(
    kernels,
    policy_rows,
    tables_of,
    tokens_in_rounds=lambda rules: rules.drama,
    blows=False,
    actions=("quit", "draw"),
    occasion=later("with nothing to play and a card to draw"),
    cells_of=steps.cells_of,
    words=FORK_KEYS,
)
simulation, watched, rounds_from = _JOBS.simulation, _JOBS.watched, _JOBS.rounds_from
forks, game_forks = _JOBS.forks, _JOBS.game_forks


def deal_of(rules: LamaRules, seats: int, seed: int, game: int, number: int) -> Deal:
    """Return the hands and the opening card of a round of a simulated game."""
    table = np.zeros(policy_kernels.TABLE_SIZE, dtype=np.int64)
    kernels.deal_round(rules.columns, table, seats, seed, game, number)
    hands = [rules.unpack(int(table[policy_kernels.HAND + seat])) for seat in range(seats)]
    opened = int(table[policy_kernels.PLACE + policy_kernels.PLAYED])
    return hands, rules.shifts.index(int(transition.dearest(opened)))


# The job that continues situations with other hands (see `hands`), and its tally.

LLAMA_FIRST = (LLAMA_KIND, *(kind for kind in range(KINDS) if kind != LLAMA_KIND))
SIZES = (3, 4)  # cards of the other hands


def studies_of(rules: LamaRules, policies: Sequence[Policy]) -> HandStudies:
    """Return the job of these studies, and the meaning of its tally.

    Rows of differences come first: OF_A_CARD for each kind of the deck, OF_A_TOP for each place.
    Then come the sums of each size of other hands, see `play_sets`.
    """
    kinds = [kind for kind in LLAMA_FIRST if rules.deck[kind]]
    tops = len(kinds) * OF_A_CARD
    rows = [row for kind in kinds for row in _card_rows(NAMES[kind], rules.llamas > 0)]
    plays = [_top_rows(rules.places.index(place)) for place in range(VALUES)]
    rows += [row for top in plays for row in top]
    hands: list[OtherHands] = []
    sets: list[int] = []
    sizes = []
    at = DIFFERENCE_COLUMNS * len(rows)
    plain = sorted(kind // 2 for kind in kinds if kind % 2 == 0)
    for cards in SIZES:
        groups = list(combinations(plain, cards))
        sizes.append((cards, len(sets), len(groups), at))
        hands.append(_other_hands(rules, groups, at))
        sets += [sum(1 << rules.shifts[2 * value] for value in values) for values in groups]
        at += hands_size(len(groups))
    following = np.zeros(VALUES, dtype=np.int64)
    for value, place in enumerate(rules.places):
        following[place] = rules.places[(value + 1) % VALUES]
    tables = StudyTables(
        play=tables_of(rules, policies, tokens=rules.drama),
        kinds=np.array([rules.shifts[kind] for kind in kinds], dtype=np.int64),
        following=following,
        sets=np.array(sets, dtype=np.int64),
        sizes=np.array(sizes, dtype=np.int64),
        tops=tops,
    )
    job = Job(study_hands, rules.columns, policy_rows(policies), tables, (at,))
    return HandStudies(job, tuple(rows), tuple(hands))


def _card_rows(card: str, llamas: bool) -> list[dict[str, Any]]:
    """Return the meaning of the rows for an additional card; a missing key matches everything."""
    rows: list[dict[str, Any]] = [{"card": card}]
    rows += [{"card": card, "copies": copies} for copies in range(MOST_COPIES + 1)]
    for first in (True, False):
        rows += [{"card": card, "first": first, "cards": 1 + at} for at in range(MOST_CARDS)]
    return [*rows, {"instead of": card} if llamas else {}]


def _top_rows(value: int) -> list[dict[str, Any]]:
    """Return the meaning of the rows of a top."""
    top = {"top": NAMES[2 * value], "next": NAMES[2 * ((value + 1) % VALUES)]}
    rows: list[dict[str, Any]] = [top]
    rows += [{**top, "copies": 1 + at} for at in range(MOST_COPIES)]
    rows += [{**top, "cards": 1 + at} for at in range(MOST_CARDS)]
    return rows


def _other_hands(rules: LamaRules, sets: Sequence[tuple[int, ...]], at: int) -> OtherHands:
    """Return hands of one card of each of these values."""
    counts = [tuple(int(k % 2 == 0 and k // 2 in values) for k in range(KINDS)) for values in sets]
    tops = [sum(rules.pack(hand) & on > 0 for on in rules.playable.tolist()) for hand in counts]
    names = tuple(map(_in_turn, sets))
    return OtherHands(names, tuple(map(rules.penalty, counts)), tuple(tops), at)


def _in_turn(values: tuple[int, ...]) -> str:
    """Return cards in the order in which they are played.

    A chain over the llama begins before it.
    """
    first = 0
    if LLAMA in values and 0 in values:
        first = next(v for v in range(LLAMA, -1, -1) if (v - 1) % VALUES not in values or v == 0)
    order = sorted(values, key=lambda value: (value - first) % VALUES)
    return "".join(NAMES[2 * value] for value in order)


# The job that plays a position out after each legal action, and its assumptions in words.

ROLLOUT_OBJECTIVES = ("points", "margin", "win")
# Other assumptions about players who quit although their policy would not: they hold any hand, or
# one with which such a threshold would quit.
LIMITS = ("threshold:10", "threshold:20")
MOST_POINTS = 1_000_000  # higher scores and pots are refused: sums must stay exact


def rollouts(
    rules: LamaRules,
    position: Position,
    policies: Sequence[Policy],
    play_out: bool,
    quit_by: Sequence[Policy | None] | None = None,
    only: Sequence[str] = (),
    hands: Sequence[int] = (),
) -> RolloutJob:
    """Return the job that plays a position out after all legal actions, or some, with common
    redraws.

    quit_by: policies used to draw hands of players who have quit (see `find_quitters`), instead of
    `policies`. hands: of all others, packed, if they are known.
    """
    points = sum(position.pot or ()) + max(position.scores or (0,))
    if points > MOST_POINTS:
        raise LimitError(
            say(
                "scores and pot of {points} points: at most {most} can be handled",
                points=points,
                most=MOST_POINTS,
            )
        )
    actions = only or legal_actions(rules, position)
    believed = None if quit_by or hands else beliefs_of(rules, position, policies)
    dealt = None if believed is None else believed.dealt
    if hands:
        dealt = known_hands(rules, position, hands)
    job, quitters = job_of(rules, position, policies, play_out, actions, quit_by, dealt)
    k = len(actions)

    def notes(counted: np.ndarray, _games: int) -> tuple[str, ...]:
        return (
            *_notes_on_hands(position, policies[-1], quitters, believed),
            *_note_on_turns(rules, position),
            *_notes_on_pile(rules, position, actions, counted.reshape(k, -1)),
            *_note_on_starter(rules, position, play_out),
        )

    companions = {}
    if "draw" in actions:  # any card that no quitter holds
        left = [Fraction(cards) for cards in quitters.left]
        companions["draw"] = Later(partial(_next_draw, rules, position, left, believed))
    caution = _caution(position, policies[-1], quitters)
    return RolloutJob(
        job,
        tuple(actions),
        ROLLOUT_OBJECTIVES[: 3 if play_out else 2],
        (1.0, 1 / (position.players - 1), 1 / WIN),
        steps.EVENT_NAMES,
        tuple(f"penalty {penalty}" for penalty in range(rules.most_points + 1)),
        k * (1 + sum(rules.deck)),
        notes,
        beside=companions,
        caution=caution,
        guesses=partial(_guesses, rules, position, policies, play_out, caution),
        inferred=believed is not None,
        of_round=kernels.roll_out,
    )


def _next_draw(
    rules: LamaRules, position: Position, left: Sequence[Fraction], believed: Beliefs | None
) -> dict[str, Estimate]:
    """Return `next_chances`, with an error if hands are sampled."""
    chances = next_chances(rules, position, left)
    if believed is None:
        return chances
    return {name: believed.estimate(chance.value) for name, chance in chances.items()}


def _guesses(
    rules: LamaRules,
    position: Position,
    policies: Sequence[Policy],
    play_out: bool,
    caution: str,
) -> Iterator[tuple[str, RolloutJob]]:
    """Yield the same job with other hands for players who have quit, and a text for each.

    caution: of the job. Nothing is yielded if no hand is a guess.
    """
    if not caution:
        return
    again = partial(rollouts, rules, position, policies, play_out)
    yield say("hands dealt at random"), again([None] * position.players)
    for name in LIMITS:
        job = again([read_policy(name, FAMILIES)] * position.players)
        if job.caution != caution:  # otherwise it is the same guess
            yield say("hands that {policy} would quit with", policy=name), job


def _caution(position: Position, opponents: Policy, quitters: Quitters) -> str:
    """Return that hands of players who have quit are a guess, if they are."""
    if not quitters.strangers:
        return ""
    those = sum(opponent.quit for opponent in position.opponents)
    return say(
        "the cards of {n} of {of} players who have quit are a guess ({policy} would not quit "
        "there)",
        n=quitters.strangers,
        of=those,
        policy=opponents.name,
    )


def _notes_on_hands(
    position: Position, opponents: Policy, quitters: Quitters, believed: Beliefs | None
) -> list[str]:
    """What the others' hands rest on, in words."""
    if believed is not None:
        return list(believed.notes)
    notes = [say("hidden cards are drawn at random from the unseen cards in every game")]
    those = sum(opponent.quit for opponent in position.opponents)
    if quitters.strangers < those:
        notes.append(
            say(
                "players who have quit are given hands that {policy} would quit with",
                policy=opponents.name,
            )
        )
    if quitters.strangers:
        notes.append(
            say(
                "{n} of {of} players who have quit: {policy} would quit with no possible hand, so "
                "they are given one of the cheapest {share} of all hands",
                n=quitters.strangers,
                of=those,
                policy=opponents.name,
                share=in_percent(f"{100 * CHEAPEST:.0f}"),
            )
        )
    if quitters.spread:
        notes.append(say("there are too many possible hands: a selection stands for all"))
    return notes


def _note_on_turns(rules: LamaRules, position: Position) -> list[str]:
    if is_ordered(rules, position):
        return []
    return [say("these hand sizes can't occur in play; used anyway")]


def _notes_on_pile(
    rules: LamaRules, position: Position, actions: Sequence[str], drawn: np.ndarray
) -> list[str]:
    """Return, in words, whether the size of the draw pile matters.

    drawn: int64[actions, cards + 1], rounds by the cards drawn from the pile.
    """
    if position.pile is not None or not position.others_in:
        return []
    pile = pile_left(rules, position)
    if not pile:
        return [say("draw pile not given: it must be empty")]
    most = int(np.argmax(drawn @ np.arange(drawn.shape[1])))
    shares = np.cumsum(drawn[most]) / drawn[most].sum()
    emptied = 1 - float(shares[pile - 1])
    half = int(np.searchsorted(shares, 0.5))
    if half > 1:
        amount = say("{amount} or fewer", amount=_cards(half))
    else:
        amount = say("one card or none") if half else say("no card")
    return [
        say(
            "draw pile not given: assuming {cards}, the maximum; after {action} half of the rounds "
            "drew {amount}, {share} the whole pile",
            cards=_cards(pile),
            action=action_words(actions[most]),
            amount=amount,
            share=in_percent(decimal(f"{100 * emptied:.1f}")),
        )
    ]


def _cards(number: int) -> str:
    return say_count("{n} card", "{n} cards", number)


def _note_on_starter(rules: LamaRules, position: Position, play_out: bool) -> list[str]:
    if play_out and position.first is None and rules.starter == "rotate":
        return [say("first not given: averaged over all players who may have started this round")]
    return []
