"""A position as the kernel of rollouts needs it: the table, the actions, the hidden hands."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lama_odds.core.policies import Policy
from lama_odds.games.interface.from_scores import AS_GIVEN
from lama_odds.games.interface.score_chances import PLAYED_ON
from lama_odds.games.interface.tally_layout import RolloutLayout, rollout_layout
from lama_odds.games.lama.engine import kernels, table_rows
from lama_odds.games.lama.engine.learned.shown import shown_after_draw, shown_after_play, shown_of
from lama_odds.games.lama.engine.tables import RolloutTables
from lama_odds.games.lama.policies.catalogue import policy_rows, tables_of
from lama_odds.games.lama.rules import transition
from lama_odds.games.lama.rules.draw_bounds import pile_left
from lama_odds.games.lama.rules.position import Position, Turn
from lama_odds.games.lama.rules.ruleset import NAMES, LamaRules
from lama_odds.games.lama.solvers.hidden_hands import Quitters, find_quitters
from lama_odds.jit.job import Job


def job_of(
    rules: LamaRules,
    position: Position,
    policies: Sequence[Policy],
    play_out: bool,
    actions: Sequence[str],
    quit_by: Sequence[Policy | None] | None = None,
    quitters: Quitters | None = None,
) -> tuple[Job, Quitters]:
    """Return the kernel with its arguments, and the hands of quitters that it deals.

    quitters: these hands, if they are known.
    """
    counts = [sum(position.hand), *(opponent.cards for opponent in position.opponents)]
    starter = -1 if position.first is None else position.first
    tokens = play_out or bool(position.pot) or any(position.scores or ())
    own, root = tables_of(rules, policies, tokens=tokens), root_table(rules, position)
    if quitters is None:
        quitters = find_quitters(rules, position, quit_by or policies, own, root)
    layout = layout_of(rules, len(actions))
    tables = RolloutTables(
        play=own,
        root=root,
        actions=np.array([_move(rules, action) for action in actions], dtype=np.int64),
        counts=np.array(counts, dtype=np.int64),
        others=position.others_in,
        starter=starter,
        quitters=quitters.tables,
        held=quitters.held,
        layout=layout,
        equities=PLAYED_ON,
        starts=AS_GIVEN,
    )
    kernel = kernels.roll_out_games if play_out else kernels.roll_out
    job = Job(kernel, rules.columns, policy_rows(policies), tables, layout.shape)
    return job, quitters


def layout_of(rules: LamaRules, actions: int) -> RolloutLayout:
    """Return the layout of the tally for these actions; counters: see `kernels.roll_out`."""
    draws = 1 + sum(rules.deck)
    results = rules.most_points + 1
    return rollout_layout(kernels.OBJECTIVES, actions, kernels.EVENTS, results, actions * draws)


def _move(rules: LamaRules, action: str) -> int:
    """Return an action's code in the compiled loop."""
    verb, _, card = action.partition(" ")
    if verb == "play":
        return rules.shifts[NAMES.index(card)]
    return transition.DRAW if verb == "draw" else transition.QUIT


def root_table(rules: LamaRules, position: Position) -> np.ndarray:
    """Return the table of the compiled loop at a position; the others hold placeholder cards."""
    table = np.zeros(table_rows.TABLE_SIZE, dtype=np.int64)
    table[table_rows.HAND] = rules.pack(position.hand)
    table[table_rows.PENALTY] = -1
    active = [0]
    for seat, opponent in enumerate(position.opponents, 1):
        table[table_rows.PENALTY + seat] = 0 if opponent.quit else -1
        table[table_rows.HAND + seat] = _some_cards(opponent.cards)
        if not opponent.quit:
            active.append(seat)
    for seat, following in zip(active, [*active[1:], 0], strict=True):
        table[table_rows.NEXT + seat] = following
        table[table_rows.BEFORE + following] = seat
    for seat, score in enumerate(position.scores or ()):
        table[table_rows.SCORE + seat] = score
    for seat, shown in enumerate(_shown(rules, position)):
        table[table_rows.SHOWN + seat] = shown
    unseen = position.unseen(rules)
    played = list(position.seen)
    played[position.top] += 1
    place = table[table_rows.PLACE :]
    place[table_rows.TOP] = rules.places[position.top // 2]
    place[table_rows.LEFT] = sum(unseen)
    place[table_rows.PILE] = pile_left(rules, position)
    place[table_rows.POT] = sum(position.pot or ())
    place[table_rows.POT_TOKENS] = len(position.pot or ())
    place[table_rows.RUNNING] = position.running
    place[table_rows.PLAYED] = rules.pack(tuple(played))
    place[table_rows.PLAIN_PACK], place[table_rows.SPECIAL_PACK] = rules.pack_words(unseen)
    return table


def _shown(rules: LamaRules, position: Position) -> list[int]:
    """Return what each player has shown of its hand; without a past, any cards may be there."""
    past = position.past
    if past is None:
        return [
            shown_of(cards)
            for cards in (sum(position.hand), *(o.cards for o in position.opponents))
        ]
    found = shown_in(rules, position.players, past.turns)
    return found[past.seat :] + found[: past.seat]


def shown_in(rules: LamaRules, players: int, turns: Sequence[Turn]) -> list[int]:
    """Return what each seat has shown of its hand in the turns of a round, see `shown`."""
    found = [shown_of(rules.dealt)] * players
    for turn in turns:
        before = found[turn.seat]
        if turn.move == transition.DRAW:
            found[turn.seat] = shown_after_draw(before, rules.places[turn.top // 2])
        elif turn.move >= 0:
            found[turn.seat] = shown_after_play(before, rules.places[turn.move // 2])
    return found


def _some_cards(count: int) -> int:
    """Return this many placeholder cards, packed: only the number of hidden cards is known."""
    packed, at = 0, 0
    while count:
        here = min(count, 15)
        packed |= here << 4 * at
        count -= here
        at += 1
    return packed
