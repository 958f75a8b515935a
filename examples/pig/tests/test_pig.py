"""Pig: the known truth, a twin in plain Python, records and refusals."""

import ast
import tokenize
from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path

import numpy as np
import pytest

from lama_odds.analysis.advice.advise import advise
from lama_odds.analysis.advice.rollouts import Limits
from lama_odds.analysis.simulate import simulate
from lama_odds.core.errors import ImpossibleError, LamaOddsError, ReadError
from lama_odds.games.registry import game_of
from lama_odds.luck.stream import DICE, stream_of
from lama_odds.simulation.run import Play

if "pig" not in {point.name for point in entry_points(group="lama_odds.games")}:
    pytest.skip(
        "Pig is not installed (pip install --no-deps -e examples/pig)", allow_module_level=True
    )

import lama_odds_pig
from lama_odds_pig import solvers
from lama_odds_pig.game import GAME
from lama_odds_pig.rules import Position, Rules

CLASSIC = GAME.rules("pig/classic")
SMALL = GAME.rules("pig/classic+bust=2+sides=4+target=15")
RollsOn = Callable[[int, int, int], bool]
MOST_LINES = 450
WORDS = 2**64


def test_the_registry_finds_it() -> None:
    assert game_of("pig/classic+target=50") is GAME


def test_who_begins_wins_53_06_per_cent_when_both_play_optimally() -> None:
    """Neller & Presser, "Optimal play of the dice game Pig", 2004."""
    answer = advise(GAME, CLASSIC, GAME.position(CLASSIC, ""))
    assert answer.method == "exact"
    assert [action.action for action in answer.actions] == ["roll"]
    assert round(answer.actions[0].value.value, 4) == 0.5306


def test_the_solved_chances_solve_their_equations() -> None:
    """Those of the article, written down again: none is off by more than rounding."""
    win = solvers.wins(CLASSIC)
    for mine, other in ((0, 0), (30, 50), (50, 30), (72, 91), (99, 99)):
        held = [1 - win[other, mine + turn] for turn in range(100 - mine)]
        rolled = [0.0] * len(held)
        for turn in reversed(range(len(held))):
            after = [
                1.0 if mine + turn + face >= 100 else max(rolled[turn + face], held[turn + face])
                for face in range(2, 7)
            ]
            rolled[turn] = (1 - win[other, mine] + sum(after)) / 6
        assert abs(rolled[0] - win[mine, other]) < 1e-12
        found, holding = solvers.turn_to_win(CLASSIC, mine, other)
        assert np.abs(found - rolled).max() < 1e-12
        assert np.array_equal(holding, held)


def chances(rules: Rules, a: RollsOn, b: RollsOn) -> tuple[float, float]:
    """The chance of policy a to win against b if it begins, and if it does not; in plain Python."""
    target, faces = rules.target, [f for f in range(1, rules.sides + 1) if f != rules.bust]

    def turn(rolls_on: RollsOn, mine: int, other: int) -> tuple[float, float, dict[int, float]]:
        ahead, bust, won, held = {0: 1.0}, 0.0, 0.0, {}
        for points in range(target - mine):
            chance = ahead.pop(points, 0.0)
            if points and not rolls_on(mine, other, points):
                held[points] = chance
                continue
            bust += chance / rules.sides
            for face in faces:
                if mine + points + face >= target:
                    won += chance / rules.sides
                else:
                    after = points + face
                    ahead[after] = ahead.get(after, 0.0) + chance / rules.sides
        return bust, won, held

    first, second = np.zeros((2, target, target))
    for total in reversed(range(2 * target - 1)):
        for mine in range(max(0, total - target + 1), min(target - 1, total) + 1):
            other = total - mine
            bust, won, held = turn(a, mine, other)
            known = won + sum(p * second[mine + k, other] for k, p in held.items())
            their_bust, _, their_held = turn(b, other, mine)
            theirs = sum(p * first[mine, other + k] for k, p in their_held.items())
            first[mine, other] = (known + bust * theirs) / (1 - bust * their_bust)
            second[mine, other] = theirs + their_bust * first[mine, other]
    return float(first[0, 0]), float(second[0, 0])


