"""The shape of each stored form today: names and kinds of its fields, as text that a change of the form changes.

`python -m tests.support.stored_shapes` prints them. Bounds are left out: they belong to requests, not to the disk.
"""

import json
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import fields, replace
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Literal, Union, get_args, get_origin

import numpy as np
from pydantic import BaseModel
from sqlalchemy.schema import CreateTable

from tock_app.config.settings import Settings
from tock_companion.boardfile import Marker, PawnShape, Pile, generate, to_text
from tock_companion.club.repository import metadata
from tock_companion.events.facts import FACT_TYPES
from tock_companion.far.invitations import Account, Invitation, Invitations, Kept
from tock_companion.far.link import new_link
from tock_companion.far.second_board import keep_link
from tock_companion.sources.base import source_names, source_settings
from tock_companion.sources.recording import RecordingDocument
from tock_companion.sources.recording_lines import CardRow, FrameRow, ReedRow, ReportRow, RequestRow
from tock_companion.storage.files import FAR_BOARD_NAME
from tock_companion.storage.migrations import MIGRATIONS
from tock_companion.tournament.facts import Fact
from tock_rules import Card, Seat
from tock_vision.calibration_file import save_calibration
from tock_vision.camera_pose import CameraPose
from tock_vision.cards.jokers import CARD_PX, Joker, Jokers, save_jokers
from tock_vision.holes.calibration import Calibration
from tock_vision.holes.patches import PATCH_PX
from tock_vision.registration.results import Registration
from tock_web.rights.pin import PinKeeper

Shape = Mapping[str, str]
"""A line for each part of a form."""


def games() -> Shape:
    """The tables that all steps make, and the steps."""
    with closing(sqlite3.connect(":memory:")) as connection:
        for step in MIGRATIONS:
            step.work(connection)
        tables = connection.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name")
        made = {f"table {name}": _one_line(sql) for name, sql in tables}
    return {**made, **{f"step {step.number}": f"{step.release}: {step.does}" for step in MIGRATIONS}}


def event_log() -> Shape:
    """The kinds of event and their fields."""
    return {kind: _fields(fact) for kind, fact in FACT_TYPES.items()}


def settings() -> Shape:
    """The keys of `tock.toml`, of sources too."""
    found = dict(_of_model("", Settings))
    for name in source_names():
        schema = source_settings(name)
        if schema is not None:
            found |= _of_model(f"sources.{name}", schema)
    return found


def board_file() -> Shape:
    """The shape of a whole board's file."""
    usual = generate(4, 440)
    whole = replace(
        usual,
        markers=(Marker(1, 20.0, 20.0, 20.0),),
        pawn=PawnShape("opaque", 5.0),
        pile=Pile(200.0, 200.0, 80.0, 100.0),
    )
    return dict(_of_json("", json.loads(to_text(whole))))


def camera() -> Shape:
    """The arrays of a camera's state."""
    board = generate(4, 440)
    patches = np.zeros((len(board.holes), PATCH_PX, PATCH_PX, 3), np.float32)
    colors = {Seat.P0: np.zeros((4, 4), np.float32)}
    pose = Registration(CameraPose(np.zeros(8), (640, 480)), 0.1, 1.0, "stored", "sure")
    learned = Calibration(pose, patches, colors, 0.1, True, PawnShape("opaque", 5.0))
    with _scratch() as folder:
        save_calibration(folder / "camera.npz", board, learned)
        return _of_arrays(folder / "camera.npz")


def jokers() -> Shape:
    """The arrays of learned jokers."""
    picture = np.zeros((*CARD_PX[::-1], 3), np.uint8)
    none = np.zeros((0, 2), np.float32)
    both = tuple(Joker(Card.parse(name), picture, none, none) for name in ("JOK_B", "JOK_C"))
    with _scratch() as folder:
        save_jokers(folder / "jokers.npz", Jokers((both[0], both[1])))
        return _of_arrays(folder / "jokers.npz")


def recording() -> Shape:
    """`recording.json` and the lines of its logs."""
    models = (RecordingDocument, CardRow, FrameRow, ReedRow, ReportRow, RequestRow)
    return {key: value for model in models for key, value in _of_model(model.__name__, model).items()}


