"""Measures the time from decoded pixels of a frame to an observation, on drawn boards of each size."""

import resource
from collections.abc import Callable
from time import perf_counter, thread_time

import cv2
import numpy as np

from tock_companion.boardfile import BoardFile, HoleKind, generate
from tock_vision.arrays import Frame
from tock_vision.reader import BoardReader
from tock_vision.rendering.appearance import Appearance, DrawnPawn, named_color
from tock_vision.rendering.renderer import Renderer

SIZE_PX = (1280, 960)
SIZES = ((4, 450.0), (6, 530.0), (8, 560.0))
"""Zones of the boards and their side in mm."""
FRAME_MS = 100
FIRST_READS = 3


def run(progress: Callable[[str], None], samples: int = 120) -> dict[str, object]:
    """Times in ms per board size: still frames, frames with a moving hand, and the first frame.

    Half of the samples show a board at rest, half a hand that wanders over it. `cpu_ms` leaves out what other
    programs take.
    """
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        figures: dict[str, object] = {}
        for zones, size_mm in SIZES:
            progress(f"vision: {zones} zones")
            figures[f"zones_{zones}"] = _one_size(generate(zones, size_mm), samples)
    finally:
        cv2.setNumThreads(threads)
    figures["memory_mb"] = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1)
    return figures


def _one_size(board: BoardFile, samples: int) -> dict[str, object]:
    renderer = Renderer(board, Appearance(size_px=SIZE_PX))
    pawns = [
        DrawnPawn(hole.x_mm, hole.y_mm, named_color(board.colors[hole.seat]))
        for hole in board.holes
        if hole.kind is HoleKind.CAMP and hole.seat is not None
    ]
    first = [_time(BoardReader(board), renderer.frame(pawns), 0) for _ in range(FIRST_READS)]
    reader = BoardReader(board)
    reader.read_frame(renderer.frame(pawns), 0)
    times: dict[str, list[tuple[float, float]]] = {"still": [], "hand": []}
    rng = np.random.default_rng(1)
    tip = np.array(board.size_mm) / 2
    for number in range(samples):
        kind = "still" if number < samples // 2 else "hand"
        tip = np.clip(tip + rng.normal(0, 25, 2), 40, np.array(board.size_mm) - 40)
        hand = (float(tip[0]), float(tip[1])) if kind == "hand" else None
        frame = renderer.frame(pawns, hand)
        times[kind].append(_time(reader, frame, FRAME_MS * (number + 1)))
    both = [wall for part in times.values() for wall, _ in part]
    return {
        "holes": len(board.holes),
        "n": samples,
        "ms_median": _round(np.median(both)),
        "ms_p95": _round(np.quantile(both, 0.95)),
        "cpu_ms_median": _round(np.median([cpu for part in times.values() for _, cpu in part])),
        "still_ms_median": _round(np.median([wall for wall, _ in times["still"]])),
        "hand_ms_median": _round(np.median([wall for wall, _ in times["hand"]])),
        "register_ms": _round(np.median([wall for wall, _ in first])),
        "register_cpu_ms": _round(np.median([cpu for _, cpu in first])),
        "register_n": FIRST_READS,
    }


def _time(reader: BoardReader, frame: Frame, t_ms: int) -> tuple[float, float]:
    wall, cpu = perf_counter(), thread_time()
    reader.read_frame(frame, t_ms)
    return 1000 * (perf_counter() - wall), 1000 * (thread_time() - cpu)


def _round(value: object) -> float:
    return round(float(value), 1)  # type: ignore[arg-type]