@pytest.mark.parametrize("rules", [SMALL, GAME.rules("pig/classic+target=40")], ids=lambda r: r.id)
@pytest.mark.parametrize("other", ["hold:8", "optimal"])
def test_simulated_games_agree_with_exact_chances(rules: Rules, other: str) -> None:
    rolls = solvers.optimal_rolls(rules)

    def optimal(mine: int, theirs: int, turn: int) -> bool:
        return bool(rolls[mine, theirs, turn])

    begins, follows = chances(rules, optimal, optimal if other == "optimal" else hold_at_8)
    for seat, expected in enumerate((begins, follows)):
        policies = [GAME.policy("optimal"), GAME.policy(other)]
        found = simulate(GAME, rules, policies[::-1] if seat else policies, 8_000, play=Play(7))
        win = found.seats[seat]["win"]
        assert abs(win.value - expected) < 3.5 * win.stderr
    if other == "optimal":
        assert begins == pytest.approx(solvers.wins(rules)[0, 0], abs=1e-12)
    else:
        assert begins > 0.5 > 1 - begins
        assert begins + follows > 1


def hold_at_8(mine: int, theirs: int, turn: int) -> bool:
    return turn < 8


def test_optimal_against_itself_agrees_with_the_article() -> None:
    found = simulate(GAME, CLASSIC, [GAME.policy("optimal")] * 2, 100_000, play=Play(1))
    win = found.seats[0]["win"]
    assert abs(win.value - 0.530593) < 3.5 * win.stderr
    assert win.stderr < 0.002


def mixed(z: int) -> int:
    """The finalizer of the random-number contract (see `lama_odds.luck.stream`)."""
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % WORDS
    z = (z ^ z >> 27) * 0x94D049BB133111EB % WORDS
    return z ^ z >> 31


def twin(rules: Rules, holds: list[int], seed: int, game: int) -> list[str]:
    """The lines of a game between players who hold at some points, in plain Python."""
    key, gamma = (int(number) % WORDS for number in stream_of(seed))
    scores, lines = [0] * len(holds), []
    turn = 0
    while max(scores) < rules.target:
        seat = turn % len(holds)
        lane = game << 24 | turn // len(holds) << 14 | (DICE + seat) << 10
        points, line = 0, str(seat)
        for index in range(rules.target):
            face = 1 + (mixed((key + gamma * (lane | index)) % WORDS) * rules.sides >> 64)
            line += f" roll {face}"
            points = 0 if face == rules.bust else points + face
            if not points or scores[seat] + points >= rules.target:
                break
            if points >= holds[seat]:
                line += " hold"
                break
        scores[seat] += points
        lines.append(line)
        turn += 1
    return [*lines, "final " + " ".join(map(str, scores))]


@pytest.mark.parametrize("rules", [CLASSIC, SMALL], ids=lambda r: r.id)
def test_records_are_those_of_the_twin(rules: Rules) -> None:
    policies = [GAME.policy("hold:20"), GAME.policy("hold:3"), GAME.policy("hold:9")]
    for game in range(20):
        text = GAME.record(rules, policies, 11, game, False)
        assert text.splitlines()[5:] == twin(rules, [20, 3, 9], 11, game)


HEAD = "lama-odds record 1\nrules pig/classic\nplayers 2\n"


@pytest.mark.parametrize(
    ("turns", "turn", "scores"),
    [
        ("", 0, (0, 0)),
        ("0 roll 4", 4, (0, 0)),
        ("0 roll 4 roll 6", 10, (0, 0)),
        ("0 roll 4 roll 6 hold", 0, (0, 10)),
        ("0 roll 4 roll 1", 0, (0, 0)),
        ("0 roll 4 hold\n1 roll 6 roll 1\n0 roll 2", 2, (4, 0)),
    ],
)
def test_a_record_may_stop_anywhere(turns: str, turn: int, scores: tuple[int, ...]) -> None:
    assert GAME.position_after(CLASSIC, HEAD + turns) == Position(turn, scores)


@pytest.mark.parametrize(
    ("turns", "said"),
    [
        ("1 roll 4", "expected seat 0"),
        ("0 hold", "expected roll FACE, or then hold"),
        ("0 roll", "expected roll FACE, or then hold"),
        ("0 roll 7", "expected a face from 1 to 6"),
        ("0 roll x", "expected a whole number"),
        ("0 roll 1 roll 2", "expected no more of this turn"),
        ("0 roll 2 hold hold", "expected no more of this turn"),
        ("0 roll 2\n0 roll 3", "expected no more of this turn"),
        ("0 jump", "expected roll FACE, or then hold"),
        ("round 0 first 0", "expected a seat or one of rules, players"),
    ],
)
def test_what_no_record_has_is_refused_with_its_place(turns: str, said: str) -> None:
    with pytest.raises(ReadError, match=f"line [45]: .*{said}"):
        GAME.position_after(CLASSIC, HEAD + turns)


