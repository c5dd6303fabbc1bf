"""Sections of the changelog: read, and changed when a release is cut or the next version begins."""

import re
from dataclasses import dataclass
from datetime import date

UNRELEASED = "Unreleased"
_HEADING = re.compile(
    r"^## (?:(?P<unreleased>Unreleased)|(?P<version>\S+) – (?P<date>\d{4}-\d\d-\d\d))$", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Section:
    """The changelog's section on one version."""

    version: str
    """`Unreleased` for the one under way."""
    date: date | None
    body: str


def sections(text: str) -> tuple[Section, ...]:
    """Return the sections of a changelog, the newest first."""
    headings = list(_HEADING.finditer(text))
    ends = [heading.start() for heading in headings[1:]] + [len(text)]
    return tuple(
        Section(
            heading["version"] or UNRELEASED,
            date.fromisoformat(heading["date"]) if heading["date"] else None,
            text[heading.end() : end].strip("\n"),
        )
        for heading, end in zip(headings, ends, strict=True)
    )


def cut(text: str, version: str, day: date) -> str:
    """Return the changelog in which the unreleased section is that of a release."""
    return text.replace(f"\n## {UNRELEASED}\n", f"\n## {version} – {day}\n", 1)


def opened(text: str) -> str:
    """Return the changelog with an empty unreleased section on top."""
    first = _HEADING.search(text)
    place = first.start() if first else len(text)
    return f"{text[:place]}## {UNRELEASED}\n\n{text[place:]}"
