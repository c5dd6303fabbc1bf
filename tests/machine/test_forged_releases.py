"""Releases that no trusted key signed, or that differ from the signed one: apt refuses them and nothing begins."""

import fcntl
import json
import os
import shutil
import tarfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest

from tests.support.machine import FakeNetworkManager, HelperServer
from tests.support.packages import (
    ANOTHER,
    build_package,
    build_repository,
    log_of,
    needs_dpkg,
    offer,
    taken,
)
from tock_companion.machine import usb_sticks
from tock_companion.machine.refusals import RefusedError
from tock_companion.machine.updates import UPLOAD, Updates

pytestmark = needs_dpkg


def of_a_stranger(folder: Path) -> Path:
    return build_repository(folder, signer=ANOTHER)


def of_an_older_release(folder: Path) -> Path:
    return build_repository(folder, build_package(folder, "0.9.0"))


def of_this_release(folder: Path) -> Path:
    return build_repository(folder, build_package(folder, "1.0.0"))


def for_another_machine(folder: Path) -> Path:
    return build_repository(folder, build_package(folder, architecture="riscv64"))


def of_another_program(folder: Path) -> Path:
    return build_repository(folder, build_package(folder, name="another-program"))


def that_expired(folder: Path) -> Path:
    until = "Valid-Until: Thu, 01 Jan 2026 00:00:00 GMT\n"
    return build_repository(folder, index=lambda text: until + text)


def without_its_index(folder: Path) -> Path:
    repository = build_repository(folder)
    (repository / "InRelease").unlink()
    return repository


def with_a_changed(name: str, old: bytes, new: bytes) -> Callable[[Path], Path]:
    def forge(folder: Path) -> Path:
        repository = build_repository(folder)
        (path,) = repository.glob(name)
        before = path.read_bytes()
        path.write_bytes(before.replace(old, new, 1))
        assert path.read_bytes() != before
        return repository

    return forge


def with_a_signature_cut_off(folder: Path) -> Path:
    repository = build_repository(folder)
    index = repository / "InRelease"
    index.write_bytes(index.read_bytes()[:-120])
    return repository


def with_the_index_of_another_release(folder: Path) -> Path:
    index = (build_repository(folder) / "InRelease").read_bytes()
    repository = build_repository(folder, build_package(folder, "9.0.1"))
    (repository / "InRelease").write_bytes(index)
    return repository


def with_a_package_cut_off(folder: Path) -> Path:
    repository = build_repository(folder)
    (package,) = repository.glob("*.deb")
    package.write_bytes(package.read_bytes()[:-10])
    return repository


FORGERIES = [
    (of_a_stranger, "stranger"),
    (of_an_older_release, "older"),
    (of_this_release, "same"),
    (for_another_machine, "machine"),
    (of_another_program, "machine"),
    (that_expired, "stranger"),
    (without_its_index, "unsigned"),
    (with_a_changed("InRelease", b"stable", b"staple"), "stranger"),
    (with_a_signature_cut_off, "stranger"),
    (with_a_changed("Packages", b"9.0.0", b"9.0.1"), "changed"),
    (with_the_index_of_another_release, "changed"),
    (with_a_changed("*.deb", b"debian-binary", b"debian-binarx"), "changed"),
    (with_a_package_cut_off, "changed"),
]


def is_nothing_begun(folder: Path) -> bool:
    return not [
        line for line in log_of(folder) if "start" in line or "--install" in line or "setup.sh" in line
    ]


@pytest.mark.parametrize(("forge", "code"), FORGERIES)
def test_only_a_newer_release_that_a_trusted_key_signed_is_taken(
    desk: Updates, tmp_path: Path, forge: Callable[[Path], Path], code: str
) -> None:
    with pytest.raises(RefusedError, match=f"^update/{code}( |$)"):
        offer(desk, forge(tmp_path), tmp_path)
    assert desk.status() == {"candidate": None, "progress": None}
    assert [path.name for path in (tmp_path / "state").iterdir()] == ["lock"]
    assert is_nothing_begun(tmp_path)


def test_the_newest_of_several_packages_is_taken(desk: Updates, tmp_path: Path) -> None:
    packages = [build_package(tmp_path, version) for version in ("9.0.0", "9.0.10", "9.0.9")]
    candidate = offer(desk, build_repository(tmp_path, *packages), tmp_path)["candidate"]
    assert isinstance(candidate, dict)
    assert candidate["version"] == "9.0.10"


def test_a_package_alone_is_refused_with_the_way_to_install_it(desk: Updates, tmp_path: Path) -> None:
    (tmp_path / "update").mkdir()
    shutil.copy(build_package(tmp_path), tmp_path / UPLOAD)
    with pytest.raises(RefusedError, match="update/unsigned"):
        desk.take_upload()


@pytest.mark.parametrize("content", [b"no release", b"", b"\0" * 40_000])
def test_a_file_that_is_no_archive_of_a_release_is_refused(
    desk: Updates, tmp_path: Path, content: bytes
) -> None:
    (tmp_path / "update").mkdir()
    (tmp_path / UPLOAD).write_bytes(content)
    with pytest.raises(RefusedError, match=r"update/(no-package|unsigned)"):
        desk.take_upload()


