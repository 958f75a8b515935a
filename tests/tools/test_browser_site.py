"""The page as plain files: all its texts in every language, rule sets as the server says them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from lama_odds.core.errors import LamaOddsError
from lama_odds.web import app, questions
from lama_odds.web.guard import error_of
from tools.browser.catalogues import CatalogueError, check_catalogues, differences
from tools.browser.site import rule_sets, write_site

TEXTS = app.STATIC / "texts"
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="there is no node here")


@needs_node
def test_every_text_is_there_in_every_language() -> None:
    check_catalogues(TEXTS)


@needs_node
@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('    show: "Antwort zeigen",\n', "", "train.show is missing, in en.js string"),
        ('title: "Üben"', "title: () => 1", "train.title is function of 0, in en.js string"),
        ("score: (right, asked)", "score: (right)", "train.score is function of 1, in en.js"),
        ("[/^next bust$/", "[/^bust$/", "chances.patterns.2.0 is /^bust$/, in en.js /^next bust$/"),
    ],
)
def test_a_text_that_is_missing_or_of_another_kind_is_named(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    texts = tmp_path / "texts"
    shutil.copytree(TEXTS, texts)
    german = (texts / "de.js").read_text(encoding="utf-8")
    assert german.count(old) == 1
    (texts / "de.js").write_text(german.replace(old, new), encoding="utf-8")
    with pytest.raises(CatalogueError) as raised:
        check_catalogues(texts)
    lines = str(raised.value).splitlines()
    assert len(lines) == 1
    assert lines[0].startswith(f"de.js: {said}")


@needs_node
def test_a_language_that_is_missing_is_named(tmp_path: Path) -> None:
    texts = tmp_path / "texts"
    shutil.copytree(TEXTS, texts)
    (texts / "pl.js").unlink()
    with pytest.raises(CatalogueError, match=r"pl\.js is missing"):
        check_catalogues(texts)


def test_a_text_besides_those_in_english_is_named_too() -> None:
    found = {"en": {"a": "string"}, "fr": {"a": "string", "b": "string"}}
    assert differences(found) == ["fr.js: b is string, in en.js missing"]


def test_rule_sets_are_those_of_the_server() -> None:
    found = rule_sets(questions.games("en")["games"])
    assert {"lama/amigo", "lama/egmont+twenty", "noprob/starnberger+refill=off"} <= set(found)
    refused = {rules for rules, told in found.items() if "error" in told}
    assert {rules: questions.rule_set(rules) for rules in set(found) - refused} == {
        rules: told for rules, told in found.items() if rules not in refused
    }
    assert "lama/party+llama_each" in refused
    for rules in refused:
        with pytest.raises(LamaOddsError) as raised:
            questions.rule_set(rules)
        assert found[rules] == error_of(raised.value)


@needs_node
def test_a_folder_of_something_else_is_not_emptied(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(FileExistsError):
        write_site(tmp_path, tmp_path)
    assert (tmp_path / "mine.txt").exists()
