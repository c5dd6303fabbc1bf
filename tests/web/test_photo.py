"""A photo of the hand: read by a function that the program passes in, judged by the rules, never stored."""

from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import TestResponse

from tests.support.page import OWN, Phone
from tests.support.tables import wait_for
from tock_companion.core.requests import Role, parse_request
from tock_companion.errors import BadInputError
from tock_companion.table.runtime.live import Table
from tock_companion.table.runtime.recorder import Recorder
from tock_rules import Seat
from tock_web import create_app, serve
from tock_web.hand_photos import AT_ONCE
from tock_web.limits.bodies import PHOTO_BYTES
from tock_web.services import PageServices

JPEG = b"\xff\xd8 as if it were a photo"


class Eye:
    """Stands for the card reader: answers as told, and keeps the photos."""

    def __init__(self) -> None:
        self.answer: list[dict[str, object]] = [{"likely": ["6H", "6D"], "confidence": 0.98}]
        self.given: list[bytes] = []

    def __call__(self, data: bytes) -> list[dict[str, object]]:
        self.given.append(data)
        if not data.startswith(b"\xff\xd8"):
            raise BadInputError("photo: not a picture")
        return self.answer


@pytest.fixture
def eye() -> Eye:
    return Eye()


@pytest.fixture
def phone(table: Table, eye: Eye) -> Phone:
    return Phone(create_app(table, PageServices(read_cards=eye)).test_client())


def send(phone: Phone, data: bytes = JPEG, kind: str = "image/jpeg", **headers: str) -> TestResponse:
    return phone.client.post("/api/v1/hand/photo", data=data, content_type=kind, headers={**OWN, **headers})


def test_a_photo_becomes_cards_that_the_rules_have_judged(phone: Phone, eye: Eye) -> None:
    phone.sit("P0")
    eye.answer.append({"likely": ["9S", "9C"], "confidence": 0.6})
    answer = send(phone).get_json()
    assert [card["card"] for card in answer["data"]["cards"]] == ["6H", "9S"]
    assert answer["data"]["cards"][1]["choices"] == ["9S", "9C"]
    assert answer["data"]["unread"] == 0


def test_cards_that_are_seen_but_cannot_be_read_are_counted(phone: Phone, eye: Eye) -> None:
    phone.sit("P0")
    unread = {"likely": [], "confidence": 0.0}
    eye.answer += [unread, unread]
    answer = send(phone).get_json()
    assert ([card["card"] for card in answer["data"]["cards"]], answer["data"]["unread"]) == (["6H"], 2)
    eye.answer = [unread]
    assert send(phone).get_json()["code"] == "photo/nothing"


def test_photos_teach_the_letters_of_the_deck_until_the_host_chooses(
    phone: Phone, eye: Eye, table: Table
) -> None:
    phone.sit("P0")
    king, queen = ({"likely": [card], "confidence": 0.98} for card in ("KH", "QS"))
    eye.answer = [{**king, "letter": "R"}]
    for _ in range(2):
        assert send(phone).status_code == 200
    assert wait_for(table, lambda view: True)["indices"] == "language"
    eye.answer = [{**king, "letter": "R"}, {**queen, "letter": "D"}]
    assert send(phone).status_code == 200
    wait_for(table, lambda view: view["indices"] == "french")
    assert table.request(parse_request("set_indices", {"indices": "english"}, Role.HOST)).ok
    # The letters are learned before the photo is answered.
    assert send(phone).status_code == 200
    assert table.view(Role.TABLE)["indices"] == "english"


def test_a_photo_is_only_for_those_who_sit(phone: Phone, eye: Eye) -> None:
    assert send(phone).status_code == 401
    assert eye.given == []


def test_a_photo_needs_the_header_of_the_own_page(phone: Phone, eye: Eye) -> None:
    phone.sit("P0")
    assert phone.client.post("/api/v1/hand/photo", data=JPEG, content_type="image/jpeg").status_code == 403
    assert eye.given == []


def test_other_types_and_too_large_ones_are_refused_before_they_are_read(phone: Phone, eye: Eye) -> None:
    phone.sit("P0")
    assert send(phone, kind="text/plain").status_code == 415
    assert send(phone, kind="image/svg+xml").status_code == 415
    assert send(phone, JPEG + bytes(PHOTO_BYTES)).status_code == 413
    assert eye.given == []


def test_a_bad_picture_and_one_without_cards_have_sentences_of_their_own(phone: Phone, eye: Eye) -> None:
    phone.sit("P0")
    unreadable = send(phone, b"GIF89a")
    eye.answer = []
    nothing = send(phone)
    assert (unreadable.status_code, unreadable.get_json()["code"]) == (422, "photo/unreadable")
    assert (nothing.status_code, nothing.get_json()["code"]) == (422, "photo/nothing")
    assert set(nothing.get_json()["message"]) == {"fr", "en"}
    # A refused photo takes no place: the next ones are read.
    eye.answer = [{"likely": ["6H"], "confidence": 1.0}]
    assert [send(phone).status_code for _ in range(AT_ONCE + 1)] == [200] * (AT_ONCE + 1)


def test_more_readings_than_a_hand_has_cards_are_cut_to_the_surest(phone: Phone, eye: Eye) -> None:
    phone.sit("P0")
    eye.answer = [{"likely": ["6H"], "confidence": n / 100} for n in range(60, 90)]
    assert send(phone).status_code == 200


def test_a_page_without_a_reader_offers_no_photo(table: Table) -> None:
    phone = Phone(create_app(table).test_client())
    assert phone.get("session").get_json()["photos"] is False
    assert send(phone.sit("P0")).status_code == 404


def kept_in(view: Any) -> bool:
    assert view is not None, "the view never changed"
    return bool(view["photos_kept"])


def test_a_photo_is_kept_only_while_the_host_records_photos(
    phone: Phone, table: Table, tmp_path: Path
) -> None:
    phone.sit("P0")
    with table.subscribe(Role.SEAT, Seat.P0) as stream:
        for name, keeps_photos in (("film", False), ("report", True)):
            table.record_to(Recorder(tmp_path / name, table.board_file, keeps_photos=keeps_photos))
            while keeps_photos and not kept_in(stream.get(5)):
                pass
            send(phone)
            table.stop_recording()
        send(phone)
        while kept_in(stream.get(5)):
            pass
    (kept,) = tmp_path.glob("*/photos/*")
    assert kept.parent.parent.name == "report"
    assert kept.name.endswith("-P0.jpeg")
    assert kept.read_bytes() == JPEG


def test_the_server_takes_a_photo_of_some_megabytes(table: Table, eye: Eye) -> None:
    headers = {**OWN, "Content-Type": "image/jpeg"}
    with (
        serve(create_app(table, PageServices(read_cards=eye)), "127.0.0.1", 0) as server,
        closing(HTTPConnection("127.0.0.1", server.port, timeout=20)) as line,
    ):
        line.request("POST", "/api/v1/hand/photo", JPEG + bytes(3_000_000), headers)
        assert line.getresponse().status == 401
