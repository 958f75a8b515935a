"""What every game must keep, built in or of another package, and how those are found."""

from __future__ import annotations

import contextlib
import inspect
import math
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, get_type_hints

import numpy as np
import pytest

from lama_odds.analysis.advice.advise import advise
from lama_odds.analysis.advice.answer import TOO_CLOSE, Advice
from lama_odds.analysis.advice.rollouts import Limits
from lama_odds.analysis.coach.session import Session, live_play_of
from lama_odds.analysis.odds import odds
from lama_odds.core import other_packages
from lama_odds.core.errors import ImpossibleError, LamaOddsError, LimitError, ReadError
from lama_odds.core.estimate import Estimate
from lama_odds.core.policies import Family, Policy, read_policy
from lama_odds.games import registry
from lama_odds.games.interface.capabilities import CHOICE, LUCK, NOTHING
from lama_odds.games.interface.game import AnyGame, Game
from lama_odds.games.interface.jobs import Effort
from lama_odds.games.interface.tally_layout import WIN
from lama_odds.games.registry import game_of, names
from lama_odds.games.shared.decisions import decisions, query_of, read_record, shares
from lama_odds.games.shared.record import HEADER
from lama_odds.games.shared.stepper import line_of
from lama_odds.jit.job import Job
from lama_odds.report.terminal import printed
from lama_odds.report.text.listings import policies_listing, rules_listing
from lama_odds.simulation.run import run

PIG = pytest.mark.skipif(
    "pig" not in names(), reason="Pig is not installed (pip install --no-deps -e examples/pig)"
)
ALL = [*names(), *(["pig"] if "pig" not in names() else [])]
GAMES = [pytest.param(name, marks=PIG if name == "pig" else ()) for name in ALL]
every_game = pytest.mark.parametrize("name", GAMES)

GAMES_PLAYED = 40
FEWEST_ADVISED = 1_000
MEAN = "mean "  # how names of means among chances begin
NOT_SCORES = ("win", "outright")

# Of the chances at a position, those of which exactly one comes true; by their names.
OF_ONE: Mapping[str, tuple[Callable[[str], bool], ...]] = {
    "lama": (lambda n: n.startswith("draw "), lambda n: n.startswith("penalty ")),
    "dice": (lambda n: n in ("three llamas", "match", "miss", "blown"),),
    "pikomino": (lambda n: n == "turn bust" or n.split()[0] in ("stop", "steal"),),
    "noprob": (lambda n: n.startswith("draw ") and n != "draw a special",),
}


def asked(name: str) -> tuple[AnyGame, Any, Any]:
    """A game, its first edition, and its example position."""
    game = game_of(name)
    rules = game.rules(f"{name}/{next(iter(game.editions))}")
    return game, rules, game.position(rules, game.example)


def samples(family: Family) -> Iterator[Policy]:
    """Policies of a family: the default, and the ends of what can be searched."""
    if not family.parameter or family.default is not None:
        yield Policy(family, family.default or 0)
    for at in (0, 1):
        if family.searchable:
            yield family.with_numbers({n: ends[at] for n, ends in family.searchable.items()})


def simulated(game: AnyGame, rules: Any, number: int) -> str:
    """A whole game of two players."""
    return game.record(rules, [game.policy("random"), game.best_policy(rules, 2)], 5, number, False)


def tally_of(job: Job, first: int, games: int) -> np.ndarray:
    tally = np.zeros(job.shape, dtype=np.int64)
    job.kernel(job.rules, job.policies, job.tables, 5, first, games, tally)
    return tally


@every_game
def test_the_face_is_complete_and_typed(name: str) -> None:
    game = game_of(name)
    assert isinstance(game, Game)
    assert not inspect.isabstract(type(game))
    assert game.name == name
    for attribute in get_type_hints(Game):
        assert hasattr(game, attribute), attribute
    for text in (game.title, game.example, game.shared):
        assert isinstance(text, str)
        assert text
    assert game.words
    assert game.families
    assert {"points", "win"} <= set(game.objectives)
    assert all(key == objective.name for key, objective in game.objectives.items())
    for method, declared in inspect.getmembers(Game, inspect.isfunction):
        own = inspect.signature(getattr(type(game), method)).parameters.values()
        rest = any(p.kind is p.VAR_POSITIONAL for p in own)
        needed = len(inspect.signature(declared).parameters)
        assert rest or len(own) == needed, f"{method} takes other arguments than the face has"


