"""The calls of one phone far away: answered one after another, and each once, however often it is sent."""

import queue
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from tock_companion.background import Background
from tock_companion.core.roster import FarCards
from tock_companion.far.messages import Answer, Call
from tock_rules import Seat

ANSWERS_KEPT = 200
CALLS_WAITING = 40
TOO_MANY, FAULT = 429, 500


class Answered(Protocol):
    @property
    def status(self) -> int:
        """As in HTTP."""

    @property
    def data(self) -> object:
        """As in JSON."""


class Phone(Protocol):
    """The phone far away as the page's app sees it."""

    cards: FarCards
    name: str
    """The host's for them; once they have come, their own."""

    @property
    def boot(self) -> str:
        """The name of this run of the companion."""

    @property
    def seat(self) -> Seat | None:
        """The seat that it holds now."""

    def call(
        self, method: str, path: str, query: Mapping[str, str], body: Mapping[str, Any] | None, boot: str
    ) -> Answered:
        """Answer a call."""

    def leave(self) -> None:
        """Stand up."""


class Calls:
    """Answers calls on a thread of its own, from the first on: advice may take seconds."""

    def __init__(
        self,
        phone: Phone,
        tell: Callable[[Answer], object],
        called: Callable[[Call, Answered, bool], None],
    ) -> None:
        """Prepare; `called` gets each answered call, and whether the phone sits somewhere else now."""
        self._phone, self._tell, self._called = phone, tell, called
        self._answers: OrderedDict[str, Answer | None] = OrderedDict()
        """By the id of the call; None while it is being answered."""
        self._waiting: queue.Queue[Call | None] = queue.Queue(CALLS_WAITING + 1)
        self._thread = Background(
            "far-calls",
            "answers the calls of one phone far away, one after another",
            self._answer,
            wake=self._wake,
        )

    def take(self, call: Call) -> None:
        """Answer a call soon; one that was answered gets the same answer again."""
        if call.id in self._answers:
            answer = self._answers[call.id]
            if answer is not None:
                self._tell(answer)
            return
        if self._waiting.qsize() >= CALLS_WAITING:
            self._tell(Answer(call.id, TOO_MANY, self._phone.boot))
            return
        self._answers[call.id] = None
        while len(self._answers) > ANSWERS_KEPT:
            self._answers.popitem(last=False)
        if not self._thread.is_alive:
            self._thread.start()
        self._waiting.put(call)

    def stop(self) -> None:
        self._thread.stop()

    def _wake(self) -> None:
        if self._waiting.empty():
            self._waiting.put(None)

    def _answer(self) -> float | None:
        call = self._waiting.get()
        if call is None:
            return None
        sat = self._phone.seat
        answer = Answer(call.id, FAULT, self._phone.boot)
        try:
            found = self._phone.call(call.method, call.path, call.query, call.body, call.boot)
            answer = Answer(call.id, found.status, self._phone.boot, found.data)
        finally:
            self._answers[call.id] = answer
            self._tell(answer)
        self._called(call, found, self._phone.seat is not sat)
        return 0.0
