"""`make release` builds, signs and describes a release, or says in one line for each reason why there is none."""

import shutil
import subprocess
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from tests.support.packages import ANOTHER, public_key
from tests.support.releasing import RELEASES, Project
from tock_companion.machine.apt_repository import verified
from tools.release import checks
from tools.release.__main__ import build
from tools.release.cut import RefusedError, cut

DAY = date(2026, 11, 25)


@pytest.fixture
def release(project: Project) -> Project:
    cut(project.root, DAY)
    return project


def made(project: Project, say: Callable[[str], None] = lambda text: None) -> list[Path]:
    return build(
        project.root,
        project.key,
        lambda arch: project.package(arch, "0.3.0"),
        lambda dist: [project.rules_library(dist)],
        project.sbom,
        say,
    )


def refused(project: Project, make: Callable[[str], Path] | None = None, key: str | None = None) -> list[str]:
    """Why there is no release; with checks that come before the packages nothing is built."""
    with pytest.raises(RefusedError) as error:
        build(
            project.root,
            key or project.key,
            make or nothing_is_built,
            lambda dist: [],
            project.sbom,
            lambda text: None,
        )
    assert all(reason and "\n" not in reason for reason in error.value.reasons)
    return error.value.reasons


def nothing_is_built(architecture: str) -> Path:
    raise AssertionError(f"a package for {architecture} was built")


def test_packages_their_signed_repository_checksums_and_notes_are_in_dist(release: Project) -> None:
    progress: list[str] = []
    paths = made(release, progress.append)
    names = [path.name for path in paths]
    assert names == [
        "tock-companion_0.3.0_amd64.deb",
        "tock-companion_0.3.0_arm64.deb",
        "tock-companion_0.3.0_amd64.tar",
        "tock-companion_0.3.0_arm64.tar",
        "tock-boot.zip",
        "tock_rules-0.3.0-py3-none-any.whl",
        "sbom.cdx.json",
        "apt",
        "SHA256SUMS",
        "tock-companion_0.3.0.md",
        "SHA256SUMS.asc",
    ]
    assert verified(paths[7], release.root.parent / "fetched.deb", [public_key()]) == "trials"
    dist = release.root / "dist"
    assert (
        subprocess.run(("sha256sum", "--check", "--quiet", "SHA256SUMS"), cwd=dist, check=False).returncode
        == 0
    )
    sums_are_signed = ("gpg", "--batch", "--verify", "SHA256SUMS.asc", "SHA256SUMS")
    subprocess.run(sums_are_signed, cwd=dist, capture_output=True, check=True)
    notes = paths[9].read_text(encoding="utf-8")
    assert notes.startswith("# Tock Companion 0.3.0\n\n2026-11-25, commit `")
    assert "- A lobby." in notes
    assert "The rules as a library" not in notes
    assert [line.split(",")[0] for line in progress][:3] == [
        "checking 0.3.0",
        "building the package for amd64",
        "building the package for arm64",
    ]


def test_a_version_under_way_is_no_release(project: Project) -> None:
    assert refused(project) == [
        "0.3.0.dev0 is under way and no release; type: make release-cut, which makes it 0.3.0"
    ]


def test_a_version_that_was_released_is_refused(release: Project) -> None:
    entry = '\n[[release]]\nversion = "0.3.0"\ncommit = "3333333333"\ndate = 2026-11-25\n'
    release.write("packaging/releases.toml", RELEASES + entry)
    release.commit("Released before")
    assert refused(release)[0].startswith("0.3.0 was released of commit 3333333")


def test_a_number_before_the_last_release_is_refused(release: Project) -> None:
    release.write("rules/tock_rules/__init__.py", '__version__ = "0.1.9"\n')
    release.commit("An old number")
    assert refused(release)[0] == (
        "0.1.9 comes before 0.2.0, which is released; set a later number in rules/tock_rules/__init__.py"
    )


def test_a_changelog_of_another_version_is_refused(release: Project) -> None:
    text = release.read("CHANGELOG.md").replace("## 0.3.0 – 2026-11-25", "## Unreleased")
    release.write("CHANGELOG.md", text)
    release.commit("Uncut")
    assert refused(release) == [
        "CHANGELOG.md: its newest section is Unreleased, not 0.3.0 with a date; see docs/releasing.md"
    ]


def test_a_date_before_the_last_release_is_refused(release: Project) -> None:
    release.write("CHANGELOG.md", release.read("CHANGELOG.md").replace("2026-11-25", "2026-11-20"))
    release.commit("A wrong date")
    assert refused(release) == ["CHANGELOG.md: 0.3.0 is dated 2026-11-20, before 0.2.0 (2026-11-22)"]


@pytest.mark.parametrize("missing", ["0.1.0", "0.3.0"])
def test_a_missing_data_folder_of_this_or_an_earlier_release_is_refused(
    release: Project, missing: str
) -> None:
    shutil.rmtree(release.root / "tests/data/folders" / missing)
    release.commit("No folder")
    assert refused(release) == [
        f"tests/data/folders/{missing} is missing, so nobody knows whether its games still open; "
        f"make it: make old-folder RELEASE={missing}"
    ]


def test_uncommitted_files_are_refused(release: Project) -> None:
    release.write("forgotten.py", "")
    assert refused(release) == ["these are in no commit: forgotten.py; commit or remove them"]


def test_a_key_that_no_machine_trusts_is_refused(release: Project) -> None:
    (reason,) = refused(release, lambda arch: release.package(arch, "0.3.0"), key=ANOTHER)
    assert reason == "machines would refuse apt (update/stranger); is KEY= the key in the sources?"


def test_a_key_that_gpg_does_not_have_is_refused(release: Project) -> None:
    (reason,) = refused(release, lambda arch: release.package(arch, "0.3.0"), key="missing")
    assert reason.startswith("gpg does not sign as missing: ")


def test_a_package_without_the_public_key_is_refused(release: Project) -> None:
    reasons = refused(release, lambda arch: release.package(arch, "0.3.0", keys=False))
    assert reasons[0].startswith("tock-companion_0.3.0_amd64.deb carries other public keys than the sources")


def test_a_package_of_another_version_is_refused(release: Project) -> None:
    reasons = refused(release, lambda arch: release.package(arch, "0.2.0"))
    assert "says that it is 0.2.0, not 0.3.0" in reasons[0]


def test_a_package_over_the_limit_is_refused(release: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "MAX_PACKAGE_BYTES", 1_000_000)
    reasons = refused(release, lambda arch: release.package(arch, "0.3.0", filler=b"a" * 1_200_000))
    assert reasons[0] == "tock-companion_0.3.0_amd64.deb has 1.2 MB, its limit is 1; look through its wheels"


def test_all_reasons_are_listed_at_once(project: Project) -> None:
    project.write("forgotten.py", "")
    shutil.rmtree(project.root / "tests/data/folders/0.2.0")
    project.commit("No folder")
    project.write("another.py", "")
    assert len(refused(project)) == 3
