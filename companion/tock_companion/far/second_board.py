"""This companion as a second board: follows the game of the home whose link was entered, also after a restart."""

import json
import logging
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Literal

from tock_companion.errors import BadInputError, TockError
from tock_companion.far.board_away import BoardAway
from tock_companion.far.guest_connection import GuestConnection, GuestLine
from tock_companion.far.guests import in_steps
from tock_companion.far.link import (
    BadLinkError,
    FarLink,
    RoomKeys,
    base64url,
    from_base64url,
    link_text,
    read_link,
    room_keys,
)
from tock_companion.far.messages import DEVICE_BYTES
from tock_companion.file_versions import FORMS, refuse_newer
from tock_companion.files import replace_file
from tock_companion.language import Text
from tock_companion.storage.files import FAR_BOARD_NAME
from tock_companion.strict_json import read_object
from tock_companion.table.runtime.live import Table
from tock_companion.table.runtime.reply_words import reply_words
from tock_companion.views.phrases import phrase
from tock_companion.views.state import FarHome, Sign
from tock_rules import Seat

LOG = logging.getLogger(__name__)
FORM_NAME = "far board"
FORMER_NAME = "far-board-before.json"
MAX_BYTES = 10_000
State = Literal["off", "connecting", "here", "ended", "refused"]
MakeLine = Callable[[FarLink, RoomKeys, Callable[[bytes], None], Callable[[bool], None]], GuestLine]
"""Makes the connection of a guest; the callbacks get frames, and whether the broker is reached."""


@dataclass(frozen=True, slots=True)
class Followed:
    state: State
    sentence: Text | None = None
    round_trip_ms: int | None = None


@dataclass(frozen=True, slots=True)
class _Kept:
    link: FarLink = field(repr=False)
    device: bytes = field(repr=False)


class SecondBoard:
    """The home that this table follows, if any; any thread may call it."""

    def __init__(self, table: Table, folder: Path, make_line: MakeLine) -> None:
        """Prepare; nothing is connected before `start` or `follow`."""
        self._table, self._path, self._make_line = table, folder / FAR_BOARD_NAME, make_line
        self._former = folder / FORMER_NAME
        """The home that was followed last."""
        self._lock = Lock()
        self._connection: GuestConnection | None = None
        self._board: BoardAway | None = None

    def start(self) -> None:
        try:
            kept = self._read(self._path)
        except (ValueError, KeyError, TypeError, OSError) as error:
            LOG.error("%s cannot be read (%s); enter the other home's link again", self._path, error)
            return
        if kept is not None:
            self._begin(kept)

    def stop(self) -> None:
        """End the connection; it is taken up again at the next start."""
        with self._lock:
            connection, board, self._connection, self._board = self._connection, self._board, None, None
        if board is not None:
            board.stop()
        if connection is not None:
            connection.stop()

    def follow(self, text: str) -> None:
        """Follow the home of a link; raises BadInputError with the code of the reason, TockError where the disk
        refuses."""
        try:
            link = read_link(text)
        except BadLinkError as error:
            raise BadInputError(f"far-board/{error.fault.value}") from None
        kept = _Kept(link, self._device_for(link))
        keep_link(self._path, link, kept.device)
        self.stop()
        self._begin(kept)

    def leave(self) -> None:
        """Follow no home any more; the copy of the game stays on this table."""
        self.stop()
        if self._path.exists():
            self._path.replace(self._former)
        self._table.unfollow()

    def _device_for(self, link: FarLink) -> bytes:
        """The secret of this device for a link: home knows the one that has come with it before, and no other."""
        for path in (self._path, self._former):
            with suppress(ValueError, KeyError, TypeError, OSError, TockError):
                kept = self._read(path)
                if kept is not None and kept.link == link:
                    return kept.device
        return secrets.token_bytes(DEVICE_BYTES)

    def later(self) -> None:
        board = self._board
        if board is not None:
            board.later()

    def sign(self, seat: Seat, sign: Sign) -> bool:
        board = self._board
        return board is not None and board.sign(seat, sign)

    @property
    def followed(self) -> Followed:
        connection, board = self._connection, self._board
        if connection is None or board is None:
            return Followed("off")
        if connection.ended:
            return Followed("ended", phrase(f"far-board/{connection.ended}"))
        if board.refusal is not None:
            return Followed("refused", reply_words(board.refusal, self._table.names))
        if connection.is_here:
            return Followed("here", phrase("far-board/here"), connection.round_trip_ms)
        reason = "form" if connection.has_other_form else "connecting"
        return Followed("connecting", phrase(f"far-board/{reason}"))

    def _begin(self, kept: _Kept) -> None:
        keys = room_keys(kept.link.table, kept.link.secret)
        connection = GuestConnection(keys, kept.device)
        board = BoardAway(self._table, connection.tell, lambda: _standing(connection))
        connection.connect(board.hear, board.line_is_up)
        connection.use(self._make_line(kept.link, keys, connection.receive, connection.line_changed))
        with self._lock:
            self._connection, self._board = connection, board
        board.start()
        connection.start()

    def _read(self, path: Path) -> _Kept | None:
        if not path.exists():
            return None
        document = read_object(path, MAX_BYTES, "link")
        refuse_newer(document.get("v"), FORM_NAME, str(path))
        return _Kept(read_link(str(document["link"])), from_base64url(str(document["device"])))


def _standing(connection: GuestConnection) -> FarHome:
    if connection.ended:
        return FarHome("ended")
    return FarHome("here") if connection.is_here else FarHome("away", in_steps(connection.silent_s))


def keep_link(path: Path, link: FarLink, device: bytes) -> None:
    """Keep the home that is followed; raises TockError where the disk refuses."""
    document = {"v": FORMS[FORM_NAME].version, "link": link_text(link), "device": base64url(device)}
    try:
        replace_file(path, json.dumps(document))
    except OSError as error:
        raise TockError(f"{path} cannot be written ({error.strerror}); check the disk") from None
