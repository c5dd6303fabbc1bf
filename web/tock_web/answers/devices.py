"""Answers about devices (the board, the camera, the simulated table, the machine), and the data sent with a page."""

from collections.abc import Mapping, Sequence
from typing import Literal, NotRequired

from typing_extensions import TypedDict

from tock_companion.language import Text
from tock_companion.views.parts import CardName, HoleId, SeatName
from tock_companion.views.schema import View
from tock_web.answers.people import Nothing, Refusal, Session


class WeakPoint(TypedDict):
    """Colours that the camera will confuse in this light."""

    code: str
    seats: Sequence[SeatName]


class Learned(TypedDict, total=False):
    """The state that the camera learned; empty when it was shown the corners."""

    score: float
    weak: Sequence[WeakPoint]
    kept: bool
    """Whether the next start will remember it."""


class CameraTaught(TypedDict):
    """Confirmation that the camera found the board, or learned its appearance."""

    ok: Literal[True]
    code: Literal[""]
    message: Nothing
    data: Learned


class CameraRefusal(Refusal):
    """The reason why the camera could not be taught."""

    data: Nothing


class ScenePawn(TypedDict):
    """A pawn on or beside the simulated table."""

    id: str
    seat: SeatName
    x_mm: float
    y_mm: float
    hole: HoleId | None


class ScenePlace(TypedDict):
    """The place of the simulated hand."""

    x_mm: float
    y_mm: float


class SceneCard(TypedDict):
    """The card beside the simulated board."""

    card: CardName
    seat: SeatName | None


class SceneInfo(TypedDict):
    """Everything on the simulated table."""

    revision: int
    pawns: Sequence[ScenePawn]
    hand: ScenePlace | None
    card: SceneCard | None


class FindingRow(TypedDict):
    """One check of the doctor."""

    part: str
    code: str
    level: Literal["ok", "warning", "fault"]
    found: Text
    do: Text
    """The remedy; empty where nothing is wrong."""


class Findings(TypedDict):
    """The doctor's findings."""

    findings: Sequence[FindingRow]


class SettingRow(TypedDict):
    """A setting."""

    name: str
    kind: str
    value: object
    """Null where the default holds."""
    default: object
    about: Text
    ends: bool
    """Whether a change ends something at once: people far away lose their way here."""


class Settings(TypedDict):
    """The configuration file."""

    file: str
    text: str
    keys: Sequence[SettingRow]
    restarts: bool
    """Whether the companion can restart itself."""


class BoardHole(TypedDict):
    """A hole of the board file, in millimetres."""

    id: HoleId
    kind: Literal["track", "camp", "home", "centre"]
    seat: SeatName | None
    index: int
    x: float
    y: float
    d: float


class BoardMarker(TypedDict):
    """An ArUco marker of the board file, in millimetres."""

    id: int
    x: float
    y: float
    size: float


class BoardPawn(TypedDict):
    """The appearance of the pawns."""

    style: str
    radius_mm: float


class BoardPile(TypedDict):
    """The area where cards are laid, in millimetres."""

    x: float
    y: float
    w: float
    h: float


class BoardDocument(TypedDict):
    """A board file, as docs/formats.md describes it."""

    name: str
    zones: int
    unit: Literal["mm"]
    size: Sequence[float]
    holes: Sequence[BoardHole]
    markers: Sequence[BoardMarker]
    colors: Mapping[SeatName, str]
    pawn: NotRequired[BoardPawn]
    pile: NotRequired[BoardPile]


class Bootstrap(TypedDict):
    """Data sent with a page, so that it can draw before it has asked for anything."""

    words: Mapping[str, str]
    board: BoardDocument
    session: Session
    view: NotRequired[View]
    boot: NotRequired[str]
    part: NotRequired[str]
    """On a page of several parts, the one to show."""
