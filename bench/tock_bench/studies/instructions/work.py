"""A frame, a decision and a hint, between marks that the counting plugin knows; one line names each stretch.

Runs inside an emulated Python that may have nothing but the companion: `work.py REPOSITORY RECORDING`.
"""

import json
import os
import sys
from pathlib import Path

import cv2

from tock_app.cli.commands.hint import knowledge_of
from tock_companion.events.facts import MoveAccepted
from tock_companion.hints.advice import Adviser
from tock_companion.hints.search import Effort
from tock_companion.sources.recording import open_recording
from tock_companion.table.runtime.replaying import replay
from tock_vision.images import load_image
from tock_vision.reader import BoardReader
from tock_vision.replay import open_frames

HINTS = 3
FOR_EVER_MS = 10**9


def mark(label: str, times: int) -> None:
    """End a stretch: what it was, and how many times the same was done."""
    sys.stdout.write(f"{label}\t{times}\n")
    os.getsid(0)


def main(repository: Path, filmed: Path) -> None:
    """Do everything once, on one thread, so that no idle loop is counted."""
    cv2.setNumThreads(1)
    recording = open_recording(filmed)
    rows = [json.loads(line) for line in (filmed / "frames.jsonl").read_text().splitlines()]
    frames = [(row["t_ms"], load_image(filmed / row["file"])) for row in rows]
    reader = BoardReader(recording.board_file)
    mark("start", 1)
    reader.read_frame(frames[0][1], frames[0][0])
    mark("first frame", 1)
    for t_ms, frame in frames[1:]:
        reader.read_frame(frame, t_ms)
    mark("frame", len(frames) - 1)
    small = open_recording(repository / "tests/data/recordings/camera-mjc-1")
    mark("opening", 1)
    facts = [event.fact for event in replay(small, open_frames)]
    mark("decision", sum(isinstance(fact, MoveAccepted) for fact in facts))
    lines = (repository / "tests/data/hints/clear.jsonl").read_text().splitlines()[:HINTS]
    advisers = [Adviser(knowledge_of(json.loads(line)), 0) for line in lines]
    for adviser in advisers:
        adviser.at_once()
    mark("hint by estimate", HINTS)
    for adviser in advisers:
        adviser.further(Effort(1), FOR_EVER_MS)
    mark("hint, one game played out for each move", HINTS)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
