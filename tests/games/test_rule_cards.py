"""Cards of rules: written and read exactly, in words, and the same limits compiled as in Python."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lama_odds.core.errors import ReadError
from lama_odds.core.notation import Part
from lama_odds.games.registry import GAMES, game_of
from lama_odds.games.shared.rule_cards import (
    MOST_LINES,
    NEVER_LIMIT,
    CardLanguage,
    Condition,
    Line,
    RuleCard,
    language_of,
    limit_of,
    rows_of,
)
from lama_odds.jit import compiled

LANGUAGES = [
    language
    for name in GAMES
    for language in map(language_of, game_of(name).families)
    if language is not None
]
EXCLUDING = ("first", "last")
DICE = next(filter(None, map(language_of, game_of("dice/amigo").families)))
SMALL = CardLanguage(DICE.features, 31, {"first": "F.", "last": "L.", "other": "O."}, (EXCLUDING,))


@st.composite
def conditions(draw: st.DrawFn, language: CardLanguage) -> tuple[Condition, ...]:
    numbers = st.integers(0, len(language.features) - 1)
    found = []
    for at in sorted(draw(st.sets(numbers, min_size=1, max_size=2))):
        feature = language.features[at]
        low = draw(st.integers(feature.low, feature.high))
        high = draw(st.integers(low, feature.high))
        if (low, high) == (feature.low, feature.high):
            low += 1
        found.append(Condition(at, low, high))
    return tuple(found)


@st.composite
def cards(draw: st.DrawFn, language: CardLanguage) -> RuleCard:
    limits = st.integers(NEVER_LIMIT, language.most)
    lines = [
        Line(draw(limits), draw(conditions(language)))
        for _ in range(draw(st.integers(0, MOST_LINES - 1)))
    ]
    names = list(language.habits)
    habits = draw(st.sets(st.integers(0, len(names) - 1))) if names else set()
    for group in language.groups:
        habits -= set(sorted(habits & {names.index(name) for name in group})[1:])
    return RuleCard((*lines, Line(draw(limits))), tuple(sorted(habits)))


def read(language: CardLanguage, text: str) -> int:
    return language.read(Part(text, text, 0))


@pytest.mark.parametrize("language", [SMALL, *LANGUAGES])
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_a_card_is_what_is_written(language: CardLanguage, data: st.DataObject) -> None:
    card = data.draw(cards(language))
    number = language.pack(card)
    assert language.unpack(number) == card
    assert read(language, language.write(number)) == number
    sentences = language.in_words(card)
    assert len(sentences) == len(card.lines) + len(card.habits)
    assert all(text[0].isupper() and text.endswith(".") and "{" not in text for text in sentences)


@compiled
def limits_seen(blocks, seen, found):
    for at in range(found.size):
        found[at] = limit_of(blocks, at, seen, 2)


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_the_first_line_that_holds_counts(data: st.DataObject) -> None:
    several = [data.draw(cards(SMALL)) for _ in range(3)]
    features = SMALL.features
    seen = [data.draw(st.integers(each.low, each.high)) for each in features]
    found = np.zeros(3, dtype=np.int64)
    blocks = np.stack([rows_of(card) for card in several])
    limits_seen(blocks, np.array([7, 7, *seen]), found)
    for card, limit in zip(several, found.tolist(), strict=True):
        assert limit == next(
            line.limit
            for line in card.lines
            if all(each.low <= seen[each.feature] <= each.high for each in line.conditions)
        )


@pytest.mark.parametrize(
    ("text", "at", "said"),
    [
        ("", 0, "a limit from 0 to 31, or never"),
        ("first", 5, "a limit from 0 to 31, or never"),
        ("first/first/3", 6, "each habit once"),
        ("last/first/3", 5, "none that excludes another"),
        ("1/2", 0, "NAME=LOW..HIGH:"),
        ("others=1:2", 0, "a limit without conditions as the last line"),
        ("others=1:32/3", 9, "a limit from 0 to 31, or never"),
        ("others=1:nver/3", 9, "a limit from 0 to 31, or never"),
        ("other=1:2/3", 0, "did you mean others"),
        ("others=6:2/3", 7, "0 to 5"),
        ("others=3..2:2/3", 7, "the lower number first"),
        ("others=..:2/3", 7, "bounds that exclude something"),
        ("others=1+others=2:2/3", 0, "each name once in a line"),
        ("others=1+cards=2+kinds=2:2/3", 17, "2 conditions at most"),
        ("others=1:1/" * 5 + "1", 55, "at most 5 lines"),
    ],
)
def test_a_fault_is_shown_at_its_place(text: str, at: int, said: str) -> None:
    with pytest.raises(ReadError) as refused:
        read(SMALL, text)
    assert said in "\n".join([str(refused.value), *refused.value.hints])
    assert refused.value.at == at


def test_a_line_reads_as_a_sentence() -> None:
    language = language_of(game_of("dice").policy("card:1").family)
    assert language is not None
    text = "llama5/fewest=..2+leads=3..:9/others=0:never/row=..1+cards=1:31/4"
    assert language.in_words(language.unpack(read(language, text))) == [
        "If another player holds one or two cards and with all cards counted you lead by 3 points "
        "or more, quit with up to 9 points.",
        "If all others have quit, never quit.",
        "If you hold 1 card and the row has 1 card or fewer, quit.",
        "Otherwise, quit with up to 4 points.",
        "Take a llama before a 5 or 6.",
    ]
    assert language.in_words(language.unpack(read(language, "1"))) == ["Quit with up to 1 point."]
