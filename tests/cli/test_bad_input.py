"""Input that cannot be read or cannot occur: a message and an exit code, never a traceback."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.cli.calls import Said, caret, inside

RULES = "dice/amigo"
POSITION = "hand=25L row=1346L opp=13"
PLAY = ("simulate", RULES, "--players", "2", "--policy", "random", "--games", "5")
CODES = {0, 2, 3, 4}

POSITIONS = (
    "hand=25L row=1346L opp=13,6LL",
    "hand=25L row=1346L opp=13 rolled=13L",
    "hand=25 opp=q6LL scores=12,30",
    "hand=123456 opp=11LL23,q=16,- first=2",
    "hand=3L row=- opp=13,q6LL,q=16 scores=0,39,12,3 first=0",
    "rolled=25L opp=1,2,3,4,5 hand=2225LL row=16",
)
RULE_SETS = (
    "dice/amigo",
    "dice/egmont+twenty+empty_row_ends",
    "dice/gigamic+target=50+llama_safe_alone=off",
    "dice/egmont+faces=1234LL.1256LL.3456LL+points=1.2.3.4.5.6",
    "dice/amigo+twenty+pink=30+black=7+dealt=4+copies=5+llamas=9+llama_points=15",
)
NUMBERS = (
    *("0", "-1", "1", "2", "3", "7", "1000", "00", "+5", "-0", "1.5", "1e3", "1e400", "10" * 15),
    *("-" + "9" * 30, "1" + "0" * 30, "nan", "NaN", "inf", "-inf", "", " ", "٣", "１２", "½", "²"),
    *(
        "0x10",
        "1_000",
        "1,000",
        "five",
        "None",
        "True",
        "--",
        "-",
        "1" * 5000,
        "9223372036854775808",
    ),
)
NAMES = (
    *("", " ", "random", "Random", "threshold", "threshold:", "threshold:5", "threshold:x"),
    *("threshold:-1", "threshold:1001", "threshold:5:5", "random:1", "random:", "meanfield"),
    *("meanfield:", ":", ":5", "mean field", "best", "points", "margin", "win", "WIN", "[bold]"),
    *("treshold:5", "threshold:٣", "threshold:" + "9" * 4000, "x" * 5000, "\n", "лама", "🦙"),
)
# What is put into texts: letters of the notation, and what never belongs there.
LETTERS = "123456L789l0qx=,-./+_ \t\n\r\v\x1b\u00a0\u2003\u200b٣１é漢🦙\u0301\ud800'\"[]{}%\\:"


@pytest.fixture(autouse=True)
def no_work(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """What passes all checks is answered at once, unless a test asks for the work."""
    if "work" in request.fixturenames:
        return

    def answer(*_: object, **__: object) -> None:
        raise SystemExit(0)

    for question in ("advise", "odds", "simulate"):
        monkeypatch.setattr(f"lama_odds.analysis.{question}.{question}", answer)


@pytest.fixture
def work() -> None:
    """Asked for by a test that wants real answers."""


def broken(args: tuple[str, ...], said: Said) -> str:
    """What is wrong with the end of a call, or nothing."""
    if said.code not in CODES:
        return f"{args!r} ended with {said.code!r}"
    if "Traceback" in said.err + said.out:
        return f"{args!r} gave a traceback"
    if said.code and (not said.err.strip() or said.out):
        return f"{args!r} said {said.err!r}, and {said.out!r} on stdout"
    return ""


def check(cases: Iterator[tuple[str, ...]], codes: set[int]) -> None:
    """Every case ends as agreed, and each of these codes comes up."""
    seen: Counter[object] = Counter()
    wrong = []
    for args in cases:
        try:
            said = inside(*args)
        except Exception as error:
            wrong.append(f"{args!r} raised {error!r}")
            continue
        seen[said.code] += 1
        wrong += [said for said in [broken(args, said)] if said]
    assert not wrong, f"{len(wrong)} wrong, such as " + "; ".join(wrong[:5])
    assert codes <= set(seen), seen


# Mutations of a text


def change(rng: random.Random, text: str) -> str:
    """One mutation of a text."""
    at, other = (rng.randrange(len(text) + 1) for _ in range(2))
    low, high = sorted((at, other))
    words = text.split(" ")
    changes: list[Callable[[], str]] = [
        lambda: text[:at] + text[at + 1 :],
        lambda: text[:at] + rng.choice(LETTERS) + text[at:],
        lambda: text[:at] + rng.choice(LETTERS) + text[at + 1 :],
        lambda: text[:at] + text[at : at + 2][::-1] + text[at + 2 :],
        lambda: text[:low] + text[high:],
        lambda: text[:high] + text[low:high] * rng.randrange(2, 9) + text[high:],
        lambda: " ".join([*words, rng.choice(words)]),
        lambda: " ".join(rng.sample(words, len(words))),
        lambda: text.replace(rng.choice(LETTERS[:16]), rng.choice(LETTERS)),
        lambda: text.upper() if rng.random() < 0.5 else text.title(),
    ]
    return rng.choice(changes)()


def mutant(rng: random.Random, texts: tuple[str, ...]) -> str:
    """One of these texts after one to four mutations; now and then a very long one."""
    text = rng.choice(texts)
    for _ in range(rng.choice((1, 1, 1, 2, 3, 4))):
        text = change(rng, text)
    return text * 2000 if rng.random() < 0.005 else text


def test_mutated_positions() -> None:
    rng = random.Random(1)
    commands = ("advise", "advise", "odds")
    cases = (
        (rng.choice(commands), rng.choice(RULE_SETS), mutant(rng, POSITIONS)) for _ in range(4000)
    )
    check(cases, {0, 2, 3})


def test_mutated_rule_sets() -> None:
    rng = random.Random(2)

    def case() -> tuple[str, ...]:
        rules = mutant(rng, RULE_SETS)
        rest: list[tuple[str, ...]] = [
            ("advise", rules, POSITION),
            ("odds", rules, "deal"),
            ("simulate", rules, *PLAY[2:]),
            ("rules", rules),
            ("policies", rules),
        ]
        return rng.choice(rest)

    check((case() for _ in range(2000)), {0, 2})


def option_values() -> Iterator[tuple[str, ...]]:
    """Every option of a rule set with every odd value."""
    options = (
        *("black", "copies", "dealt", "empty_row_ends", "faces", "llama_points", "pink"),
        *("llama_safe_alone", "llamas", "points", "target", "twenty", "nonsense", ""),
    )
    odd = (*NUMBERS, "on", "off", "ON", "LL.LL.LL", "1.2.3.4.5.6", "1" * 13, "=", "7L", "12..34")
    for option in options:
        for value in odd:
            yield "rules", f"dice/egmont+twenty+{option}={value}"


def test_odd_values_of_options_of_rule_sets() -> None:
    check(option_values(), {0, 2})


def numbers() -> Iterator[tuple[str, ...]]:
    """Every number of every command with every odd value."""
    for value in NUMBERS:
        for option in ("--seconds", "--games", "--threads", "--seed"):
            yield "advise", RULES, POSITION, option, value
        for option in ("--players", "--games", "--threads", "--seed", "--show"):
            yield *PLAY, option, value
        yield "odds", RULES, "deal", "--seed", value
        yield "advise", RULES, f"{POSITION} first={value}"
        yield "advise", RULES, f"{POSITION} scores={value},{value}"
        yield "advise", RULES, f"hand=25L opp=q={value}"


def test_odd_numbers() -> None:
    check(numbers(), {0, 2, 3})


def names() -> Iterator[tuple[str, ...]]:
    """Policies, objectives, games and files by odd names."""
    for name in NAMES:
        yield "advise", RULES, POSITION, "--opponents", name
        yield "advise", RULES, POSITION, "--objective", name
        yield *PLAY, "--policy", name
        yield "simulate", RULES, "--players", "2", "--policy", name, "--games", "5"
        yield "advise", RULES, "--after", name
        yield "advise", RULES, name
        yield "rules", name
        yield "policies", name


def test_odd_names() -> None:
    check(names(), {0, 2})


def test_arguments_left_out_and_put_in() -> None:
    rng = random.Random(3)
    whole = (
        ("advise", RULES, POSITION, "--objective", "points", "--games", "1000", "--json"),
        ("odds", RULES, POSITION, "--seed", "3"),
        (*PLAY, "--rounds", "--threads", "2"),
    )
    extra = ("--nonsense", "--json", "-x", "--", "deal", "--help", "advise", "--seed", "", "-1")

    def case() -> tuple[str, ...]:
        args = list(rng.choice(whole))
        if rng.random() < 0.7:
            del args[rng.randrange(len(args))]
        if rng.random() < 0.5:
            args.insert(rng.randrange(len(args) + 1), rng.choice(extra))
        return tuple(args)

    check((case() for _ in range(1000)), {0, 2})


RECORD = """lama-odds record 1
rules dice/amigo
players 2
policies threshold:5 random
luck 0 17
round 0 first 0
scores 0 0
deal 12344L 1256LL
0 roll 13L discard 3L
1 roll LLL
0 roll 356 take 5
1 roll 124 discard 12
"""


def test_mutated_records(tmp_path: Path) -> None:
    rng = random.Random(4)
    file = tmp_path / "game.txt"

    def case() -> tuple[str, ...]:
        lines = RECORD.splitlines(keepends=True)
        if rng.random() < 0.3:
            lines.insert(rng.randrange(len(lines)), rng.choice(lines))
        if rng.random() < 0.3:
            del lines[rng.randrange(len(lines))]
        text = mutant(rng, ("".join(lines),))
        file.write_bytes(text.encode("utf-8", "surrogatepass"))
        return "advise", RULES, "--after", str(file)

    check((case() for _ in range(1000)), {0, 2})


@pytest.mark.usefixtures("work")
def test_mutants_that_can_occur_are_answered() -> None:
    rng = random.Random(5)
    done = 0
    for _ in range(200):
        args = (RULES, mutant(rng, POSITIONS[:2] + POSITIONS[5:]))
        said = inside("advise", *args, "--objective", "points", "--games", "1000", "--json")
        assert not broken(args, said)
        if said.code == 0:
            assert said.json["actions"]
            assert inside("odds", *args, "--json").json["position"] == said.json["position"]
            done += 1
    assert done > 20


# Messages


@pytest.mark.parametrize(
    ("args", "near"),
    [
        (("advise", "dic/amigo", POSITION), "dice"),
        (("advise", "dice/amgio", POSITION), "amigo"),
        (("odds", "dice/egmond", "deal"), "egmont"),
        (("rules", "dice/amigo+twnty"), "twenty"),
        (("advise", "dice/amigo+llama_point=9", POSITION), "llama_points"),
        (("advise", RULES, "hnad=25L opp=13"), "hand"),
        (("advise", RULES, "hand=25L opp=13 score=1,2"), "scores"),
        (("advise", RULES, POSITION, "--opponents", "treshold:5"), "threshold"),
        (("simulate", RULES, *PLAY[2:4], "--policy", "randon", "--games", "5"), "random"),
        (("advise", RULES, POSITION, "--objective", "point"), "points"),
    ],
)
def test_an_unknown_name_is_answered_by_near_ones(args: tuple[str, ...], near: str) -> None:
    said = inside(*args)
    assert said.code == 2
    hint = next(line for line in said.err.splitlines() if "did you mean" in line)
    assert near in hint.replace("?", "").split()


@pytest.mark.parametrize("name", ["zzz/amigo", "dice/zzz", "dice/amigo+zzz"])
def test_a_name_like_no_other_is_answered_by_all(name: str) -> None:
    said = inside("advise", name, POSITION)
    assert said.code == 2
    assert "known: " in said.err


def test_unknown_commands_and_options_are_2() -> None:
    said = inside("advice", RULES, POSITION)
    assert said.code == 2
    assert "advice" in said.err
    said = inside("advise", RULES, POSITION, "--opponent", "random")
    assert said.code == 2
    assert "--opponent" in said.err


@pytest.mark.parametrize("command", ["advise", "odds", "simulate"])
def test_a_game_without_edition_is_2_and_names_the_editions(command: str) -> None:
    rest = {"simulate": PLAY[2:], "advise": (POSITION,), "odds": ("deal",)}[command]
    said = inside(command, "dice", *rest)
    assert said.code == 2
    for rule_set in ("dice/amigo", "dice/egmont", "dice/gigamic"):
        assert rule_set in said.err


@pytest.mark.parametrize("command", ["advise", "odds"])
def test_a_missing_position_is_2(command: str) -> None:
    said = inside(command, RULES)
    assert said.code == 2
    assert "position" in said.err
    assert inside(command, RULES, "").code == 2


def test_a_position_and_a_record_together_are_2(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text(RECORD, encoding="utf-8")
    assert inside("advise", RULES, "--after", str(file)).code == 0
    said = inside("advise", RULES, POSITION, "--after", str(file))
    assert said.code == 2
    assert "--after" in said.err


def test_a_record_that_cannot_be_read_is_2(tmp_path: Path) -> None:
    assert "nowhere.txt" in inside("advise", RULES, "--after", "nowhere.txt").err
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
    for name in ("nowhere", "bytes", ""):
        assert inside("advise", RULES, "--after", str(tmp_path / name)).code == 2


def test_a_record_names_line_and_place(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text(RECORD.replace("1256LL", "1256LX"), encoding="utf-8")
    said = inside("advise", RULES, "--after", str(file))
    assert said.code == 2
    assert "line 8" in said.err
    assert caret(said) == ("deal 12344L 1256LX", 17)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        *(("--threads", value) for value in ("0", "-1", "1.5", "many", "257")),
        *(("--seconds", value) for value in ("nan", "inf", "-inf", "0", "-1", "1e9", "")),
        *(("--games", value) for value in ("0", "-5", "1.5", "nan", "1" + "0" * 30)),
        *(("--seed", value) for value in ("-1", "x", "1" + "0" * 30)),
        ("--objective", "score"),
        ("--opponents", "nonsense"),
        ("--opponents", "threshold"),
        ("--opponents", "threshold:-1"),
    ],
)
@pytest.mark.usefixtures("work")
def test_options_are_validated_even_where_an_exact_answer_ignores_them(
    option: str, value: str
) -> None:
    said = inside("advise", RULES, "hand=25L opp=q=16", option, value)
    assert (said.code, said.out) == (2, "")
    assert value.strip("-") in said.err or option in said.err


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("--players", "7"), "2 to 6"),
        (("--players", "1"), "2 to 6"),
        (("--players", "3", "--policy", "random"), "2 policies for 3 players"),
        (("--show", "6"), "only 5"),
        (("--games", "0"), "--games"),
        (("--threads", "0"), "--threads"),
    ],
)
def test_simulate_refuses_numbers_that_do_not_fit(args: tuple[str, ...], told: str) -> None:
    said = inside(*PLAY, *args)
    assert said.code == 2
    assert told in said.err


@pytest.mark.parametrize(
    ("position", "at", "told"),
    [
        ("hand=25X opp=13", 7, "X"),
        ("hand=25l opp=13", 7, "cards 1-6 or L"),
        ("hand=25L opp=13 hand=1", 16, "given twice"),
        ("hand=25L  opp=13,6Z", 18, "opp"),
        ("hand=25L\topp=1Z", 14, "opp"),
        ("hand= opp=13", 5, "a value"),
        ("hand=25L opp=13,,1", 16, "opp"),
        ("hand=25L opp=q", 14, "q6LL or q=16"),
        ("hand=25L opp=q=1x", 15, "whole number"),
        ("hand=25L opp=qq1", 14, "opp"),
        ("hand=25L row=1131 opp=1", 14, "at most once"),
        ("hand=25L opp=1 scores=1,x", 24, "whole number"),
        ("hand=25L opp=1 scores=1.5,2", 22, "whole number"),
        ("hand=25L opp=1 first=me", 21, "whole number"),
        ("hand=25L opp=1 rolled=1a3", 23, "rolled"),
        ("hand=25L opp=1 25L", 15, "name=value"),
        ("hnad=25L opp=1", 0, "hnad"),
        ("opp=1", 5, "hand is missing"),
        ("hand=1", 6, "opp is missing"),
        ("hand=25L opp=1 first=" + "9" * 30, 21, "digits"),
    ],
)
def test_the_caret_stands_under_the_place(position: str, at: int, told: str) -> None:
    said = inside("advise", RULES, position)
    assert said.code == 2
    assert caret(said) == (position.replace("\t", " "), at)
    assert told in said.err


@pytest.mark.parametrize(
    ("rules", "at", "told"),
    [
        ("dice", 4, "edition"),
        ("dice/", 5, "edition"),
        ("dice/Amigo", 5, "Amigo"),
        ("dice/amigo+", 11, "option"),
        ("dice/amigo++twenty", 11, "option"),
        ("dice/amigo+twenty+twenty=off", 18, "given twice"),
        ("dice/amigo+twenty=yes", 18, "on or off"),
        ("dice/amigo+target", 17, "target=value"),
        ("dice/amigo+target=", 18, "whole number"),
        ("dice/amigo+target=0", 18, "1 to 1000"),
        ("dice/amigo+faces=1234LL.34x6LL.1256LL", 26, "faces 1-6 or L"),
        ("dice/amigo+faces=1234LL..1256LL", 24, "2 to 12 faces"),
        ("dice/amigo+twenty+pink=5", 18, "worth more"),
        ("dice/amigo+pink=30", 11, "+twenty"),
        ("dice /amigo", 0, "unknown game"),
    ],
)
def test_the_caret_stands_under_the_place_in_a_rule_set(rules: str, at: int, told: str) -> None:
    said = inside("rules" if "/" in rules else "odds", rules, *(() if "/" in rules else ("deal",)))
    assert said.code == 2
    assert caret(said) == (rules, at)
    assert told in said.err


def test_all_defects_are_listed_at_once() -> None:
    position = "hand=33333 row=3456L opp=333,q=0 scores=-1,40 first=5 rolled=666"
    said = inside("advise", RULES, position)
    assert said.code == 3
    defects = [line for line in said.err.splitlines() if line.startswith("  - ")]
    for told in ("first=5", "2 scores", "-1", "40", "9 cards 3", "penalty of 0", "666"):
        assert any(told in defect for defect in defects), told
    assert len(defects) == 7