def test_members_of_an_archive_write_nowhere_else(desk: Updates, tmp_path: Path) -> None:
    (tmp_path / "update").mkdir()
    with tarfile.open(tmp_path / UPLOAD, "w") as archive:
        for name in ("../../../outside", "../InRelease", str(tmp_path / "absolute")):
            member = tarfile.TarInfo(name)
            member.size = 4
            archive.addfile(member, BytesIO(b"evil"))
        link = tarfile.TarInfo("Packages")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/shadow"
        archive.addfile(link)
    before = {path for path in tmp_path.rglob("*") if "state" not in path.parts}
    with pytest.raises(RefusedError, match="update/changed"):
        desk.take_upload()
    assert {path for path in tmp_path.rglob("*") if "state" not in path.parts} == before


def test_a_stick_with_a_release_in_a_folder_is_taken(
    desk: Updates, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()
    shutil.copytree(build_repository(tmp_path), stick / "tock-companion")
    shims = {
        "lsblk": 'echo \'{"blockdevices": [{"path": "/dev/sda", "tran": "usb", "rm": true, "fstype": null, '
        '"mountpoints": [], "children": [{"path": "/dev/sda1", "tran": null, "rm": true, "fstype": "vfat", '
        '"mountpoints": []}]}]}\'',
        "mount": f'for folder; do :; done; cp -r {stick}/. "$folder"',
        "umount": "true",
    }
    for name, text in shims.items():
        (tmp_path / "shims" / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / "shims" / name).chmod(0o755)
    found = desk.look_on_sticks()["names"]
    assert isinstance(found, list)
    (name,) = found
    candidate = desk.take_from_stick(name)["candidate"]
    assert isinstance(candidate, dict)
    assert candidate["version"] == "9.0.0"
    (stick / "tock-companion/InRelease").unlink()
    assert desk.look_on_sticks() == {"names": []}
    assert usb_sticks.packages(stick) == {}


def test_a_companion_in_the_hands_of_an_attacker_begins_nothing_unsigned(
    tmp_path: Path, desk: Updates
) -> None:
    server = HelperServer(tmp_path, FakeNetworkManager())
    try:
        (tmp_path / "update").mkdir()
        shutil.copy(build_package(tmp_path), tmp_path / UPLOAD)
        with pytest.raises(RefusedError, match="update/unsigned"):
            server.helper.ask("update-check")
        with pytest.raises(RefusedError, match="update/missing"):
            server.helper.ask("update-install", sha256="0" * 64)
    finally:
        server.close()
    assert is_nothing_begun(tmp_path)


def test_a_package_that_waited_under_an_older_release_is_not_begun(desk: Updates, tmp_path: Path) -> None:
    state = tmp_path / "state"
    state.mkdir()
    shutil.copy(build_package(tmp_path), state / "candidate.deb")
    known = {"version": "9.0.0", "installed": "1.0.0", "size": 1, "sha256": "0" * 64, "signer": "release"}
    (state / "candidate.json").write_text(json.dumps(known))
    with pytest.raises(RefusedError, match="update/unsigned"):
        desk.begin("0" * 64)
    assert is_nothing_begun(tmp_path)


def test_a_release_changed_since_its_check_is_not_started(desk: Updates, tmp_path: Path) -> None:
    sha256 = taken(desk, tmp_path)
    (package,) = (tmp_path / "state/repository").glob("*.deb")
    package.write_bytes(package.read_bytes()[:-1] + b"x")
    with pytest.raises(RefusedError, match="update/changed"):
        desk.begin(sha256)


def test_a_machine_that_has_become_newer_since_the_look_does_not_go_back(
    desk: Updates, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.begin(taken(desk, tmp_path))
    monkeypatch.setenv("INSTALLED", "9.0.1")
    desk.install()
    progress = desk.status()["progress"]
    assert isinstance(progress, dict)
    assert (progress["phase"], progress["reason"].partition(" ")[0]) == ("failed", "update/older")
    assert not (tmp_path / "state/try.txt").exists()


def test_two_requests_at_once_do_not_write_into_each_others_release(desk: Updates, tmp_path: Path) -> None:
    sha256 = taken(desk, tmp_path)
    with (tmp_path / "state/lock").open("w") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        for ask in (desk.take_upload, desk.forget, lambda: desk.begin(sha256)):
            with pytest.raises(RefusedError, match="update/busy"):
                ask()
    assert desk.begin(sha256)["progress"] is not None


@pytest.mark.parametrize("planted", ["link to a folder", "link to a release", "pipe"])
def test_only_a_plain_file_in_a_plain_folder_is_taken(desk: Updates, tmp_path: Path, planted: str) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    release = Path(shutil.copy(build_package(tmp_path), elsewhere / "upload.tar"))
    if planted == "link to a folder":
        (tmp_path / "update").symlink_to(elsewhere)
    else:
        (tmp_path / "update").mkdir()
        os.mkfifo(tmp_path / UPLOAD) if planted == "pipe" else (tmp_path / UPLOAD).symlink_to(release)
    with pytest.raises(RefusedError, match="update/missing"):
        desk.take_upload()
