"""A repository of a few files that stands for ours, and real Debian packages of a few bytes."""

import subprocess
import zipfile
from pathlib import Path

from tests.support.packages import OURS, public_key
from tock_companion.machine.keyrings import PROJECT_KEYS
from tools.release.versions import debian_version

CHANGELOG = """# Changelog

## {heading}

### Added
- A lobby.

## 0.2.0 – 2026-11-22

### Added
- The rules as a library.
"""
RELEASES = """[[release]]
version = "0.1.0"
commit = "1111111111111111111111111111111111111111"
date = 2026-11-21

[[release]]
version = "0.2.0"
commit = "2222222222222222222222222222222222222222"
date = 2026-11-22
"""
CONTROL = """Package: tock-companion
Version: {version}
Architecture: {architecture}
Maintainer: Tock Companion <tock-companion@users.noreply.github.com>
Installed-Size: 1
Depends: python3 (>= 3.11), python3-venv
Section: games
Priority: optional
Description: companion of a real Tock board
"""
KEYS = f"companion/tock_companion/machine/{PROJECT_KEYS.name}"


class Project:
    """A checkout of 0.3.0.dev0 that is ready to be cut; each release so far has its folder."""

    def __init__(self, root: Path) -> None:
        """Make the files, a key, and a commit of them."""
        self.root = root
        self.key = OURS
        for version in ("0.1.0", "0.2.0", "0.3.0"):
            self.write(f"tests/data/folders/{version}/expected.json", "{}\n")
        self.write("rules/tock_rules/__init__.py", '"""Ours."""\n\n__version__ = "0.3.0.dev0"\n')
        self.write("CHANGELOG.md", CHANGELOG.format(heading="Unreleased"))
        self.write("packaging/releases.toml", RELEASES)
        self.write(".gitignore", "dist/\n")
        self.write(f"{KEYS}/release.asc", public_key().read_text(encoding="utf-8"))
        self.git("init", "--quiet", "--initial-branch", "main")
        # The user may have no identity in git, and the tried program calls it.
        self.git("config", "user.name", "Tock")
        self.git("config", "user.email", "tock@example.org")
        self.commit("Everything")

    def write(self, name: str, text: str) -> None:
        """Write a file, and the folders above it."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def read(self, name: str) -> str:
        """The text of a file."""
        return (self.root / name).read_text(encoding="utf-8")

    def git(self, *arguments: str) -> str:
        """Return what git says."""
        command = ("git", "-C", str(self.root), *arguments)
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    def commit(self, subject: str) -> None:
        """Commit everything."""
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", subject)

    def sbom(self, dist: Path) -> Path:
        """Write an empty list of libraries."""
        listed = dist / "sbom.cdx.json"
        listed.write_text("{}\n", encoding="utf-8")
        return listed

    def rules_library(self, dist: Path) -> Path:
        """Write an empty wheel of the rules."""
        wheel = dist / "tock_rules-0.3.0-py3-none-any.whl"
        zipfile.ZipFile(wheel, "w").close()
        return wheel

    def package(self, architecture: str, version: str, *, filler: bytes = b"", keys: bool = True) -> Path:
        """Build a package that carries a wheel with this project's public key, as `make deb` does."""
        stage = self.root.parent / f"stage-{architecture}"
        wheels = stage / "usr/lib/tock-companion/wheels"
        wheels.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(wheels / "tock_companion-0-py3-none-any.whl", "w") as wheel:
            wheel.writestr("tock_companion/filler", filler)
            if keys:
                wheel.write(
                    self.root / KEYS / "release.asc",
                    f"tock_companion/machine/{PROJECT_KEYS.name}/release.asc",
                )
        control = stage / "DEBIAN"
        control.mkdir(exist_ok=True)
        deb = debian_version(version)
        (control / "control").write_text(
            CONTROL.format(version=deb, architecture=architecture), encoding="utf-8"
        )
        (control / "md5sums").write_text("", encoding="utf-8")
        for path in (stage, *stage.rglob("*")):
            path.chmod(0o755 if path.is_dir() else 0o644)
        target = self.root / f"dist/tock-companion_{deb}_{architecture}.deb"
        target.parent.mkdir(exist_ok=True)
        build = ("dpkg-deb", "--root-owner-group", "-Znone", "--build", str(stage), str(target))
        subprocess.run(build, stdout=subprocess.DEVNULL, check=True)
        return target
