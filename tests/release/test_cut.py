"""A release is cut in one commit, and the next version begins with the one after it."""

from datetime import date

import pytest

from tests.support.releasing import Project
from tools.release.checkout import read
from tools.release.checks import refusals
from tools.release.cut import RefusedError, begin_next, cut

DAY = date(2026, 11, 25)


def test_a_cut_gives_the_version_its_number_and_the_changelog_its_date(project: Project) -> None:
    assert cut(project.root, DAY) == "0.3.0"
    assert '__version__ = "0.3.0"' in project.read("rules/tock_rules/__init__.py")
    assert "## 0.3.0 – 2026-11-25\n\n### Added\n- A lobby." in project.read("CHANGELOG.md")
    assert "Unreleased" not in project.read("CHANGELOG.md")
    assert project.git("log", "-1", "--format=%s").strip() == "release: Version 0.3.0"
    assert refusals(read(project.root)) == []


def test_after_a_release_the_next_version_has_a_number_of_its_own(project: Project) -> None:
    cut(project.root, DAY)
    released = project.git("rev-parse", "HEAD").strip()
    assert begin_next(project.root) == "0.4.0.dev0"
    checkout = read(project.root)
    assert (checkout.version, checkout.changed) == ("0.4.0.dev0", ())
    assert [section.version for section in checkout.sections] == ["Unreleased", "0.3.0", "0.2.0"]
    last = checkout.released[-1]
    assert (last.version, last.commit, last.date) == ("0.3.0", released, DAY)


def test_nothing_is_cut_where_nothing_is_unreleased(project: Project) -> None:
    project.write("CHANGELOG.md", "# Changelog\n\n## Unreleased\n\n## 0.2.0 – 2026-11-22\n\n- The rules.\n")
    project.commit("No lines")
    with pytest.raises(RefusedError, match="nothing stands under Unreleased"):
        cut(project.root, DAY)


def test_nothing_is_cut_twice(project: Project) -> None:
    cut(project.root, DAY)
    with pytest.raises(RefusedError, match=r"0\.3\.0 is cut already; type: make release"):
        cut(project.root, DAY)


def test_nothing_begins_where_nothing_was_released(project: Project) -> None:
    with pytest.raises(RefusedError, match=r"0\.3\.0\.dev0 is under way already"):
        begin_next(project.root)
    assert project.git("log", "--format=%s").splitlines() == ["Everything"]


@pytest.mark.parametrize("step", [lambda root: cut(root, DAY), begin_next])
def test_uncommitted_changes_stop_both(project: Project, step: object) -> None:
    assert callable(step)
    project.write("forgotten.txt", "")
    with pytest.raises(RefusedError, match=r"in no commit: forgotten\.txt"):
        step(project.root)
