"""The workflows: others' actions are pinned by commit, and each job has the rights that it needs alone."""

import re
from typing import Any

import pytest
import yaml

from tools.release.__main__ import ROOT

WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
PINNED = re.compile(r"[\w.-]+/[\w.-]+@[0-9a-f]{40}")
WRITING = {"attest-build-provenance": {"id-token", "attestations"}, "deploy-pages": {"id-token", "pages"}}


def jobs() -> list[dict[str, Any]]:
    return [job for path in WORKFLOWS for job in yaml.safe_load(path.read_text())["jobs"].values()]


def steps_of(job: dict[str, Any]) -> list[str]:
    return [step["uses"] for step in job["steps"] if "uses" in step]


def test_actions_are_pinned_by_commit() -> None:
    used = [action for job in jobs() for action in steps_of(job)]
    assert len(used) > 5
    assert [action for action in used if not PINNED.fullmatch(action)] == []


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_nothing_is_written_but_by_jobs_that_say_so(path: Any) -> None:
    assert yaml.safe_load(path.read_text())["permissions"] == {"contents": "read"}


def test_a_job_that_signs_or_deploys_has_the_right_to() -> None:
    for job in jobs():
        for name, rights in WRITING.items():
            if any(name in action for action in steps_of(job)):
                assert {right for right, kind in job["permissions"].items() if kind == "write"} == rights


def test_targets_exist_that_the_workflows_make() -> None:
    makefiles = "".join(path.read_text() for path in (ROOT / "Makefile", *(ROOT / "make").glob("*.mk")))
    made = re.findall(r"\bmake ([a-z -]+)$", "".join(path.read_text() for path in WORKFLOWS), re.MULTILINE)
    targets = {target for line in made for target in line.split()}
    assert targets >= {"test", "release", "docs", "demo"}
    assert [
        target for target in sorted(targets) if not re.search(rf"^{target}:", makefiles, re.MULTILINE)
    ] == []
