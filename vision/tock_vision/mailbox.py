"""Frames that are pushed, by a phone or over the network: the newest is kept, older ones are dropped."""

import threading
from abc import abstractmethod

from tock_companion.errors import BadInputError
from tock_vision.arrays import Frame
from tock_vision.camera_timeouts import MAX_LISTENING_RETRY_MS
from tock_vision.grabbers import BadFrameError, Grabber, GrabError
from tock_vision.images import decode_image

WAIT_S = 0.2
"""Wait for a new frame in one step; a source may block for a fraction of a second."""

Picture = bytes | Frame
"""As it came over the wire, or decoded already."""


class Mailbox:
    """Holds the newest picture that has arrived and not been taken; safe to use from several threads."""

    def __init__(self) -> None:
        self._arrived = threading.Condition()
        self._newest: tuple[Picture, int | None] | None = None
        self._fault: GrabError | None = None

    def put(self, picture: Picture, taken_ms: int | None = None) -> None:
        """Replace the picture waiting; `taken_ms` is when it was photographed, on the table's clock."""
        with self._arrived:
            self._newest = (picture, taken_ms)
            self._arrived.notify_all()

    def fail(self, fault: GrabError) -> None:
        """Report that no more pictures come; `wait` then raises `fault`."""
        with self._arrived:
            self._fault = fault
            self._arrived.notify_all()

    def wait(self, patience_s: float) -> bool:
        """Wait for a picture that long and say whether there is one; raises the fault that ended them."""
        with self._arrived:
            self._arrived.wait_for(lambda: self._newest or self._fault, patience_s)
            if self._newest is None and self._fault is not None:
                raise self._fault
            return self._newest is not None

    def take(self) -> tuple[Picture, int | None] | None:
        """Take the newest picture out, with its time; None when there is none."""
        with self._arrived:
            newest, self._newest = self._newest, None
            return newest


class ArrivingGrabber(Grabber):
    """Supplies the newest frame that has arrived; a subclass gives the reason when none arrives."""

    arrives = True
    longest_retry_ms = MAX_LISTENING_RETRY_MS
    patience_s: float
    """Time without a frame after which the camera counts as gone."""

    def __init__(self, label: str) -> None:
        self.label = label
        self.mailbox = Mailbox()
        self._waited_s = 0.0

    @abstractmethod
    def silent(self) -> GrabError:
        """The error to report when no frame has come for `patience_s`."""

    def open(self) -> None:
        """Wait for a first frame from now on."""
        self._waited_s = 0.0

    def awaits(self) -> bool:
        """Wait a moment when no frame is there; raises GrabError when none has come for long."""
        if self.mailbox.wait(0):
            self._waited_s = 0.0
            return False
        if not self.mailbox.wait(WAIT_S):
            self._waited_s += WAIT_S
            if self._waited_s >= self.patience_s:
                raise self.silent()
        # A frame that came meanwhile is taken with the next step, whose time is right for it.
        return True

    def grab(self) -> Frame:
        """Take and decode the newest frame."""
        found = self.mailbox.take()
        if found is None:
            raise BadFrameError(f"{self.label}: the frame was taken by another")
        picture, self.taken_ms = found
        if not isinstance(picture, bytes):
            return picture
        try:
            return decode_image(picture, self.label)
        except BadInputError as error:
            raise BadFrameError(str(error)) from error

    def skip(self) -> None:
        """Drop the newest frame undecoded."""
        self.mailbox.take()

    def close(self) -> None:
        """Drop everything that has arrived."""
        self.mailbox.take()
