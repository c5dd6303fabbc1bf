"""Version numbers, as Python (PEP 440) and as Debian write them; run as a module it prints this version as Debian's."""

from packaging.version import Version

from tock_companion import __version__


def debian_version(text: str) -> str:
    """Return the number that sorts for dpkg as `text` does for pip; ValueError for stages that would not."""
    version = Version(text)
    # Debian sorts a tilde before the end, and letters by the alphabet, where `a` would come before `dev`.
    if version.pre and version.pre[0] != "rc":
        raise ValueError(f"{text}: a version before a release ends in .devN or rcN")
    pre = f"~rc{version.pre[1]}" if version.pre else ""
    return version.base_version + pre + ("" if version.dev is None else f"~dev{version.dev}")


def is_final(text: str) -> bool:
    """Return whether this is a release, and not a step on the way to one."""
    return not Version(text).is_prerelease


def final_of(text: str) -> str:
    """Return the release that a version under way becomes."""
    return Version(text).base_version


def following(text: str) -> str:
    """Return the first version under way after a release: that of the next minor one."""
    version = Version(text)
    return f"{version.major}.{version.minor + 1}.0.dev0"


if __name__ == "__main__":
    print(debian_version(__version__))
