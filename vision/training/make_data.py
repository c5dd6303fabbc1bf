"""Makes the patches that the network of the reader is trained on.

`python -m vision.training.make_data stills|drawn OUT.npz …`.

`stills` cuts them from pictures with ground truth, `drawn` from pictures drawn with looks of all kinds.
Arrays in the file: X patches (uint8, 64 = as bright as the light around), S outlines, Y state (0 empty, 1 pawn,
2 hidden), C colour or -1, V visible share, B board number (0 for drawn, -1 where
outlines are a guess), R number of the picture, P place (kind of
the hole and its owner's colour, as in `context.places`), O owner or -1, -2 beside the holes; for each picture E
(usual empty look) and LC (colour of the light). `stills` reads the folders that `scenes.py` writes, too.
"""

import argparse
import colorsys
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tock_companion.boardfile import BoardFile, PawnShape, generate, load
from tock_companion.rules import Seat
from tock_vision.board_points import hole_points_mm
from tock_vision.camera_pose import CameraPose, fit, from_points
from tock_vision.holes.network import COLORS
from tock_vision.holes.patches import (
    pawn_height_mm,
)
from tock_vision.rendering.renderer import Appearance, DrawnCard, DrawnPawn, Renderer, named_color
from tock_vision.rendering.sprites import draw_hand
from vision.training.collected import HIDDEN_SHARE, Collected

Array = Any

NO_OUTLINE = -1
"""Number of boards whose file does not say how wide the pawns are: their outlines are only a guess."""
COMMON = np.array([0.35 if name in ("grey", "pink", "turquoise") else 1.0 for name in COLORS])
"""Frequency of the colours among sets of pawns."""
STYLES = ("opaque", "satin", "swirl", "cateye", "peg", "pion")


def shaken(pose: CameraPose, board: BoardFile, rng: np.random.Generator) -> CameraPose:
    """A slightly wrong pose, like one from registration."""
    params = pose.params.copy()
    params[3:5] += rng.normal(0, 0.07 * board.pitch_mm, 2)
    params[5] *= 1 + rng.normal(0, 0.006)
    params[:3] += rng.normal(0, 0.004, 3)
    return replace(pose, params=params)


def true_view(board: BoardFile, places_px: Array, size_px: tuple[int, int]) -> CameraPose:
    """The pose that fits the true places of the holes."""
    points = hole_points_mm(board)
    poses = []
    for focal, radial in ((1.0, 0.0), (0.8, 0.0), (0.6, -0.12), (0.47, -0.16)):
        for start in from_points(points, places_px, size_px, focal * size_px[0], radial):
            pose = fit(start, points, places_px, 1.0)
            off = np.linalg.norm(pose.project(points) - places_px, axis=1)
            poses.append((float(np.median(off)), pose))
    return min(poses, key=lambda pair: pair[0])[1]


def from_stills(folder: Path, times: int, seed: int) -> Collected:
    """Cut all pictures of a folder with `stills.jsonl`, each with several slightly wrong poses."""
    rng = np.random.default_rng(seed)
    out = Collected()
    for line in (folder / "stills.jsonl").read_text().splitlines():
        entry = json.loads(line)
        frame = cv2.imread(str(folder / entry["image"]))
        assert frame is not None, entry["image"]
        cut_picture(out, frame, load(folder / entry["board"]), entry, rng, times)
    return out


def cut_picture(out: Collected, frame: Array, board: BoardFile, entry: Any, rng: Any, times: int) -> None:
    """Cut one picture with its line of `stills.jsonl`: once as it was taken, then with slightly wrong poses."""
    holes = [entry["holes"][hole.id] for hole in board.holes]
    if "view" in entry:
        pose = CameraPose(np.array(entry["view"]), frame.shape[1::-1])
    else:
        pose = true_view(board, np.array([hole["px"] for hole in holes]), frame.shape[1::-1])
    truth = {
        "Y": np.array([2 if hole["hidden"] else int(hole["state"] == "pawn") for hole in holes]),
        "C": np.array([COLORS.index(hole["color"]) if hole["color"] else -1 for hole in holes]),
        "V": np.array([hole["visible"] for hole in holes]),
    }
    number = 0 if "view" in entry else int("".join(filter(str.isdigit, board.name)) or 0)
    number = NO_OUTLINE if board.pawn is None else number
    for turn in range(times):
        seen = shaken(pose, board, rng) if turn else pose
        out.add(frame, seen, board, truth, number)
        out.add_spots(frame, seen, board, spots_of(entry, board, pose, rng), number)


