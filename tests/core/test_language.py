"""Sentences in the language in force: fields, forms of numbers, threads, the environment."""

from __future__ import annotations

import gettext
import html
import re
from concurrent.futures import ThreadPoolExecutor
from copy import copy

import pytest

import lama_odds as lo
from lama_odds.analysis.coach.session import Session
from lama_odds.cli.errors import language_of
from lama_odds.core import language as found
from lama_odds.core.errors import ReadError
from lama_odds.core.estimate import Estimate
from lama_odds.core.language import LANGUAGES, language, of_environment, say, speaking
from lama_odds.core.wording import percent, rounded, thousands, with_unit
from lama_odds.games.interface.actions import action_words
from lama_odds.games.registry import GAMES, game_of
from lama_odds.report.pages.review_page import review_page
from tests.analysis.test_review import BLUNDER, LAMA
from tests.cli.calls import RECORD, inside
from tools.languages import OTHERS, PLURALS, faults, fields, wanted


def test_every_sentence_is_translated() -> None:
    """With the fields of the English one; `python -m tools.languages` updates the catalogues."""
    sentences = wanted()
    assert {name: faults(name, sentences) for name in OTHERS} == {name: [] for name in OTHERS}
    assert {"en", *PLURALS} == set(LANGUAGES)
    assert fields("{a} is {b}, not {{c}}") == {"a", "b"}


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("en", ["0 points", "1 point", "1.5 points", "2 points", "5 points", "22 points"]),
        ("de", ["0 Punkte", "1 Punkt", "1,5 Punkte", "2 Punkte", "5 Punkte", "22 Punkte"]),
        ("pl", ["0 punktów", "1 punkt", "1,5 punktu", "2 punkty", "5 punktów", "22 punkty"]),
        ("fr", ["0 point", "1 point", "1,5 point", "2 points", "5 points", "22 points"]),
    ],
)
def test_numbers_have_the_form_of_the_language(name: str, said: list[str]) -> None:
    with speaking(name):
        numbers = ["0", "1", rounded(1.5, 1), "2", "5", "22"]
        assert [with_unit(number) for number in numbers] == said


def test_numbers_are_written_as_the_language_writes_them() -> None:
    share = Estimate.from_half(0.1234, 0.01, 0.02, 1000)
    written = {}
    for name in LANGUAGES:
        with speaking(name):
            written[name] = (rounded(-2.25, 2), thousands(12_345), percent(share))
    assert written == {
        "en": ("-2.25", "12,345", "12.3 ± 2.0 %"),
        "de": ("-2,25", "12.345", "12,3 ± 2,0 %"),
        "pl": ("-2,25", "12\u00a0345", "12,3 ± 2,0%"),
        "fr": ("-2,25", "12\u202f345", "12,3 ± 2,0\u00a0%"),
    }


class Untranslated(gettext.NullTranslations):
    """What a catalogue lacks."""

    def gettext(self, message: str) -> str:
        raise AssertionError(f"{message!r} is said, but is in no catalogue")

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1)


