"""A board drawn flat, as the page draws it: wood, track, homes, camps, holes, pawns."""

from collections.abc import Mapping
from io import BytesIO
from math import atan2

from PIL import Image, ImageDraw

from tock_companion.boardfile import BoardFile, DrilledHole, HoleKind
from tock_rules import Seat
from tock_vision.film.styles import pawn_picture, styles_of

MARGIN_PITCHES = 1.05
BIG = 3
"""The drawing is made three times larger and shrunk: edges are smooth."""
FRAME, PLATE, LINE, HOLE, EDGE = "#6d4526", "#e3c08f", "#8a6136", "#3a2210", "#2b1a0c"
HOLE_PITCHES, RIM_PITCHES, PAWN_PITCHES = 0.34, 0.11, 0.43
Point = tuple[float, float]


class BoardPicture:
    """One board at one size; the empty board is drawn once."""

    def __init__(self, board: BoardFile, width_px: int) -> None:
        self.board, self.styles = board, styles_of(board)
        xs, ys = [hole.x_mm for hole in board.holes], [hole.y_mm for hole in board.holes]
        margin = MARGIN_PITCHES * board.pitch_mm
        self._left, self._top = min(xs) - margin, min(ys) - margin
        self.px_per_mm = width_px / (max(xs) - min(xs) + 2 * margin)
        self.size_px = (width_px, round((max(ys) - min(ys) + 2 * margin) * self.px_per_mm))
        self.pitch_px = board.pitch_mm * self.px_per_mm
        self.pawns = {
            seat: pawn_picture(style, PAWN_PITCHES * self.pitch_px) for seat, style in self.styles.items()
        }
        self.empty = self._drawn()

    def at(self, hole: str) -> Point:
        """The place of a hole in the picture, in pixels."""
        return self._at(self.board.hole(hole), 1)

    def put(self, picture: Image.Image, seat: Seat, place: Point) -> None:
        """Draw a pawn with its middle at a place."""
        pawn = self.pawns[seat]
        corner = (round(place[0] - pawn.width / 2), round(place[1] - pawn.height / 2))
        picture.paste(pawn, corner, pawn)

    def with_pawns(self, holes: Mapping[str, str]) -> Image.Image:
        """The board with pawns, by hole the seat whose pawn it is."""
        picture = self.empty.copy()
        for hole, seat in holes.items():
            self.put(picture, Seat.parse(seat), self.at(hole))
        return picture

    def _at(self, hole: DrilledHole, big: int) -> Point:
        scale = self.px_per_mm * big
        return (hole.x_mm - self._left) * scale, (hole.y_mm - self._top) * scale

    def _drawn(self) -> Image.Image:
        width, height = (side * BIG for side in self.size_px)
        picture = Image.new("RGB", (width, height), PLATE)
        pen, pitch = ImageDraw.Draw(picture), self.pitch_px * BIG
        pen.rounded_rectangle([0, 0, width - 1, height - 1], 0.5 * pitch, FRAME)
        inset = 0.3 * pitch
        pen.rounded_rectangle([inset, inset, width - inset, height - inset], 0.4 * pitch, PLATE)
        track = self._row(HoleKind.TRACK, None)
        pen.line([*track, track[0]], LINE, round(0.1 * pitch), "curve")
        for seat, style in self.styles.items():
            self._home(pen, seat, style.fill, track)
            self._camp(pen, seat, style.fill)
        for hole in self.board.holes:
            place = self._at(hole, BIG)
            radius = min(hole.d_mm / 2 * self.px_per_mm * BIG, HOLE_PITCHES * pitch)
            owner = self.board.owner(hole)
            if owner is not None:
                pen.circle(
                    place, radius + RIM_PITCHES * pitch, self.styles[owner].fill, EDGE, max(1, BIG // 2)
                )
            pen.circle(place, radius, HOLE)
        return picture.resize(self.size_px, Image.Resampling.BOX)

    def _row(self, kind: HoleKind, seat: Seat | None) -> list[Point]:
        row = [hole for hole in self.board.holes if hole.kind is kind and hole.seat is seat]
        return [self._at(hole, BIG) for hole in sorted(row, key=lambda hole: hole.index)]

    def _home(self, pen: ImageDraw.ImageDraw, seat: Seat, fill: str, track: list[Point]) -> None:
        lane = self._row(HoleKind.HOME, seat)
        pitch = self.pitch_px * BIG
        entrance = track[self.board.entrance(seat).index]
        pen.line([entrance, *lane], LINE, round(0.1 * pitch))
        for width, color in ((1.06, EDGE), (0.94, _mixed(fill))):
            pen.line(lane, color, round(width * pitch), "curve")
            for place in (lane[0], lane[-1]):
                pen.circle(place, width * pitch / 2, color)

    def _camp(self, pen: ImageDraw.ImageDraw, seat: Seat, fill: str) -> None:
        places = self._row(HoleKind.CAMP, seat)
        pitch = self.pitch_px * BIG
        x, y = (sum(values) / len(places) for values in zip(*places, strict=True))
        ring = sorted(places, key=lambda place: atan2(place[1] - y, place[0] - x))
        for width, color in ((1.17, EDGE), (1.05, _mixed(fill))):
            pen.polygon(ring, color)
            pen.line([*ring, ring[0]], color, round(width * pitch), "curve")
            for place in ring:
                pen.circle(place, width * pitch / 2, color)


def _mixed(color: str, share: float = 0.55) -> str:
    """A colour laid thinly on the wood."""
    pairs = zip(_bytes(color), _bytes(PLATE), strict=True)
    return "#" + "".join(f"{round(share * own + (1 - share) * wood):02x}" for own, wood in pairs)


def _bytes(color: str) -> bytes:
    return bytes.fromhex(color[1:])


def board_png(board: BoardFile, holes: Mapping[str, str], width_px: int) -> bytes:
    """A small picture of where the pawns stand."""
    out = BytesIO()
    BoardPicture(board, width_px).with_pawns(holes).save(out, "PNG")
    return out.getvalue()
