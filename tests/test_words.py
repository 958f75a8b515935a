"""What the project says is plain English: no private words, no sentences without end."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.study import plain_words
from tools.study.plain_words import ROOT, Text


def folder_of(path: Path) -> str:
    """The folder that a file is tested with: a layer, a game, a kind of page, or the top folder."""
    parts = path.relative_to(ROOT).parts
    depth = 1
    if parts[0] in {"lama_odds", "tests", "docs", "tools"}:
        depth = 3 if parts[1] in {"games", "publishing"} else 2
    return "/".join(parts[: min(depth, len(parts) - 1)]) or parts[0]


FOLDERS = sorted({folder_of(path) for path in plain_words.files()})


@pytest.mark.long
@pytest.mark.parametrize("folder", FOLDERS)
def test_words_are_plain(folder: str) -> None:
    paths = [path for path in plain_words.files() if folder_of(path) == folder]
    found = [finding for path in paths for finding in plain_words.found_in(path)]
    assert not found, "\n".join(map(str, found))


def test_list_names_what_exists() -> None:
    assert not plain_words.unused()


def found_in(text: str) -> list[str]:
    return [finding.found for finding in plain_words.findings(Text(1, text))]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Deal the cards anew.", "anew"),
        ("That hangs on the cards.", "hangs on"),
        ("It is told what to do.", "told"),
        ("What a hand of so many cards costs.", "so many"),
        ("Show the scores; who has quit is in brackets.", "who"),
        ("Whoever starts, rolls first.", "whoever"),
        ("Their luck is the same.", "luck"),
        ("Ten points a round.", "points a round"),
        ("A game of two.", "game of two"),
        ("Text that is no number.", "is no"),
        ("The run goes on.", "goes on"),
    ],
)
def test_private_words_are_seen(text: str, found: str) -> None:
    assert found_in(text) == [found]


@pytest.mark.parametrize(
    "text",
    [
        "Who moves first?",
        "Players who have quit hold 5 points.",
        "There is no card left.",
        "It is no longer than that.",
        "Separate luck from skill: the luck-adjusted result.",
        "Push-your-luck games.",
        "The attribute `luck`, and the folder lama_odds/luck.",
        "The colours can be told apart.",
    ],
)
def test_plain_words_are_left_alone(text: str) -> None:
    assert found_in(text) == []


def test_long_sentences_are_seen() -> None:
    long, short = " ".join(["Words"] * 31) + ".", " ".join(["Words"] * 30) + "."
    assert found_in(long) == ["Words Words Words Words Words Words …"]
    assert found_in(short) == []
    assert found_in(f"{short} {short}\n\n- {short}\n- {short}") == []


def test_code_is_left_out() -> None:
    source = '"""Plain.\n\n    >>> "anew"\n    \'anew\'\n"""\nx = "anew"\n'
    assert not [f for text in plain_words.python_texts(source) for f in plain_words.findings(text)]
    page = "Plain.\n\n```\nall is dealt anew\n```\n\n| told | [anew](told.md) |\n"
    found = [
        f.found for text in plain_words.markdown_texts(page) for f in plain_words.findings(text)
    ]
    assert found == ["told", "anew"]


def test_lines_are_those_of_the_file() -> None:
    source = (
        'def f():\n    """Plain.\n\n    Dealt anew.\n    """\n    # told\n    return f"{f} anew"\n'
    )
    lines = [
        finding.line
        for text in plain_words.python_texts(source)
        for finding in plain_words.findings(text)
    ]
    assert sorted(lines) == [4, 6, 7]
