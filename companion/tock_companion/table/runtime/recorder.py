"""Writes a running table down so that a replay gives the same events: one log per kind of input, numbered in order.

Only the writing thread calls `begin`, `message` and `request`; frames come from the threads of the sources.
"""

import errno
import json
import logging
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TextIO

from tock_companion.boardfile import BoardFile, to_text
from tock_companion.core.following import CopyReport
from tock_companion.core.requests import Request, request_row
from tock_companion.core.step import Input
from tock_companion.errors import BadInputError, TockError
from tock_companion.events.codec import event_to_line
from tock_companion.events.facts import Event
from tock_companion.events.game import fold
from tock_companion.observation import CardSighting, HoleReading, Observation, SourceReport
from tock_companion.referee.tracking.fusion import is_from_switches
from tock_companion.sources.base import Source
from tock_companion.sources.logs import felt_rows
from tock_companion.storage.disk_space import has_room
from tock_companion.table.runtime.troubles import Troubles
from tock_rules import Hole, Position, Seat

LOG = logging.getLogger(__name__)
MAX_PHOTO_BYTES = 200_000_000
TICK = "tick"
"""Stands among the requests of a recording where the table looked again by itself."""
COPY = "copy"
"""Stands there for word of a board elsewhere; `board` is its number in the recording, for its name is of no use."""


class Recorder:
    """One recording folder (docs/formats.md)."""

    def __init__(self, folder: Path, board_file: BoardFile, *, keeps_photos: bool = False) -> None:
        """Make the folder; raises BadInputError when it holds something already or cannot be made.

        Only with `keeps_photos` are photos of hands kept: they show what players hold.
        """
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if any(folder.iterdir()):
                raise BadInputError(f"{folder} is not empty; name a new folder for the recording")
            (folder / "frames").mkdir()
        except OSError as error:
            raise BadInputError(f"{folder} cannot be written ({error}); name another folder") from None
        self.folder = folder
        self.keeps_photos = keeps_photos
        self._board_file = board_file
        self._number = 0
        self._logs: dict[str, TextIO] = {}
        self._lock = threading.Lock()
        self._closed = False
        self.failure = ""
        """Why nothing more can be recorded; empty while all is well."""
        self._photo_bytes: Counter[Seat] = Counter()
        self._felt: dict[str, Mapping[Hole, HoleReading]] = {}
        self._boards: dict[str, int] = {}

    def begin(self, events: Iterable[Event], position: Position, sources: Iterable[str]) -> None:
        """Write the start of the recording: the log so far and the position that it leads to. Raises TockError."""
        try:
            self._leave_room()
            self._begin(list(events), position, sources)
        except OSError as error:
            raise TockError(
                f"{self.folder} cannot be written ({error.strerror}); free space or name another folder"
            ) from None

    def _begin(self, lines: list[Event], position: Position, sources: Iterable[str]) -> None:
        started = fold(lines).started
        self._save("board.json", to_text(self._board_file))
        self._save("events.jsonl", "".join(event_to_line(event) + "\n" for event in lines))
        document = {
            "v": 1,
            "board": "board.json",
            "ruleset": started.ruleset,
            "options": started.options,
            "seats": started.seats,
            "teams": started.teams,
            "to_move": position.to_move.name,
            "position": position.board.to_pawns(),
            "events": "events.jsonl",
            "sources": {
                **{name: {"frames": "frames.jsonl"} for name in sources},
                "reed": "reed.jsonl",
                "cards": "cards.jsonl",
                "requests": "requests.jsonl",
                "reports": "reports.jsonl",
            },
            "calibration": [],
        }
        self._save("recording.json", json.dumps(document, ensure_ascii=False, indent=1) + "\n")
        for name in ("frames", "reed", "cards", "requests", "reports"):
            self._logs[name] = (self.folder / f"{name}.jsonl").open("w", encoding="utf-8")

    def frame(self, t_ms: int, picture: bytes) -> None:
        """Keep the bytes of a frame; its line follows when the table takes the reading in. Never raises."""
        if self.failure:
            return
        try:
            self._leave_room()
            (self.folder / "frames" / f"{t_ms:09d}.jpg").write_bytes(picture)
        except OSError as error:
            self._fail(error)

    def photo(self, t_ms: int, seat: Seat, kind: str, picture: bytes) -> None:
        """Keep a photo of a hand as it came; `kind` is its file type. A replay does without, so a full disk may too.

        No more than `MAX_PHOTO_BYTES` of each seat are kept: phones may not fill the disk.
        """
        if self._photo_bytes[seat] + len(picture) > MAX_PHOTO_BYTES:
            LOG.warning("photos of %s are no longer kept in %s: there are too many", seat.name, self.folder)
            return
        self._photo_bytes[seat] += len(picture)
        folder = self.folder / "photos"
        try:
            self._leave_room()
            folder.mkdir(exist_ok=True)
            (folder / f"{t_ms:09d}-{seat.name}.{kind}").write_bytes(picture)
        except OSError as error:
            LOG.error("a photo could not be kept in %s: %s", self.folder, error)

    def message(self, message: Input, t_ms: int) -> None:
        """Note that the table took in a message of a source or of a board elsewhere, or looked again by itself at
        `t_ms`."""
        if isinstance(message, Observation):
            row: dict[str, object] = {"file": f"frames/{message.t_ms:09d}.jpg", "source": message.source}
            if (self.folder / str(row["file"])).exists():
                self._write("frames", message.t_ms, row)
            elif is_from_switches(message):
                for felt_row in felt_rows(message, self._felt.get(message.source)):
                    self._write("reed", message.t_ms, felt_row)
                self._felt[message.source] = message.holes
        elif isinstance(message, CardSighting):
            seat = message.seat.name if message.seat is not None else None
            self._write("cards", message.t_ms, {"seat": seat, "card": str(message.card), "by": message.by})
        elif isinstance(message, SourceReport):
            row = {"source": message.source, "condition": message.condition.value, "code": message.code}
            self._write("reports", message.t_ms, row)
        elif isinstance(message, CopyReport):
            board = self._boards.setdefault(message.board, len(self._boards) + 1)
            data = {"board": str(board), "copying": message.copying.value, "at": message.at}
            self._write("requests", t_ms, {"kind": COPY, "data": data})
        else:
            self._write("requests", t_ms, {"kind": TICK})

    def request(self, request: Request, t_ms: int) -> None:
        """Note that the table granted a request; it must tell no hand (`Step.recorded`)."""
        self._write("requests", t_ms, request_row(request))

    def close(self) -> None:
        with self._lock:
            self._closed = True
            for log in self._logs.values():
                try:
                    log.close()
                except OSError as error:
                    LOG.error("the recording in %s is not complete: %s", self.folder, error)

    def _save(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text, encoding="utf-8")

    def _write(self, log: str, t_ms: int, row: Mapping[str, object]) -> None:
        with self._lock:
            if self._closed or self.failure:
                return
            self._number += 1
            line = json.dumps({"n": self._number, "t_ms": t_ms, **row}, ensure_ascii=False)
            try:
                self._leave_room()
                self._logs[log].write(line + "\n")
                self._logs[log].flush()
            except OSError as error:
                self._fail(error)

    def _leave_room(self) -> None:
        """Raise OSError on a disk that is nearly full: the rest is for the game."""
        if not has_room(self.folder):
            raise OSError(errno.ENOSPC, "the disk is nearly full, and what is left is for the game")

    def _fail(self, error: OSError) -> None:
        LOG.error("recording to %s ends: %s", self.folder, error)
        self.failure = f"{self.folder}: {error.strerror}"


