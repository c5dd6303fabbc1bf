"""The two commits around a release: the one that it is built of, and the one with which the next version begins."""

from collections.abc import Callable
from datetime import date
from pathlib import Path

from tools.release import changelog
from tools.release.checkout import CHANGELOG, VERSION_FILE, git, read, version_in, with_version
from tools.release.checks import cut_refusals, next_refusals
from tools.release.history import PLACE, Release, entry_of
from tools.release.versions import final_of, following


class RefusedError(Exception):
    """Why something is no release; one line for each reason."""

    def __init__(self, reasons: list[str]) -> None:
        """Keep the reasons."""
        super().__init__("\n".join(reasons))
        self.reasons = reasons


def cut(root: Path, day: date) -> str:
    """Commit the release that the version under way becomes, and return its number; RefusedError says why not."""
    if reasons := cut_refusals(read(root)):
        raise RefusedError(reasons)
    version = final_of(version_in((root / VERSION_FILE).read_text(encoding="utf-8")))
    _rewrite(root / VERSION_FILE, lambda text: with_version(text, version))
    _rewrite(root / CHANGELOG, lambda text: changelog.cut(text, version, day))
    git(root, "commit", "--quiet", "--all", "--message", f"release: Version {version}")
    return version


def begin_next(root: Path) -> str:
    """Commit the start of the version after the release that HEAD is; return its number, or raise RefusedError."""
    checkout = read(root)
    if reasons := next_refusals(checkout):
        raise RefusedError(reasons)
    day = checkout.sections[0].date
    assert day is not None
    released = Release(checkout.version, git(root, "rev-parse", "HEAD").strip(), day)
    version = following(released.version)
    _rewrite(root / VERSION_FILE, lambda text: with_version(text, version))
    _rewrite(root / CHANGELOG, changelog.opened)
    _rewrite(root / PLACE, lambda text: text + entry_of(released))
    git(root, "commit", "--quiet", "--all", "--message", f"release: {version} begins")
    return version


def _rewrite(path: Path, change: Callable[[str], str]) -> None:
    path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")
