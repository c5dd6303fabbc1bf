"""Packages: taken or refused, and the end of an update that was cut off."""

import hashlib
import json
from pathlib import Path

import pytest

from tests.support.packages import build_package, build_repository, log_of, needs_dpkg, offer, taken
from tock_companion.machine.refusals import RefusedError
from tock_companion.machine.updates import Updates

pytestmark = needs_dpkg


def test_a_package_says_what_it_is(desk: Updates, tmp_path: Path) -> None:
    package = build_package(tmp_path)
    candidate = offer(desk, build_repository(tmp_path, package), tmp_path)["candidate"]
    assert candidate == {
        "version": "9.0.0",
        "installed": "1.0.0",
        "size": package.stat().st_size,
        "sha256": hashlib.sha256(package.read_bytes()).hexdigest(),
        "signer": "trials",
    }


def test_a_companion_that_came_another_way_is_reported(
    desk: Updates, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INSTALLED", "")
    with pytest.raises(RefusedError, match="update/no-package-here"):
        offer(desk, build_repository(tmp_path), tmp_path)


def test_a_note_that_says_two_things_counts_as_none(desk: Updates, tmp_path: Path) -> None:
    offer(desk, build_repository(tmp_path), tmp_path)
    note = tmp_path / "state/candidate.json"
    note.write_text(note.read_text().replace('"version": "9.0.0"', '"version": "1.0.0", "version": "9.0.0"'))
    assert desk.status()["candidate"] is None


def phase(desk: Updates) -> object:
    progress = desk.status()["progress"]
    assert isinstance(progress, dict)
    return progress["phase"]


def test_only_the_package_that_was_shown_is_installed(desk: Updates, tmp_path: Path) -> None:
    taken(desk, tmp_path)
    with pytest.raises(RefusedError, match="update/missing"):
        desk.begin("0" * 64)
    assert not any("start" in line for line in log_of(tmp_path))


def test_a_package_is_tried_and_then_recorded(desk: Updates, tmp_path: Path) -> None:
    desk.begin(taken(desk, tmp_path))
    assert phase(desk) == "waiting"
    with pytest.raises(RefusedError, match="update/busy"):
        desk.take_upload()
    desk.install()
    assert phase(desk) == "done"
    assert (tmp_path / "state/try.txt").read_text() == "tried\n"
    assert any(line.startswith("dpkg --install") for line in log_of(tmp_path))
    assert desk.status()["candidate"] is None


def test_a_release_that_does_not_start_is_never_recorded(desk: Updates, tmp_path: Path) -> None:
    def break_it(tree: Path) -> None:
        (tree / "usr/lib/tock-companion/setup.sh").write_text("echo 'tock: it does not start' >&2; exit 1\n")

    desk.begin(taken(desk, tmp_path, build_package(tmp_path, change=break_it)))
    desk.install()
    progress = desk.status()["progress"]
    assert progress == {
        "phase": "failed",
        "version": "9.0.0",
        "before": "1.0.0",
        "reason": "tock: it does not start",
    }
    assert not any(line.startswith("dpkg --install") for line in log_of(tmp_path))


def cut_off(desk: Updates, tmp_path: Path, in_phase: str) -> None:
    desk.begin(taken(desk, tmp_path))
    path = tmp_path / "state/progress.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "phase": in_phase}))
    desk.resume()


@pytest.mark.parametrize("in_phase", ["waiting", "trying"])
def test_a_trial_that_was_cut_off_is_taken_back(desk: Updates, tmp_path: Path, in_phase: str) -> None:
    cut_off(desk, tmp_path, in_phase)
    assert phase(desk) == "failed"
    assert "setup.sh recover" in log_of(tmp_path)
    assert not any(line.startswith("dpkg --install") for line in log_of(tmp_path))


def test_a_release_that_was_tried_is_recorded_after_a_cut(desk: Updates, tmp_path: Path) -> None:
    cut_off(desk, tmp_path, "recording")
    assert phase(desk) == "done"
    assert any(line.startswith("dpkg --install") for line in log_of(tmp_path))


@pytest.mark.parametrize(
    ("state", "after"), [("activating", "trying"), ("deactivating", "trying"), ("inactive", "failed")]
)
def test_an_update_under_way_is_left_alone_when_the_wifi_is_looked_after(
    desk: Updates, tmp_path: Path, state: str, after: str
) -> None:
    desk.begin(taken(desk, tmp_path))
    path = tmp_path / "state/progress.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "phase": "trying"}))
    (tmp_path / "shims/systemctl").write_text(f"#!/bin/sh\necho {state}\n")
    desk.resume_at_start()
    assert phase(desk) == after
