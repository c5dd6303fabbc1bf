"""A whole companion in a process of its own, on a free port and a folder of its own, driven over HTTP."""

from collections.abc import Mapping, Sequence
from typing import IO, Any

from tests.support import companion_process as companion
from tests.support import mosquitto as broker
from tests.support.companion_process import Process, started
from tests.support.forked import ForkedTock
from tests.support.page_client import PageClient
from tests.support.waiting import until

free_port = broker.free_port
PROGRAM = companion.PROGRAM
answers = companion.answers


def drag(phone: PageClient, seat: str, target: str, source: str | None = None) -> None:
    """Drag a pawn of a seat from a hole, or the first one in its camp, onto a hole of the simulated table."""
    holes = places_mm(phone)
    sources = [holes[source]] if source else [holes[f"{seat}-C{number}"] for number in range(1, 5)]
    pawns = phone.get("/api/v1/sim/scene")["pawns"]
    pawn = next(pawn for pawn in pawns if pawn["seat"] == seat and (pawn["x_mm"], pawn["y_mm"]) in sources)
    _lay(phone, pawn["id"], holes[target])


def places_mm(phone: PageClient) -> dict[str, tuple[float, float]]:
    """The places of the board's holes."""
    return {hole["id"]: (hole["x"], hole["y"]) for hole in phone.get("/api/v1/board")["holes"]}


def lay_elsewhere(phone: PageClient, begin_mm: tuple[float, float], end_mm: tuple[float, float]) -> None:
    """Take the pawn that stands or lies at a place of the simulated table, and lay it anywhere."""
    pawns = phone.get("/api/v1/sim/scene")["pawns"]
    _lay(phone, next(one["id"] for one in pawns if (one["x_mm"], one["y_mm"]) == begin_mm), end_mm)


def _lay(phone: PageClient, pawn: int, place_mm: tuple[float, float]) -> None:
    phone.post("/api/v1/sim/pawn", id=pawn, x_mm=place_mm[0], y_mm=place_mm[1])


def wait_for_board(phone: PageClient, name: str) -> dict[str, Any]:
    """The board of the views once the table is laid with it."""

    def laid() -> dict[str, Any] | None:
        board: dict[str, Any] = phone.view("table")["board"]
        return board if board["name"] == name else None

    # The old table ends before the new one is there.
    return until(laid, f"the board {name}", within_s=30, despite=(OSError,))


class Companion(companion.Companion):
    """`tock run` as a person starts it; forked, unless a test is about what comes before its first line."""

    def _start(
        self, program: str, environment: Mapping[str, str], arguments: Sequence[str], errors: IO[bytes] | None
    ) -> Process:
        if program:
            return started(program, environment, arguments, errors)
        return ForkedTock(["run", *arguments], environment, errors)
