"""The job that plays a position out after each legal action, and what can be known exactly."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lama_odds.core.errors import LimitError
from lama_odds.core.estimate import Estimate, exact
from lama_odds.core.policies import Policy
from lama_odds.games.equity import PLAYED_ON
from lama_odds.games.lama import kernels, play, turn
from lama_odds.games.lama.named_policies import MEANFIELD, policy_rows, tables_of
from lama_odds.games.lama.position import Position
from lama_odds.games.lama.round import can_play
from lama_odds.games.lama.ruleset import KINDS, NAMES, Counts, LamaRules
from lama_odds.games.lama.turns import pile_left
from lama_odds.games.protocol import RolloutJob, Solution, Valued
from lama_odds.games.tallies import WIN
from lama_odds.kernels.job import Job

OBJECTIVES = ("points", "margin", "win")
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
    rules: LamaRules, position: Position, policies: Sequence[Policy], play_out: bool
) -> RolloutJob:
    """The job that plays a position out after each legal action on the same redraws."""
    points = sum(position.pot or ()) + max(position.scores or (0,))
    if points > MOST_POINTS:
        raise LimitError(f"scores and pot of {points} points: at most {MOST_POINTS} are handled")
    actions = legal_actions(rules, position)
    k, seats = len(actions), position.players
    counts = [sum(position.hand), *(opponent.cards for opponent in position.opponents)]
    staying = [counts[0], *(o.cards for o in position.opponents if not o.quit)]
    starter = -1 if position.first is None else position.first
    place = [position.others_in, min(staying), int(play_out), starter]
    tokens = play_out or bool(position.pot) or any(position.scores or ())
    tables = (
        *tables_of(rules, policies, tokens=tokens),
        root_table(rules, position),
        np.array([_move(rules, action) for action in actions], dtype=np.int64),
        np.array(counts, dtype=np.int64),
        np.array(place, dtype=np.int64),
        PLAYED_ON,
    )
    results = rules.most_points + 1
    counters = 2 + sum(rules.deck)
    size = kernels.OBJECTIVES * k * (k + 1) + k * (kernels.EVENTS + results) + counters + 1
    job = Job(kernels.roll_out, rules.columns, policy_rows(policies), tables, (size,))

    def notes(counted: np.ndarray, games: int) -> tuple[str, ...]:
        return _notes(rules, position, policies[-1], counted, games, play_out)

    return RolloutJob(
        job,
        tuple(actions),
        OBJECTIVES[: 3 if play_out else 2],
        (1.0, 1 / (seats - 1), 1 / WIN),
        kernels.EVENT_NAMES,
        tuple(f"penalty {penalty}" for penalty in range(results)),
        counters,
        notes,
    )


def _move(rules: LamaRules, action: str) -> int:
    """An action as the compiled loop knows it."""
    verb, _, card = action.partition(" ")
    if verb == "play":
        return rules.shifts[NAMES.index(card)]
    return turn.DRAW if verb == "draw" else turn.QUIT


def root_table(rules: LamaRules, position: Position) -> np.ndarray:
    """The table of the compiled loop at a position; the others hold some cards each, so many."""
    table = np.zeros(play.TABLE_SIZE, dtype=np.int64)
    table[play.HAND] = rules.pack(position.hand)
    table[play.PENALTY] = -1
    active = [0]
    for seat, opponent in enumerate(position.opponents, 1):
        table[play.PENALTY + seat] = 0 if opponent.quit else -1
        table[play.HAND + seat] = _some_cards(opponent.cards)
        if not opponent.quit:
            active.append(seat)
    for seat, following in zip(active, [*active[1:], 0], strict=True):
        table[play.NEXT + seat] = following
        table[play.BEFORE + following] = seat
    for seat, score in enumerate(position.scores or ()):
        table[play.SCORE + seat] = score
    unseen = position.unseen(rules)
    played = list(position.seen)
    played[position.top] += 1
    place = table[play.PLACE :]
    place[play.TOP] = rules.places[position.top // 2]
    place[play.LEFT] = sum(unseen)
    place[play.PILE] = pile_left(rules, position)
    place[play.POT] = sum(position.pot or ())
    place[play.POT_TOKENS] = len(position.pot or ())
    place[play.RUNNING] = position.running
    place[play.PLAYED] = rules.pack(tuple(played))
    place[play.PLAIN_PACK], place[play.SPECIAL_PACK] = rules.pack_words(unseen)
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


def _notes(
    rules: LamaRules,
    position: Position,
    opponents: Policy,
    counted: np.ndarray,
    games: int,
    play_out: bool,
) -> tuple[str, ...]:
    """What the redraws rest on, in words; counted: misfits, then rounds by cards drawn."""
    found = ["hidden cards are dealt anew in every game from the cards I have not seen"]
    quitters = sum(opponent.quit for opponent in position.opponents)
    if quitters:
        found.append(
            f"who has quit holds a hand with which {opponents.name} would quit on a random card"
        )
        misfit = int(counted[0]) / (games * quitters)
        if misfit:
            found.append(f"no such hand was found for {100 * misfit:.2f} % of them: any hand then")
    if position.pile is None and position.others_in:
        pile = pile_left(rules, position)
        shares = np.cumsum(counted[1:]) / counted[1:].sum()
        half = int(np.searchsorted(shares, 0.5))
        emptied = 1 - float(shares[pile - 1]) if pile else 1.0
        found.append(
            f"the draw pile is not given: taken as {pile} cards, the most there can be; half of "
            f"the rounds drew {half} or fewer, {100 * emptied:.1f} % the whole pile"
        )
    if play_out and position.first is None and rules.starter == "rotate":
        found.append("who started this round is not given: averaged over all players")
    return tuple(found)


def known(rules: LamaRules, position: Position) -> dict[str, dict[str, Estimate]]:
    """Points of actions that leave nothing to luck: quitting, and going out at once."""
    penalty = rules.penalty(position.hand)
    taken = sum(position.pot or ()) if position.running and position.others_in else 0
    found = {"quit": {"points": exact(penalty + taken)}}
    if rules.drama:
        return found
    token = rules.token(position.scores[0]) if position.scores else 0
    for kind in range(KINDS):
        if position.hand[kind] and can_play(kind, position.top):
            rest = _less(position.hand, kind)
            if not any(rest) or (_is_plus(kind) and _can_empty(rest, kind)):
                found[f"play {NAMES[kind]}"] = {"points": exact(-token)}
    return found


def _is_plus(kind: int) -> bool:
    return NAMES[kind].endswith("+")


def _less(hand: Counts, kind: int) -> Counts:
    return tuple(held - (k == kind) for k, held in enumerate(hand))


def _can_empty(hand: Counts, top: int) -> bool:
    """Whether all cards can be played within this turn: plus cards, then any one card."""
    for kind in range(KINDS):
        if hand[kind] and can_play(kind, top):
            rest = _less(hand, kind)
            if not any(rest) or (_is_plus(kind) and _can_empty(rest, kind)):
                return True
    return False


def solve_alone(rules: LamaRules, position: Position, objective: str) -> Solution | None:
    """Points of every action once all others have quit: no luck is left.

    After the action all that can be played is played, see `policies.last_move`: no order leaves
    cheaper cards. What the others hold, and with it the margin, stays open.
    """
    if position.others_in or objective != "points":
        return None
    job = rollouts(rules, position, [Policy(MEANFIELD)] * position.players, play_out=False)
    tally = np.zeros(job.job.shape, dtype=np.int64)
    arguments = (job.job.rules, job.job.policies, job.job.tables)
    job.job.kernel(*arguments, 0, 0, 1, tally)
    k = len(job.actions)
    ways_at = kernels.OBJECTIVES * k * (k + 1)
    results_at = ways_at + k * kernels.EVENTS
    actions = []
    for a, action in enumerate(job.actions):
        points = exact(float(tally[a * (k + 1)]))
        out = exact(float(tally[ways_at + a * kernels.EVENTS]))
        results = tally[results_at + a * len(job.results) :][: len(job.results)]
        penalty = job.results[int(np.flatnonzero(results)[0])]
        actions.append(Valued(action, {"points": points}, {"out": out, penalty: exact(1.0)}))
    return Solution(
        tuple(actions),
        ("alone I play on as long as I can: my points leave nothing to luck",),
        False,
    )