def spots_of(entry: Any, board: BoardFile, pose: CameraPose, rng: np.random.Generator) -> list[Any]:
    """Places beside the holes; where the truth names none, those of loose pawns and some bare wood."""
    if "spots" in entry:
        return list(entry["spots"])
    if entry["hand"] or "cards_centre" in entry["tags"]:
        return []
    shape = board.usual_pawn
    lying = [(loose["px"], loose["colour"]) for loose in entry["loose"] if loose["state"] == "off_hole"]
    spots = []
    for _ in range(10):
        place = rng.uniform(0.03, 0.97, 2) * board.size_mm
        seen = pose.project(place[None], shape.radius_mm if shape.is_marble else 0.0)[0]
        pitch_px = board.pitch_mm * float(pose.scale(place[None])[0])
        gaps = [float(np.linalg.norm(seen - px)) / pitch_px for px, _ in lying]
        if board.nearest(*place)[1] > 0.6 * board.pitch_mm and min(gaps, default=9.0) > 1.2:
            spots.append({"mm": place.tolist(), "color": None, "visible": 1.0})
    for px, color in lying if shape.is_marble else []:
        place = np.array(board.size_mm) / 2
        for _ in range(8):
            slope = np.stack([pose.project((place + step)[None], shape.radius_mm)[0] for step in np.eye(2)])
            now = pose.project(place[None], shape.radius_mm)[0]
            place = place + np.linalg.solve((slope - now).T, np.array(px) - now)
        if board.nearest(*place)[1] > 0.5 * board.pitch_mm:
            spots += [{"mm": place.tolist(), "color": color, "visible": 1.0}] * 2
    return spots


def random_color(name: str, rng: np.random.Generator) -> tuple[float, float, float]:
    """A colour that people would call by this name (BGR)."""
    blue, green, red = (value / 255 for value in named_color(name))
    hue, saturation, value = colorsys.rgb_to_hsv(red, green, blue)
    hue = (hue + rng.normal(0, 0.012)) % 1.0
    saturation = float(np.clip(saturation * rng.uniform(0.8, 1.15), 0, 1))
    value = float(np.clip(value * rng.uniform(0.75, 1.2), 0.05, 1))
    red, green, blue = colorsys.hsv_to_rgb(hue, saturation, value)
    return blue * 255, green * 255, red * 255


def random_board(boards: list[BoardFile], rng: np.random.Generator) -> BoardFile:
    """A board of some layout with other colours, pawns and holes."""
    if boards and rng.random() < 0.6:
        board = boards[rng.integers(len(boards))]
    else:
        board = generate(int(rng.choice([4, 4, 6, 8])), float(rng.uniform(400, 620)))
    names = rng.choice(COLORS, board.zones, replace=False, p=COMMON / COMMON.sum())
    style = str(rng.choice(STYLES, p=[0.24, 0.14, 0.24, 0.14, 0.12, 0.12]))
    tall = style in ("peg", "pion")
    radius = 0.07 * board.pitch_mm if tall else rng.uniform(0.3, 0.41) * board.pitch_mm
    width = (rng.uniform(0.25, 0.42) if tall else rng.uniform(0.4, 0.56)) * board.pitch_mm
    holes = tuple(
        replace(
            hole,
            d_mm=width,
            x_mm=hole.x_mm + rng.normal(0, 0.012) * board.pitch_mm,
            y_mm=hole.y_mm + rng.normal(0, 0.012) * board.pitch_mm,
        )
        for hole in board.holes
    )
    colors = {Seat(zone): str(name) for zone, name in enumerate(names)}
    return replace(board, holes=holes, colors=colors, pawn=PawnShape(style, float(radius)))


