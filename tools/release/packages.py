"""The packages of a release as files: what each says of itself, which keys it carries, and its signature."""

import io
import subprocess
import tarfile
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tock_companion.machine.signatures import sign, verified
from tock_companion.machine.signing_keys import PROJECT_KEYS, TrustedKey, read_public
from tools.release.checks import key_refusal, size_refusal
from tools.release.versions import debian_version

_KEYS = PurePosixPath("tock_companion/machine", PROJECT_KEYS.name)


def stated_version(package: Path) -> str:
    """Return the version that a package says it has."""
    shown = ("dpkg-deb", "--show", "--showformat=${Version}", str(package))
    return subprocess.run(shown, stdout=subprocess.PIPE, text=True, check=True).stdout


def carried_keys(package: Path) -> Mapping[str, TrustedKey]:
    """Return the public keys by which a package's program would judge the next one, by fingerprint."""
    with tempfile.TemporaryDirectory() as temporary:
        found = []
        for name, content in _key_files(package):
            path = Path(temporary, PurePosixPath(name).name)
            path.write_bytes(content)
            found.append(read_public(path))
    return {key.fingerprint: key for key in found}


def _key_files(package: Path) -> list[tuple[str, bytes]]:
    listed = subprocess.run(
        ("dpkg-deb", "--fsys-tarfile", str(package)), stdout=subprocess.PIPE, check=True
    ).stdout
    with tarfile.open(fileobj=io.BytesIO(listed)) as archive:
        for member in archive:
            file = archive.extractfile(member)
            if file and PurePosixPath(member.name).match("wheels/tock_companion-*.whl"):
                with zipfile.ZipFile(io.BytesIO(file.read())) as wheel:
                    names = [
                        n for n in wheel.namelist() if PurePosixPath(n).parent == _KEYS and n.endswith(".pub")
                    ]
                    return [(name, wheel.read(name)) for name in names]
    return []


def sign_and_check(package: Path, version: str, private: Ed25519PrivateKey, fingerprint: str) -> list[str]:
    """Sign a package in its place, read it back as a machine would, and return what is wrong with it."""
    stated = stated_version(package)
    keys = carried_keys(package)
    found = []
    if stated != debian_version(version):
        found.append(
            f"{package.name} says that it is {stated}, not {debian_version(version)}; remove dist/ and begin again"
        )
    found += [each for each in (key_refusal(fingerprint, keys.keys(), package.name),) if each]
    if found:
        return found
    sign(package, private)
    with package.open("rb") as file:
        verified(file, keys)
    refusal = size_refusal(package.name, package.stat().st_size)
    return [refusal] if refusal else []
