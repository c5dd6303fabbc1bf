"""A repository of a few files that stands for ours, and packages of a few bytes."""

from pathlib import Path

import pytest

from tests.support.releasing import Project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path / "project")
