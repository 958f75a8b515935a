"""Hostile input in every place: a message and an exit code, never a traceback."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator

import pytest

from tests.cli.calls import Said, inside

RULES = "dice/amigo"
POSITION = "hand=25L row=1346L opp=13"
PLAY = ("simulate", RULES, "--players", "2", "--policy", "random", "--games", "5")
TWO = ("--players", "2")
CODES = {0, 2, 3, 4}

POSITIONS = (
    "hand=25L row=1346L opp=13,6LL",
    "hand=25L row=1346L opp=13 rolled=13L",
    "hand=25 opp=q6LL scores=12,30",
    "hand=123456 opp=11LL23,q=16,- first=2",
    "hand=3L row=- opp=13,q6LL,q=16 scores=0,39,12,3 first=0",
    "rolled=25L opp=1,2,3,4,5 hand=2225LL row=16",
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
    "lama/egmont+drama+drama_tokens=2+dealt=4+points=6.5.4.3.2.1",
    "lama/party+pink_adds+pink_llamas=3+starter=last_actor+target=60+copies=9+plus=2",
)
RULE_SETS = (
    "dice/amigo",
    "dice/gigamic+target=50+llama_safe_alone=off",
    "dice/egmont+faces=1234LL.1256LL.3456LL+points=1.2.3.4.5.6",
    "dice/amigo+twenty+pink=30+black=7+dealt=4+copies=5+llamas=9+llama_points=15",
)
NUMBERS = (
    *("0", "-1", "1", "7", "1000", "00", "+5", "1.5", "1e400", "nan", "-" + "9" * 30),
    *("1" + "0" * 30, "-inf", "", " ", "٣", "½", "²", "0x10", "1_000", "1,000", "five", "--"),
    *("1" * 5000, "9223372036854775808"),
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
def no_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """What passes all checks is answered at once, but for odds."""

    def answer(*_: object, **__: object) -> None:
        raise SystemExit(0)

    for work in ("advice.advise.advise", "simulate.simulate", "thresholds.thresholds.thresholds"):
        monkeypatch.setattr(f"lama_odds.analysis.{work}", answer)


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


PIKOMINO = (
    *("kept=444W centre=21-23,25,30-36 own=24 tops=27,-", "stacks=24.22/27", "kept=55WWW"),
    *("kept=444W rolled=1245 own=24 tops=27", "tops=21,22", "centre=33 own=21"),
)
GRIDS = (
    "grid=3,?,5/?,(7),?/J,?,? mine=D top=4 pile=60 opp=?,?,?/?,?,9/?,?,?:DK",
    "grid=6,6,6/3,4,5/7,8,? top=10 opp=3,3,4/4,5,5/6,6,7 last=1",
    "grid=3,?,?/?,?,?/?,?,? drawn=K top=4 opp=?,?,?/?,?,9/?,?,?:DK llamas=1,2 target=3",
)
# Texts to change, with the rule sets that they are for, and the codes that must come up.
POSITIONS_OF: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "dice": (RULE_SETS, POSITIONS),
    "cards": (CARDS_RULE_SETS[:2] + CARDS_RULE_SETS, CARDS),
    "pikomino": (("pikomino/egmont",), PIKOMINO),
    "grids": (("noprob/starnberger",), GRIDS),
}
MANY = 200  # of each


@pytest.mark.parametrize("kind", POSITIONS_OF)
def test_mutated_positions(kind: str) -> None:
    rng = random.Random(kind)
    rules, positions = POSITIONS_OF[kind]

    def case() -> tuple[str, ...]:
        return rng.choice(("advise", "odds")), rng.choice(rules), mutant(rng, positions)

    check((case() for _ in range(MANY)), {0, 2, 3})


@pytest.mark.parametrize("rule_sets", [RULE_SETS, CARDS_RULE_SETS], ids=["dice", "cards"])
def test_mutated_rule_sets(rule_sets: tuple[str, ...]) -> None:
    rng = random.Random(7)
    position = CARDS[2] if rule_sets is CARDS_RULE_SETS else POSITION

    def case() -> tuple[str, ...]:
        rules = mutant(rng, rule_sets)
        rest: list[tuple[str, ...]] = [
            *(("advise", rules, position), ("odds", rules, "deal"), ("rules", rules)),
            *(("simulate", rules, *PLAY[2:]), ("thresholds", rules, *TWO), ("policies", rules)),
        ]
        return rng.choice(rest)

    check((case() for _ in range(MANY)), {0, 2})


def numbers() -> Iterator[tuple[str, ...]]:
    """Every number of some commands with every odd value."""
    for value in NUMBERS:
        for option in ("--seconds", "--games", "--threads", "--seed"):
            yield "advise", RULES, POSITION, option, value
        for option in ("--players", "--show"):
            yield *PLAY, option, value
        yield "advise", RULES, f"{POSITION} first={value} scores={value},{value}"
        yield "advise", RULES, f"hand=25L opp=q={value}"
        for word in ("pile", "pot", "seen"):
            yield "advise", "lama/party+drama", f"{CARDS[0]} {word}={value}"
        yield "advise", "lama/egmont", f"hand=35 top=4 opp={value},q{value}"
        yield "thresholds", "lama/egmont", "--precision", value


def test_odd_numbers() -> None:
    check(numbers(), {0, 2, 3})


def names() -> Iterator[tuple[str, ...]]:
    """Policies, objectives, games and files by odd names."""
    for name in NAMES:
        yield "advise", RULES, POSITION, "--opponents", name
        yield "advise", RULES, POSITION, "--objective", name
        yield *PLAY, "--policy", name
        yield "thresholds", "lama/egmont", "--policy", name
        yield "advise", RULES, "--after", name
        yield "advise", RULES, name
        yield "rules", name
        yield "policies", name


def test_odd_names() -> None:
    check(names(), {0, 2})
