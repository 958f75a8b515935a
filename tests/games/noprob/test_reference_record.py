"""The reference policy of the twin, and its records card by card."""

from collections import Counter

import pytest

from tests.games.noprob.staged import RULES
from tests.reference.noprob import DISCARD, GIVE, Round, Table, play_first_round, record, score
from tests.reference.noprob_policies import DRAW, TAKE

# The policy and the record


def test_random_chooses_evenly_and_never_passes():
    table = Table(RULES, ["random"] * 4, 3)
    sources, drawn, taken, given = (Counter() for _ in range(4))
    for game in range(300):
        state = Round(table, game, 0)
        state.play()
        for seat, source, _, use, place, _ in state.history:
            if use == GIVE:
                given[(place - seat) % 4] += 1
            else:
                (drawn if source == DRAW else taken)[use, place] += 1
            sources[source] += 1
    assert set(sources) == {DRAW, TAKE}
    for counted, choices in ((drawn, 10), (taken, 9), (given, 3)):
        assert len(counted) == choices
        mean = counted.total() / choices
        assert all(abs(count - mean) < 4.5 * mean**0.5 for count in counted.values())
    # The discards are seldom empty, the pile never.
    assert abs(sources[DRAW] - sources[TAKE]) < 4.5 * sources.total() ** 0.5


@pytest.mark.parametrize("players", [2, 3, 6])
def test_a_record_can_be_followed_card_by_card(players):
    names = ["random"] * players
    for game in range(20):
        lines = record(RULES, "noprob/starnberger", names, 2, game, False).splitlines()
        grids = [row.replace("/", ",").split(",") for row in lines[8].split()[1:]]
        discards, beside = [lines[9].split()[1]], [0] * players
        up = [set() for _ in names]
        closed = []
        for at, line in enumerate(lines[10:-2]):
            seat, source, card, use, *rest = line.split()
            seat = int(seat)
            assert seat == at % players
            if source == TAKE:
                assert discards.pop() == card
            assert (use == GIVE) == (card in "DK")
            if use == GIVE:
                assert int(rest[0]) != seat
                beside[int(rest[0])] += 3 if card == "D" else -3
            elif use == DISCARD:
                assert source == DRAW
                discards.append(card)
            else:
                row, column = map(int, rest[0].split(","))
                cell = 3 * (row - 1) + column - 1
                assert grids[seat][cell] == rest[2]
                discards.append(grids[seat][cell])
                grids[seat][cell] = card
                up[seat].add(cell)
            closed.append(any(len(cells) == 9 for cells in up))
        # From the turn that closes on, everybody has one turn, itself included.
        assert closed.count(True) == players
        assert lines[-2] == "end done"
        points = [score(RULES, grid) + own for grid, own in zip(grids, beside, strict=True)]
        assert lines[-1] == " ".join(map(str, ["penalties", *points]))
        assert play_first_round(RULES, names, 2, game) == (points, len(closed))