def host_pin() -> Shape:
    """The file of the host's PIN."""
    with _scratch() as folder:
        keeper = PinKeeper(folder)
        keeper.set("4711")
        keeper.remember("a device")
        (path,) = folder.iterdir()
        return {"file": path.name, **dict(_of_json("", json.loads(path.read_text(encoding="utf-8"))))}


def far() -> Shape:
    """The file of invitations."""
    with _scratch() as folder:
        invitation = Invitation.new(Seat.P1, 0.0)
        Invitations(folder).keep(Kept(Account("https://tock.example", "t", "p"), (invitation,)))
        (path,) = folder.iterdir()
        return {"file": path.name, **dict(_of_json("", json.loads(path.read_text(encoding="utf-8"))))}


def far_board() -> Shape:
    """The file of the home that is followed."""
    with _scratch() as folder:
        keep_link(folder / FAR_BOARD_NAME, new_link("https://tock.example", "t" * 22), bytes(32))
        (path,) = folder.iterdir()
        return {"file": path.name, **dict(_of_json("", json.loads(path.read_text(encoding="utf-8"))))}


def club() -> Shape:
    """The tables of a club, and the facts in them."""
    tables = {f"table {table.name}": _one_line(str(CreateTable(table))) for table in metadata.sorted_tables}
    return {**tables, **{f"fact {fact.__name__}": _fields(fact) for fact in get_args(Fact)}}


SHAPES: Mapping[str, Callable[[], Shape]] = {
    "games": games,
    "event log": event_log,
    "settings": settings,
    "board file": board_file,
    "camera": camera,
    "jokers": jokers,
    "recording": recording,
    "host PIN": host_pin,
    "far": far,
    "far board": far_board,
    "club": club,
}
"""By the names in `tock_companion.file_versions`."""


def shapes_of_today() -> dict[str, Shape]:
    """All of them."""
    return {name: dict(sorted(shape().items())) for name, shape in SHAPES.items()}


def as_text(shapes: Mapping[str, Shape]) -> str:
    """As the test data keep them."""
    return json.dumps(shapes, ensure_ascii=False, indent=1) + "\n"


def _scratch() -> "_Folder":
    return _Folder()


class _Folder(tempfile.TemporaryDirectory[str]):
    def __enter__(self) -> Path:  # type: ignore[override]
        return Path(super().__enter__())


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _fields(fact: type) -> str:
    return ", ".join(f"{item.name}: {_plain(item.type)}" for item in fields(fact))


def _of_model(under: str, model: type[BaseModel]) -> Shape:
    found: dict[str, str] = {}
    for name, field in model.model_fields.items():
        key = f"{under}.{name}".removeprefix(".")
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            found |= _of_model(key, kind)
        else:
            needed = "needed" if field.is_required() else "optional"
            found[key] = f"{_plain(kind)}, {needed}"
    return found


def _plain(kind: object) -> str:
    """A kind without its bounds, the same in every version of Python."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _plain(inner[0])
    if origin in (Union, UnionType):
        return " | ".join(map(_plain, inner))
    if origin is Literal:
        return f"one of {', '.join(map(repr, inner))}"
    name = "None" if kind is NoneType else getattr(origin or kind, "__name__", str(kind))
    return f"{name}[{', '.join(map(_plain, inner))}]" if inner else name


def _of_json(under: str, value: object) -> Shape:
    if isinstance(value, Mapping):
        parts = [_of_json(f"{under}.{key}".removeprefix("."), inner) for key, inner in value.items()]
        return {key: kind for part in parts for key, kind in part.items()}
    if isinstance(value, list):
        found: dict[str, str] = {}
        for inner in value:
            for key, kind in _of_json(f"{under}[]", inner).items():
                found[key] = kind if found.get(key, kind) == kind else "mixed"
        return found or {under: "list"}
    return {under: "number" if isinstance(value, int | float) else type(value).__name__}


def _of_arrays(path: Path) -> Shape:
    with np.load(path) as arrays:
        found = {name: f"{arrays[name].dtype}, {arrays[name].ndim} axes" for name in arrays.files}
        if "head" in found:
            found |= {
                f"head {key}": kind for key, kind in _of_json("", json.loads(bytes(arrays["head"]))).items()
            }
    return found


if __name__ == "__main__":
    sys.stdout.write(as_text(shapes_of_today()))