def random_appearance(rng: np.random.Generator) -> Appearance:
    """A table, a board's paint, a lamp and a camera of some kind."""
    wood = [(118, 168, 206), (70, 110, 160), (45, 70, 110), (150, 195, 225), (60, 95, 165), (35, 50, 75)]
    paint = [(50, 40, 170), (110, 50, 35), (60, 110, 40), (225, 230, 232), (40, 40, 42), (160, 120, 60)]
    painted = rng.random() < 0.4
    board = np.array((paint if painted else wood)[rng.integers(6)]) * rng.uniform(0.8, 1.2)
    pale = tuple(np.array([215.0, 228.0, 236.0]) * rng.uniform(0.75, 1.05))
    dark = tuple(np.array([40.0, 48.0, 60.0]) * rng.uniform(0.5, 1.5))
    warm = rng.uniform(-0.1, 0.5)
    strength = np.exp(rng.normal(0, 0.3))
    wide = rng.random() < 0.3
    collar = pale if rng.random() < (0.6 if painted else 0.15) else dark if rng.random() < 0.1 else None
    return Appearance(
        size_px=(1280, 960) if rng.random() < 0.5 else (1280, 720),
        tilt_deg=float(rng.uniform(0, 38)),
        turn_deg=float(rng.uniform(-180, 180)),
        focal=float(rng.uniform(0.48, 0.7) if wide else rng.uniform(0.75, 1.1)),
        radial=float(rng.uniform(-0.17, -0.08) if wide else rng.normal(0, 0.01)),
        fill=float(rng.uniform(0.55, 0.95)),
        board=tuple(np.clip(board, 5, 240)),
        table=tuple(rng.uniform(20, 200, 3)),
        grain=float(rng.uniform(0.02, 0.14)),
        hole=tuple(board * rng.uniform(0.35, 0.8)) if rng.random() < 0.5 else dark,
        bowl=float(rng.uniform(0.7, 2.2)),
        collar=collar,
        collar_size=float(rng.uniform(1.2, 2.2)),
        lines=(pale if painted else dark) if rng.random() < 0.5 else None,
        paint=str(rng.choice(["none", "ring", "disc", "bowl"], p=[0.15, 0.25, 0.3, 0.3])),  # type: ignore[arg-type]
        starts=bool(rng.random() < 0.6),
        circles=bool(rng.random() < 0.4),
        ring_size=float(rng.uniform(1.05, 2.2)),
        light=tuple(np.array([1 - 0.5 * warm, 1 - 0.15 * warm, 1 + 0.3 * warm]) * strength),
        slope=tuple(rng.normal(0, 0.25, 2)),
        blur_px=float(rng.choice([0.0, 0.6, 1.0, 1.6, 2.6])),
        noise=float(rng.choice([0.0, 1.5, 3.0, 6.0, 11.0])),
        seed=int(rng.integers(2**31)),
    )


def random_pawns(board: BoardFile, rng: np.random.Generator) -> tuple[list[DrawnPawn], dict[str, Array]]:
    """Pawns in holes and some beside them, with the truth of every hole."""
    count = len(board.holes)
    truth = {"Y": np.zeros(count, int), "C": np.full(count, -1), "V": np.ones(count)}
    pawns = []
    colors = {seat: random_color(board.colors[seat], rng) for seat in board.seats}
    share = {"camp": rng.uniform(0.2, 0.9), "home": rng.uniform(0.1, 0.6), "track": rng.uniform(0.05, 0.25)}
    for number, hole in enumerate(board.holes):
        if rng.random() >= share.get(hole.kind.value, 0.3):
            continue
        own = hole.seat if hole.seat is not None and rng.random() < 0.7 else None
        seat = own if own is not None else board.seats[rng.integers(board.zones)]
        truth["Y"][number], truth["C"][number] = 1, COLORS.index(board.colors[seat])
        pawns.append(DrawnPawn(hole.x_mm, hole.y_mm, colors[seat], int(rng.integers(200))))
    for _ in range(rng.integers(0, 5)):
        x_mm, y_mm = rng.uniform(0, 1, 2) * board.size_mm
        if board.nearest(x_mm, y_mm)[1] > 0.75 * board.pitch_mm:
            color = colors[board.seats[rng.integers(board.zones)]]
            pawns.append(DrawnPawn(x_mm, y_mm, color, int(rng.integers(200))))
    return pawns, truth


def cover(frame: Array, pose: CameraPose, board: BoardFile, rng: np.random.Generator) -> Array:
    """Lay a hand, cards or a cup over the board; returns the mask of what they cover."""
    mask = np.zeros(frame.shape[:2], np.uint8)
    scale = float(np.median(pose.scale(hole_points_mm(board))))
    if rng.random() < 0.5:
        tip = rng.uniform(0.1, 0.9, 2) * board.size_mm
        blank = np.full_like(frame, 200)
        for picture in (blank, frame):
            draw_hand(picture, pose, (float(tip[0]), float(tip[1])))
        tint = np.ptp(blank.astype(int), axis=2) > 12
        shift = rng.uniform(0.5, 1.25) * np.exp(rng.normal(0, 0.12, 3))
        frame[tint] = np.clip(frame[tint] * shift, 0, 255)
        mask[tint] = 255
    for _ in range(rng.integers(0, 4) if rng.random() < 0.5 else 0):
        middle = pose.project((rng.uniform(0.05, 0.95, 2) * board.size_mm)[None])[0]
        size = (63 * scale, 88 * scale) if rng.random() < 0.7 else (70 * scale, 70 * scale)
        part = np.zeros_like(mask)
        box = cv2.boxPoints((tuple(middle), size, float(rng.uniform(0, 180)))).astype(np.int32)
        if size[0] == size[1]:
            cv2.circle(part, tuple(int(v) for v in middle), round(size[0] / 2), 255, -1, cv2.LINE_AA)
        else:
            cv2.fillPoly(part, [box], 255, cv2.LINE_AA)
        color = rng.uniform(190, 245, 3) if rng.random() < 0.6 else rng.uniform(20, 230, 3)
        layer = np.full_like(frame, 0)
        layer[:] = color
        for _ in range(rng.integers(0, 9)):
            spot = middle + rng.normal(0, 0.3, 2) * size
            ink = (30, 30, 190) if rng.random() < 0.5 else (30, 30, 30)
            cv2.circle(layer, tuple(int(v) for v in spot), max(1, round(4 * scale)), ink, -1, cv2.LINE_AA)
        cv2.copyTo(layer, part, frame)
        mask = np.maximum(mask, part)
    return mask


