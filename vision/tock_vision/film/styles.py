"""The colours and marks of the seats, as the page draws them, and the letters of the film."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from io import BytesIO
from math import cos, pi, sin

from PIL import Image, ImageDraw, ImageFont

from tock_companion.boardfile import BoardFile
from tock_rules import Seat

PALETTE: Mapping[str, tuple[str, str, str | None]] = {
    "red": ("#A4161A", "#FFFFFF", "dot"),
    "blue": ("#0B5FB0", "#FFFFFF", "plus"),
    "yellow": ("#F9E04B", "#000000", "square"),
    "green": ("#3FB27F", "#000000", "triangle"),
    "black": ("#1A1A1A", "#FFFFFF", "star"),
    "white": ("#FFFFFF", "#000000", "diamond"),
    "orange": ("#E8710A", "#000000", "cross"),
    "purple": ("#C77DFF", "#000000", "ring"),
    "brown": ("#7A4A21", "#FFFFFF", None),
    "grey": ("#8C8C8C", "#000000", None),
    "pink": ("#F4A6C0", "#000000", None),
    "turquoise": ("#2BA5A5", "#000000", None),
}
"""Colour, ink of the mark, and mark, as `board/shapes.js` has them; a test compares the two."""
MARKS = ("dot", "plus", "square", "triangle", "star", "diamond", "cross", "ring")


@dataclass(frozen=True, slots=True)
class SeatStyle:
    """Colour and mark of a seat's pawns."""

    fill: str
    ink: str
    mark: str


def styles_of(board: BoardFile) -> dict[Seat, SeatStyle]:
    """Give each seat its appearance; colours without a mark get a free one."""
    rows = {seat: PALETTE.get(board.colors.get(seat, "grey"), PALETTE["grey"]) for seat in board.seats}
    own: dict[Seat, str] = {}
    for seat, (_, _, mark) in rows.items():
        if mark is not None and mark not in own.values():
            own[seat] = mark
    free = iter([mark for mark in MARKS if mark not in own.values()])
    return {seat: SeatStyle(fill, ink, own.get(seat) or next(free)) for seat, (fill, ink, _) in rows.items()}


def draw_mark(pen: ImageDraw.ImageDraw, x: float, y: float, r: float, style: SeatStyle) -> None:
    """Draw the mark of a seat into a circle of radius `r`."""
    ink, arm, slant = style.ink, 0.78 * r, 0.6 * r
    match style.mark:
        case "plus":
            pen.line([(x - arm, y), (x + arm, y)], ink, round(0.42 * r))
            pen.line([(x, y - arm), (x, y + arm)], ink, round(0.42 * r))
        case "cross":
            pen.line([(x - slant, y - slant), (x + slant, y + slant)], ink, round(0.42 * r))
            pen.line([(x + slant, y - slant), (x - slant, y + slant)], ink, round(0.42 * r))
        case "ring":
            pen.circle((x, y), 0.84 * r, None, ink, round(0.36 * r))
        case "square":
            pen.rectangle([x - 0.66 * r, y - 0.66 * r, x + 0.66 * r, y + 0.66 * r], ink)
        case "triangle":
            pen.polygon(_corners(x, y, 3, r, r), ink)
        case "diamond":
            pen.polygon(_corners(x, y, 4, r, r), ink)
        case "star":
            pen.polygon(_corners(x, y, 10, r, 0.42 * r), ink)
        case _:
            pen.circle((x, y), 0.62 * r, ink)


def _corners(x: float, y: float, count: int, outer: float, inner: float) -> list[tuple[float, float]]:
    return [
        (
            x + (inner if at % 2 and inner != outer else outer) * cos(2 * pi * at / count - pi / 2),
            y + (inner if at % 2 and inner != outer else outer) * sin(2 * pi * at / count - pi / 2),
        )
        for at in range(count)
    ]


def pawn_picture(style: SeatStyle, radius_px: float) -> Image.Image:
    """A pawn with its double rim and mark, with a transparent ground, its centre in the middle."""
    big = 4
    side = 2 * int(radius_px * 1.3 + 1)
    picture = Image.new("RGBA", (side * big, side * big))
    pen, middle, r = ImageDraw.Draw(picture), side * big / 2, radius_px * big
    pen.circle((middle + 0.08 * r, middle + 0.16 * r), 1.04 * r, (20, 10, 0, 90))
    for share, color in ((1.0, "#000000"), (0.93, "#FFFFFF"), (0.84, style.fill)):
        pen.circle((middle, middle), share * r, color)
    draw_mark(pen, middle, middle, 0.52 * r, style)
    return picture.resize((side, side), Image.Resampling.BOX)


@cache
def letters(size_px: int) -> ImageFont.FreeTypeFont:
    """The letters of the film: DejaVu Sans Bold with Latin, Greek, Cyrillic, Hebrew, Arabic and the suits."""
    return ImageFont.truetype(BytesIO(_font()), size_px)


@cache
def _font() -> bytes:
    return files("tock_vision").joinpath("data/dejavu-sans-bold.ttf").read_bytes()


@cache
def _missing() -> bytes:
    return bytes(letters(20).getmask("\U0010ffff"))


def legible(text: str) -> str:
    """The text without the characters that the film's font lacks, such as pictures in names."""
    known = [one for one in text if one.isspace() or bytes(letters(20).getmask(one)) != _missing()]
    return " ".join(word for word in "".join(known).split(" ") if word)


def fitted(text: str, width_px: int, size_px: int, smallest_px: int = 11) -> ImageFont.FreeTypeFont:
    """The largest letters, up to a size, in which a text fits."""
    while size_px > smallest_px and letters(size_px).getlength(text) > width_px:
        size_px -= 1
    return letters(size_px)
