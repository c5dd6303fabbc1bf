"""Real Debian packages, built in a folder and signed by a key of the tests."""

import hashlib
import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tock_companion.machine.package_contents import Contents
from tock_companion.machine.signatures import signed_member, statement_of
from tock_companion.machine.signing_keys import TrustedKey, fingerprint_of
from tock_companion.machine.updates import UPLOAD, Updates

needs_dpkg = pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="there is no dpkg here")
OUR_KEY = Ed25519PrivateKey.from_private_bytes(b"our own key for trials, 32 bytes")
ANOTHER_KEY = Ed25519PrivateKey.from_private_bytes(b"a key that no machine here knows")
TRUSTED: Mapping[str, TrustedKey] = {
    fingerprint_of(OUR_KEY.public_key()): TrustedKey(
        "trials", fingerprint_of(OUR_KEY.public_key()), OUR_KEY.public_key()
    )
}
"""The keys that a machine of the tests trusts."""


def build_package(
    folder: Path,
    version: str = "9.0.0",
    name: str = "tock-companion",
    architecture: str | None = None,
    change: Callable[[Path], object] = lambda _tree: None,
    signer: Ed25519PrivateKey | None = OUR_KEY,
) -> Path:
    """Build a real Debian package with a setup script and one wheel; `change` is done to its tree before.

    It is signed without a look at what is in it, or not at all where `signer` is None.
    """
    tree = folder / f"tree-{name}-{version}"
    ours = tree / "usr/lib/tock-companion"
    (tree / "DEBIAN").mkdir(parents=True)
    (ours / "wheels").mkdir(parents=True)
    for path in (tree, tree / "usr", tree / "usr/lib", ours, ours / "wheels", tree / "DEBIAN"):
        path.chmod(0o755)
    for path, text in ((ours / "setup.sh", "echo tried\n"), (ours / "wheels/tock_companion-9.whl", "wheel")):
        path.write_text(text)
        path.chmod(0o644)
    architecture = (
        architecture
        or subprocess.run(
            ["dpkg", "--print-architecture"], capture_output=True, text=True, check=True
        ).stdout.strip()
    )
    (tree / "DEBIAN/control").write_text(
        f"Package: {name}\nVersion: {version}\nArchitecture: {architecture}\nMaintainer: a <a@example.org>\n"
        "Description: a trial\n"
    )
    change(tree)
    sums = subprocess.run(
        ["sh", "-c", "find usr -type f -print0 | xargs -0 md5sum"],
        cwd=tree,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    (tree / "DEBIAN/md5sums").write_text(sums)
    out = folder / f"{name}_{version}_{architecture}.deb"
    subprocess.run(
        ["dpkg-deb", "--root-owner-group", "-Zgzip", "--build", str(tree), str(out)],
        check=True,
        capture_output=True,
    )
    if signer is not None:
        sign_anything(out, signer, Contents(name, version, architecture, script_sums(tree), 0))
    return out


def script_sums(tree: Path) -> Mapping[str, str]:
    """The hashes of what a package's tree has for dpkg to run."""
    scripts = [path for path in (tree / "DEBIAN").iterdir() if path.name not in ("control", "md5sums")]
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(scripts)}


def sign_anything(package: Path, signer: Ed25519PrivateKey, contents: Contents) -> None:
    """Sign as somebody who states whatever you like; `tock update sign` would look at the package first."""
    data = package.read_bytes()
    statement = statement_of(data, contents, signer)
    package.write_bytes(data + signed_member(statement, signer))


def offer(updates: Updates, package: Path, data: Path) -> dict[str, object]:
    """Hand a package in as the page does, in the folder of the companion's user."""
    (data / "update").mkdir(exist_ok=True)
    shutil.copy(package, data / UPLOAD)
    return updates.take_upload()


def log_of(folder: Path) -> list[str]:
    """The programs called on a machine whose programs write that down."""
    return (folder / "log").read_text().splitlines() if (folder / "log").exists() else []
