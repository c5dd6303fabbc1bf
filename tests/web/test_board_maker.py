"""The host makes a board from photographs: only the host, one photo at a time, and one sentence for what cannot be."""

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import cast

import pytest
from flask import Flask
from PIL import Image
from werkzeug.test import TestResponse

from tests.support.conforming import conforming
from tests.support.page import OWN, Phone
from tests.support.waiting import until
from tock_companion.boardfile import BoardFile
from tock_companion.table.runtime.live import Table
from tock_vision.mending.maker import BoardMaker
from tock_web import create_app
from tock_web.services import Boards, PageServices
from tock_web.workshop.services import WorkshopServices

STARTS = [[0.3, 0.3], [0.7, 0.32], [0.68, 0.7], [0.3, 0.7]]


class Keeper:
    """Keeps the boards that were made."""

    def __init__(self) -> None:
        self.kept: list[BoardFile] = []

    def keep_made(self, board: BoardFile, learn: Callable[[BoardFile, Path], bool]) -> str:
        learn(board, Path("/nowhere"))
        self.kept.append(board)
        return board.name.lower()


@pytest.fixture
def keeper() -> Keeper:
    return Keeper()


@pytest.fixture
def maker_app(table: Table, keeper: Keeper) -> Flask:
    return create_app(
        table, PageServices(of_features=[WorkshopServices(BoardMaker())], boards=cast(Boards, keeper))
    )


@pytest.fixture
def host(maker_app: Flask) -> Phone:
    phone = Phone(maker_app.test_client())
    phone.post("host")
    return phone


def photo(width: int = 640, height: int = 480) -> bytes:
    file = BytesIO()
    Image.linear_gradient("L").resize((width, height)).convert("RGB").save(file, "JPEG")
    return file.getvalue()


def send(phone: Phone, path: str, data: bytes, kind: str = "image/jpeg") -> TestResponse:
    return conforming(
        phone.client.post(f"/api/v1/board-maker/{path}", data=data, headers={**OWN, "Content-Type": kind})
    )


BAD_STARTS = {
    "at one place": [[0.5, 0.5]] * 4,
    "two at one place": [[0.3, 0.3], [0.7, 0.3], [0.7, 0.3], [0.3, 0.7]],
    "in one line": [[0.0, 0.9], [0.25, 0.95], [0.5, 1.0], [0.75, 1.0]],
    "all but in one line": [[0.1, 0.5], [0.5, 0.499], [0.9, 0.5], [0.5, 0.501]],
    "crossing": [[0, 0], [1, 1], [0, 0], [1, 0]],
    "against the clock": STARTS[::-1],
    "twice round": [STARTS[number % 4] for number in range(8)],
}


@pytest.mark.parametrize("verb", ["draw", "find"])
@pytest.mark.parametrize("starts", BAD_STARTS.values(), ids=BAD_STARTS)
def test_starts_that_lie_around_no_middle_are_refused(
    host: Phone, verb: str, starts: list[list[float]]
) -> None:
    send(host, "photo", photo())
    refused = host.post(f"board-maker/{verb}", starts=starts)
    assert refused.status_code == 409
    assert "around the middle of the board" in refused.get_json()["message"]["en"]
    assert host.get("board-maker").get_json()["phase"] == "empty"


def test_three_photos_lie_there_at_most_and_no_larger_than_needed(host: Phone) -> None:
    for count in range(1, 4):
        answer = send(host, "photo", photo(3000, 2000))
        assert answer.get_json()["photos"] == [{"width": 1600, "height": 1066}] * count
    answer = send(host, "photo", photo())
    assert answer.status_code == 409
    assert "3 photos" in answer.get_json()["message"]["en"]
    assert host.get("board-maker/picture?number=2").data.startswith(b"\xff\xd8")
    assert host.get("board-maker/picture?number=3").status_code == 204
    assert host.post("board-maker/clear").get_json()["photos"] == []


@pytest.mark.parametrize(
    ("data", "kind", "status"),
    [
        (b"", "image/jpeg", 409),
        (b"no picture", "image/jpeg", 409),
        (photo()[:400], "image/jpeg", 409),
        (photo(60, 40), "image/jpeg", 409),
        (photo(), "image/svg+xml", 415),
        (b"x" * 12_000_001, "image/png", 413),
    ],
)
def test_a_bad_photo_is_refused_and_leaves_nothing(host: Phone, data: bytes, kind: str, status: int) -> None:
    answer = send(host, "photo", data, kind)
    assert answer.status_code == status
    assert is_in_both_languages(answer)
    assert host.get("board-maker").get_json()["photos"] == []


