"""tools/publish: what depends on what, which code a target reaches, and the command."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lama_odds.core.errors import LamaOddsError, LimitError, ReadError
from lama_odds.core.files import write_whole
from tools.publishing import child, command
from tools.publishing.chain import Chain, Request
from tools.publishing.child import ROOT
from tools.publishing.published import FILE, Inputs
from tools.publishing.registry import MODULES, targets
from tools.publishing.sources import Sources
from tools.publishing.target import Making, Target, meet
from tools.publishing.watch import watched

# What is made again and why: a made-up chain of targets in a folder

EVERY, DEEP = Request(("all",)), Request(("all",), deep=True)


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

    def make(self, asked: Request = EVERY) -> list[str]:
        """Names of what was made."""
        self.made, self.said = [], []
        self.chain().make(asked, self.run, self.said.append)
        return self.made

    def reasons(self, asked: Request = EVERY) -> dict[str, str]:
        return {s.target.name: "; ".join(s.reasons) for s in self.chain().planned(asked)}

    def remove(self, name: str) -> None:
        (self.root / name).unlink()


TABLE, PAGE = "data/table/a.txt", "reports/page.md"


@pytest.fixture
def place(tmp_path: Path) -> Place:
    found = Place(tmp_path)
    assert found.make(DEEP) == ["tuned", "table", "page", "tale"]
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
        one.make(DEEP)
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
    place.remove(TABLE)
    assert place.reasons()["page"] == f"changed: {TABLE}; table may come out otherwise"
    assert place.make() == ["table"]


def test_code_that_changed(place: Place) -> None:
    place.code.now = {"lama_odds/core": "1", "lama_odds/games/dice": "2"}
    assert place.reasons()["tale"] == "code: lama_odds/games/dice"
    assert place.make() == ["table", "page", "tale"]
    assert place.make(Request(("tuned",))) == ["tuned"]
    assert place.make(DEEP) == []


def test_options_are_inputs(place: Place) -> None:
    more = Request(("tale",), changed={"tale": {"games": 20}})
    assert place.reasons(more) == {"tale": "games 10 → 20"}
    assert place.make(more) == ["tale"]
    assert "tale 20" in (place.root / "reports" / "tale.md").read_text(encoding="utf-8")
    assert place.reasons()["tale"] == "games 20 → 10"


def test_a_target_comes_with_what_it_depends_on_unless_alone(place: Place) -> None:
    place.remove("reports/tale.md")
    place.remove(TABLE)
    place.remove(PAGE)
    alone = Request(("page",), force=True, alone=True)
    with pytest.raises(LimitError, match="missing"):
        place.make(alone)
    assert place.made == []
    assert place.make(Request(("page",))) == ["table", "page"]
    assert place.reasons()["tale"] == "reports/tale.md is missing"
    assert place.make(alone) == ["page"]


def test_force(place: Place) -> None:
    assert place.make(Request(("page",), force=True)) == ["page"]
    assert place.make(Request(("all",), force=True)) == ["table", "page", "tale"]
    assert place.make(Request(("tuned",), force=True)) == ["tuned"]


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

    place.chain().make(Request(("tale",)), edited, place.said.append)
    assert "not recorded" in place.said[-1]
    assert place.reasons()["tale"] == "code: lama_odds/core"


def test_accepted_is_up_to_date(place: Place) -> None:
    place.code.now = {"lama_odds/core": "2"}
    assert place.chain().accept(Request(("tuned", "tale"))) == ["tuned", "tale"]
    found = place.reasons()
    assert (found["tuned"], found["tale"]) == ("", "")
    assert found["table"] == "code: lama_odds/core"
    place.remove(PAGE)
    with pytest.raises(LimitError, match=r"page: there is no reports/page\.md"):
        place.chain().accept(Request(("page",)))


def test_what_a_target_does_not_write_is_missed(place: Place) -> None:
    place.targets[3] = replace(place.targets[3], writes=("reports/tale.md", "reports/tale.csv"))
    with pytest.raises(LimitError, match=r"tale: there is no reports/tale\.csv"):
        place.make()


def test_trials_are_written_elsewhere_from_what_is_published(place: Place, tmp_path: Path) -> None:
    trial = place.chain(tmp_path / "trial")
    steps = trial.planned(Request(("page",), quick=True))
    assert [step.target.name for step in steps] == ["page"]
    assert trial.options(steps[0].target, Request(("page",), quick=True)) == {"games": 1}


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
        assert (place.root / TABLE).read_text(encoding="utf-8")
        (place.root / "reports" / "page.md").write_text("mine", encoding="utf-8")
        with pytest.raises(LamaOddsError, match=r"page reads data/tuned\.txt.*add it to `reads`"):
            (place.root / "data" / "tuned.txt").read_text(encoding="utf-8")
        making = Making("page", place.root, {}, place.root / "work", "")
        with pytest.raises(LamaOddsError, match=r"page writes reports/tale\.md.*`writes`"):
            making.write("reports/tale.md", "")
    assert (place.root / "data" / "tuned.txt").read_text(encoding="utf-8")


# Which code a target reaches


PACKAGES = ("lama_odds", "lama_odds/core", "lama_odds/report", "tools", "tools/publishing")
GAMES = ("lama_odds/games", "lama_odds/games/one", "lama_odds/games/two")
LATER = "def later():\n    from lama_odds.report import pages\n"
FILES = {
    **{f"{folder}/__init__.py": "" for folder in (*PACKAGES, *GAMES)},
    "lama_odds/__init__.py": (
        '__version__ = "1"\n\ndef __getattr__(name):\n    from lama_odds import api\n'
    ),
    "lama_odds/api.py": "",
    "lama_odds/core/a.py": "import numpy\nfrom typing import TYPE_CHECKING\n"
    "if TYPE_CHECKING:\n    from lama_odds.core import types\n",
    "lama_odds/core/types.py": "",
    "lama_odds/core/b.py": LATER,
    "lama_odds/report/pages.py": "",
    "lama_odds/report/templates/page.html": "<p>",
    "lama_odds/games/registry.py": 'def of(x):\n    return load(f"lama_odds.games.{x}.game")\n',
    "lama_odds/games/one/game.py": 'X = """\n# 1\n"""\n',
    "lama_odds/games/two/game.py": 'OTHER = "lama_odds.games.two.rules"\n',
    "lama_odds/games/two/rules.py": "",
    "tools/publishing/target.py": "import lama_odds.core.b\n",
    "tools/plain.py": "from lama_odds.core.a import x\nfrom tools.publishing.target import T\n",
    "tools/paged.py": "import lama_odds.core.b\n",
    "tools/gaming.py": "from lama_odds.games.registry import of\n",
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_what_is_reached(tree: Path) -> None:
    sources = Sources(tree)
    assert sources.reached("tools.plain") == {
        *("tools.plain", "lama_odds", "lama_odds.core", "lama_odds.core.a"),
    }
    assert "lama_odds.report.pages" in sources.reached("tools.paged")
    games = {name for name in sources.reached("tools.gaming") if ".games." in name}
    assert games == {
        "lama_odds.games.registry",
        *("lama_odds.games.one", "lama_odds.games.one.game"),
        *("lama_odds.games.two", "lama_odds.games.two.game", "lama_odds.games.two.rules"),
    }


