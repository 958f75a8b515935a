"""Files of variants: what they say, every defect with its place, and where no file is read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import lama_odds as lo
from lama_odds.analysis.variants.files import MOST_TOLD, TomlError, Variant, read_toml, variants_in
from lama_odds.analysis.variants.given import (
    given_rules,
    names_of,
    read_variants,
    split_file,
    stored_rules,
)
from lama_odds.core.errors import ReadError
from lama_odds.games.registry import game_of

QUICK = """\
# for short evenings
name = "quick"
base = "lama/amigo"
about = "Ends at 25 points."

[options]
target = 25
llama_each = true
"""
FAMILY = """\
[[variant]]
name = "short game"
base = "noprob/starnberger"
options = { target = 2, negatives = [1, 2, 6] }

[[variant]]
name = "four"
base = "noprob/starnberger+peeks=3"
options.four_rounds = true
"""


def file(tmp_path: Path, text: str, name: str = "quick.toml") -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def refused(path: Path) -> str:
    with pytest.raises(ReadError) as error:
        variants_in(path)
    assert error.value.exit_code == 2
    return str(error.value)


def test_a_file_says_what_it_changes(tmp_path: Path) -> None:
    path = file(tmp_path, QUICK)
    rules = "lama/amigo+llama_each+target=25"
    variant = Variant("quick", "lama/amigo", rules, "Ends at 25 points.", ("target", "llama_each"))
    assert variants_in(path) == [variant]
    given = given_rules(f"@{path}")
    assert (given.name, given.variant, given.rules.id) == ("quick", variant, rules)
    assert given.rules == game_of(rules).rules(rules)
    text = 'name = "x"\nbase = "lama/amigo+twenty+target=30"\noptions.twenty = false\n'
    back = file(tmp_path, text, "one#two.toml")
    assert split_file(f"@{back}") == (back, None)
    assert split_file(f"@{back}#x") == (back, "x")
    assert given_rules(f"@{back}").rules.id == "lama/amigo+target=30"


def test_several_in_a_file(tmp_path: Path) -> None:
    path = file(tmp_path, FAMILY)
    first, second = variants_in(path)
    assert first.rules == "noprob/starnberger+negatives=1.2.6+target=2"
    assert (second.base, second.rules) == (
        "noprob/starnberger+peeks=3",
        "noprob/starnberger+four_rounds+peeks=3",
    )
    assert given_rules(f"@{path}#short game").variant == first
    with pytest.raises(ReadError, match="2 variants") as error:
        given_rules(f"@{path}")
    assert str(error.value).endswith(f"  @{path}#short game\n  @{path}#four")
    with pytest.raises(ReadError, match="did you mean four"):
        given_rules(f"@{path}#for")


# Text of a file, and the places and beginnings of all its defects.
DEFECTS = [
    (
        '"name" = "x"\nbase = "lama/amigo"\nabout = """\nx = 1\n"""\noptions = { dealt = 13 }\n',
        [(3, 9, "about"), (6, 21, "option dealt: found '13', expected 1 to 12")],
    ),
    ("", [(1, 1, "name is missing"), (1, 1, "base is missing")]),
    ('name = "x"\nbase = "lama/amiga"', [(2, 14, "base: unknown edition 'amiga'")]),
    ('name = "x"\nbase = "lame/amigo"', [(2, 9, "base: unknown game 'lame'")]),
    ('name = "x"\nbase = "@other.toml"', [(2, 8, "base: expected a rule-set id")]),
    ('name = 3\nbase = "lama/amigo"', [(1, 8, "name: expected text")]),
    ('name = " x"\nbase = "lama/amigo"', [(1, 8, "name ' x': expected 1 to 40 characters")]),
    ('name = "a\\u001b"\nbase = "lama/amigo"', [(1, 8, "name 'a\\x1b': expected letters")]),
    (f"{QUICK}points = [1, 2]\n", [(9, 10, "option points: found '1.2', expected six numbers")]),
    (f"{QUICK}dealt = 13\n", [(9, 9, "option dealt: found '13', expected 1 to 12")]),
    (f"{QUICK}dealt = true\n", [(9, 9, "option dealt: expected a whole number, 1 to 12")]),
    (f"{QUICK}dealt = 5.0\n", [(9, 9, "option dealt: expected a whole number")]),
    (f"{QUICK}twenty = 1\n", [(9, 10, "option twenty: expected true or false")]),
    (f"{QUICK}taget = 1\n", [(9, 1, "unknown option 'taget' of lama")]),
    (
        f"{QUICK}pink_adds = true\npink_points = 12\n",
        [(9, 1, "option pink_adds makes no sense"), (10, 1, "option pink_points makes no sense")],
    ),
    (
        'titel = "x"\nname = "x"\nbase = "lama/amigo"\noptions = 3\n',
        [(1, 1, "unknown key 'titel'"), (4, 11, "options: expected a table")],
    ),
    (
        FAMILY.replace('"four"', '"Short game"') + "about = 3\n",
        [(7, 8, "another variant is called 'Short game'"), (10, 9, "about: expected text")],
    ),
    (f"base = 1\n{FAMILY}", [(1, 1, "base belongs to a variant")]),
    ("variant = 1", [(1, 1, "expected [[variant]]")]),
    (
        'name = "x"\nbase = "lama/amigo"\n\n[options]\npoints = [\n  1, 2,\n]\nblack = 1\n',
        [(5, 10, "option points"), (8, 9, "option black: found '1', expected 2 to 1000")],
    ),
]


@pytest.mark.parametrize(("text", "expected"), DEFECTS, ids=range(len(DEFECTS)))
def test_all_defects_are_told_with_their_places(
    text: str, expected: list[tuple[int, int, str]], tmp_path: Path
) -> None:
    said = refused(file(tmp_path, text))
    assert f"quick.toml cannot be used: {len(expected)} defect" in said
    places = re.findall(r"^  line (\d+), column (\d+): (.*)\n    (.*)\n( *)\^", said, re.MULTILINE)
    for (line, column, message, source, spaces), (wanted, at, begins) in zip(
        places, expected, strict=True
    ):
        assert (int(line), int(column), len(spaces)) == (wanted, at, 3 + at)
        assert message.startswith(begins)
        assert source == text.split("\n")[wanted - 1]


def test_what_is_not_toml_has_its_place(tmp_path: Path) -> None:
    said = refused(file(tmp_path, 'name = "x"\nbase = lama\n'))
    assert "is not TOML: 1 defect\n  line 2, column 8: invalid value\n    base = lama\n" in said
    assert "line 1, column 8" in refused(file(tmp_path, "name = "))
    assert "line 2" in refused(file(tmp_path, 'name = "x"\nname = "y"\n'))
    with pytest.raises(TomlError, match="nested too deeply") as error:
        read_toml("x = " + "[" * 5_000)
    assert error.value.place.line == 1


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    file(tmp_path, QUICK)
    large = file(tmp_path, "#" * 200_000, "large.toml")
    many = file(tmp_path, QUICK + "".join(f"x{n} = 1\n" for n in range(MOST_TOLD + 3)), "many.toml")
    for path, said in (
        (tmp_path / "quik.toml", "did you mean quick.toml"),
        (tmp_path / "quick.toml+twenty", "options of a variant are written in its file"),
        (tmp_path, "it is a folder"),
        (large, "at most 100,000"),
        (many, "\n  and 3 more"),
    ):
        assert said in refused(path)
    for given, said in (("quick.toml", r"did you mean @quick\.toml"), ("@", "expected @FILE")):
        with pytest.raises(ReadError, match=said):
            given_rules(given)


def test_names_in_a_comparison(tmp_path: Path) -> None:
    path = file(tmp_path, QUICK)
    given = read_variants([f"@{path}", "+target=30"], 4)
    first, _ = (one.rules.id for one in given)
    assert names_of(given) == {first: "quick"}
    other = file(tmp_path, QUICK.replace("25", "35"), "other.toml")
    with pytest.raises(ReadError, match="both called 'quick'"):
        names_of(read_variants([f"@{path}", f"@{other}"], 4))
    with pytest.raises(ReadError, match="the same rule set twice"):
        read_variants([f"@{path}", first], 4)


def test_what_is_stored_names_no_files(tmp_path: Path) -> None:
    path = file(tmp_path, QUICK)
    with pytest.raises(ReadError, match="unknown game"):
        stored_rules(f"@{path}")
    with pytest.raises(ReadError, match="unknown game"):
        lo.review(f"lama-odds record 1\nrules @{path}\nplayers 2\n")
    policy = tmp_path / "p.json"
    text = '{{"kind": "lama-odds policy 1", "rules": "{}", "policy": "matching:5"}}'
    policy.write_text(text.format("lama/amigo+llama_each+target=25"))
    assert lo.simulate(f"@{path}", 2, f"@{policy}", 100).games == 100
    policy.write_text(text.format(f"@{path}"))
    with pytest.raises(ReadError, match="is a policy for @"):
        lo.simulate(f"@{path}", 2, f"@{policy}", 100)
