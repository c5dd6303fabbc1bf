"""Packages: what is taken, what is refused, and how an update that was cut off ends."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.machine import build_package
from tock_companion.machine.packages import unpack
from tock_companion.machine.refused import RefusedError
from tock_companion.machine.updates import Updates

pytestmark = pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="there is no dpkg here")
DPKG_QUERY = "#!/bin/sh\nprintf '%s' \"$INSTALLED\"\n"
LOGGED = '#!/bin/sh\necho "$(basename "$0") $*" >>"$LOG"\n'
DPKG = f'{LOGGED}case "$*" in --install*) exit "${{DPKG_FAILS:-0}}" ;; esac\nexec /usr/bin/dpkg "$@"\n'


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Updates:
    """Updates of a machine on which version 1.0.0 is installed, and whose dpkg and systemctl only write down."""
    shims = tmp_path / "shims"
    shims.mkdir()
    for name, text in (("dpkg-query", DPKG_QUERY), ("dpkg", DPKG), ("systemctl", LOGGED)):
        (shims / name).write_text(text)
        (shims / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{shims}:{os.environ['PATH']}")
    monkeypatch.setenv("INSTALLED", "1.0.0")
    monkeypatch.setenv("LOG", str(tmp_path / "log"))
    (tmp_path / "setup.sh").write_text('echo "setup.sh $*" >>"$LOG"\n')
    return Updates(tmp_path / "state", tmp_path / "upload.deb", tmp_path / "setup.sh")


def log_of(folder: Path) -> list[str]:
    return (folder / "log").read_text().splitlines() if (folder / "log").exists() else []


def offer(desk: Updates, package: Path, folder: Path) -> dict[str, object]:
    shutil.copy(package, folder / "upload.deb")
    return desk.take_upload()


@pytest.mark.parametrize(("version", "order"), [("9.0.0", "newer"), ("1.0.0", "same"), ("0.9", "older")])
def test_a_package_says_what_it_is(desk: Updates, tmp_path: Path, version: str, order: str) -> None:
    status = offer(desk, build_package(tmp_path, version), tmp_path)
    candidate = status["candidate"]
    assert isinstance(candidate, dict)
    assert (candidate["version"], candidate["installed"], candidate["order"]) == (version, "1.0.0", order)


@pytest.mark.parametrize(
    ("what", "code"),
    [
        ({"name": "nano"}, "update/other"),
        ({"architecture": "s390x"}, "update/machine"),
        ({"extra": "etc/cron.d/mine"}, "update/other"),
        ({"extra": "usr/lib/tock-companion-2/mine"}, "update/other"),
    ],
)
def test_what_is_not_ours_is_refused(desk: Updates, tmp_path: Path, what: dict[str, str], code: str) -> None:
    with pytest.raises(RefusedError, match=code):
        offer(desk, build_package(tmp_path, **what), tmp_path)
    assert desk.status() == {"candidate": None, "progress": None}


def test_a_damaged_package_is_refused(desk: Updates, tmp_path: Path) -> None:
    package = build_package(tmp_path)
    package.write_bytes(package.read_bytes()[:-200])
    with pytest.raises(RefusedError, match=r"update/(damaged|no-package)"):
        offer(desk, package, tmp_path)
    (tmp_path / "upload.deb").write_text("no package")
    with pytest.raises(RefusedError, match="update/no-package"):
        desk.take_upload()


def test_a_link_is_not_followed(desk: Updates, tmp_path: Path) -> None:
    (tmp_path / "upload.deb").symlink_to(build_package(tmp_path))
    with pytest.raises(RefusedError, match="update/missing"):
        desk.take_upload()


def test_files_are_compared_with_their_checksums(tmp_path: Path) -> None:
    package = build_package(tmp_path)
    unpack(package, tmp_path / "out")
    assert (tmp_path / "out/usr/lib/tock-companion/setup.sh").exists()


def test_a_companion_that_came_another_way_is_told(
    desk: Updates, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INSTALLED", "")
    with pytest.raises(RefusedError, match="update/no-package-here"):
        offer(desk, build_package(tmp_path), tmp_path)


def began(desk: Updates, tmp_path: Path) -> str:
    candidate = offer(desk, build_package(tmp_path), tmp_path)["candidate"]
    assert isinstance(candidate, dict)
    desk.begin(candidate["sha256"])
    return str(candidate["sha256"])


def phase(desk: Updates) -> object:
    progress = desk.status()["progress"]
    assert isinstance(progress, dict)
    return progress["phase"]


def test_only_the_package_that_was_shown_is_installed(desk: Updates, tmp_path: Path) -> None:
    offer(desk, build_package(tmp_path), tmp_path)
    with pytest.raises(RefusedError, match="update/missing"):
        desk.begin("0" * 64)
    assert not any("start" in line for line in log_of(tmp_path))


def test_a_package_is_tried_and_then_recorded(desk: Updates, tmp_path: Path) -> None:
    began(desk, tmp_path)
    assert phase(desk) == "waiting"
    with pytest.raises(RefusedError, match="update/busy"):
        desk.take_upload()
    desk.install()
    assert phase(desk) == "done"
    assert (tmp_path / "state/try.txt").read_text() == "tried\n"
    assert any(line.startswith("dpkg --install") for line in log_of(tmp_path))
    assert desk.status()["candidate"] is None


def test_a_release_that_does_not_start_is_never_recorded(desk: Updates, tmp_path: Path) -> None:
    package = build_package(tmp_path)
    tree = tmp_path / "tree-tock-companion-9.0.0"
    (tree / "usr/lib/tock-companion/setup.sh").write_text("echo 'tock: it does not start' >&2; exit 1\n")
    sums = subprocess.run(
        ["sh", "-c", "md5sum $(find usr -type f)"], cwd=tree, capture_output=True, text=True, check=True
    )
    (tree / "DEBIAN/md5sums").write_text(sums.stdout)
    subprocess.run(
        ["dpkg-deb", "-Zgzip", "--build", str(tree), str(package)], check=True, capture_output=True
    )
    candidate = offer(desk, package, tmp_path)["candidate"]
    assert isinstance(candidate, dict)
    desk.begin(candidate["sha256"])
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
    began(desk, tmp_path)
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
    began(desk, tmp_path)
    path = tmp_path / "state/progress.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "phase": "trying"}))
    (tmp_path / "shims/systemctl").write_text(f"#!/bin/sh\necho {state}\n")
    desk.resume_at_start()
    assert phase(desk) == after
