"""Reads from a checkout everything about the release that is to be made of it."""

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from tools.release.changelog import Section, sections
from tools.release.history import Release, releases

VERSION_FILE = Path("rules/tock_rules/__init__.py")
CHANGELOG = Path("CHANGELOG.md")
FOLDERS = Path("tests/data/folders")
"""A data folder as each release wrote it, by its number."""
_VERSION = re.compile(r'^__version__ = "([^"]+)"$', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Checkout:
    """The facts that the checks of a release go by."""

    version: str
    sections: tuple[Section, ...]
    released: tuple[Release, ...]
    folders: frozenset[str]
    changed: tuple[str, ...]
    """Changes in git's sight that no commit has."""


def read(root: Path) -> Checkout:
    """Read the facts for the checks."""
    folders = root / FOLDERS
    return Checkout(
        version_in((root / VERSION_FILE).read_text(encoding="utf-8")),
        sections((root / CHANGELOG).read_text(encoding="utf-8")),
        releases(root),
        frozenset(path.name for path in folders.iterdir() if any(path.iterdir()))
        if folders.exists()
        else frozenset(),
        tuple(git(root, "status", "--porcelain").splitlines()),
    )


def version_in(text: str) -> str:
    """Return the version that a file of the program states; ValueError where it states none."""
    found = _VERSION.search(text)
    if found is None:
        raise ValueError(f'{VERSION_FILE} has no line __version__ = "…"')
    return found[1]


def with_version(text: str, version: str) -> str:
    """Return the file with another version."""
    return _VERSION.sub(f'__version__ = "{version}"', text, count=1)


def git(root: Path, *arguments: str) -> str:
    """Return what git says."""
    return subprocess.run(
        ("git", "-C", str(root), *arguments), stdout=subprocess.PIPE, text=True, check=True
    ).stdout
