"""The records kept in ``golden`` are what the product writes and reads, to the letter."""

import re

import pytest

from lama_odds.games.lama.records.record import read_record
from tests.games.cases import product_record, rounds_of
from tests.games.lama.cases import id_of
from tests.games.lama.golden_update import GAMES, GOLDEN, SEED, record

golden = GOLDEN.read


def numbers(words):
    return [int(word) for word in words[1:]]


def line_of(lines, word):
    return next(line for line in lines if line[0] == word)


def test_every_golden_game_has_its_file():
    assert GOLDEN.files() == set(GAMES)


@pytest.mark.parametrize("name", GAMES)
def test_the_product_writes_the_golden_record(name):
    edition, options, policies, game = GAMES[name]
    found = product_record(id_of(edition, options), policies.split(), SEED, game, rounds=False)
    assert found == golden(name)


@pytest.mark.parametrize("name", GAMES)
def test_the_twin_writes_the_golden_record(name):
    assert record(name) == golden(name)


def scores_before_penalties(text):
    """List for each round the scores after its tokens moved: those after it less its penalties."""
    rounds = rounds_of(text)
    after = [numbers(line_of(lines, "scores")) for lines in rounds[1:]]
    after.append(numbers(text.splitlines()[-1].split()))
    penalties = [numbers(line_of(lines, "penalties")) for lines in rounds]
    return [
        [score - points for score, points in zip(*both, strict=True)]
        for both in zip(after, penalties, strict=True)
    ]


@pytest.mark.parametrize("name", GAMES)
def test_reading_replays_to_the_same_scores(name):
    edition, options, policies, game = GAMES[name]
    text = golden(name)
    found = read_record(text)
    assert found.rules.id == id_of(edition, options)
    assert found.policies == tuple(policies.split())
    assert found.luck == (SEED, game)
    for state, lines in zip(found.rounds, rounds_of(text), strict=True):
        assert state.first == int(lines[0][3])
        assert state.ended == line_of(lines, "end")[1]
        assert state.penalties == numbers(line_of(lines, "penalties"))
    assert [state.scores for state in found.rounds] == scores_before_penalties(text)
    assert list(found.final) == numbers(text.splitlines()[-1].split())


@pytest.mark.parametrize("name", [name for name in GAMES if GAMES[name][1]])
def test_the_options_change_the_golden_game(name):
    assert record(name, options={}) != golden(name)


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
    # Five tokens lie there, but the first action takes nothing; a llama starts the drama anew.
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
    # The pot is taken with the plus card; the llama of the turn after it pays anew.
    "party_drama_chain": r"^(\d) play \d\+ takes \d+\n\1 play [LP] pays \d+\n",
    "party_drama_pink_off": r"^\d play P takes \d+\n",
}


@pytest.mark.parametrize(("name", "pattern"), SHOWN.items())
def test_the_golden_game_shows_what_it_is_for(name, pattern):
    assert re.search(pattern, golden(name), re.MULTILINE)


def test_without_a_pile_nobody_draws():
    assert "draw" not in golden("egmont_no_pile")
    # One card is left after the deal; a threshold of 0 quits with points only if it must.
    for lines in rounds_of(golden("egmont_pile_runs_out")):
        drawn = [at for at, line in enumerate(lines) if line[1] == "draw"]
        quits = [at for at, line in enumerate(lines) if line[1] == "quit" and line[0] != "end"]
        assert len(drawn) == 1
        assert drawn < quits


def test_who_starts_the_rounds_of_the_golden_games():
    def starters(name):
        return [int(lines[0][3]) for lines in rounds_of(golden(name))]

    rounds = rounds_of(golden("amigo"))
    actors = [[int(line[0]) for line in lines if line[0].isdigit()] for lines in rounds]
    assert starters("amigo") == [0, *(seats[-1] for seats in actors[:-1])]
    for name in ("amigo_rotate", "egmont_twenty", "party"):
        found, players = starters(name), len(GAMES[name][2].split())
        assert found == [index % players for index in range(len(found))]
    assert starters("amigo") != starters("amigo_rotate")


@pytest.mark.parametrize(
    ("name", "values"),
    [("egmont", {0, 1, 10}), ("egmont_twenty", {0, 20}), ("party_twenty", {0, 20})],
)
def test_tokens_are_returned_in_the_golden_game(name, values):
    text, returned = golden(name), set()
    for lines, scores in zip(rounds_of(text), scores_before_penalties(text), strict=True):
        before = numbers(line_of(lines, "scores"))
        returned |= {a - b for a, b in zip(before, scores, strict=True)}
    assert returned == values


def test_a_black_token_is_returned_where_no_pink_ones_are():
    text = golden("party_no_twenty")
    pairs = []
    for lines, scores in zip(rounds_of(text), scores_before_penalties(text), strict=True):
        pairs += zip(numbers(line_of(lines, "scores")), scores, strict=True)
    returned = [(before, before - after) for before, after in pairs if before != after]
    assert (True, 10) in [(before >= 20, token) for before, token in returned]