Note = Callable[[Recorder], None]
"""Writes one input into a recording."""


class Recording:
    """The recording that is going on, if any. It may fail or be stopped at any moment, by any thread."""

    def __init__(self, sources: Sequence[Source], troubles: Troubles) -> None:
        """Nothing is recorded yet; `troubles` is where a recording that ends by itself is noted."""
        self._sources, self._troubles = sources, troubles
        self._recorder: Recorder | None = None

    @property
    def is_running(self) -> bool:
        return self._recorder is not None

    @property
    def keeps_photos(self) -> bool:
        """Whether photos of hands are kept now: players see that."""
        recorder = self._recorder
        return recorder is not None and recorder.keeps_photos

    def begin(self, recorder: Recorder, events: Iterable[Event], position: Position) -> None:
        """Record from now on, in place of an earlier recording; raises TockError when it cannot begin."""
        self.stop()
        recorder.begin(events, position, [source.name for source in self._sources])
        for source in self._sources:
            source.record_to = recorder.frame
        self._recorder = recorder
        self._troubles.recording_begun()

    def stop(self) -> None:
        """End the recording; its files are complete then."""
        recorder, self._recorder = self._recorder, None
        for source in self._sources:
            source.record_to = None
        if recorder is not None:
            recorder.close()

    def note(self, note: Note) -> None:
        """Write an input down; where that fails the recording ends, and the game does not notice."""
        # Taken once: another thread may end the recording at any moment, and a closed recorder takes no more.
        recorder = self._recorder
        if recorder is None:
            return
        try:
            note(recorder)
            failure = recorder.failure
        except Exception as error:
            LOG.exception("an input could not be recorded")
            failure = str(error) or type(error).__name__
        if failure:
            self.stop()
            self._troubles.recording_failed(failure)

    def photo(self, t_ms: int, seat: Seat, kind: str, picture: bytes) -> None:
        recorder = self._recorder
        if recorder is not None and recorder.keeps_photos:
            recorder.photo(t_ms, seat, kind, picture)