@pytest.mark.parametrize(
    ("name", "text", "changed"),
    [
        ("lama_odds/core/a.py", "import numpy\n\nX = 1\n", {"lama_odds/core"}),
        ("lama_odds/core/b.py", LATER + "\n# A remark.\n", set()),
        ("lama_odds/__init__.py", FILES["lama_odds/__init__.py"].replace('"1"', '"2"'), set()),
        ("lama_odds/report/templates/page.html", "<div>", {"lama_odds/report"}),
        ("lama_odds/games/one/game.py", 'X = """\n# 2\n"""\n', {"lama_odds/games/one"}),
        ("tools/publishing/target.py", "", set()),
    ],
)
def test_what_a_change_changes(tree: Path, name: str, text: str, changed: set[str]) -> None:
    sources = Sources(tree)
    starts = ("tools.plain", "tools.paged", "tools.gaming")
    before = [sources.hashes(start) for start in starts]
    (tree / name).write_text(text, encoding="utf-8")
    for again in (sources, Sources(tree)):  # one that has read the files before, and a new one
        found = set()
        for start, old in zip(starts, before, strict=True):
            new = again.hashes(start)
            found |= {part for part in {*old, *new} if old.get(part) != new.get(part)}
        assert found == changed


# The targets and the command

NAMES = [target.name for target in targets()]


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work and times of the tests stay away from those of the checkout."""
    monkeypatch.setattr(command, "KEPT", tmp_path / "kept")
    monkeypatch.setattr(command.signal, "signal", lambda *_: None)
    return tmp_path / "kept"


def test_targets_are_named_once_and_read_what_is_there() -> None:
    assert len(set(NAMES)) == len(NAMES) == len(MODULES)
    written = {name for target in targets() for name in target.writes if target.name != "pages"}
    # Pages and tables of studies that were made once, with more tables and pictures.
    results = (ROOT / "docs/results/index.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \[.*`[0-9a-f]{10}` \|$", results, re.MULTILINE)
    studies = re.findall(r"\]\(\.\./\.\./(\S+\.(?:md|csv))\)", "\n".join(rows))
    assert len(studies) >= len(rows)
    assert not any(meet(name, by) for name in studies for by in written)
    written |= {name.rpartition(".")[0] for name in studies}
    for target in targets():
        assert set(target.quick) <= set(target.options)
        assert all((ROOT / name).exists() for name in (*target.reads, *target.writes))
    for path in (*(ROOT / "data").rglob("*.*"), *(ROOT / "reports").glob("*.*")):
        name = path.relative_to(ROOT).as_posix()
        if name != "reports/published.json":
            assert any(name.startswith(pattern) for pattern in written), f"who makes {name}?"


def test_what_comes_before_what() -> None:
    chain = Chain(targets(), ROOT, ROOT, Sources(ROOT))
    order = [target.name for target in chain.named(["all"])]
    before = {name: {t.name for t in chain.before(chain.of(name))} for name in NAMES}
    assert {"equilibrium", "learned", "learned-lama", "endgames"} <= before["policies"]
    assert {"policies", "equity-tables"} <= before["equity"]
    assert {"policies", "copy"} <= before["league"] - {"fitted-equity"} == before["league"]
    assert before["equilibrium"] == before["learned-lama"] == {"meanfield-lama"}
    assert before["meanfield-lama"] == set()
    assert "ratings" in before["pages"]
    assert all(order.index(b) < order.index(name) for name in NAMES for b in before[name])


@pytest.mark.long
def test_games_are_reached_by_their_names() -> None:
    reached = Sources(ROOT).reached("tools.publishing.targets.league")
    for game in ("lama", "dice", "pikomino", "noprob"):
        assert f"lama_odds.games.{game}.game" in reached


def test_a_dry_run_does_nothing_and_a_list_says_what_there_is(
    capsys: pytest.CaptureFixture[str], kept: Path, tmp_path: Path
) -> None:
    call = ["claims", "--out", str(tmp_path / "trial")]
    assert command.main([*call, "--dry-run"]) == 0
    out = capsys.readouterr().out
    assert "make claims: reports/claims.json is missing" in out
    assert "1 of 1 would be made; nothing was done" in out
    assert not kept.exists()
    kept.mkdir()
    write_whole(kept / "times.json", json.dumps({"claims": 720.0}))
    assert command.main([*call, "--list"]) == 0
    said = re.split(r"\n *", capsys.readouterr().out)
    assert re.match("claims +out of date +12 min ", said[1])
    assert re.match("after .*policies, cards", said[2])
    assert "writes reports/claims.json" in said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["leauge"], "unknown target 'leauge'\n  did you mean league"),
        (["dice-pairings"], "docs/results/index.md names the commit"),
        (["league", "--set", "gams=3"], "--set gams=3: expected NAME=VALUE with an option"),
        (["league", "--set", "games=many"], "expected a value like 1000"),
        (["ratings", "--again", "--quick"], "ratings keeps no tables that its pages"),
    ],
)
def test_refusals(arguments: list[str], said: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert command.main(arguments) in (2, 4)
    assert said in capfd.readouterr().err


@pytest.mark.long
def test_a_target_from_end_to_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In this process: one of its own would load everything again."""

    def made(target: Target, making: Making, again: bool) -> None:
        child.make(target, making, again)

    monkeypatch.setattr(command, "spawn", made)
    call = ["claims", "--out", str(tmp_path / "trial")]
    assert command.main(call) == 0
    made_file = (tmp_path / "trial/reports/claims.json").read_bytes()
    assert made_file == (ROOT / "reports/claims.json").read_bytes()
    said = capsys.readouterr().err
    assert "claims: reports/claims.json is missing" in said
    assert "claims: made in" in said
    assert command.main(call) == 0
    assert "claims: up to date" in capsys.readouterr().err
    kept = json.loads((tmp_path / "trial" / FILE).read_text(encoding="utf-8"))
    assert "reports/equity.csv" in kept["targets"]["claims"]["files"]


def test_two_at_once_are_refused(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept.mkdir()
    with command.filelock.FileLock(kept / "lock"):
        assert command.main(["league", "--quick"]) == 4
    assert "another tools/publish of this checkout is at work" in capsys.readouterr().err


def test_the_readme_of_the_lab_names_each_target_and_what_it_rests_on() -> None:
    rows = (ROOT / "lab" / "README.md").read_text(encoding="utf-8").splitlines()
    stated = {row.split("`")[1]: row for row in rows if row.startswith("| `")}
    made = [target for target in targets() if target.module.startswith("lab.")]
    assert set(stated) == {target.name for target in made}
    for target in made:
        row = stated[target.name]
        assert f"`{target.module.removeprefix('lab.').replace('.', '/')}`" in row
        folders = {"/".join(name.split("/")[:2]) for name in target.writes}
        assert all(folder.rstrip("/") in row for folder in folders)
