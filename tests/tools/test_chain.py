"""What depends on what, what is made anew and why: a made-up chain of targets in a folder."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lama_odds.core.errors import LamaOddsError, LimitError, ReadError
from tools.publishing.chain import Asked, Chain
from tools.publishing.published import FILE, Inputs
from tools.publishing.target import Making, Target
from tools.publishing.watch import watched

EVERY = Asked(("all",))


class Code:
    """Sources whose hashes a test sets."""

    def __init__(self) -> None:
        self.now: dict[str, str] = {"lama_odds/core": "1"}

    def hashes(self, start: str) -> dict[str, str]:
        return dict(self.now)


def copied(name: str, reads: str, writes: str, **more: Any) -> Target:
    """A target that writes what it reads, and its options."""

    def make(making: Making) -> None:
        text = (making.out / reads).read_text(encoding="utf-8") if reads else "start\n"
        making.write(writes, f"{text}{name} {making['games']}\n")

    read = (reads,) if reads else ()
    return Target(name, name, make, (writes,), read, {"games": 10}, {"games": 1}, **more)


class Place:
    """A folder with a chain in it: tuned → table → page, and a tale of its own; listed askew."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.code = Code()
        self.targets = [
            copied("page", "data/table/a.txt", "reports/page.md"),
            copied("table", "data/tuned.txt", "data/table/a.txt"),
            copied("tuned", "", "data/tuned.txt", deep=True),
            copied("tale", "", "reports/tale.md"),
        ]
        self.targets[1] = replace(self.targets[1], writes=("data/table/",))
        self.made: list[str] = []
        self.said: list[str] = []
        self.fails = ""

    def chain(self, out: Path | None = None) -> Chain:
        return Chain(self.targets, self.root, out or self.root, self.code)  # type: ignore[arg-type]

    def run(self, target: Target, options: Mapping[str, Any], inputs: Inputs) -> None:
        self.made.append(target.name)
        if target.name == self.fails:
            raise LimitError("the disk is full")
        target.make(Making(target.name, self.root, options, self.root / "work", "the command"))

    def make(self, asked: Asked = EVERY) -> list[str]:
        """Names of what was made."""
        self.made, self.said = [], []
        self.chain().make(asked, self.run, self.said.append)
        return self.made

    def reasons(self, asked: Asked = EVERY) -> dict[str, str]:
        return {s.target.name: "; ".join(s.reasons) for s in self.chain().planned(asked)}


@pytest.fixture
def place(tmp_path: Path) -> Place:
    found = Place(tmp_path)
    assert found.make(Asked(("all",), deep=True)) == ["tuned", "table", "page", "tale"]
    return found


def test_what_is_up_to_date_is_not_made(place: Place) -> None:
    assert set(place.reasons().values()) == {""}
    before = (place.root / FILE).read_bytes()
    assert place.make() == []
    assert (place.root / FILE).read_bytes() == before
    assert place.said[0] == "tuned: up to date"


def test_the_file_of_what_was_published_says_no_time_and_no_place(tmp_path: Path) -> None:
    found = []
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        one = Place(tmp_path / name)
        one.make(Asked(("all",), deep=True))
        found.append((tmp_path / name / FILE).read_text(encoding="utf-8"))
    assert found[0] == found[1]
    assert str(tmp_path) not in found[0]
    assert list(json.loads(found[0])["targets"]) == ["page", "table", "tale", "tuned"]


def test_a_file_that_changed_makes_what_is_behind_it(place: Place) -> None:
    (place.root / "data" / "tuned.txt").write_text("other\n", encoding="utf-8")
    assert place.reasons() == {
        "tuned": "data/tuned.txt is not as it was written",
        "table": "changed: data/tuned.txt",
        "page": "table may come out otherwise",
        "tale": "",
    }
    assert place.make() == ["table", "page"]
    assert "tuned: not made" in place.said[0]
    assert "--deep" in place.said[0]


def test_what_comes_out_the_same_makes_nothing_behind_it(place: Place) -> None:
    (place.root / "data" / "table" / "a.txt").unlink()
    assert place.reasons()["page"] == "changed: data/table/a.txt; table may come out otherwise"
    assert place.make() == ["table"]


def test_code_that_changed(place: Place) -> None:
    place.code.now = {"lama_odds/core": "1", "lama_odds/games/dice": "2"}
    assert place.reasons()["tale"] == "code: lama_odds/games/dice"
    assert place.make() == ["table", "page", "tale"]
    assert place.make(Asked(("tuned",))) == ["tuned"]
    assert place.make(Asked(("all",), deep=True)) == []


def test_options_are_inputs(place: Place) -> None:
    more = Asked(("tale",), changed={"tale": {"games": 20}})
    assert place.reasons(more) == {"tale": "games 10 → 20"}
    assert place.make(more) == ["tale"]
    assert "tale 20" in (place.root / "reports" / "tale.md").read_text(encoding="utf-8")
    assert place.reasons()["tale"] == "games 20 → 10"


def test_a_target_comes_with_what_it_depends_on(place: Place) -> None:
    (place.root / "reports" / "tale.md").unlink()
    (place.root / "data" / "table" / "a.txt").unlink()
    (place.root / "reports" / "page.md").unlink()
    assert place.make(Asked(("page",))) == ["table", "page"]
    assert place.reasons()["tale"] == "reports/tale.md is missing"


