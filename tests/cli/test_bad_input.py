"""Input that cannot be read or cannot occur: a message and an exit code, never a traceback."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.cli.calls import CARDS_RECORD, RECORD, Said, inside

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
# The same in what else is read: any case, commas or spaces, marks behind, names in full.
LOOSE_POSITIONS = (
    "HAND=2,5,l Row=1 3 4 6 llama opp=13, 6LLq",
    "hand=25l opp=13, q=16, 6ll rolled=1 3 L scores=12 3 20 4",
)
LOOSE_CARDS = (
    "Hand=3 3 5 6 llama Top=l Opp=4 2q, 6 scores=12 31 5 0",
    "hand=3,3+,5,pink top=4 opp=4,5q pot=1 1 10 seen=1 1 2",
)
LOOSE_GRIDS = (
    "grid=3?5/?(7)?/j?? top=4 opp=???/??9/???:dk",
    "GRID=3 ? -1/? (7) ?/joker,?,? mine=d opp=???????9?;10??/-1-5?/???:K top=k seen=3J-1",
)
CARDS = (
    "hand=3356L top=4 opp=4,q2,6",
    "hand=33+5LP top=4 opp=4,5 pot=1,1,10 scores=12,31,5",
    "hand=12 top=L opp=q3,q4 pile=0 seen=1123 first=1",
    "hand=LLP top=6+ opp=1,2,3,4,5 pile=12 scores=0,39,12,3,20,8",
    "hand=35 top=L opp=4,5 pot=1,1,1,1,10! seen=44",
    "top=P opp=11 hand=1+2+3+ pot=- pile=20",
)
CARDS_RULE_SETS = (
    "lama/egmont",
    "lama/party+drama",
    "lama/amigo+llama_each+twenty",
    "lama/egmont+drama+drama_tokens=2+dealt=4+points=6.5.4.3.2.1",
    "lama/party+pink_adds+pink_llamas=3+starter=last_actor+target=60+copies=9+plus=2",
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

    for question in ("advice.advise", "odds", "simulate", "thresholds.thresholds"):
        name = question.rpartition(".")[2]
        monkeypatch.setattr(f"lama_odds.analysis.{question}.{name}", answer)


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


@pytest.mark.long
def test_mutated_positions() -> None:
    rng = random.Random(1)
    commands = ("advise", "advise", "odds")
    cases = (
        (rng.choice(commands), rng.choice(RULE_SETS), mutant(rng, POSITIONS)) for _ in range(4000)
    )
    check(cases, {0, 2, 3})


@pytest.mark.long
def test_mutated_positions_as_they_are_typed() -> None:
    rng = random.Random(8)
    asked = (
        ("dice/amigo", LOOSE_POSITIONS),
        ("lama/party+drama", LOOSE_CARDS),
        ("noprob/starnberger", LOOSE_GRIDS),
    )

    def case() -> tuple[str, ...]:
        rules, positions = rng.choice(asked)
        text = mutant(rng, positions)
        words = text.split(" ") if rng.random() < 0.5 else [text]
        return ("advise", rules, *words)

    check((case() for _ in range(2000)), {0, 2, 3})


@pytest.mark.long
def test_mutated_positions_of_cards() -> None:
    rng = random.Random(6)
    commands = ("advise", "advise", "odds")
    rules = CARDS_RULE_SETS[:2] * 2 + CARDS_RULE_SETS
    cases = ((rng.choice(commands), rng.choice(rules), mutant(rng, CARDS)) for _ in range(4000))
    check(cases, {0, 2, 3})


@pytest.mark.long
def test_mutated_rule_sets_of_cards() -> None:
    rng = random.Random(7)

    def case() -> tuple[str, ...]:
        rules = mutant(rng, CARDS_RULE_SETS)
        rest: list[tuple[str, ...]] = [
            ("advise", rules, CARDS[2]),
            ("odds", rules, "deal"),
            ("simulate", rules, *PLAY[2:]),
            ("thresholds", rules, "--players", "2"),
            ("rules", rules),
        ]
        return rng.choice(rest)

    check((case() for _ in range(2000)), {0, 2})


@pytest.mark.long
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
    options = (
        *("copies", "drama", "drama_tokens", "llama_each", "pink_adds", "pink_drama", "plus"),
        *("pink_llamas", "pink_points", "starter"),
    )
    for option in options:
        for value in odd:
            yield "rules", f"lama/party+drama+{option}={value}"


@pytest.mark.long
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
        for word in ("pile", "first", "pot", "seen"):
            yield "advise", "lama/party+drama", f"{CARDS[0]} {word}={value}"
        yield "advise", "lama/egmont", f"hand=35 top=4 opp={value},q{value}"
        for option in ("--players", "--games", "--threads", "--seed", "--precision"):
            yield "thresholds", "lama/egmont", option, value


def test_odd_numbers() -> None:
    check(numbers(), {0, 2, 3})


def names() -> Iterator[tuple[str, ...]]:
    """Policies, objectives, games and files by odd names."""
    for name in NAMES:
        yield "advise", RULES, POSITION, "--opponents", name
        yield "advise", RULES, POSITION, "--objective", name
        yield *PLAY, "--policy", name
        yield "thresholds", "lama/egmont", "--policy", name
        yield "advise", "lama/egmont", CARDS[0], "--opponents", name
        yield "simulate", RULES, "--players", "2", "--policy", name, "--games", "5"
        yield "advise", RULES, "--after", name
        yield "advise", RULES, name
        yield "rules", name
        yield "policies", name


def test_odd_names() -> None:
    check(names(), {0, 2})


@pytest.mark.long
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


@pytest.mark.long
@pytest.mark.parametrize(("record", "rules"), [(RECORD, RULES), (CARDS_RECORD, "lama/party+drama")])
def test_mutated_records(record: str, rules: str, tmp_path: Path) -> None:
    rng = random.Random(4)
    file = tmp_path / "game.txt"

    def case() -> tuple[str, ...]:
        lines = record.splitlines(keepends=True)
        if rng.random() < 0.3:
            lines.insert(rng.randrange(len(lines)), rng.choice(lines))
        if rng.random() < 0.3:
            del lines[rng.randrange(len(lines))]
        text = mutant(rng, ("".join(lines),))
        file.write_bytes(text.encode("utf-8", "surrogatepass"))
        return "advise", rules, "--after", str(file)

    check((case() for _ in range(1000)), {0, 2})


@pytest.mark.long
@pytest.mark.usefixtures("work")
@pytest.mark.parametrize(
    ("rules", "positions"),
    [
        (RULES, POSITIONS[:2] + POSITIONS[5:]),
        ("lama/party+drama", CARDS),
        ("lama/egmont", CARDS[:1] + CARDS[2:3]),
    ],
)
def test_mutants_that_can_occur_are_answered(rules: str, positions: tuple[str, ...]) -> None:
    rng = random.Random(5)
    done = 0
    for _ in range(80):
        args = (rules, mutant(rng, positions))
        said = inside("advise", *args, "--objective", "points", "--games", "1000", "--json")
        assert not broken(args, said)
        if said.code == 0:
            assert said.json["actions"]
            assert inside("odds", *args, "--json").json["position"] == said.json["position"]
            done += 1
    assert done > 8
