"""`python -m tools.release build|cut|next`: for `make release`, `make release-cut` and `make release-next`."""

import argparse
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from tock_companion.errors import BadInputError
from tock_companion.machine.signing_keys import PROJECT_KEYS, fingerprint_of, read_private, read_public
from tools.release.checkout import git, read
from tools.release.checks import key_refusal, refusals
from tools.release.cut import RefusedError, begin_next, cut
from tools.release.notes import notes, sums
from tools.release.packages import sign_and_check

ROOT = Path(__file__).resolve().parents[2]
ARCHITECTURES = ("amd64", "arm64")
KEYS = Path("companion/tock_companion/machine", PROJECT_KEYS.name)


def build(root: Path, key: Path, make: Callable[[str], Path], say: Callable[[str], None]) -> list[Path]:
    """Build, sign and check the packages, and write what lies beside them; RefusedError says why not."""
    checkout = read(root)
    say(f"checking {checkout.version}")
    private = read_private(key)
    fingerprint = fingerprint_of(private.public_key())
    keys = {read_public(path).fingerprint for path in (root / KEYS).glob("*.pub")}
    unfit = key_refusal(fingerprint, keys, str(KEYS))
    if reasons := [*refusals(checkout), *([unfit] if unfit else [])]:
        raise RefusedError(reasons)
    packages = []
    for architecture in ARCHITECTURES:
        say(f"building the package for {architecture}, some minutes")
        packages.append(make(architecture))
    for package in packages:
        say(f"signing {package.name}")
        if reasons := sign_and_check(package, checkout.version, private, fingerprint):
            raise RefusedError(reasons)
    dist = packages[0].parent
    text = notes(
        checkout.sections[0], packages, git(root, "rev-parse", "--short", "HEAD").strip(), fingerprint[:16]
    )
    beside = (dist / "SHA256SUMS", dist / f"tock-companion_{checkout.version}.md")
    for path, content in zip(beside, (sums(packages), text), strict=True):
        path.write_text(content, encoding="utf-8")
    return [*packages, *beside]


def make_deb(architecture: str) -> Path:
    """Build a package with the script that `make deb` runs."""
    script = ("sh", str(ROOT / "tools/make-deb.sh"), sys.executable, architecture)
    if subprocess.run(script, check=False).returncode:
        raise RefusedError([f"no package for {architecture}; why stands above"])
    return max(
        (ROOT / "dist").glob(f"tock-companion_*_{architecture}.deb"), key=lambda path: path.stat().st_mtime
    )


def main() -> int:
    """Do what is asked; 1 with one line for each reason why not."""
    parser = argparse.ArgumentParser(prog="python -m tools.release")
    parser.add_argument("command", choices=("build", "cut", "next"))
    parser.add_argument(
        "--key", type=Path, default=Path("../tock-signing-key.pem"), help="the private key that signs"
    )
    asked = parser.parse_args()
    try:
        if asked.command == "cut":
            print(f"tock: cut {cut(ROOT, datetime.now(UTC).date())}; now type: make release")
        elif asked.command == "next":
            print(f"tock: {begin_next(ROOT)} begins")
        else:
            for path in build(ROOT, asked.key, make_deb, lambda text: print(f"tock: {text}", flush=True)):
                print(f"tock: wrote {path.relative_to(ROOT)}, {path.stat().st_size / 1e6:.1f} MB")
            print("tock: released; now type: make try-package, and then: make release-next")
    except (RefusedError, BadInputError) as error:
        for line in str(error).splitlines():
            print(f"tock: no release: {line}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
