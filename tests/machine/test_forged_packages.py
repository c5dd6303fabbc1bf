"""Packages that nobody whom the machine trusts has signed, and signed ones that reach too far: none is begun."""

import fcntl
import json
import os
import shutil
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest

from tests.support.machine import FakeNetworkManager, HelperServer
from tests.support.packages import (
    ANOTHER_KEY,
    OUR_KEY,
    TRUSTED,
    build_package,
    log_of,
    needs_dpkg,
    offer,
    sign_anything,
)
from tock_companion.machine.package_contents import Contents, contents_of
from tock_companion.machine.refusals import RefusedError
from tock_companion.machine.signatures import sign, verified
from tock_companion.machine.updates import UPLOAD, Updates

pytestmark = needs_dpkg
SIGNATURE = b"_tocksig"


def unsigned(folder: Path) -> Path:
    return build_package(folder, signer=None)


def of_a_stranger(folder: Path) -> Path:
    return build_package(folder, signer=ANOTHER_KEY)


def of_an_older_release(folder: Path) -> Path:
    return build_package(folder, "0.9.0")


def of_this_release(folder: Path) -> Path:
    return build_package(folder, "1.0.0")


def cut_off(folder: Path) -> Path:
    return changed(folder, lambda data: data[: len(data) // 2])


def cut_off_in_its_signature(folder: Path) -> Path:
    return changed(folder, lambda data: data[:-10])


def with_a_byte_changed(folder: Path) -> Path:
    def flip(data: bytes) -> bytes:
        place = data.index(SIGNATURE) - 20
        return data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]

    return changed(folder, flip)


def that_says_another_version(folder: Path) -> Path:
    return changed(folder, lambda data: data.replace(b"version: 9.0.0", b"version: 9.0.1"))


def with_the_signature_of_another(folder: Path) -> Path:
    signature = build_package(folder, "9.0.0").read_bytes().partition(SIGNATURE)[2]
    package = build_package(folder, "9.0.1", signer=None)
    package.write_bytes(package.read_bytes() + SIGNATURE + signature)
    return package


def signed_twice(folder: Path) -> Path:
    package = of_a_stranger(folder)
    sign_anything(package, OUR_KEY, contents_of(package))
    return package


def with_more_behind_its_signature(folder: Path) -> Path:
    return changed(folder, lambda data: data + b"more")


def with_a_text_for_a_signature(folder: Path) -> Path:
    return changed(
        folder, lambda data: data.replace(b"tock-package-signature 1", b"tock-package-signature 2")
    )


def that_is_no_package(folder: Path) -> Path:
    return changed(folder, lambda data: b"no package")


def changed(folder: Path, change: Callable[[bytes], bytes]) -> Path:
    package = build_package(folder)
    before = package.read_bytes()
    package.write_bytes(change(before))
    assert package.read_bytes() != before
    return package


FORGERIES = [
    (unsigned, "update/unsigned"),
    (of_a_stranger, "update/stranger"),
    (of_an_older_release, "update/older"),
    (of_this_release, "update/same"),
    (cut_off, "update/damaged"),
    (cut_off_in_its_signature, "update/damaged"),
    (with_a_byte_changed, "update/changed"),
    (that_says_another_version, "update/changed"),
    (with_the_signature_of_another, "update/changed"),
    (signed_twice, "update/damaged"),
    (with_more_behind_its_signature, "update/damaged"),
    (with_a_text_for_a_signature, "update/changed"),
    (that_is_no_package, "update/no-package"),
]


def is_nothing_begun(folder: Path) -> bool:
    return not [
        line for line in log_of(folder) if "start" in line or "--install" in line or "setup.sh" in line
    ]


@pytest.mark.parametrize(("forge", "code"), FORGERIES, ids=lambda value: getattr(value, "__name__", None))
def test_nothing_is_taken_but_what_a_trusted_key_has_signed(
    desk: Updates, tmp_path: Path, forge: Callable[[Path], Path], code: str
) -> None:
    package = forge(tmp_path)
    with pytest.raises(RefusedError, match=f"^{code}( |$)"):
        offer(desk, package, tmp_path)
    assert desk.status() == {"candidate": None, "progress": None}
    assert [path.name for path in (tmp_path / "state").iterdir()] == ["lock"]
    assert is_nothing_begun(tmp_path)


def test_no_bit_of_a_signed_package_can_be_turned_and_no_byte_left_out(tmp_path: Path) -> None:
    signed = build_package(tmp_path).read_bytes()
    place = signed.index(SIGNATURE)
    package = signed[:place]
    changes = [signed[:length] for length in range(len(signed))]
    changes += [
        signed[:at] + bytes([signed[at] ^ 1 << at % 8]) + signed[at + 1 :] for at in range(len(signed))
    ]
    taken = 0
    for change in changes:
        try:
            _, size, _ = verified(BytesIO(change), TRUSTED)
        except RefusedError:
            continue
        # The owner and date of the signature itself are nobody's business; the package is the same.
        assert change[:size] == package
        taken += 1
    assert taken < 60


def test_a_companion_that_is_in_strangers_hands_gets_nothing_unsigned_begun(
    tmp_path: Path, desk: Updates
) -> None:
    server = HelperServer(tmp_path, FakeNetworkManager())
    try:
        package = unsigned(tmp_path)
        (tmp_path / "update").mkdir()
        shutil.copy(package, tmp_path / UPLOAD)
        with pytest.raises(RefusedError, match="update/unsigned"):
            server.helper.ask("update-check")
        with pytest.raises(RefusedError, match="update/missing"):
            server.helper.ask("update-install", sha256="0" * 64)
    finally:
        server.close()
    assert is_nothing_begun(tmp_path)


def test_a_package_that_waited_unsigned_under_an_older_release_is_not_begun(
    desk: Updates, tmp_path: Path
) -> None:
    state = tmp_path / "state"
    state.mkdir()
    shutil.copy(unsigned(tmp_path), state / "candidate.deb")
    known = {"version": "9.0.0", "installed": "1.0.0", "order": "newer", "size": 1, "sha256": "0" * 64}
    (state / "candidate.json").write_text(json.dumps(known))
    with pytest.raises(RefusedError, match="update/missing"):
        desk.begin("0" * 64)
    assert is_nothing_begun(tmp_path)


def taken(desk: Updates, folder: Path) -> str:
    candidate = offer(desk, build_package(folder), folder)["candidate"]
    assert isinstance(candidate, dict)
    return str(candidate["sha256"])


def test_a_package_changed_since_its_check_is_not_started(desk: Updates, tmp_path: Path) -> None:
    sha256 = taken(desk, tmp_path)
    package = tmp_path / "state/candidate.deb"
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


def test_two_requests_at_once_do_not_write_into_each_others_package(desk: Updates, tmp_path: Path) -> None:
    sha256 = taken(desk, tmp_path)
    with (tmp_path / "state/lock").open("w") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        for ask in (desk.take_upload, desk.forget, lambda: desk.begin(sha256)):
            with pytest.raises(RefusedError, match="update/busy"):
                ask()
    assert desk.begin(sha256)["progress"] is not None


def test_links_that_the_companions_user_plants_are_not_followed(desk: Updates, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    shutil.copy(build_package(tmp_path), elsewhere / "upload.deb")
    (tmp_path / "update").symlink_to(elsewhere)
    with pytest.raises(RefusedError, match="update/missing"):
        desk.take_upload()


def test_a_pipe_in_the_place_of_the_package_holds_nobody_up(desk: Updates, tmp_path: Path) -> None:
    (tmp_path / "update").mkdir()
    os.mkfifo(tmp_path / UPLOAD)
    with pytest.raises(RefusedError, match="update/missing"):
        desk.take_upload()


def script(name: str) -> Callable[[Path], object]:
    def add(tree: Path) -> None:
        (tree / "DEBIAN" / name).write_text("#!/bin/sh\n")
        (tree / "DEBIAN" / name).chmod(0o755)

    return add


def field(line: str) -> Callable[[Path], object]:
    return lambda tree: (tree / "DEBIAN/control").write_text(
        f"{line}\n{(tree / 'DEBIAN/control').read_text()}"
    )


def mode(bits: int) -> Callable[[Path], object]:
    return lambda tree: (tree / "usr/lib/tock-companion/setup.sh").chmod(bits)


def path(name: str) -> Callable[[Path], object]:
    def add(tree: Path) -> None:
        for part in reversed((tree / name).relative_to(tree).parents):
            (tree / part).mkdir(mode=0o755, exist_ok=True)
        (tree / name).write_text("")
        (tree / name).chmod(0o644)

    return add


def link(make: Callable[[Path, Path], object]) -> Callable[[Path], object]:
    ours = Path("usr/lib/tock-companion")
    return lambda tree: make(tree / ours / "more", tree / ours / "setup.sh")


REACHES = {
    "another script": script("preinst"),
    "triggers": script("triggers"),
    "conffiles": script("templates"),
    "conflicts": field("Conflicts: bash"),
    "replaces": field("Replaces: bash"),
    "provides": field("Provides: bash"),
    "breaks": field("Breaks: bash"),
    "pre-depends": field("Pre-Depends: bash"),
    "essential": field("Essential: yes"),
    "spelled otherwise": field("conflicts: bash"),
    "setuid": mode(0o4755),
    "setgid": mode(0o2755),
    "writable by others": mode(0o666),
    "a path of the system": path("etc/cron.d/mine"),
    "a path that only begins like ours": path("usr/lib/tock-companion-2/mine"),
    "a file beside our overrides": path("usr/share/lintian/overrides/mine"),
    "a symbolic link": link(lambda new, _: new.symlink_to("/etc/shadow")),
    "a hard link": link(lambda new, old: new.hardlink_to(old)),
    "a pipe": link(lambda new, _: os.mkfifo(new)),
}


@pytest.mark.parametrize("change", REACHES.values(), ids=REACHES)
def test_a_signature_excuses_nothing_that_reaches_beyond_our_folders(
    desk: Updates, tmp_path: Path, change: Callable[[Path], object]
) -> None:
    package = build_package(tmp_path, change=change)
    with pytest.raises(RefusedError, match="update/other"):
        offer(desk, package, tmp_path)
    # Nor can anybody sign it by mistake.
    with pytest.raises(RefusedError, match="update/other"):
        sign(package, OUR_KEY)


@pytest.mark.parametrize(
    "stated",
    [
        Contents("tock-companion", "9.0.1", "amd64", {}, 0),
        Contents("tock-companion", "9.0.0", "amd64", {"postinst": "0" * 64}, 0),
        Contents("tock-companion", "9.0.0", "amd64", {}, 0),
        Contents("nano", "9.0.0", "amd64", {}, 0),
    ],
    ids=["version", "script", "no script", "name"],
)
def test_a_package_says_of_itself_what_its_signer_says(
    desk: Updates, tmp_path: Path, stated: Contents
) -> None:
    package = build_package(tmp_path, change=script("postinst"), signer=None)
    sign_anything(package, OUR_KEY, stated)
    with pytest.raises(RefusedError, match="update/other"):
        offer(desk, package, tmp_path)


def test_our_own_scripts_are_let_through(desk: Updates, tmp_path: Path) -> None:
    package = build_package(tmp_path, change=script("postinst"))
    assert offer(desk, package, tmp_path)["candidate"] is not None


@pytest.mark.parametrize(
    ("name", "architecture", "code"),
    [("nano", None, "update/other"), ("tock-companion", "s390x", "update/machine")],
)
def test_a_package_for_another_machine_or_of_another_program_is_refused(
    desk: Updates, tmp_path: Path, name: str, architecture: str | None, code: str
) -> None:
    with pytest.raises(RefusedError, match=code):
        offer(desk, build_package(tmp_path, name=name, architecture=architecture), tmp_path)
