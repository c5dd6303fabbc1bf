"""The file that keeps a calibration: arrays, tied to the board file that they were learned with."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tock_companion.boardfile import BoardFile, PawnShape, fingerprint, fingerprint_with_name
from tock_companion.errors import BadInputError
from tock_companion.file_versions import FORMS, MAX_CAMERA_STATE_BYTES, refuse_newer
from tock_companion.files import write_file
from tock_companion.strict_json import decode
from tock_rules import Seat
from tock_vision.camera_pose import CameraPose
from tock_vision.holes.calibration import Calibration
from tock_vision.holes.patches import PATCH_PX
from tock_vision.npz_files import NoArraysError, load_arrays, packed
from tock_vision.registration.results import Orientation, Registration

VERSION = FORMS["camera"].version
CLOSE_SPREADS = 2.5
"""Pawn colours closer than this many spreads are occasionally mixed up."""
PATCH_STEPS_PER_LIGHT = 64.0
"""Patches are kept as bytes; this value is as bright as the light around."""


def save_calibration(path: Path, board: BoardFile, calibration: Calibration) -> None:
    """Write a calibration; raises BadInputError when the file cannot be written."""
    found = calibration.registration
    head = {
        "version": VERSION,
        "board": fingerprint(board),
        "size_px": list(found.pose.size_px),
        "rms_px": found.rms_px,
        "score": found.score,
        "orientation": found.orientation,
        "pawn_likeness": calibration.pawn_likeness,
        "saw_empty": calibration.saw_empty,
        "pawn_radius_mm": None if calibration.pawn is None else calibration.pawn.radius_mm,
    }
    arrays: dict[str, Any] = {"params": found.pose.params}
    if calibration.empty is not None:
        arrays["empty"] = np.clip(calibration.empty * PATCH_STEPS_PER_LIGHT, 0, 255).astype(np.uint8)
    for seat, colors in calibration.colors.items():
        arrays[seat.name] = colors
    write_file(path, packed(head=np.frombuffer(json.dumps(head).encode(), np.uint8), **arrays), "state")


class DamagedStateError(BadInputError):
    """The file holds no calibration of a camera, or no longer a readable one."""


def load_calibration(path: Path, board: BoardFile) -> Calibration:
    """Read a calibration; raises DamagedStateError for no such file, BadInputError for one of another board."""
    wrong = DamagedStateError(
        f"state {path}: not a file made by `tock board learn`; make one, or leave --state out"
    )
    try:
        arrays = load_arrays(path, MAX_CAMERA_STATE_BYTES, "state")
        head: Any = decode(bytes(arrays["head"]))
        refuse_newer(head.get("version"), "camera", f"state {path}")
        params = arrays["params"].astype(float)
        pose = CameraPose(params, (int(head["size_px"][0]), int(head["size_px"][1])))
        orientation: Orientation = "sure" if head["orientation"] == "sure" else "guessed"
        found = Registration(pose, float(head["rms_px"]), float(head["score"]), "stored", orientation)
        owner = str(head["board"])
        saw_empty = bool(head.get("saw_empty", True))
        pawn = _pawn(head.get("pawn_radius_mm"), board)
        alike = None if head.get("pawn_likeness") is None else float(head["pawn_likeness"])
    except BadInputError:
        raise
    except (NoArraysError, ValueError, KeyError, TypeError, IndexError) as error:
        raise wrong from error
    if owner not in (fingerprint(board), fingerprint_with_name(board)):
        raise BadInputError(
            f"state {path}: learned with another board file than {board.name}; learn this board"
        )
    empty = arrays.get("empty")
    if params.shape != (8,) or (
        empty is not None and empty.shape != (len(board.holes), PATCH_PX, PATCH_PX, 3)
    ):
        raise wrong
    colors = {seat: arrays[seat.name] for seat in board.seats if seat.name in arrays}
    if any(samples.ndim != 2 or samples.shape[1] != 4 for samples in colors.values()):
        raise wrong
    look = None if empty is None else empty.astype(np.float32) / PATCH_STEPS_PER_LIGHT
    return Calibration(found, look, colors, alike, saw_empty, pawn)


def _pawn(radius_mm: object, board: BoardFile) -> PawnShape | None:
    """The narrow pawns that were learned; raises ValueError for what no pawn is."""
    if radius_mm is None:
        return None
    if not isinstance(radius_mm, float) or not 0 < radius_mm < board.pitch_mm:
        raise ValueError(f"no radius of a pawn: {radius_mm}")
    return PawnShape("opaque", radius_mm)


@dataclass(frozen=True)
class WeakPoint:
    """Something that makes the pawns hard to tell apart."""

    code: str
    """`close_colors`, `no_pawn`, `few_pawns` or `never_empty`."""
    seats: tuple[Seat, ...]
    sentence: str


def rate(board: BoardFile, calibration: Calibration) -> tuple[float, list[WeakPoint]]:
    """Rate from 0 to 1 how well the pawns can be told apart, and list the weak points."""
    weak = []
    score = 1.0
    spread = np.array([0.16, 0.16, 0.16, 0.45])
    known = list(calibration.colors.items())
    for number, (first, own) in enumerate(known):
        for second, other in known[number + 1 :]:
            apart = float(np.linalg.norm((np.median(own, axis=0) - np.median(other, axis=0)) / spread))
            if apart < CLOSE_SPREADS:
                names = f"{board.colors[first]} and {board.colors[second]}"
                sentence = f"{names} are close under this lamp; give more or whiter light"
                weak.append(WeakPoint("close_colors", (first, second), sentence))
            score = min(score, apart / (2 * CLOSE_SPREADS))
    for seat in board.seats:
        if seat not in calibration.colors:
            sentence = f"no {board.colors[seat]} pawn was seen; put all pawns of {seat.name} in its camp"
            weak.append(WeakPoint("no_pawn", (seat,), sentence))
            score = 0.0
        elif len(calibration.colors[seat]) < board.pawns_per_seat:
            seen = f"{len(calibration.colors[seat])} of {board.pawns_per_seat} {board.colors[seat]} pawns were seen"
            weak.append(WeakPoint("few_pawns", (seat,), f"{seen}; put all pawns of {seat.name} in its camp"))
    if calibration.empty is None or not calibration.saw_empty:
        sentence = "the empty board was not seen; a picture of it makes the reading surer"
        weak.append(WeakPoint("never_empty", (), sentence))
    return round(max(0.0, min(1.0, score)), 3), weak


def weak_points(board: BoardFile, calibration: Calibration) -> tuple[float, list[str]]:
    """The score and the sentences of `rate`."""
    score, weak = rate(board, calibration)
    return score, [point.sentence for point in weak]
