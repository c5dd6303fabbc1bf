"""Version numbers, as Python (PEP 440) and as Debian write them; run as a module it prints this version as Debian's."""

import re

from tock_companion import __version__

# Debian sorts a tilde before the end, and letters by the alphabet; PEP 440's a and b would come before dev there.
_FORM = re.compile(r"(?P<release>\d+\.\d+\.\d+)(?P<candidate>rc\d+)?(?:\.(?P<dev>dev\d+))?")


def debian_version(version: str) -> str:
    """Return the number that sorts for dpkg as `version` does for pip; ValueError for stages that would not."""
    return "~".join(part for part in _parts(version).groups() if part)


def is_final(version: str) -> bool:
    """Return whether this is a release, and not a step on the way to one."""
    return final_of(version) == version


def final_of(version: str) -> str:
    """Return the release that a version under way becomes."""
    return _parts(version)["release"]


def following(version: str) -> str:
    """Return the first version under way after a release: that of the next minor one."""
    major, minor, _ = final_of(version).split(".")
    return f"{major}.{int(minor) + 1}.0.dev0"


def _parts(version: str) -> re.Match[str]:
    parts = _FORM.fullmatch(version)
    if parts is None:
        raise ValueError(f"{version}: a version is X.Y.Z, and before its release ends in .devN or rcN")
    return parts


if __name__ == "__main__":
    print(debian_version(__version__))