def check_option(game: AnyGame, rules: Any, option: str, value: object) -> None:
    """Whether a changed option reads back, or is refused with the reason."""
    text = f"{rules.id}{game.options[option].format(option, value)}"
    with contextlib.suppress(ReadError):
        changed = game.rules(text)
        assert changed.values[option] == value
        assert game.rules(changed.id) == changed
        return
    with pytest.raises(ReadError, match="makes no sense"):  # the rest contradicts it
        game.rules(text)


@every_game
def test_ids_read_back(name: str) -> None:
    game = game_of(name)
    assert set(game.editions) == set(game.defaults)
    for edition in game.editions:
        rules = game.rules(f"{name}/{edition}")
        assert (rules.id, rules.edition) == (f"{name}/{edition}", edition)
        assert rules.values == game.defaults[edition]
        assert set(rules.values) == set(game.options)
        assert rules.players[0] >= 2
        for option, entry in game.options.items():
            assert entry.meaning
            assert entry.source
            values = {"number": (entry.low, entry.high), "switch": (True, False)}
            for value in values.get(entry.kind, ()):
                check_option(game, rules, option, value)
    with pytest.raises(ReadError, match="which edition"):
        game.rules(name)


@every_game
def test_positions_read_back(name: str) -> None:
    game, rules, position = asked(name)
    assert game.position(rules, position.format()) == position
    assert position.players in rules.players
    assert position.others_in < position.players
    assert game.default_objective(rules, position) in game.objectives
    with pytest.raises(ReadError, match="unknown word 'zz'"):
        game.position(rules, "zz=1")


@every_game
def test_policies_read_back(name: str) -> None:
    game, rules, _ = asked(name)
    for family in game.families:
        assert family.meaning
        for policy in samples(family):
            assert read_policy(policy.name, game.families) == policy == game.policy(policy.name)
            if family.searchable:
                assert family.with_numbers(family.numbers_of(policy.parameter)) == policy
    for aim in ("win", "points"):
        for players in rules.players:
            best = game.best_policy(rules, players, aim)
            assert game.policy(best.name) == best
    dial, values = game.dial
    for text in [*game.models.values(), *(f"{dial}:{value}" for value in values)]:
        assert text == "best" or game.policy(text)


@pytest.mark.long
@every_game
def test_games_are_the_same_on_any_threads_and_in_any_parts(name: str) -> None:
    game, rules, _ = asked(name)
    players = rules.players[0] + 1
    policies = [game.policy("random"), *[game.best_policy(rules, players)] * (players - 1)]
    job = game.simulation(rules, policies, False)
    assert {"win", "outright", "unfinished"} <= {measure.name for measure in job.measures}
    whole = tally_of(job, 0, GAMES_PLAYED)
    assert np.array_equal(whole, tally_of(job, 0, 7) + tally_of(job, 7, GAMES_PLAYED - 7))
    for threads, chunk in ((1, 16), (2, 3)):
        played = run(job, 5, GAMES_PLAYED, threads=threads, chunk=chunk)
        assert np.array_equal(played.tally, whole)
    by_name: dict[str, float] = {}
    for measure, (total, _) in zip(job.measures, whole.tolist(), strict=True):
        by_name[measure.name] = by_name.get(measure.name, 0.0) + total * measure.unit
    assert by_name["win"] == pytest.approx(GAMES_PLAYED)
    assert by_name["outright"] <= GAMES_PLAYED
    assert by_name["unfinished"] == 0


@every_game
def test_games_have_rounds_or_say_so(name: str) -> None:
    game, rules, _ = asked(name)
    policies = [game.policy("random")] * rules.players[0]
    if game.has_rounds:
        job = game.simulation(rules, policies, True)
        assert "penalty" in [measure.name for measure in job.measures]
        assert game.record(rules, policies, 5, 0, True).startswith(HEADER)
        return
    for refused in (game.simulation, lambda *which: game.record(*which[:2], 5, 0, which[2])):
        with pytest.raises(ReadError, match="no rounds"):
            refused(rules, policies, True)


