"""Why something is no release: one line for each reason, which says what to do. Nothing here reads a file."""

from collections.abc import Iterator

from packaging.version import Version

from tools.release.changelog import UNRELEASED
from tools.release.checkout import CHANGELOG, FOLDERS, VERSION_FILE, Checkout
from tools.release.versions import final_of, is_final

MAX_PACKAGE_BYTES = 90_000_000


def refusals(checkout: Checkout) -> list[str]:
    """Return every reason why this checkout cannot be released."""
    return [*_number(checkout), *_changelog(checkout), *_folders(checkout), *_tree(checkout)]


def cut_refusals(checkout: Checkout) -> list[str]:
    """Return every reason why no release can be cut from this checkout."""
    found = []
    if is_final(checkout.version):
        found.append(f"{checkout.version} is cut already; type: make release")
    newest = checkout.sections[0] if checkout.sections else None
    if newest is None or newest.version != UNRELEASED or not newest.body:
        found.append(f"{CHANGELOG}: nothing stands under {UNRELEASED}, so there is nothing to release")
    return [*found, *_folders(checkout), *_tree(checkout)]


def next_refusals(checkout: Checkout) -> list[str]:
    """Return every reason why the version after this one cannot begin."""
    found = [*_number(checkout), *_changelog(checkout)] if is_final(checkout.version) else []
    if not is_final(checkout.version):
        found.append(f"{checkout.version} is under way already; there is no release to go on from")
    return [*found, *_tree(checkout)]


def _number(checkout: Checkout) -> Iterator[str]:
    version, before = checkout.version, [release.version for release in checkout.released]
    if not is_final(version):
        yield f"{version} is under way and no release; type: make release-cut, which makes it {final_of(version)}"
    elif version in before:
        commit = next(release.commit for release in checkout.released if release.version == version)
        yield f"{version} was released of commit {commit[:7]}; set the next number in {VERSION_FILE}: make release-next"
    elif before and Version(version) < max(map(Version, before)):
        yield f"{version} comes before {before[-1]}, which is released; set a later number in {VERSION_FILE}"


def _changelog(checkout: Checkout) -> Iterator[str]:
    if not is_final(checkout.version):
        return
    newest = checkout.sections[0] if checkout.sections else None
    if newest is None or newest.version != checkout.version or newest.date is None:
        found = newest.version if newest else "nothing"
        yield f"{CHANGELOG}: its newest section is {found}, not {checkout.version} with a date; see docs/releasing.md"
    elif checkout.released and newest.date < checkout.released[-1].date:
        last = checkout.released[-1]
        yield f"{CHANGELOG}: {newest.version} is dated {newest.date}, before {last.version} ({last.date})"


def _folders(checkout: Checkout) -> Iterator[str]:
    for version in (*(release.version for release in checkout.released), final_of(checkout.version)):
        if version not in checkout.folders:
            maker = f"make old-folder RELEASE={version}"
            yield f"{FOLDERS / version} is missing, so nobody knows whether its games still open; make it: {maker}"


def _tree(checkout: Checkout) -> Iterator[str]:
    if checkout.changed:
        names = ", ".join(line[3:] for line in checkout.changed[:3])
        more = f" and {len(checkout.changed) - 3} more" if len(checkout.changed) > 3 else ""
        yield f"these are in no commit: {names}{more}; commit or remove them"


def size_refusal(name: str, size: int) -> str | None:
    """Return why a package is too large for a release, or nothing."""
    if size <= MAX_PACKAGE_BYTES:
        return None
    return f"{name} has {size / 1e6:.1f} MB, its limit is {MAX_PACKAGE_BYTES // 1_000_000}; look through its wheels"
