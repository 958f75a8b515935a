"""Workflows: actions are pinned, jobs have few permissions and end in time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

yaml = pytest.importorskip("yaml", reason="the extra cluster is not installed")

ROOT = Path(__file__).resolve().parent.parent.parent
FILES = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PINNED = re.compile(r"uses: (?P<action>[\w.-]+/[\w./-]+)@(?P<commit>[0-9a-f]{40}) # v\d+\.\d+\.\d+")
MOST_MINUTES = 120
# What jobs may write; all others read the repository at most.
MAY_WRITE = {
    ("site", "publish"): {"pages", "id-token"},
    ("release", "attest"): {"attestations", "id-token"},
    ("release", "pypi"): {"id-token"},
    ("release", "github"): {"contents"},
}


def jobs() -> Iterator[tuple[tuple[str, str], dict[str, Any], dict[str, str]]]:
    """Each job by its workflow and name, with the permissions it has."""
    for file in FILES:
        workflow = yaml.safe_load(file.read_text(encoding="utf-8"))
        for name, job in workflow["jobs"].items():
            allowed = job.get("permissions", workflow["permissions"])
            yield (file.stem, name), job, allowed


def test_actions_are_pinned_to_one_commit_each() -> None:
    commits: dict[str, set[str]] = {}
    for file in FILES:
        for line in file.read_text(encoding="utf-8").splitlines():
            if "uses:" in line:
                found = PINNED.search(line)
                assert found, f"{file.name}: {line.strip()}"
                commits.setdefault(found["action"], set()).add(found["commit"])
    assert commits
    assert {action: each for action, each in commits.items() if len(each) > 1} == {}


def test_jobs_write_only_what_they_must() -> None:
    written = {}
    for job, _, allowed in jobs():
        assert isinstance(allowed, dict), f"{job}: {allowed}"
        assert set(allowed.values()) <= {"read", "write"}
        assert {name for name, level in allowed.items() if level == "read"} <= {"contents"}
        writes = {name for name, level in allowed.items() if level == "write"}
        if writes:
            written[job] = writes
    assert written == MAY_WRITE


def test_jobs_end_in_time() -> None:
    assert all(0 < job["timeout-minutes"] <= MOST_MINUTES for _, job, _ in jobs())


def test_checkouts_keep_no_credentials_and_commands_have_no_text_of_others() -> None:
    for name, job, _ in jobs():
        for step in job["steps"]:
            if step.get("uses", "").startswith("actions/checkout@"):
                assert step["with"]["persist-credentials"] is False, name
            assert "${{" not in step.get("run", ""), f"{name}: pass it in env"
            assert "secrets." not in str(step), name