def test_a_game_that_is_over_asks_nothing() -> None:
    text = GAME.record(CLASSIC, [GAME.policy("random")] * 2, 0, 0, False)
    for ending in (text, text.rpartition("final")[0]):
        with pytest.raises(ImpossibleError, match="the game is over"):
            GAME.position_after(CLASSIC, ending)


@pytest.mark.parametrize(
    ("position", "said"),
    [
        ("scores=30", "1 players"),
        ("scores=30,100", "a score of 100"),
        ("scores=-3,20", "a negative score"),
        ("scores=1,20", "1 points: a roll brings 2 or more"),
        ("turn=1", "a turn of 1 points"),
        ("turn=-4", "a turn of -4 points"),
        ("turn=70 scores=30,20", "a turn of 70 points that has not ended"),
    ],
)
def test_positions_that_cannot_occur_are_refused(position: str, said: str) -> None:
    with pytest.raises(ImpossibleError) as refused:
        GAME.position(CLASSIC, position)
    assert said in str(refused.value)


def test_with_another_bust_face_one_point_can_be() -> None:
    assert GAME.position(GAME.rules("pig/classic+bust=6"), "turn=1 scores=1,1").turn == 1


@pytest.mark.parametrize("options", ["+sides=4+bust=5", "+bust=7", "+sides=2", "+target=1"])
def test_rule_sets_that_make_no_sense_are_refused(options: str) -> None:
    with pytest.raises(ReadError):
        GAME.rules(f"pig/classic{options}")


@pytest.mark.parametrize("sides", [3, 6, 20])
def test_the_best_for_points_holds_where_a_roll_gains_nothing(sides: int) -> None:
    rules = GAME.rules(f"pig/classic+sides={sides}+target=200")
    hold = GAME.best_policy(rules, 2, "points").parameter
    rolling, holding = solvers.turn_for_points(rules, 1_000)
    assert np.array_equal(rolling[2:500] > holding[2:500] + 1e-9, np.arange(2, 500) < hold)


def test_chances_to_reach_a_hold() -> None:
    found = GAME.odds(CLASSIC, GAME.position(CLASSIC, "turn=14 scores=80,50"))
    assert found["bust"].value == pytest.approx(1 / 6)
    assert found["hold at 15"].value == pytest.approx(5 / 6)
    assert list(found) == ["bust", "hold at 15", "win"]
    win = {0: 1.0}
    for lacking in range(1, 7):
        win[lacking] = sum(win[max(0, lacking - face)] for face in range(2, 7)) / 6
    assert found["win"].value == pytest.approx(win[6])


def test_several_players_are_sampled_for_winning_and_exact_for_points() -> None:
    position = GAME.position(CLASSIC, "turn=14 scores=30,50,20")
    sampled = advise(GAME, CLASSIC, position, limits=Limits(games=1_000))
    assert (sampled.method, sampled.games) == ("simulation", 1_000)
    assert advise(GAME, CLASSIC, position, objective="points").method == "exact"


def test_rollouts_agree_with_the_exact_answer() -> None:
    position = GAME.position(SMALL, "turn=4 scores=3,6")
    solved = {a.action: a.value.value for a in advise(GAME, SMALL, position).actions}
    optimal = GAME.policy("optimal")
    limits = Limits(games=40_000)
    sampled = advise(GAME, SMALL, position, opponents=optimal, limits=limits)
    for action in sampled.actions:
        assert action.value.low <= solved[action.action] <= action.value.high


def test_games_without_an_end_are_reported() -> None:
    rules = GAME.rules("pig/classic+sides=3+target=200")
    with pytest.raises(LamaOddsError, match="did not end"):
        simulate(GAME, rules, [GAME.policy("hold:200")] * 2, 2)


def lines_of_code(path: Path) -> int:
    """Lines without blanks, comments and docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    documented: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(
            node
        ):
            documented |= set(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    lines: set[int] = set()
    blank = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
    with open(path, "rb") as file:
        for token in tokenize.tokenize(file.readline):
            if token.type not in blank | {tokenize.ENCODING, tokenize.ENDMARKER}:
                lines |= set(range(token.start[0], token.end[0] + 1))
    return len(lines - documented)


def test_a_complete_game_is_short() -> None:
    folder = Path(lama_odds_pig.__file__).parent
    assert sum(map(lines_of_code, folder.glob("*.py"))) <= MOST_LINES
