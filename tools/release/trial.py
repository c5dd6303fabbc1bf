"""The packages of an update's trial: the last release's, and some made of the one of now.

`python -m tools.release.trial FOLDER NEXT.deb [LAST.deb]` fills a folder for packaging/try/update.py. The last release
is built of its commit, once, into build/releases, unless a package is given.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

from tools.release.history import Release, releases
from tools.release.repository import archive, write
from tools.release.versions import debian_version

ROOT = Path(__file__).resolve().parents[2]
KEY = "A trial of an update"
BUILT = ROOT / "build/releases"
PROGRAM = "tock_app/cli/commands/run.py"
"""The file that a broken release has another version of."""


def last_package() -> Path:
    """Return the last release's package for this machine; it is built where it is not there yet."""
    release = releases(ROOT)[-1]
    architecture = _output("dpkg", "--print-architecture").strip()
    package = BUILT / f"tock-companion_{debian_version(release.version)}_{architecture}.deb"
    if not package.exists():
        _build(release, package)
    return package


def _build(release: Release, package: Path) -> None:
    """Build a release of its commit, with the program that it had for that."""
    print(f"tock: building {release.version} of {release.commit[:7]}, a few minutes", flush=True)
    BUILT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        checkout = Path(temporary, "checkout")
        _call("git", "-C", str(ROOT), "worktree", "add", "--quiet", "--detach", str(checkout), release.commit)
        try:
            _call("make", "-C", str(checkout), "--no-print-directory", "deb")
            shutil.copy(checkout / "dist" / package.name, package)
        finally:
            _call("git", "-C", str(ROOT), "worktree", "remove", "--force", str(checkout))


def fill(folder: Path, following: Path, last: Path) -> None:
    """Put into a folder the packages of a trial: some are signed with a key made for it and then lost."""
    shutil.copy(last, folder / "last.deb")
    shutil.copy(following, folder / "next.deb")
    with tempfile.TemporaryDirectory() as temporary:
        os.environ["GNUPGHOME"] = temporary
        _call("gpg", "--batch", "--passphrase", "", "--quick-generate-key", KEY, "ed25519", "sign", "never")
        _call("gpg", "--batch", "--armor", "--output", str(folder / "trial.asc"), "--export", KEY)
        _remake(following, folder / "broken.deb", "+1", broken=True)
        _remake(following, folder / "newer.deb", "+2", broken=False)
        for name in ("broken", "newer"):
            package = folder / f"tock-companion_{name}_{_output('dpkg', '--print-architecture').strip()}.deb"
            shutil.copy(folder / f"{name}.deb", package)
            write(Path(temporary, name), [package], KEY, int(time.time()))
            archive(Path(temporary, name), package, folder / f"{name}.tar")
            package.unlink()


def _remake(package: Path, target: Path, suffix: str, *, broken: bool) -> None:
    """Write a package of the same files under a later version; a broken one does not start."""
    with tempfile.TemporaryDirectory() as temporary:
        stage = Path(temporary, "stage")
        _call("dpkg-deb", "--raw-extract", str(package), str(stage))
        control = stage / "DEBIAN/control"
        lines = control.read_text(encoding="utf-8").splitlines(keepends=True)
        control.write_text(
            "".join(line.rstrip() + f"{suffix}\n" if line.startswith("Version:") else line for line in lines),
            encoding="utf-8",
        )
        if broken:
            wheel = next(stage.glob("usr/lib/tock-companion/wheels/tock_companion-*.whl"))
            replace_in_wheel(wheel, PROGRAM, b"raise SystemExit(3)\n")
        sums = stage / "DEBIAN/md5sums"
        names = [line.partition("  ")[2] for line in sums.read_text(encoding="utf-8").splitlines()]
        sums.write_text("".join(f"{_md5(stage / name)}  {name}\n" for name in names), encoding="utf-8")
        _call("dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", str(stage), str(target))


def replace_in_wheel(wheel: Path, name: str, content: bytes) -> None:
    """Give one file of a wheel another content; ValueError where the wheel has none of that name."""
    old = wheel.rename(wheel.with_suffix(".old"))
    with zipfile.ZipFile(old) as reading, zipfile.ZipFile(wheel, "w") as writing:
        if name not in reading.namelist():
            raise ValueError(f"{wheel.name} has no {name}")
        for item in reading.infolist():
            writing.writestr(item, content if item.filename == name else reading.read(item))
    old.unlink()
    wheel.chmod(0o644)


def _md5(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "md5").hexdigest()


def _call(*command: str) -> None:
    subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)


def _output(*command: str) -> str:
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


def main() -> None:
    """Fill the folder that is named."""
    folder, following, *given = map(Path, sys.argv[1:])
    folder.mkdir(parents=True, exist_ok=True)
    print("tock: making the packages of the trial", flush=True)
    fill(folder, following, given[0] if given else last_package())


if __name__ == "__main__":
    main()
