"""A repository of a few files that stands for ours, and packages of a few bytes."""

from pathlib import Path

import pytest

from tests.support.packages import gpg_home
from tests.support.releasing import Project


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.setenv("GNUPGHOME", str(gpg_home()))
    return Project(tmp_path / "project")
