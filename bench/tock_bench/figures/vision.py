"""Measures the time from decoded pixels of a frame to an observation, on drawn boards of each size."""

import resource
from collections.abc import Sequence
from functools import partial
from statistics import median

import numpy as np

from tock_bench.figures.one_core import on_one_core, timed_ms
from tock_bench.results import Figures, Say, spread
from tock_companion.boardfile import BoardFile, HoleKind, generate
from tock_vision.reader import BoardReader
from tock_vision.rendering.appearance import Appearance, DrawnPawn, named_color
from tock_vision.rendering.renderer import Renderer

SIZE_PX = (1280, 960)
SIZES = ((4, 450.0), (6, 530.0), (8, 560.0))
"""Zones of the boards and their side in mm."""
FRAME_MS = 100
FIRST_READS = 3


def run(say: Say, samples: int = 120) -> Figures:
    """Times in ms per board size: still frames, frames with a moving hand, and the first frame.

    Half of the samples show a board at rest, half a hand that wanders over it. `cpu_ms` leaves out other programs.
    """
    figures: dict[str, object] = {}
    with on_one_core():
        for zones, size_mm in SIZES:
            say(f"vision: {zones} zones")
            figures[f"zones_{zones}"] = _one_size(generate(zones, size_mm), samples)
    figures["memory_mb"] = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1)
    return figures


def _one_size(board: BoardFile, samples: int) -> Figures:
    renderer = Renderer(board, Appearance(size_px=SIZE_PX))
    pawns = [
        DrawnPawn(hole.x_mm, hole.y_mm, named_color(board.colors[hole.seat]))
        for hole in board.holes
        if hole.kind is HoleKind.CAMP and hole.seat is not None
    ]
    still = renderer.frame(pawns)
    first = [timed_ms(partial(BoardReader(board).read_frame, still, 0)) for _ in range(FIRST_READS)]
    reader = BoardReader(board)
    reader.read_frame(still, 0)
    at_rest: list[tuple[float, float]] = []
    with_hand: list[tuple[float, float]] = []
    rng, tip = np.random.default_rng(1), np.array(board.size_mm) / 2
    for number in range(samples):
        tip = np.clip(tip + rng.normal(0, 25, 2), 40, np.array(board.size_mm) - 40)
        rests = number < samples // 2
        frame = renderer.frame(pawns, None if rests else (float(tip[0]), float(tip[1])))
        time_ms = timed_ms(partial(reader.read_frame, frame, FRAME_MS * (number + 1)))
        (at_rest if rests else with_hand).append(time_ms)
    return {
        "holes": len(board.holes),
        "n": samples,
        **spread("ms", [wall_ms for wall_ms, _ in (*at_rest, *with_hand)]),
        "cpu_ms_median": _median(at_rest + with_hand)[1],
        "still_ms_median": _median(at_rest)[0],
        "hand_ms_median": _median(with_hand)[0],
        "register_ms": _median(first)[0],
        "register_cpu_ms": _median(first)[1],
        "register_n": FIRST_READS,
    }


def _median(times_ms: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Medians of wall-clock and processor time."""
    wall_ms, cpu_ms = zip(*times_ms, strict=True)
    return round(median(wall_ms), 1), round(median(cpu_ms), 1)