def weathered(frame: Array, rng: np.random.Generator) -> Array:
    """The frame with a hard shadow, a highlight, shake, blur and JPEG blocks, by chance."""
    height, width = frame.shape[:2]
    out = frame.astype(np.float32)
    if rng.random() < 0.4:
        shade = np.zeros((height, width), np.uint8)
        points = rng.uniform(-0.2, 1.2, (int(rng.integers(3, 6)), 2)) * [width, height]
        cv2.fillPoly(shade, [points.astype(np.int32)], 255)
        shade = cv2.GaussianBlur(shade, (0, 0), float(rng.uniform(1, 25)))
        out *= 1 - rng.uniform(0.2, 0.65) * shade[..., None] / 255
    if rng.random() < 0.25:
        x, y = np.meshgrid(np.arange(width), np.arange(height))
        place = rng.uniform(0, 1, 2) * [width, height]
        near = np.exp(-((x - place[0]) ** 2 + (y - place[1]) ** 2) / rng.uniform(60, 260) ** 2)
        out += rng.uniform(60, 220) * near[..., None]
    out = np.clip(out, 0, 255).astype(np.uint8)
    if rng.random() < 0.2:
        length = int(rng.integers(3, 9))
        kernel = np.zeros((length, length), np.float32)
        ends = (0, int(rng.integers(length))), (length - 1, int(rng.integers(length)))
        cv2.line(kernel, *ends, 1.0)
        out = cv2.filter2D(out, -1, kernel / kernel.sum())
    coded = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(70, 97))])[1]
    return cv2.imdecode(coded, cv2.IMREAD_COLOR)


def covered_share(mask: Array, pose: CameraPose, board: BoardFile) -> Array:
    """The share of each hole, with the pawn that could stand there, that lies under the mask."""
    shape = board.usual_pawn
    points = hole_points_mm(board)
    height = pawn_height_mm(board, shape) * (1.0 if shape.is_marble else 0.4)
    radius = pose.scale(points) * (shape.radius_mm if shape.is_marble else 0.25 * board.pitch_mm)
    share = np.zeros(len(points))
    angle = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    spots = np.vstack([[0, 0], *(part * np.stack([np.cos(angle), np.sin(angle)], 1) for part in (0.5, 0.9))])
    for number, (place, size) in enumerate(zip(pose.project(points, height), radius, strict=True)):
        at = (place + spots * size).round().astype(int)
        at = np.clip(at, 0, [mask.shape[1] - 1, mask.shape[0] - 1])
        share[number] = (mask[at[:, 1], at[:, 0]] > 127).mean()
    return share


def from_renderer(count: int, seed: int, folder: Path | None) -> Collected:
    """Draw pictures of all kinds of boards and cut them."""
    rng = np.random.default_rng(seed)
    boards = [load(path) for path in sorted((folder / "boards").glob("*.json"))] if folder else []
    out = Collected()
    for _ in range(count):
        board = random_board(boards, rng)
        appearance = random_appearance(rng)
        renderer = Renderer(board, appearance)
        for _ in range(2):
            pawns, truth = random_pawns(board, rng)
            card = DrawnCard("8H", True) if rng.random() < 0.3 else None
            frame = renderer.frame(pawns, None, card)
            share = covered_share(cover(frame, renderer.pose, board, rng), renderer.pose, board)
            truth["V"] = 1 - share
            truth["Y"][share > HIDDEN_SHARE] = 2
            truth["C"][share > HIDDEN_SHARE] = -1
            out.add(weathered(frame, rng), shaken(renderer.pose, board, rng), board, truth, 0)
    return out


def main() -> None:
    """Read the arguments and write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=("stills", "drawn"))
    parser.add_argument("out", type=Path)
    parser.add_argument("--folder", type=Path, help="folder with boards/ and stills.jsonl")
    parser.add_argument("--count", type=int, default=300, help="looks to draw, two pictures each")
    parser.add_argument("--times", type=int, default=3, help="views of each still")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    if args.kind == "stills":
        from_stills(args.folder, args.times, args.seed).save(args.out)
    else:
        from_renderer(args.count, args.seed, args.folder).save(args.out)


if __name__ == "__main__":
    main()