def is_in_both_languages(answer: TestResponse) -> bool:
    """Whether a refusal has a French sentence of its own, and its English one."""
    message = answer.get_json()["message"]
    return set(message) == {"fr", "en"} and not {*message["fr"].split()} & {"the", "is", "not", "photo:"}


def test_every_refusal_of_the_maker_is_in_both_languages(host: Phone) -> None:
    """An English line of the terminal stood behind the dialog of a French family."""
    refused = [host.post("board-maker/find"), host.post("board-maker/draw", starts=STARTS)]
    refused += [host.post("board-maker/edit", kind="remove", hole="T0"), send(host, "check", photo())]
    refused += [host.post("board-maker/save", name="Mine"), host.post("board-maker/frame")]
    for _ in range(3):
        assert send(host, "photo", photo()).status_code == 200
    refused += [send(host, "photo", photo()), host.post("board-maker/find", starts=[[0.1, 0.1]] * 4)]
    assert [answer.status_code for answer in refused] == [409] * len(refused)
    assert all(map(is_in_both_languages, refused))


def test_without_a_board_nothing_is_mended_checked_or_kept(host: Phone, keeper: Keeper) -> None:
    assert host.post("board-maker/find").status_code == 409
    assert host.post("board-maker/edit", kind="remove", hole="T0").status_code == 409
    assert host.post("board-maker/save", name="Mine").status_code == 409
    assert send(host, "check", photo()).status_code == 409
    assert host.post("board-maker/answer", code="discover/ask_holes", yes=True).status_code == 409
    assert host.post("board-maker/answer", code="discover/unused", yes=True).status_code == 400
    assert host.get("board-maker/checked-picture").status_code == 204
    assert host.post("board-maker/undo").status_code == 200
    assert keeper.kept == []


def test_where_nothing_is_found_a_board_begins_with_its_starts(host: Phone) -> None:
    assert host.post("board-maker/draw", starts=STARTS).status_code == 409
    send(host, "photo", photo())
    assert host.post("board-maker/draw", starts=STARTS[:3]).status_code == 400
    made = host.post("board-maker/draw", starts=STARTS).get_json()
    assert made["phase"] == "found"
    assert {hole["id"]: hole["places"][0] for hole in made["board"]["holes"]} == {
        f"T{18 * zone}": pytest.approx(place, abs=0.03) for zone, place in enumerate(STARTS)
    }
    assert len(made["board"]["missing"]) == 4 * 26 - 4


@pytest.mark.parametrize(
    "edit",
    [
        {},
        {"kind": "paint"},
        {"kind": "add", "at": [0.5]},
        {"kind": "add", "at": [0.5, 1.5]},
        {"kind": "add", "at": [0.5, "x"]},
        {"kind": "remove", "hole": "T0\n"},
        {"kind": "remove", "hole": 7},
        {"kind": "own", "hole": "P0-H1", "color": "ultraviolet"},
        {"kind": "move", "hole": "T0", "at": [0.1, 0.1], "photo": 99},
        {"kind": "remove", "hole": "T0", "everywhere": "yes"},
        {"kind": "remove", "hole": "T0", "x": 1},
    ],
)
def test_an_impossible_edit_is_refused_at_the_door(host: Phone, edit: dict[str, object]) -> None:
    answer = host.post("board-maker/edit", **edit)
    assert answer.status_code == 400
    assert answer.get_json()["message"]["fr"]


@pytest.mark.parametrize(
    "search", [{"zones": 5}, {"starts": [[0.1, 0.1]] * 3}, {"starts": [[2, 2]] * 4}, {"starts": [[0, 0]] * 9}]
)
def test_a_search_that_cannot_be_is_refused(host: Phone, search: dict[str, object]) -> None:
    send(host, "photo", photo())
    assert host.post("board-maker/find", **search).status_code in (400, 409)
    assert host.get("board-maker").get_json()["phase"] == "empty"


def test_an_impossible_board_is_explained_in_both_languages(host: Phone) -> None:
    send(host, "photo", photo(480, 480))
    host.post("board-maker/find")
    until(lambda: host.get("board-maker").get_json()["phase"] != "finding", within_s=60)
    state = host.get("board-maker").get_json()
    assert state["phase"] == "refused"
    assert state["reason"].startswith("discover/")
    assert set(state["message"]) == {"fr", "en"}
