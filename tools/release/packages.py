"""The packages of a release as files: the version each states, and the public key it carries."""

import io
import subprocess
import tarfile
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from tock_companion.machine.apt_repository import verified
from tock_companion.machine.keyrings import PROJECT_KEYS
from tock_companion.machine.refusals import RefusedError
from tools.release.checks import size_refusal
from tools.release.versions import debian_version

_KEYS = PurePosixPath("tock_companion/machine", PROJECT_KEYS.name)


def refusals_of(package: Path, version: str, keys: Sequence[Path]) -> list[str]:
    """Return the faults of a built package."""
    stated, carried = stated_version(package), _carried_keys(package)
    found = []
    if stated != debian_version(version):
        found.append(
            f"{package.name} says that it is {stated}, not {debian_version(version)}; remove dist/ and begin again"
        )
    if carried != {key.name: key.read_bytes() for key in keys}:
        found.append(
            f"{package.name} carries other public keys than the sources; remove dist/ and begin again"
        )
    too_large = size_refusal(package.name, package.stat().st_size)
    return [*found, *([too_large] if too_large else [])]


def repository_refusal(repository: Path, keys: Sequence[Path]) -> str | None:
    """Return why machines with these keys would not take a repository, or nothing; apt says."""
    with tempfile.TemporaryDirectory() as temporary:
        try:
            verified(repository, Path(temporary, "package.deb"), keys)
        except RefusedError as error:
            return f"machines would refuse {repository.name} ({error.code}); is KEY= the key in the sources?"
    return None


def stated_version(package: Path) -> str:
    """Return the version that a package says it has."""
    shown = ("dpkg-deb", "--show", "--showformat=${Version}", str(package))
    return subprocess.run(shown, stdout=subprocess.PIPE, text=True, check=True).stdout


def _carried_keys(package: Path) -> dict[str, bytes]:
    listed = subprocess.run(
        ("dpkg-deb", "--fsys-tarfile", str(package)), stdout=subprocess.PIPE, check=True
    ).stdout
    with tarfile.open(fileobj=io.BytesIO(listed)) as archive:
        for member in archive:
            file = archive.extractfile(member)
            if file and PurePosixPath(member.name).match("wheels/tock_companion-*.whl"):
                with zipfile.ZipFile(io.BytesIO(file.read())) as wheel:
                    paths = [PurePosixPath(name) for name in wheel.namelist()]
                    return {
                        path.name: wheel.read(str(path))
                        for path in paths
                        if path.parent == _KEYS and path.suffix == ".asc"
                    }
    return {}
