"""`tock update`: a release is signed or it is not, in one line; no private key goes where a public one belongs."""

import io
import os
import re
import shutil
from pathlib import Path

import pytest

from tests.support.packages import (
    ANOTHER,
    archive_of,
    build_package,
    build_repository,
    needs_dpkg,
    public_key,
)
from tock_app.cli.commands.update import run
from tock_app.cli.main import main
from tock_companion.errors import BadInputError
from tock_companion.machine.keyrings import PROJECT_KEYS, read_public, trusted_keys

pytestmark = needs_dpkg


def verify(release: Path, *options: str) -> tuple[int, str]:
    out = io.StringIO()
    code = run(["verify", str(release), *options], out)
    assert out.getvalue().count("\n") == 1
    return code, out.getvalue()


def test_a_release_is_verified_as_an_archive_and_as_a_folder(tmp_path: Path) -> None:
    repository = build_repository(tmp_path)
    for release in (repository, archive_of(repository)):
        assert verify(release, "--key", str(public_key())) == (0, f"{release}: signed with the key trials\n")
        code, line = verify(release, "--key", str(public_key(ANOTHER)))
        assert (code, "No key that this machine knows" in line) == (1, True)
    code, line = verify(build_package(tmp_path, "9.0.1"), "--key", str(public_key()))
    assert (code, "is not signed" in line) == (1, True)


def test_a_key_counts_once_the_machine_trusts_it(tmp_path: Path) -> None:
    release, folder = build_repository(tmp_path), ("--keys", str(tmp_path / "etc/keys"))
    (tmp_path / "etc").mkdir()
    assert verify(release, *folder)[0] == 1
    assert run(["trust", str(public_key()), *folder], io.StringIO()) == 0
    assert verify(release, *folder)[0] == 0
    out = io.StringIO()
    assert run(["keys", *folder], out) == 0
    assert "trials: " in out.getvalue()


def test_a_key_that_others_can_write_does_not_count(tmp_path: Path) -> None:
    keys = tmp_path / "keys"
    before = os.umask(0o077)
    try:
        run(["trust", str(public_key()), "--keys", str(keys)], io.StringIO())
    finally:
        os.umask(before)
    key = keys / "trials.asc"
    assert key.stat().st_mode & 0o777 == 0o644
    assert key in trusted_keys(keys)
    key.chmod(0o666)
    assert key not in trusted_keys(keys)
    key.chmod(0o644)
    keys.chmod(0o777)
    assert key not in trusted_keys(keys)
    keys.chmod(0o755)
    assert key in trusted_keys(keys)
    key.rename(tmp_path / "elsewhere.asc")
    key.symlink_to(tmp_path / "elsewhere.asc")
    assert key not in trusted_keys(keys)


@pytest.mark.skipif(os.geteuid() != 0, reason="only the superuser gives files away")
def test_a_key_of_another_user_does_not_count(tmp_path: Path) -> None:
    keys = tmp_path / "keys"
    run(["trust", str(public_key()), "--keys", str(keys)], io.StringIO())
    os.chown(keys / "trials.asc", 65534, 65534)
    assert keys / "trials.asc" not in trusted_keys(keys)


@pytest.mark.parametrize(
    "arguments",
    [
        ("verify", "missing.tar"),
        ("verify", "text"),
        ("verify", "text", "--key", "text"),
        ("trust", "private.asc"),
        ("trust", "text"),
        (),
    ],
    ids=" ".join,
)
def test_an_unusable_file_is_one_line_and_exit_code_2(
    tmp_path: Path,
    arguments: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("text").write_text("no release\n")
    Path("private.asc").write_text("-----BEGIN PGP PRIVATE KEY BLOCK-----\n")
    assert main(["update", *arguments]) == 2
    assert re.fullmatch(r"tock update: .+\n", capsys.readouterr().err)


def test_the_projects_key_comes_with_the_program(tmp_path: Path) -> None:
    project = tuple(PROJECT_KEYS.iterdir())
    assert project
    assert trusted_keys(tmp_path / "none") == project
    shutil.copy(project[0], tmp_path / "own.asc")
    assert read_public(tmp_path / "own.asc") == project[0].read_bytes()


def test_no_private_key_is_with_the_public_ones(tmp_path: Path) -> None:
    (tmp_path / "key.asc").write_text("-----BEGIN PGP PRIVATE KEY BLOCK-----\n")
    with pytest.raises(BadInputError, match="private key"):
        read_public(tmp_path / "key.asc")
    assert not [path for path in PROJECT_KEYS.iterdir() if b"PRIVATE" in path.read_bytes()]
