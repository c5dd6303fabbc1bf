"""The releases so far, from one file of the repository."""

import tomllib
from dataclasses import dataclass
from datetime import date
from pathlib import Path

PLACE = Path("packaging/releases.toml")


@dataclass(frozen=True, slots=True)
class Release:
    """A version that families have, and the commit that it was built of."""

    version: str
    commit: str
    date: date


def releases(root: Path) -> tuple[Release, ...]:
    """Return all releases of a checkout, the oldest first."""
    with (root / PLACE).open("rb") as file:
        return tuple(Release(**entry) for entry in tomllib.load(file)["release"])


def entry_of(release: Release) -> str:
    """Return the file's entry for a release."""
    return (
        f'\n[[release]]\nversion = "{release.version}"\ncommit = "{release.commit}"\ndate = {release.date}\n'
    )
