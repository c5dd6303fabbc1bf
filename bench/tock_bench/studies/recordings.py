"""Makes the small recordings in `tests/data/recordings`.

A noisy table is played with a fixed seed; what its sources say and what people do is written down as text, with the
moves as they were really made beside it, and what the referee said.
"""

import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import product
from pathlib import Path
from typing import Annotated

from tests.support.checkout import DATA
from tock_bench.noisy.noise import KINDS, Noise
from tock_bench.noisy.table import NoisyTable
from tock_bench.noisy.tally import GameTally
from tock_bench.results import Figures, Say
from tock_companion.boardfile import generate, to_text
from tock_companion.core.requests import Reply, Request, request_row
from tock_companion.events.codec import event_to_line
from tock_companion.events.facts import Event
from tock_companion.observation import HoleReading, HoleState, Observation, SourceMessage
from tock_companion.sources.logs import felt_rows, seen_row
from tock_companion.sources.recording import open_recording
from tock_companion.table.runtime.replaying import DryTable, replay
from tock_rules import Hole, Move, preset_names
from tock_vision.replay import open_frames

FOLDER = DATA / "recordings"
SEEDS = {("both", "parteu"): 2, ("camera", "joker-individuel"): 2}
"""Seeds other than 1: these two evenings have a pawn that goes back."""
WARM_UP_TURNS = 30
TURNS = 3


class Writer:
    """Stands between a table's sources and the table, and writes down what passes."""

    def __init__(self, core: DryTable) -> None:
        self.core = core
        self.rows: dict[str, list[dict[str, object]]] = {"reed": [], "seen": [], "requests": []}
        self._before: dict[str, Mapping[Hole, HoleReading]] = {}
        self._number = 0

    def take(self, message: SourceMessage) -> list[Event]:
        if isinstance(message, Observation):
            before = self._before.get(message.source)
            if message.source == "reed":
                for row in felt_rows(message, before):
                    self._write("reed", message.t_ms, row)
            else:
                message = rounded(message)
                self._write("seen", message.t_ms, seen_row(message, before or {}))
            self._before[message.source] = message.holes
        return DryTable.take(self.core, message)

    def ask(self, request: Request, t_ms: int) -> tuple[Reply, list[Event]]:
        self._write("requests", t_ms, request_row(request))
        return DryTable.ask(self.core, request, t_ms)

    def tick(self, t_ms: int) -> list[Event]:
        self._write("requests", t_ms, {"kind": "tick"})
        return DryTable.tick(self.core, t_ms)

    def _write(self, log: str, t_ms: int, row: Mapping[str, object]) -> None:
        self._number += 1
        self.rows[log].append({"n": self._number, "t_ms": t_ms, **row})


def rounded(observation: Observation) -> Observation:
    """Keep confidences to a few steps, so that lines stay short."""

    def step(reading: HoleReading) -> HoleReading:
        if reading.state is HoleState.UNKNOWN:
            return reading
        confidence = 0.97 if reading.confidence >= 0.9 else round(reading.confidence, 1)
        return HoleReading(reading.state, reading.seat, confidence)

    holes = {hole: step(reading) for hole, reading in observation.holes.items()}
    return Observation(observation.t_ms, observation.source, holes, observation.edges)


class Rehearsed(NoisyTable):
    """A noisy table that remembers the moves that were made on it."""

    truth: list[str]

    def _judge(self, tally: GameTally, move: Move, events: list[Event], done_ms: int) -> None:
        super()._judge(tally, move, events, done_ms)
        self.truth.append(move.text)


def make(folder: Path, ruleset: str, kind: str, seed: int) -> None:
    """Play some turns unseen, then write the next ones down."""
    table = Rehearsed(ruleset, Noise().scaled(2), seed, kind)
    table.truth = []
    while len(table.truth) < WARM_UP_TURNS:
        table.play(GameTally())
    core, table.truth = table.core, []
    started = core.game.started
    position = {"to_move": core.position.to_move.name, "position": core.position.board.to_pawns()}
    core.state = core.state.untracked()
    core.begin_again(table.restarted(), table.now_ms)
    writer = Writer(core)
    core.take, core.ask, core.tick = writer.take, writer.ask, writer.tick  # type: ignore[method-assign]
    core.begin_again = refuse  # type: ignore[method-assign, assignment]
    while len(table.truth) < TURNS:
        table.play(GameTally())
    folder.mkdir(parents=True)
    document = {
        "v": 1, "board": "../cross-4.json", "ruleset": ruleset, "options": {}, "seats": started.seats,
        "teams": started.teams, **position, "truth": table.truth,
        "sources": {"reed": "reed.jsonl", "seen": "seen.jsonl", "requests": "requests.jsonl"},
    }  # fmt: skip
    (folder / "recording.json").write_text(json.dumps(document, indent=1) + "\n")
    for log, rows in writer.rows.items():
        if rows:
            (folder / f"{log}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def refuse(*_: object) -> list[Event]:
    """Refuse to put the referee back in step by hand: a recording has no such thing."""
    raise UnusableError


class UnusableError(Exception):
    """The evening took a turn that a recording cannot tell: the next seed is tried."""


def run(
    say: Say, expected: Annotated[bool, "keep the recordings, rewrite what the referee says of them"] = False
) -> Figures:
    """Make all of them again, or what is expected of them."""
    kept = sorted(path.parent for path in FOLDER.glob("*/recording.json"))
    recorded = kept if expected else list(make_all(say))
    for folder in recorded:
        write_expected(folder)
    return {"recordings": len(recorded)}


def make_all(say: Say) -> Iterator[Path]:
    """Make every recording; an evening that cannot be recorded gives way to that of another seed."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    (FOLDER / "cross-4.json").write_text(to_text(generate(4, 440)))
    for kind, ruleset in product(KINDS, preset_names()):
        seed = SEEDS.get((kind, ruleset), 1)
        folder = FOLDER / f"{kind}-{ruleset}-{seed}"
        say(folder.name)
        for attempt in range(20):
            with suppress(UnusableError):
                make(folder, ruleset, kind, seed + 100 * attempt)
                break
        yield folder


def write_expected(folder: Path) -> None:
    """Write down what the referee says of a recording."""
    lines = [event_to_line(event) + "\n" for event in replay(open_recording(folder), open_frames)]
    (folder / "expected.jsonl").write_text("".join(lines))