@pytest.fixture
def strict(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse templates that are in no catalogue."""
    catalogues = {name: copy(found._catalogue(name)) for name in OTHERS}
    for catalogue in catalogues.values():
        catalogue.add_fallback(Untranslated())
    monkeypatch.setattr(found, "_catalogue", catalogues.get)


@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize("game", GAMES)
def test_what_is_said_is_in_the_catalogue(game: str) -> None:
    """No template comes from elsewhere than a `say` or a `later`."""
    face = game_of(game)
    rules = f"{game}/{next(iter(face.editions))}"
    with speaking("de"):
        for position in face.typical or (face.example,):
            told = lo.advise(rules, position, games=1000, sensitivity=position == face.example)
            chances = lo.odds(rules, position)
            for answer in (told, chances):
                assert str(answer)
                assert answer.details()
                assert answer.to_json()


# A record of each game, and what its review counts.
REVIEWED = {
    "dice": (RECORD, "points"),
    "lama": (LAMA, "margin"),
    "pikomino": (BLUNDER, "points"),
}
# Positions, options, and names: of the program, rules, policies, and of a record without a file.
NOTATION = re.compile(
    r"[a-z]+=\S+|--\w+ \S+|lama-odds \S+|[a-z]+/[a-z]+|[a-z]+:\d+|\brandom\b|^record$"
)
WORD = re.compile(r"[^\W\d_]{3,}")


def told_of(text: str, objective: str, too_of_many: bool) -> set[str]:
    """Return all that a review tells of a record: each line, cell and sentence with a word in it.

    What is NOTATION is no word.
    """
    one = lo.review(text, objective=objective, games=1000)
    page = re.sub(r"<style>.*?</style>", "", review_page(one.found), flags=re.DOTALL)
    told = [str(one), one.details(), *re.split(r"<[^>]*>", html.unescape(page))]
    if too_of_many:
        many = lo.review_many([text, text, "what I think\n"], objective=objective, games=1000)
        told.append(many.details())
    plain = one.to_json()
    told += [*plain["assumptions"], *(each["what"] for each in plain["luck"])]
    told += [part for each in plain["decisions"] for part in (each["where"]["text"], each["why"])]
    pieces = (piece for part in told for line in part.splitlines() for piece in line.split("  "))
    return {each.strip() for each in pieces if WORD.search(NOTATION.sub("", each))}


@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize("game", REVIEWED)
def test_a_review_has_no_english_sentence(game: str) -> None:
    """In one other language: every sentence of the catalogue is in all of them."""
    asked = *REVIEWED[game], game == "pikomino"
    english = told_of(*asked)
    assert len(english) > 30
    with speaking("de"):
        assert told_of(*asked) & english == set()


def test_what_is_kept_is_kept_in_its_language() -> None:
    """A solved last turn is kept, with its assumptions."""
    rules, position = "noprob/starnberger", "grid=6,6,6/3,4,5/7,8,? opp=3,3,4/4,5,5/6,6,7 last=1"
    for name, said in (("de", "du hast den letzten Zug"), ("en", "yours is the last turn")):
        with speaking(name):
            answer = lo.advise(rules, f"{position} top=10", objective="points", games=1000)
        assert any(line.startswith(said) for line in answer.assumptions), answer.assumptions


def test_threads_speak_their_own_language() -> None:
    def said(name: str) -> list[str]:
        with speaking(name):
            return [say("More: -v") for _ in range(200)]

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(said, LANGUAGES * 3))
    assert len({tuple(each) for each in found}) == len(LANGUAGES)
    assert all(len(set(each)) == 1 for each in found)
    assert language() == "en"


@pytest.mark.parametrize("name", ["xx", "", "DE", None, 3])
def test_an_unknown_language_is_refused(name: object) -> None:
    with pytest.raises(ReadError, match=re.escape("expected en, de, pl or fr")):
        speaking(name).__enter__()  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("environ", "name"),
    [
        ({}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LANG": "fr-CA"}, "fr"),
        ({"LANG": "it_IT.UTF-8"}, "en"),
        ({"LANG": "de_DE", "LC_ALL": "C.UTF-8"}, "en"),
        ({"LANG": "de_DE", "LC_ALL": "", "LC_MESSAGES": "pl_PL"}, "pl"),
        ({"LANG": "../../etc"}, "en"),
    ],
)
def test_the_environment_names_a_language(environ: dict[str, str], name: str) -> None:
    assert of_environment(environ) == name


def test_a_command_speaks_the_language_that_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    wrong = ("advise", "dice/amigo", "hand=25X opp=13")
    assert "illisible" in inside(*wrong).err
    assert "nicht lesbar" in inside(*wrong, "--language", "de").err
    assert "cannot read" in inside(*wrong, "--json").err


def test_programs_get_english_unless_they_want_another_language() -> None:
    german = {"LANG": "de_DE.UTF-8"}
    assert language_of({"language": None}, german) == "de"
    assert language_of({}, german) == "en"
    for option in ("as_json", "csv", "out", "positions"):
        assert language_of({"language": None, option: "x"}, german) == "en"
        assert language_of({"language": "pl", option: "x"}, german) == "pl"


def test_entries_are_refused_in_words_of_the_language() -> None:
    """Nobody has typed the line of the record, nor the word that stands for the hands there."""
    face = game_of("lama")
    session = Session.begin(face, face.rules("lama/egmont"), 3, 0, None, 0, None)
    with speaking("de"), pytest.raises(ReadError, match=r"^nicht lesbar") as caught:
        session.enter("1136X")
    assert "Zeile" not in caught.value.message


def test_who_is_stolen_from_is_counted_from_who_acts() -> None:
    with speaking("de"):
        assert action_words("steal 22 from 1") == "Spieler 2 die 22 klauen"
        assert action_words("steal 22 from 1", 1, 2) == "Spieler 1 die 22 klauen"
        assert action_words("steal 22 from 2", 2, 4) == "Spieler 1 die 22 klauen"
        assert action_words("steal 22 from 2", 2) == "steal 22 from 2"
