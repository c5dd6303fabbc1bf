"""A signed apt repository in a folder, checked by apt itself in a private root directory."""

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from tock_companion.machine.refusals import RefusedError

NAME = "tock-companion"
INDEXES = ("InRelease", "Packages")
PACKAGE = re.compile(rf"{NAME}_[A-Za-z0-9.+~-]{{1,60}}_[a-z0-9]{{1,20}}\.deb")
"""The files of a repository: the signed index, the list of packages, and the packages."""
PATIENCE_S = 300.0
# A Pi without a network has no clock and starts at the time of its last shutdown.
_MAX_CLOCK_LAG_S = 10 * 365 * 86_400
_SETTINGS = """Dir "{root}";
Dir::State "";
Dir::State::Lists "lists";
Dir::State::status "{root}/status";
Dir::Cache "cache";
Dir::Etc "etc";
APT::Sandbox::User "root";
APT::Update::Error-Mode "any";
Acquire::Languages "none";
Acquire::AllowInsecureRepositories "false";
Acquire::Max-FutureTime "{lag_s}";
"""


def verified(repository: Path, target: Path, keys: Sequence[Path]) -> str:
    """Have apt fetch the newest package of a repository to `target`, and return the name of the key that signed it.

    Raises RefusedError where no key of `keys` signed it, or where a file differs from the signed index.
    """
    if not (repository / INDEXES[0]).exists():
        raise RefusedError("update/unsigned")
    root = target.with_name("apt")
    signer = next((key for key in keys if _is_signed_by(repository, root, key)), None)
    if signer is None:
        raise RefusedError("update/stranger")
    code, output = _apt(root, "download", NAME)
    found = list((root / "work").glob("*.deb"))
    if code or len(found) != 1:
        if _is_mismatch(output):
            raise RefusedError("update/changed")
        here = subprocess.run(("dpkg", "--print-architecture"), capture_output=True, text=True, check=True)
        raise RefusedError("update/machine", here=here.stdout.strip())
    found[0].replace(target)
    shutil.rmtree(root)
    return signer.stem


def _is_signed_by(repository: Path, root: Path, key: Path) -> bool:
    """Whether apt takes the index with this key alone; RefusedError where a file differs from the index."""
    shutil.rmtree(root, ignore_errors=True)
    for name in ("lists/partial", "cache/archives/partial", "etc/apt.conf.d", "etc/preferences.d", "work"):
        (root / name).mkdir(parents=True)
    (root / "status").touch()
    (root / "apt.conf").write_text(_SETTINGS.format(root=root, lag_s=_MAX_CLOCK_LAG_S), encoding="utf-8")
    source = f"deb [signed-by={key}] file:{repository} ./\n"
    (root / "etc/sources.list").write_text(source, encoding="utf-8")
    code, output = _apt(root, "update")
    if code and _is_mismatch(output):
        raise RefusedError("update/changed")
    return not code


def _apt(root: Path, *command: str) -> tuple[int, str]:
    done = subprocess.run(
        ("apt-get", "--quiet", *command),
        cwd=root / "work",
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        env={"PATH": os.environ["PATH"], "APT_CONFIG": str(root / "apt.conf"), "LC_ALL": "C"},
        timeout=PATIENCE_S,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def _is_mismatch(output: str) -> bool:
    return (
        "Hash Sum mismatch" in output
        or "unexpected size" in output
        or "Clearsigned file isn't valid" in output
    )
