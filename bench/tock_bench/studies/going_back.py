"""Plays on in the folder of an old release with this version, goes back to the old one, and forth and back again.

`tock bench going-back 0.2.0=/path/to/its/bin/tock …`: each release needs an environment of its own.
Every event that this version told must be there under the old one, its game must go on, and so the other way round.
"""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

from tests.support.old_folders import OldFolder, copy_of
from tests.support.page_client import PageClient
from tests.support.service import drag
from tock_bench.results import Measured, Say
from tock_bench.studies.old_folders import Release, ask_host, granted, put_pawns_back, standing, until

OWN = Path(sys.executable).with_name("tock")


@contextmanager
def evening(tock: Path, old: OldFolder) -> Iterator[tuple[PageClient, PageClient]]:
    """The companion of a release on the folder, and both players' phones."""
    release = Release(tock, old.data)
    with release.evening():
        phones = PageClient(release.url), PageClient(release.url)
        for phone, name in zip(phones, ("Anna", "Ben"), strict=True):
            phone.take(old.expected["cookies"][name])
        yield phones


def play_on(anna: PageClient, ben: PageClient) -> None:
    """Ben comes out, Anna moves one hole too far, is warned, and puts it right."""
    granted(ben.ask("play_card", card="KS"))
    drag(ben, "P2", "T36")
    anna.wait_for("to_move", "P0")
    granted(anna.ask("play_card", card="6H"))
    drag(anna, "P0", "T7", "T0")
    anna.ask("decide_now")
    until(lambda: anna.view("table")["warning"] is not None)
    drag(anna, "P0", "T6", "T7")
    anna.wait_for("to_move", "P2")


def shown(phone: PageClient) -> dict[str, Any]:
    """The part of the view that must be the same under both."""
    view = phone.view("seat")
    return {
        "seq": view["game"]["seq"],
        "to_move": view["to_move"],
        "pawns": sorted(standing(view)),
        "names": [seat["name"] for seat in view["seats"]],
        "trouble": [note["code"] for note in view["health"]],
    }


def there_and_back(release: str, tock: Path) -> dict[str, bool]:
    """Whether each change of version kept everything."""
    same: dict[str, bool] = {}
    with tempfile.TemporaryDirectory() as scratch:
        old = copy_of(release, Path(scratch) / "data")
        with evening(OWN, old) as (anna, ben):
            play_on(anna, ben)
            before = shown(anna)
        with evening(tock, old) as (anna, ben):
            same["a game with a warning of this version, under the old one"] = shown(anna) == before
            granted(ben.ask("play_card", card="8C"))
            drag(ben, "P2", "T44", "T36")
            anna.wait_for("to_move", "P0")
            before = shown(anna)
        with evening(OWN, old) as (anna, ben):
            same["what the old one played on, under this version"] = shown(anna) == before
            granted(anna.post("/api/v1/host", pin=old.expected["pin"]))
            put_pawns_back(anna)
            granted(ask_host(anna, "new_game", ruleset="mjc", players=2, first="P0"))
            granted(anna.ask("play_card", card="KH"))
            drag(anna, "P0", "T0")
            anna.wait_for("to_move", "P2")
            before = shown(anna)
        with evening(tock, old) as (anna, _ben):
            same["a game begun by this version, under the old one"] = shown(anna) == before
            granted(anna.post("/api/v1/host", pin=old.expected["pin"]))
    return same


def run(
    _say: Say, releases: Annotated[tuple[str, ...], "RELEASE=TOCK: its number and its command"]
) -> Measured:
    """Change versions there and back on the folder of each release."""
    found: dict[str, dict[str, bool]] = {}
    for named in releases:
        release, _, tock = named.partition("=")
        found[release] = there_and_back(release, Path(tock).absolute())
    return Measured(found, passed=all(kept for changes in found.values() for kept in changes.values()))
