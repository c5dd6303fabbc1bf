"""Inputs that once broke a reader, as the fuzzer keeps them."""

import json
from base64 import b64decode, b64encode
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from tests.support.checkout import DATA

CASES = DATA / "hostile.jsonl"


@dataclass(frozen=True, slots=True)
class Case:
    """An input, and the readers that it broke."""

    doors: tuple[str, ...]
    fault: str
    content: bytes

    def __str__(self) -> str:
        """Fault and hash, for the name of a test."""
        return f"{self.fault}-{sha256(self.content).hexdigest()[:8]}"


def cases_of(door: str) -> list[Case]:
    """The cases of a reader."""
    return [case for case in all_cases() if door in case.doors]


def all_cases(path: Path = CASES) -> list[Case]:
    """All cases in a file."""
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [
        Case(
            tuple(row["doors"]),
            row["fault"],
            row["text"].encode() if "text" in row else b64decode(row["base64"]),
        )
        for row in rows
    ]


def keep_case(door: str, fault: str, content: bytes, path: Path = CASES) -> None:
    """Add a case; the tests try it from now on."""
    try:
        form = {"text": content.decode()}
    except UnicodeDecodeError:
        form = {"base64": b64encode(content).decode()}
    with path.open("a", encoding="utf-8") as lines:
        lines.write(json.dumps({"doors": [door], "fault": fault, **form}) + "\n")