@every_game
def test_records_replay_to_what_the_simulation_counts(name: str) -> None:
    (game, rules, _), number = asked(name), 3
    policies = [game.policy("random"), game.best_policy(rules, 2)]
    text = simulated(game, rules, number)
    assert text == simulated(game, rules, number)
    lines = text.splitlines()
    assert lines[:2] == [HEADER, f"rules {rules.id}"]
    assert f"luck 5 {number}" in lines
    final = [int(word) for word in lines[-1].removeprefix("final ").split()]
    job = game.simulation(rules, policies, False)
    counted: dict[str, list[int]] = {}
    won: list[float] = []
    for measure, (total, _) in zip(job.measures, tally_of(job, number, 1).tolist(), strict=True):
        won += [total * measure.unit] * (measure.name == "win")
        if measure.seat is not None and measure.name not in NOT_SCORES:
            counted.setdefault(measure.name, []).append(total)
    assert final in counted.values()
    if game.recorded() is not None:
        assert shares(game, read_record(game, text)) == won
    with pytest.raises(ImpossibleError):
        game.position_after(rules, text)
    changed = "\n".join([*lines[:-1], "final " + " ".join(str(n + 1) for n in final)])
    with pytest.raises(ReadError, match=f"line {len(lines)}"):
        game.position_after(rules, changed)


