"""Write the lists of the wheels that the Debian package carries: `python tools/lock_wheels.py [ARCH...]`.

pip resolves for another Python and another machine, but takes the markers (`python_version < "3.13"`) of the machine
it runs on. So its choice is read again with the target's markers, until no requirement of a wheel is missing.
"""

import hashlib
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from collections.abc import Iterable, Iterator
from email.parser import Parser
from pathlib import Path

from packaging.markers import Environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name, parse_wheel_filename

ROOT = Path(__file__).resolve().parents[1]
LISTS = ROOT / "packaging" / "deb" / "wheels"
MACHINES = {"amd64": "x86_64", "arm64": "aarch64"}
PYTHONS = ("3.11", "3.13")
"""Those of Bookworm and Trixie."""
GLIBC = ("2_34", "2_28", "2_17")
EXTRAS = ("pi", "ribbon", "club", "workshop")
PURE = ("ezdxf", "fonttools", "sqlalchemy")
"""Taken without their compiled parts: one wheel for both Pythons, 25 MB less. Drawings and a club are in no hurry."""


def platforms(arch: str) -> Iterator[str]:
    """pip's arguments for wheels that run on both releases."""
    for name in [f"manylinux_{version}" for version in GLIBC] + ["manylinux2014"]:
        yield from ("--platform", f"{name}_{MACHINES[arch]}")


def environment(arch: str, python: str) -> Environment:
    """The environment that markers see on the target."""
    return {
        "implementation_name": "cpython",
        "implementation_version": f"{python}.0",
        "os_name": "posix",
        "platform_machine": MACHINES[arch],
        "platform_python_implementation": "CPython",
        "platform_release": "",
        "platform_system": "Linux",
        "platform_version": "",
        "python_full_version": f"{python}.0",
        "python_version": python,
        "sys_platform": "linux",
    }


def wanted(requirements: Iterable[str], target: Environment, extras: Iterable[str] = ()) -> list[Requirement]:
    """The requirements that hold on the target."""
    parsed = [Requirement(text) for text in requirements]
    contexts = [{**target, "extra": extra} for extra in ("", *extras)]
    return [
        one for one in parsed if one.marker is None or any(one.marker.evaluate(each) for each in contexts)
    ]


def project_requirements() -> list[str]:
    """The requirements of the companion and its extras on a Raspberry Pi, from pyproject.toml."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return project["dependencies"] + [
        one for extra in EXTRAS for one in project["optional-dependencies"][extra]
    ]


def wheel_requirements(wheel: Path) -> list[str]:
    """The requirements of a wheel, from its metadata."""
    with zipfile.ZipFile(wheel) as archive:
        name = next(one for one in archive.namelist() if one.endswith(".dist-info/METADATA"))
        return Parser().parsestr(archive.read(name).decode()).get_all("Requires-Dist", [])


def download(roots: list[Requirement], arch: str, python: str, folder: Path) -> None:
    """Let pip resolve and fetch for the target; raises CalledProcessError when it finds no set of wheels."""
    arguments = [f"{one.name}{one.specifier}" for one in roots]
    subprocess.run(
        [
            *(
                sys.executable,
                "-m",
                "pip",
                "download",
                "--quiet",
                "--only-binary=:all:",
                "--implementation=cp",
            ),
            *("--python-version", python, *platforms(arch), "--dest", str(folder), *arguments),
        ],
        check=True,
    )


def take_pure(folder: Path) -> None:
    """Replace the compiled wheels of some libraries by their pure ones."""
    for path in sorted(folder.glob("*.whl")):
        name, version, *_ = parse_wheel_filename(path.name)
        if name in PURE:
            path.unlink()
            subprocess.run(
                [
                    *(sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"),
                    *("--platform=any", "--dest", str(folder), f"{name}=={version}"),
                ],
                check=True,
            )


def lock(arch: str, python: str) -> str:
    """The list of one target, in pip's format with hashes."""
    target = environment(arch, python)
    roots = wanted(project_requirements(), target)
    while True:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            download(roots, arch, python, folder)
            take_pure(folder)
            wheels = {parse_wheel_filename(path.name)[0]: path for path in sorted(folder.glob("*.whl"))}
            needed = _closure(roots, wheels, target)
            missing = [one for one in needed.values() if canonicalize_name(one.name) not in wheels]
            if not missing:
                lines = [_line(wheels[key]) for key in sorted(wheels) if key in needed]
                return "\n".join(lines) + "\n"
            roots += missing


def _closure(
    roots: list[Requirement], wheels: dict[str, Path], target: Environment
) -> dict[str, Requirement]:
    found: dict[str, Requirement] = {}
    waiting = list(roots)
    while waiting:
        one = waiting.pop()
        key = canonicalize_name(one.name)
        if key in found and not one.extras:
            continue
        found[key] = one
        if key in wheels:
            waiting += wanted(wheel_requirements(wheels[key]), target, one.extras)
    return found


def _line(wheel: Path) -> str:
    name, version, *_ = parse_wheel_filename(wheel.name)
    return f"{name}=={version} --hash=sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}"


if __name__ == "__main__":
    LISTS.mkdir(parents=True, exist_ok=True)
    for chosen in sys.argv[1:] or MACHINES:
        for release in PYTHONS:
            path = LISTS / f"{chosen}-{release}.txt"
            path.write_text(lock(chosen, release), encoding="utf-8")
            sys.stdout.write(f"tock: wrote {path.relative_to(ROOT)}\n")
