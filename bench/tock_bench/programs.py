"""Every program that measures, attacks or draws the companion."""

from dataclasses import dataclass
from enum import Enum


class Kind(Enum):
    """The purpose of a program; the value heads its part of the list."""

    FIGURES = "figures, as docs/commands.md describes them"
    STUDY = "studies: minutes to hours; most resume after an interruption"
    MATERIAL = "what documents and tests are made of"


@dataclass(frozen=True, slots=True)
class Program:
    """One name of `tock bench NAME` and its module."""

    name: str
    kind: Kind
    module: str
    """Relative to `tock_bench`; it has a `run`, and its docstring begins with a summary."""
    document: str = ""
    """The page of docs/measurements with a block that `--write` replaces."""
    target: str = ""
    """The target of `make` that runs it, where there is one."""

    @property
    def command(self) -> str:
        """The command that runs it."""
        return f"make {self.target}" if self.target else f"tock bench {self.name}"


def _figures(name: str, document: str = "") -> Program:
    return Program(name, Kind.FIGURES, f"figures.{name}", document)


def _study(name: str, document: str = "", target: str = "") -> Program:
    return Program(name, Kind.STUDY, f"studies.{name.replace('-', '_')}", document, target)


def _material(name: str, target: str = "") -> Program:
    return Program(name, Kind.MATERIAL, f"studies.{name.replace('-', '_')}", target=target)


PROGRAMS = (
    _figures("camera"),
    _figures("cards"),
    _figures("durability"),
    _figures("far"),
    _figures("hints"),
    _figures("hostile"),
    _figures("link"),
    _figures("referee"),
    _figures("rules"),
    _figures("vision"),
    _figures("web"),
    _study("arm64", "arm64.md", "arm64"),
    Program("fuzz", Kind.STUDY, "fuzz.run", "fuzz.md", "fuzz"),
    _study("journeys", "journeys.md"),
    _material("club-hall", "pictures"),
    _material("old-folders", "old-folder"),
    _material("pictures", "pictures"),
    _material("recordings"),
    _material("rule-pages", "rule-pages"),
)
BY_NAME = {program.name: program for program in PROGRAMS}
