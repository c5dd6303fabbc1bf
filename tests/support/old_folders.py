"""The data folders that releases have written, made by `make old-folder`, and views of them."""

import json
import re
import tarfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.support.page_client import PageClient
from tests.support.service import Companion
from tock_companion.storage.migrations import MIGRATIONS

FOLDERS = Path(__file__).parents[1] / "data" / "folders"
"""A folder for each release, and `next` for the one that is being made."""
ARCHIVE = "data.tar.xz"
"""The data folder of a release."""
NEXT = "next"
RELEASED = tuple(sorted(path.name for path in FOLDERS.glob("*.*.*")))
ALL = (*RELEASED, NEXT)


def order(release: str) -> tuple[int, ...]:
    """The key by which releases are sorted."""
    return tuple(map(int, release.split(".")))


OLDER = tuple(release for release in RELEASED if order(release) < order(MIGRATIONS[-1].release))
"""Releases whose database lacks a migration."""
BEFORE = f"before-{MIGRATIONS[-1].release}.sqlite"
"""The copy of a database before its migrations."""


@dataclass(frozen=True)
class OldFolder:
    """A copy of a folder, and its expected content."""

    data: Path
    expected: dict[str, Any]

    @property
    def database(self) -> Path:
        """The database of its games."""
        return self.data / "games.sqlite"

    def phone(self, name: str, companion: Companion) -> PageClient:
        """The phone of a player of that evening, whose companion had the port that this one has."""
        phone = PageClient(companion.url)
        port = urlsplit(companion.url).port
        cookies = self.expected["cookies"][name].items()
        phone.take({re.sub(r"_\d+$", f"_{port}", kept): value for kept, value in cookies})
        return phone

    def seen_by(self, name: str, companion: Companion) -> dict[str, Any]:
        """The expected part of a player's view now."""
        phone = self.phone(name, companion)
        view = phone.view("seat")
        return {
            "seats": {seat["seat"]: seat["name"] for seat in view["seats"] if seat["name"]},
            "hand": [entry["card"] for entry in view["hand"]["cards"]],
            "to_move": view["to_move"],
            "pawns": sorted([hole.split("-C")[0], seat] for hole, seat in view["holes"].items() if seat),
            "seq": view["game"]["seq"],
            "board": view["board"]["name"],
            "hints": phone.get("/api/v1/hints"),
        }

    def expected_by(self, name: str) -> dict[str, Any]:
        """The value that `seen_by` must give."""
        kept = ("seats", "to_move", "pawns", "seq", "board", "hints")
        return {"hand": self.expected["hands"][name], **{key: self.expected[key] for key in kept}}


def copy_of(release: str, target: Path) -> OldFolder:
    """Unpack the folder of a release."""
    with tarfile.open(FOLDERS / release / ARCHIVE) as packed:
        packed.extractall(target.parent, filter="data")
    (target.parent / "data").rename(target)
    return OldFolder(target, json.loads((FOLDERS / release / "expected.json").read_text(encoding="utf-8")))
