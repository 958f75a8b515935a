"""Generated pages speak plainly: their words, the sentences of the short version, the numbers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lama_odds.report.pages.page_folder import MANIFEST
from tests.report.page_words import faults_of, not_sentences, words_of


@pytest.mark.long
def test_a_page_has_no_private_words(made: Path) -> None:
    for name in ("dice-amigo-2.html", "index.html"):
        assert not faults_of(words_of((made / name).read_text(encoding="utf-8")))


@pytest.mark.long
def test_the_short_version_is_whole_sentences(made: Path) -> None:
    entry = json.loads((made / MANIFEST).read_text(encoding="utf-8"))["reports"]["dice-amigo-2"]
    lines = [*entry["headlines"], *entry["findings"]]
    assert len(lines) > 10
    assert not [fault for line in lines for fault in not_sentences(line)]
    # The exact names of policies are in the details.
    assert not [line for line in lines if "meanfield" in line or "threshold" in line]


@pytest.mark.parametrize(
    "text",
    [
        "Quit if I hold a 5.",
        "6 points of margin.",
        "all on the same luck",
        "it hangs on the cards",
        "1.2 points a round",
        "seat 0 (starts)",
        "what it lost",
        "0.00 ± 0.00",
        "25.0 ± 0.0 %",
    ],
)
def test_private_words_are_found(text: str) -> None:
    assert faults_of(text)


@pytest.mark.parametrize("text", ["0.004 ± 0.001", "1.5 ± 0.04", "0.0 ± 2.2 %", "10 points"])
def test_honest_numbers_are_left_alone(text: str) -> None:
    assert not faults_of(text)


def test_lists_of_pairs_are_no_sentences() -> None:
    assert not_sentences("Quit up to which penalty, by cards – 1: 6, 2: 6, 3: 5 to 6.")
    assert not_sentences("quit with 5 points or less.")
    assert not_sentences(f"{' '.join(['Words'] * 31)}.")
    assert not not_sentences("Quit with 5 points or less. Vs. others it is 4.")


def test_a_page_is_text_and_what_its_figures_say() -> None:
    page = '<style>my</style><p>a &amp; b</p><img src="x" alt="what it shows"><pre>my</pre>'
    assert words_of(page).split() == ["a", "&", "b", "what", "it", "shows"]
