"""The package carries a wheel of everything that the companion wants, for both Pythons and both kinds of machine."""

import re
import tomllib
from collections.abc import Set as AbstractSet
from pathlib import Path

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
LISTS = ROOT / "packaging/deb/wheels"
MACHINES = {"amd64": "x86_64", "arm64": "aarch64"}
LINE = re.compile(r"([a-z0-9-]+)==(\S+) --hash=sha256:[0-9a-f]{64}")


def carried(arch: str, python: str) -> dict[str, str]:
    lines = (LISTS / f"{arch}-{python}.txt").read_text(encoding="utf-8").splitlines()
    matches = [LINE.fullmatch(line) for line in lines]
    assert all(matches)
    return {match[1]: match[2] for match in matches if match}


def target(arch: str, python: str) -> dict[str, str | AbstractSet[str]]:
    here = {key: str(value) for key, value in default_environment().items()}
    there = {
        "platform_machine": MACHINES[arch],
        "python_version": python,
        "python_full_version": f"{python}.0",
    }
    return {**here, **there}


@pytest.mark.parametrize("arch", MACHINES)
@pytest.mark.parametrize("python", ["3.11", "3.13"])
def test_every_requirement_has_its_wheel(arch: str, python: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    wheels = carried(arch, python)
    for text in [
        *project["dependencies"],
        *extras["pi"],
        *extras["ribbon"],
        *extras["club"],
        *extras["relay"],
    ]:
        wanted = Requirement(text)
        if wanted.marker is None or wanted.marker.evaluate(target(arch, python)):
            version = wheels.get(canonicalize_name(wanted.name))
            assert version is not None, f"{wanted.name} is not in the list; type: make deb-wheels"
            assert wanted.specifier.contains(version), (
                f"{text}, but {version} is carried; type: make deb-wheels"
            )


def test_the_pins_library_is_carried_where_it_has_wheels() -> None:
    assert "lgpio" in carried("arm64", "3.11")
    assert "lgpio" not in carried("arm64", "3.13")
