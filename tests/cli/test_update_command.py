"""`tock update`: a package is signed or it is not, in one line; no private key goes where a public one belongs."""

import io
import os
import re
import shutil
from pathlib import Path

import pytest

from tests.support.packages import build_package, needs_dpkg
from tock_app.cli.commands.update import run
from tock_app.cli.main import main
from tock_companion.errors import BadInputError
from tock_companion.machine.signing_keys import PROJECT_KEYS, read_public, trusted_keys

pytestmark = needs_dpkg


@pytest.fixture
def key(tmp_path: Path) -> Path:
    assert run(["keygen", str(tmp_path / "family.pem")], io.StringIO()) == 0
    return tmp_path / "family.pem"


def signed(folder: Path, key: Path) -> Path:
    package = build_package(folder, signer=None)
    assert run(["sign", str(package), "--key", str(key)], io.StringIO()) == 0
    return package


def verify(package: Path, *options: str) -> tuple[int, str]:
    out = io.StringIO()
    code = run(["verify", str(package), *options], out)
    assert out.getvalue().count("\n") == 1
    return code, out.getvalue()


def test_a_package_that_was_signed_can_be_read_by_everybody(tmp_path: Path, key: Path) -> None:
    package = build_package(tmp_path, signer=None)
    before = os.umask(0o077)
    try:
        run(["sign", str(package), "--key", str(key)], io.StringIO())
    finally:
        os.umask(before)
    assert package.stat().st_mode & 0o777 == 0o644


def test_a_signed_package_is_distinguished_from_one_that_is_not(tmp_path: Path, key: Path) -> None:
    public = ("--key", str(key.with_suffix(".pub")))
    package = build_package(tmp_path, signer=None)
    code, line = verify(package, *public)
    assert (code, "not signed" in line) == (1, True)
    assert run(["sign", str(package), "--key", str(key)], io.StringIO()) == 0
    code, line = verify(package, *public)
    assert code == 0
    assert "tock-companion 9.0.0" in line
    assert "family (" in line
    package.write_bytes(package.read_bytes().replace(b"9.0.0\narch", b"9.0.1\narch"))
    code, line = verify(package, *public)
    assert (code, "has changed since it was signed" in line) == (1, True)


def test_a_key_counts_once_the_machine_trusts_it(tmp_path: Path, key: Path) -> None:
    package, folder = signed(tmp_path, key), ("--keys", str(tmp_path / "etc/keys"))
    (tmp_path / "etc").mkdir()
    code, line = verify(package, *folder)
    assert (code, "does not know" in line) == (1, True)
    assert run(["trust", str(key.with_suffix(".pub")), *folder], io.StringIO()) == 0
    assert verify(package, *folder)[0] == 0
    out = io.StringIO()
    assert run(["keys", *folder], out) == 0
    assert "family (" in out.getvalue()


def test_a_key_that_others_can_write_does_not_count(tmp_path: Path, key: Path) -> None:
    package, keys = signed(tmp_path, key), tmp_path / "keys"
    run(["trust", str(key.with_suffix(".pub")), "--keys", str(keys)], io.StringIO())
    (keys / "family.pub").chmod(0o666)
    assert verify(package, "--keys", str(keys))[0] == 1
    (keys / "family.pub").chmod(0o644)
    keys.chmod(0o777)
    assert verify(package, "--keys", str(keys))[0] == 1
    keys.chmod(0o755)
    assert verify(package, "--keys", str(keys))[0] == 0
    moved = keys / "family.pub"
    moved.rename(tmp_path / "elsewhere.pub")
    moved.symlink_to(tmp_path / "elsewhere.pub")
    assert verify(package, "--keys", str(keys))[0] == 1


@pytest.mark.skipif(os.geteuid() != 0, reason="only the superuser gives files away")
def test_a_key_of_another_user_does_not_count(tmp_path: Path, key: Path) -> None:
    package, keys = signed(tmp_path, key), tmp_path / "keys"
    run(["trust", str(key.with_suffix(".pub")), "--keys", str(keys)], io.StringIO())
    os.chown(keys / "family.pub", 65534, 65534)
    assert verify(package, "--keys", str(keys))[0] == 1


def test_signing_again_replaces_the_signature_and_signs_the_same_bytes_alike(
    tmp_path: Path, key: Path
) -> None:
    package = signed(tmp_path, key)
    before = package.read_bytes()
    assert run(["sign", str(package), "--key", str(key)], io.StringIO()) == 0
    assert package.read_bytes() == before


def test_the_key_may_be_named_by_the_environment(
    tmp_path: Path, key: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = build_package(tmp_path, signer=None)
    monkeypatch.delenv("TOCK_SIGNING_KEY", raising=False)
    with pytest.raises(BadInputError, match="no key"):
        run(["sign", str(package)])
    monkeypatch.setenv("TOCK_SIGNING_KEY", str(key))
    assert run(["sign", str(package)], io.StringIO()) == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ("verify", "missing.deb"),
        ("verify", "text"),
        ("verify", "folder"),
        ("verify", "text", "--key", "text"),
        ("sign", "text", "--key", "family.pem"),
        ("sign", "text", "--key", "family.pub"),
        ("trust", "family.pem"),
        ("trust", "text"),
        ("keygen", "family.pem"),
        (),
    ],
    ids=" ".join,
)
def test_an_unusable_package_is_one_line_and_exit_code_2(
    tmp_path: Path,
    key: Path,
    arguments: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("text").write_text("no package\n")
    Path("folder").mkdir()
    before = key.read_bytes()
    assert main(["update", *arguments]) == 2
    assert re.fullmatch(r"tock update: .+\n", capsys.readouterr().err)
    assert key.read_bytes() == before


def test_a_new_private_key_is_for_its_user_alone(key: Path) -> None:
    assert key.stat().st_mode & 0o777 == 0o600
    assert key.with_suffix(".pub").stat().st_mode & 0o777 == 0o644


def test_the_projects_key_comes_with_the_program_and_can_be_read(tmp_path: Path) -> None:
    project = {read_public(path).fingerprint for path in PROJECT_KEYS.iterdir()}
    assert project
    assert trusted_keys(tmp_path / "none").keys() == project


def test_no_private_key_lies_with_the_public_ones(tmp_path: Path, key: Path) -> None:
    shutil.copy(key, tmp_path / "named-wrongly.pub")
    with pytest.raises(BadInputError, match="private key"):
        read_public(tmp_path / "named-wrongly.pub")
    assert not [path for path in PROJECT_KEYS.iterdir() if b"PRIVATE" in path.read_bytes()]
