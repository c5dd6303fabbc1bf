"""`python -m tools.release COMMAND`: for `make release`, `wheels`, `apt`, `release-cut` and `release-next`."""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from tock_companion.errors import BadInputError, one_line
from tock_companion.machine.keyrings import PROJECT_KEYS
from tock_hardware.memory_card.writing import write_boot_zip
from tools.release.checkout import git, read
from tools.release.checks import refusals
from tools.release.cut import RefusedError, begin_next, cut
from tools.release.notes import notes, sums
from tools.release.packages import refusals_of, repository_refusal
from tools.release.repository import archive, sign_sums, write

ROOT = Path(__file__).resolve().parents[2]
ARCHITECTURES = ("amd64", "arm64")
APT = "apt"
"""The folder of the repository in `dist`, for a stick or a server."""
BOOT_ZIP = "tock-boot.zip"
"""For the boot partition of a Raspberry Pi's card."""
LISTS = ROOT / "packaging/deb/wheels"
"""The wheels of each package."""
RULES = ROOT / "rules"
WHEELS = (ROOT, RULES)
"""The projects that Python's index would take."""
KEYS = Path("companion/tock_companion/machine", PROJECT_KEYS.name)


def build(
    root: Path,
    key: str,
    make: Callable[[str], Path],
    make_wheels: Callable[[Path], Sequence[Path]],
    make_sbom: Callable[[Path], Path],
    say: Callable[[str], None],
) -> list[Path]:
    """Build the packages, their signed repository, the wheels and the SBOM; RefusedError says why not."""
    checkout = read(root)
    say(f"checking {checkout.version}")
    if reasons := refusals(checkout):
        raise RefusedError(reasons)
    keys = sorted((root / KEYS).glob("*.asc"))
    packages = []
    for architecture in ARCHITECTURES:
        say(f"building the package for {architecture}, some minutes")
        packages.append(make(architecture))
    if reasons := [reason for package in packages for reason in refusals_of(package, checkout.version, keys)]:
        raise RefusedError(reasons)
    dist = packages[0].parent
    date_s = int(git(root, "log", "-1", "--format=%ct"))
    archives = [*sign(dist, packages, key, date_s, say), dist / BOOT_ZIP]
    write_boot_zip(packages[ARCHITECTURES.index("arm64")], archives[-1], date_s)
    if unfit := repository_refusal(dist / APT, keys):
        raise RefusedError([unfit])
    wheels = [*make_wheels(dist), make_sbom(dist)]
    text = notes(checkout.sections[0], packages, git(root, "rev-parse", "--short", "HEAD").strip())
    beside = (dist / "SHA256SUMS", dist / f"tock-companion_{checkout.version}.md")
    for path, content in zip(beside, (sums([*packages, *archives, *wheels]), text), strict=True):
        path.write_text(content, encoding="utf-8")
    return [*packages, *archives, *wheels, dist / APT, *beside, sign_sums(beside[0], key)]


def sign(
    dist: Path, packages: Sequence[Path], key: str, date_s: int, say: Callable[[str], None]
) -> list[Path]:
    """Write the repository of packages, signed, and one archive for each package; return the archives."""
    say(f"signing {APT} as {key}")
    try:
        write(dist / APT, packages, key, date_s)
    except subprocess.CalledProcessError as error:
        raise RefusedError([f"gpg does not sign as {key}: {one_line(error.stderr)}"]) from None
    archives = []
    for package in packages:
        archives.append(package.with_suffix(".tar"))
        archive(dist / APT, package, archives[-1])
    return archives


def make_deb(architecture: str) -> Path:
    """Build a package with the script that `make deb` runs."""
    script = ("sh", str(ROOT / "tools/make-deb.sh"), sys.executable, architecture)
    if subprocess.run(script, check=False).returncode:
        raise RefusedError([f"no package for {architecture}; see above"])
    return max(
        (ROOT / "dist").glob(f"tock-companion_*_{architecture}.deb"), key=lambda path: path.stat().st_mtime
    )


def make_wheels(dist: Path, projects: Sequence[Path] = WHEELS) -> list[Path]:
    """Build the wheel and the sdist of the companion and of the rules alone; the same commit gives the same bytes."""
    return [path for project in projects for path in _make_wheel(dist, project)]


def _make_wheel(dist: Path, project: Path) -> list[Path]:
    with tempfile.TemporaryDirectory() as folder:
        date_s = git(ROOT, "log", "-1", "--format=%ct").strip()
        command = (sys.executable, "-m", "hatchling", "build", "-d", folder)
        environment = {**os.environ, "SOURCE_DATE_EPOCH": date_s}
        if subprocess.run(command, cwd=project, env=environment, check=False).returncode:
            raise RefusedError([f"no wheel of {project}; see above"])
        dist.mkdir(exist_ok=True)
        return [Path(shutil.move(path, dist / path.name)) for path in sorted(Path(folder).iterdir())]


def make_sbom(dist: Path) -> Path:
    """List every library that the packages carry, with its hash, in the form of CycloneDX."""
    lines = {line for path in sorted(LISTS.glob("*.txt")) for line in path.read_text().splitlines()}
    target = dist / "sbom.cdx.json"
    command = (
        sys.executable,
        "-m",
        "cyclonedx_py",
        "requirements",
        "-",
        "--output-reproducible",
        "-o",
        target,
    )
    found = subprocess.run(
        command, input="\n".join(sorted(lines)), capture_output=True, text=True, check=False
    )
    if found.returncode:
        raise RefusedError([f"no SBOM: {one_line(found.stderr)}"])
    return target


def main() -> int:
    """Run the command; 1 with one line for each obstacle."""
    parser = argparse.ArgumentParser(prog="python -m tools.release")
    parser.add_argument("command", choices=("build", "wheels", "sign", "cut", "next"))
    parser.add_argument("--key", default="Tock Companion releases", help="the key in GnuPG that signs")
    asked = parser.parse_args()
    try:
        if asked.command == "cut":
            print(f"tock: cut {cut(ROOT, datetime.now(UTC).date())}; now type: make release")
        elif asked.command == "next":
            print(f"tock: {begin_next(ROOT)} begins")
        elif asked.command == "wheels":
            for path in make_wheels(ROOT / "dist"):
                print(f"tock: wrote {path.relative_to(ROOT)}")
        elif asked.command == "sign":
            packages = sorted((ROOT / "dist").glob("tock-companion_*.deb"))
            sign(ROOT / "dist", packages, asked.key, int(git(ROOT, "log", "-1", "--format=%ct")), print)
        else:
            for path in build(
                ROOT,
                asked.key,
                make_deb,
                make_wheels,
                make_sbom,
                lambda text: print(f"tock: {text}", flush=True),
            ):
                print(f"tock: wrote {path.relative_to(ROOT)}, {path.stat().st_size / 1e6:.1f} MB")
            print("tock: released; now type: make try-package, and then: make release-next")
    except (RefusedError, BadInputError) as error:
        for line in str(error).splitlines():
            print(f"tock: no release: {line}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