def test_alone_leaves_what_it_depends_on(place: Place) -> None:
    (place.root / "data" / "table" / "a.txt").unlink()
    with pytest.raises(LimitError, match="missing"):
        place.make(Asked(("page",), force=True, alone=True))
    assert place.made == []
    assert place.make(Asked(("page",))) == ["table"]
    assert place.make(Asked(("page",), force=True, alone=True)) == ["page"]


def test_force(place: Place) -> None:
    assert place.make(Asked(("page",), force=True)) == ["page"]
    assert place.make(Asked(("all",), force=True)) == ["table", "page", "tale"]
    assert place.make(Asked(("tuned",), force=True)) == ["tuned"]


def test_a_failure_stops_the_chain_and_the_next_run_goes_on(place: Place) -> None:
    place.code.now = {"lama_odds/core": "2"}
    place.fails = "page"
    with pytest.raises(LimitError, match="disk"):
        place.make()
    assert place.made == ["table", "page"]
    place.fails = ""
    assert place.make() == ["page", "tale"]


def test_code_that_changes_meanwhile_is_not_recorded(place: Place) -> None:
    place.code.now = {"lama_odds/core": "2"}
    run = place.run

    def edited(target: Target, options: Mapping[str, Any], inputs: Inputs) -> None:
        run(target, options, inputs)
        place.code.now = {"lama_odds/core": "3"}

    place.chain().make(Asked(("tale",)), edited, place.said.append)
    assert "not recorded" in place.said[-1]
    assert place.reasons()["tale"] == "code: lama_odds/core"


def test_accepted_is_up_to_date(place: Place) -> None:
    place.code.now = {"lama_odds/core": "2"}
    assert place.chain().accept(Asked(("tuned", "tale"))) == ["tuned", "tale"]
    found = place.reasons()
    assert (found["tuned"], found["tale"]) == ("", "")
    assert found["table"] == "code: lama_odds/core"
    (place.root / "reports" / "page.md").unlink()
    with pytest.raises(LimitError, match=r"page: there is no reports/page\.md"):
        place.chain().accept(Asked(("page",)))


def test_what_a_target_does_not_write_is_missed(place: Place) -> None:
    place.targets[3] = replace(place.targets[3], writes=("reports/tale.md", "reports/tale.csv"))
    with pytest.raises(LimitError, match=r"tale: there is no reports/tale\.csv"):
        place.make()


def test_trials_are_written_elsewhere_from_what_is_published(place: Place, tmp_path: Path) -> None:
    trial = place.chain(tmp_path / "trial")
    steps = trial.planned(Asked(("page",), quick=True))
    assert [step.target.name for step in steps] == ["page"]
    assert trial.options(steps[0].target, Asked(("page",), quick=True)) == {"games": 1}
    before = (place.root / FILE).read_bytes()

    def run(target: Target, options: Mapping[str, Any], inputs: Inputs) -> None:
        trial.out.joinpath("reports").mkdir(parents=True)
        (trial.out / "reports" / "page.md").write_text("trial", encoding="utf-8")

    trial.make(Asked(("page",), quick=True), run, place.said.append)
    assert (place.root / FILE).read_bytes() == before
    assert (trial.out / FILE).exists()


@pytest.mark.parametrize(("name", "hint"), [("pgae", "did you mean page"), ("xyz", "known: page")])
def test_unknown_targets_have_near_names(place: Place, name: str, hint: str) -> None:
    with pytest.raises(ReadError, match=f"unknown target '{name}'") as refused:
        place.make(Asked((name,)))
    assert hint in str(refused.value)


def test_circles_and_two_writers_are_refused(place: Place) -> None:
    place.targets.append(copied("again", "reports/page.md", "data/new.txt"))
    place.targets[2] = replace(place.targets[2], reads=("data/new.txt",))
    with pytest.raises(LimitError, match="page → table → tuned → again → page"):
        place.chain()
    place.targets.append(copied("twice", "", "data/table/b.txt"))
    with pytest.raises(LimitError, match=r"table and twice both write data/table/b\.txt"):
        place.chain()


def test_a_damaged_file_is_refused(place: Place) -> None:
    (place.root / FILE).write_text("{}", encoding="utf-8")
    with pytest.raises(ReadError, match="not what tools/publish writes"):
        place.make()


def test_files_that_a_target_does_not_name_are_not_opened(place: Place) -> None:
    page = place.targets[0]
    with watched(page, place.root, place.root):
        assert (place.root / "data" / "table" / "a.txt").read_text(encoding="utf-8")
        (place.root / "reports" / "page.md").write_text("mine", encoding="utf-8")
        with pytest.raises(LamaOddsError, match=r"page reads data/tuned\.txt.*add it to `reads`"):
            (place.root / "data" / "tuned.txt").read_text(encoding="utf-8")
        making = Making("page", place.root, {}, place.root / "work", "")
        with pytest.raises(LamaOddsError, match=r"page writes reports/tale\.md.*`writes`"):
            making.write("reports/tale.md", "")
    assert (place.root / "data" / "tuned.txt").read_text(encoding="utf-8")