@every_game
def test_a_record_may_stop_before_any_turn(name: str) -> None:
    game, rules, _ = asked(name)
    lines = simulated(game, rules, 1).splitlines()
    turns = [at for at, line in enumerate(lines) if line[0].isdigit()]
    for at in (turns[1], turns[len(turns) // 2], turns[-1]):
        try:
            position = game.position_after(rules, "\n".join(lines[:at]))
        except ImpossibleError:  # between rounds nobody decides
            continue
        assert game.position(rules, position.format()) == position


@every_game
def test_a_record_of_other_rules_is_refused(name: str) -> None:
    game, rules, _ = asked(name)
    text = game.record(rules, [game.policy("random")] * 2, 5, 1, False)
    for option, entry in game.options.items():
        if entry.kind == "number":
            try:
                other = game.rules(f"{rules.id}+{option}={rules.values[option] - 1}")
            except LamaOddsError:
                continue
            with pytest.raises(ReadError, match="the rules of this record are"):
                game.position_after(other, text)
            return
    pytest.fail("no option of this game can be changed by one")


def check_exact(found: Mapping[str, Estimate]) -> None:
    for name, estimate in found.items():
        assert (estimate.method, estimate.n, estimate.stderr) == ("exact", 0, 0), name
        if not name.startswith(MEAN):
            assert -1e-12 <= estimate.value <= 1 + 1e-12, name


@every_game
def test_chances_are_exact_and_sum_to_one_where_one_comes_true(name: str) -> None:
    game, rules, position = asked(name)
    found = odds(game, rules, position)
    assert found.events
    check_exact(found.events)
    for chances in found.groups.values():
        check_exact({k: v for k, v in chances.items() if 0 <= v.value <= 1})
    for belongs in OF_ONE.get(name, ()):
        chances = [found.events[n].value for n in found.events if belongs(n)]
        assert math.fsum(chances) == pytest.approx(1)
    if game.no_deal:
        with pytest.raises(ReadError, match="nothing is dealt"):
            odds(game, rules, None)
    else:
        check_exact(odds(game, rules, None).events)


def check_labelled(answer: Advice, objectives: set[str]) -> None:
    """Whether every value says how it was made, as the answer does."""
    solved = all(action.value.method == "exact" for action in answer.actions)
    assert answer.method == ("exact" if solved else "simulation")
    assert (answer.games > 0) is not solved
    for action in answer.actions:
        assert set(action.objectives) <= objectives
        for estimate in (action.value, *action.objectives.values(), *action.chances.values()):
            sampled = estimate.method == "simulation"
            assert (estimate.n > 0) is sampled
            assert sampled or estimate.stderr == 0
            assert estimate.low <= estimate.value <= estimate.high
    assert answer.actions[0].action == answer.best
    assert answer.verdict in (answer.best, TOO_CLOSE)


@pytest.mark.long
@every_game
def test_advise_answers_the_example(name: str) -> None:
    game, rules, position = asked(name)
    limits = Limits(games=FEWEST_ADVISED, threads=2)
    answer = advise(game, rules, position, limits=limits)
    check_labelled(answer, set(game.objectives))
    again = advise(game, rules, position, limits=Limits(games=FEWEST_ADVISED, threads=1))
    assert again.actions == answer.actions


@pytest.mark.long
@every_game
def test_rollouts_count_every_objective(name: str) -> None:
    game, rules, _ = asked(name)
    policies = [game.best_policy(rules, 2)] * 2
    lines = simulated(game, rules, 1).splitlines()
    first = next(at for at, line in enumerate(lines) if line[0].isdigit())
    # Where a record stops, all is known that winning the game depends on.
    position = game.position_after(rules, "\n".join(lines[:first]))
    # What a player does alone is solved: nothing of it is sampled.
    for objective in (each for each in game.objectives.values() if not each.alone):
        try:
            job = game.rollouts(
                rules, position, policies, objective.whole_game, objective.name, Effort(games=1)
            )
        except LimitError:  # the example does not give the standing of the game
            assert objective.whole_game
            continue
        assert objective.name in job.objectives
        assert len(job.units) >= len(job.objectives)


@pytest.mark.parametrize(
    ("rules", "text", "values", "told"),
    [
        # The cards cost 7; quitting may cost more, and then that much is break-even too.
        ("dice/amigo", "hand=25 opp=13", {"quit": 9.0, "roll": 6.25}, "4.25"),
        ("dice/amigo", "hand=25 opp=13", {"quit": 9.0, "roll": 1.5}, "(now 7)"),
        ("dice/amigo", "hand=25 opp=13 rolled=22L", {"discard 2": 4.0}, None),
        ("lama/egmont", "hand=25 top=1 opp=4", {"quit": 9.0, "play 2": 5.5, "draw": 8.0}, "3.50"),
        ("lama/egmont", "hand=25 top=1 opp=4", {"quit": 9.0, "draw": 1.5}, "(now 7)"),
    ],
)
def test_where_quitting_would_be_as_good_is_told(
    rules: str, text: str, values: dict[str, float], told: str | None
) -> None:
    game = game_of(rules)
    rule_set = game.rules(rules)
    position = game.position(rule_set, text)
    said = game.turning_point(rule_set, position, "points", values)
    assert (told or "") in said
    assert bool(said) == (told is not None)
    assert ("break-even" in said) == (told is not None and "now" not in told)
    assert game.turning_point(rule_set, position, "win", values) == ""


@pytest.mark.parametrize("rules", ["dice/amigo", "lama/egmont"])
def test_what_counts_goes_by_what_is_known(rules: str) -> None:
    """Scores are averaged where rounds of such games are known."""
    game, other = game_of(rules), {"dice": "13", "lama": "4"}[rules[:4]]
    for options, players, scores, expected in (
        *(("", 2, " scores=3,4", "win"), ("+target=30", 3, " scores=3,4,5", "win")),
        *(("", 2, "", "win"), ("+target=30", 2, "", "margin"), ("+target=30", 3, "", "points")),
    ):
        rule_set = game.rules(rules + options)
        text = f"hand=25 {'top=1 ' * (game.name == 'lama')}opp={','.join([other] * (players - 1))}"
        position = game.position(rule_set, text + scores)
        assert game.default_objective(rule_set, position) == expected
    line = line_of(game, game.rules(rules), [game.policy("threshold:5")] * 3, 1, 0, 0, True)
    line.scores = [5, 7, 5]
    assert line.result() == WIN // 2


@every_game
def test_decisions_are_told_apart_or_refused(name: str) -> None:
    game, rules, _ = asked(name)
    recorded, query = game.recorded(), game.policy_query()
    assert (recorded is None) is (query is None)
    if recorded is None or query is None:
        with pytest.raises(LimitError, match=f"{name} cannot be reviewed or played along with"):
            read_record(game, simulated(game, rules, 0))
        with pytest.raises(
            LimitError, match=f"single decisions of {name} cannot be put to policies"
        ):
            query_of(game)
        return
    assert set(recorded.verbs.values()) <= {NOTHING, LUCK, CHOICE}
    found = decisions(game, rules, simulated(game, rules, 0))
    assert found
    for decision in found:
        assert decision.chosen in query.legal_actions(rules, decision.position)
    assert query.unlike(rules, rules) == ""


@every_game
def test_a_game_is_played_along_or_that_is_refused(name: str) -> None:
    game, rules, _ = asked(name)
    live = game.live_play()
    if live is None:
        with pytest.raises(LimitError, match=f"{name} cannot be played along with"):
            live_play_of(game)
        with pytest.raises(LimitError, match=f"{name} cannot be reviewed or played along with"):
            Session.begin(game, rules, 2, 0, None, 5)
        return
    assert game.recorded() is not None
    assert (live.rounds is not None) is game.has_rounds
    assert live.on_screen.against
    assert live.on_screen.table
    session = Session.begin(game, rules, 2, 0, [game.policy("random")], 5)
    session.advance()
    position = session.position()
    assert all(live.on_screen.holds(position, at) for at in range(2))
    assert live.on_screen.hand(rules, position)
    for action in session.actions():
        trial = Session(game, rules, session.text)
        assert trial.enter(action)
    for text in live.practice(3):
        with contextlib.suppress(ImpossibleError, ReadError):  # of another edition
            assert game.position(rules, text).players == 3


@every_game
def test_a_game_is_stopped_at_decisions_or_that_is_refused(name: str) -> None:
    game, rules, _ = asked(name)
    policies = [game.best_policy(rules, 2)] * 2
    if game.stepper() is None:
        with pytest.raises(LimitError, match=f"lines of play are there for .*, not for {name}"):
            line_of(game, rules, policies, 5, 0, 0, False)
        return
    line = line_of(game, rules, policies, 5, 0, 0, False)
    while not line.over:
        assert line.position().players == 2
        line.act(line.usual)
    job = game.simulation(rules, policies, True)
    at = [(measure.name, measure.seat) for measure in job.measures].index(("penalty", 0))
    assert line.result() == tally_of(job, 0, 1)[at, 0]


WORKING = """
from lama_odds.games.dice.game import DiceGame
class Other(DiceGame):
    name = "{name}"
    title = "Other"
GAME = Other()
"""
Brings = Callable[[str, str, str], None]


@pytest.fixture
def brings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Brings:
    """A function that installs a package with a module that brings a game of a name."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(other_packages, "GROUP", "lama_odds.games.of_a_test")

    def install(package: str, name: str, source: str) -> None:
        module = package.replace("-", "_")
        (tmp_path / f"{module}.py").write_text(source, encoding="utf-8")
        about = tmp_path / f"{module}-1.0.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        point = f"[{other_packages.GROUP}]\n{name} = {module}:GAME\n"
        (about / "entry_points.txt").write_text(point)
        other_packages.offered.cache_clear()
        monkeypatch.delitem(sys.modules, module, raising=False)

    other_packages.offered.cache_clear()
    yield install  # type: ignore[misc]
    other_packages.offered.cache_clear()


def test_a_game_of_another_package_is_found_and_imported_when_asked_for(brings: Brings) -> None:
    brings("good-game", "other", WORKING.format(name="other"))
    assert registry.names() == (*registry.GAMES, "other")
    with pytest.raises(ReadError, match="did you mean other"):
        registry.game_of("othr/x")
    assert "good_game" not in sys.modules
    assert registry.game_of("other/amigo+target=30").title == "Other"


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("import nothing_like_it", "cannot be imported: ModuleNotFoundError: No module named"),
        ("raise SystemExit(3)", "cannot be imported: SystemExit: 3"),
        ("GAME = 3", "bad_game:GAME is not a Game"),
        (WORKING.format(name="else"), "which calls itself 'else'"),
    ],
)
def test_a_broken_package_is_named_and_all_other_games_go_on(
    brings: Brings, source: str, said: str
) -> None:
    brings("bad-game", "bad", source)
    with pytest.raises(LimitError) as refused:
        registry.game_of("bad/classic")
    assert "bad-game" in str(refused.value)
    assert said in str(refused.value)
    assert registry.game_of("lama/egmont").name == "lama"
    listed = rules_listing()
    assert listed.notes == (str(refused.value),)
    assert str(refused.value) in printed(listed.text(), width=400)
    assert any(line.startswith("dice: ") for line in policies_listing().plain["policies"])


def test_a_name_belongs_to_one_package_and_first_to_the_built_in_games(brings: Brings) -> None:
    for package in ("one-game", "two-game"):
        brings(package, "twice", WORKING.format(name="twice"))
    with pytest.raises(LimitError, match="one-game and two-game bring a game 'twice' each"):
        registry.game_of("twice/amigo")
    brings("false-game", "dice", WORKING.format(name="dice"))
    assert registry.game_of("dice/amigo").title == "Lama Dice"
    assert registry.names() == (*registry.GAMES, "twice")
    assert set(registry.defects()) == {"dice", "twice"}
    said = "false-game brings a game 'dice', which is the name of a built-in one"
    assert said in rules_listing().notes
    assert "false_game" not in sys.modules


def test_a_built_in_game_looks_at_no_other_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "offered", None)
    assert registry.game_of("dice/amigo").name == "dice"
