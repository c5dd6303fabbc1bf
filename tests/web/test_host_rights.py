"""The host's rights: a present host keeps them, with and without a PIN, by the seat as by the device."""

import threading
from pathlib import Path

import pytest
from flask import Flask

from tests.support.page import Phone, machine_code
from tests.support.waiting import until
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_rules import Seat
from tock_web import PageServices, create_app
from tock_web.context import context_of
from tock_web.rights.host_secrets import HOST_AWAY_S, MAX_HOSTS, Hosts
from tock_web.rights.machine_code import CODE_LASTS_S, MachineCode
from tock_web.rights.pin import PIN_NAME, forget_pin

pytestmark = pytest.mark.usefixtures("quick_pins")


class Clock:
    """A time that a test moves on."""

    def __init__(self) -> None:
        self.s = 0.0

    def __call__(self) -> float:
        return self.s


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def app(table: Table, clock: Clock) -> Flask:
    """An app whose hosts go away when the test says so."""
    return create_app(table, PageServices(hosts=Hosts(clock), machine_code=MachineCode(clock)))


def is_host(phone: Phone) -> bool:
    session = phone.get("session").get_json()
    assert (phone.get("view?role=host").status_code == 200) is session["host"], "routes and session disagree"
    return bool(session["host"])


def other_hosts(phone: Phone) -> list[str | None]:
    names: list[str | None] = phone.get("session").get_json()["other_hosts"]
    return names


# Without a PIN.


def test_a_guest_takes_nothing_from_whoever_is_host_by_their_seat(
    phone: Phone, other_phone: Phone, table: Table
) -> None:
    phone.sit("P0", "Anna")
    assert is_host(phone)
    assert other_phone.get("session").get_json()["host_taken"] is True
    for seat in ("P1", "P2"):
        answer = other_phone.post("host")
        assert (answer.status_code, answer.get_json()["code"]) == (409, "host/taken")
        other_phone.sit(seat, "Guest")
    assert is_host(phone)
    assert not is_host(other_phone)
    assert table.host_seat is Seat.P0
    assert phone.post("host").status_code == 200, "a host may ask again"


def test_nobody_takes_it_from_whoever_was_handed_it(phone: Phone, other_phone: Phone) -> None:
    phone.sit("P0", "Anna")
    other_phone.sit("P1", "Bob")
    assert phone.post("request", kind="hand_host", role="host", data={"seat": "P1"}).status_code == 200
    assert not is_host(phone)
    assert is_host(other_phone)
    assert phone.post("host").get_json()["code"] == "host/taken"


def test_the_first_who_says_so_is_the_host_until_they_say_otherwise(phone: Phone, other_phone: Phone) -> None:
    assert phone.post("host").status_code == 200
    assert is_host(phone)
    assert other_phone.post("host").status_code == 409
    assert other_phone.sit("P1").get("session").get_json()["host"] is False
    assert phone.post("host/release").status_code == 200
    assert other_phone.post("host").status_code == 200
    assert not is_host(phone)


def test_of_twenty_guests_at_once_one_is_host(app: Flask) -> None:
    codes: list[int] = []

    def ask(number: int) -> None:
        phone = Phone(app.test_client())
        if number % 2:
            codes.append(phone.post("host").status_code)
        else:
            phone.post("join", name="Guest", seat=f"P{number // 2 % 4}")

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    table = context_of(app).table
    assert codes.count(200) + (table.host_seat is not None) == 1


@pytest.mark.parametrize("by_seat", [True, False], ids=["by the seat", "by the device"])
def test_a_host_who_has_gone_for_two_minutes_may_be_relieved(
    phone: Phone, other_phone: Phone, clock: Clock, by_seat: bool
) -> None:
    if by_seat:
        phone.sit("P0")
    else:
        phone.post("host")
    clock.s += HOST_AWAY_S - 1
    assert other_phone.post("host").status_code == 409
    assert is_host(phone)
    clock.s += HOST_AWAY_S - 1
    assert other_phone.post("host").status_code == 409, "a host who was heard of meanwhile stays"
    clock.s += 2
    assert other_phone.post("host").status_code == 200
    assert is_host(other_phone)
    assert not is_host(phone)


def test_a_host_who_changes_seats_stays_the_host(phone: Phone, other_phone: Phone, table: Table) -> None:
    phone.sit("P0", "Anna")
    other_phone.sit("P1", "Bob")
    phone.sit("P2", "Anna")
    assert is_host(phone)
    assert not is_host(other_phone)
    assert table.host_seat is Seat.P2


def test_a_host_who_stands_up_hands_the_rights_to_the_longest_seated(
    phone: Phone, other_phone: Phone
) -> None:
    phone.sit("P0", "Anna")
    other_phone.sit("P1", "Bob")
    phone.post("leave")
    assert is_host(other_phone)
    assert not is_host(phone)


def test_a_host_by_the_device_keeps_it_alone_when_standing_up(phone: Phone, other_phone: Phone) -> None:
    phone.sit("P0", "Anna")
    other_phone.sit("P1", "Bob")
    phone.post("host")
    phone.post("leave")
    assert is_host(phone)
    assert not is_host(other_phone)


# With the PIN or the machine's code.


def test_with_the_pin_a_second_host_comes_and_the_first_stays_and_sees_it(
    phone: Phone, other_phone: Phone
) -> None:
    phone.sit("P0", "Anna")
    phone.choose_pin("4711")
    other_phone.sit("P1", "Zoé")
    assert other_phone.post("host").get_json()["code"] == "host/pin"
    assert other_phone.post("host", pin="4712").status_code == 403
    assert other_phone.post("host", pin="4711").status_code == 200
    assert is_host(phone)
    assert is_host(other_phone)
    assert other_hosts(phone) == ["Zoé"]
    assert other_hosts(other_phone) == ["Anna"]
    other_phone.post("host/release")
    assert other_hosts(phone) == []


def test_the_machine_s_code_lets_one_device_be_host(
    app: Flask, phone: Phone, other_phone: Phone, clock: Clock
) -> None:
    phone.sit("P0", "Anna")
    code = machine_code(app)
    assert other_phone.post("host", pin="0" * 8).get_json()["code"] == "host/code"
    assert other_phone.post("host", pin=code).status_code == 200
    assert is_host(phone)
    assert other_hosts(phone) == [None]
    thief = Phone(app.test_client())
    assert thief.post("host", pin=code).status_code == 403, "it counts for the device that said it first"
    assert other_phone.choose_pin("4711", code).status_code == 200
    clock.s += CODE_LASTS_S
    assert other_phone.choose_pin(None, code).status_code == 403


def test_a_code_is_good_for_ten_minutes(app: Flask, phone: Phone, clock: Clock) -> None:
    code = machine_code(app)
    clock.s += CODE_LASTS_S
    assert phone.post("host", pin=code).status_code == 403


def test_the_code_of_the_start_waits_for_its_first_use(clock: Clock) -> None:
    codes = MachineCode(clock)
    code = codes.new(until_used=True)
    clock.s += 10 * CODE_LASTS_S
    assert codes.is_right(code, "a")
    clock.s += CODE_LASTS_S
    assert not codes.is_right(code, "a")


def test_codes_are_guessed_no_faster_than_pins(app: Flask, phone: Phone, other_phone: Phone) -> None:
    machine_code(app)
    phone.sit("P0")
    for number in range(5):
        assert other_phone.post("host", pin=f"{number:08}").status_code == 403
    assert other_phone.post("host", pin=machine_code(app)).status_code == 429


def test_a_pin_is_chosen_with_the_machine_s_code_and_changed_with_the_pin_so_far(phone: Phone) -> None:
    phone.sit("P0")
    for proof in ("", "1234", "4711"):
        answer = phone.post("host/pin", pin="4711", proof=proof)
        assert (answer.status_code, answer.get_json()["code"]) == (403, "host/code")
    assert phone.choose_pin("4711").status_code == 200
    for pin in ("9999", None):
        answer = phone.post("host/pin", pin=pin, proof="")
        assert (answer.status_code, answer.get_json()["code"]) == (403, "host/pin")
    assert phone.choose_pin("9999", "4711").status_code == 200
    assert phone.choose_pin(None, "9999").status_code == 200
    assert phone.get("session").get_json()["pin"] is False


def test_a_pin_has_four_to_twelve_digits_and_is_for_the_host_alone(phone: Phone, other_phone: Phone) -> None:
    phone.sit("P0")
    for bad in ("12", "abcd", "1" * 13):
        assert phone.choose_pin(bad).status_code == 400
    assert other_phone.choose_pin("0000").status_code == 403


def test_with_a_pin_nobody_inherits_the_rights(phone: Phone, other_phone: Phone, table: Table) -> None:
    phone.sit("P0", "Anna")
    phone.choose_pin("4711")
    other_phone.sit("P1", "Bob")
    phone.post("leave")
    assert not is_host(other_phone)
    assert table.host_seat is None
    assert phone.post("host", pin="4711").status_code == 200


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("hand_host", {"seat": "P1"}),
        ("free_seat", {"seat": "P0"}),
        ("answer_seat", {"number": 1, "yes": True}),
    ],
)
def test_a_second_host_takes_nothing_from_the_first(
    app: Flask, phone: Phone, other_phone: Phone, clock: Clock, kind: str, data: dict[str, object]
) -> None:
    phone.sit("P0", "Anna")
    other_phone.sit("P1", "Bob")
    second = Phone(app.test_client())
    assert second.post("host", pin=machine_code(app)).status_code == 200
    Phone(app.test_client()).post("join/ask", name="Zoé", seat="P0")
    answer = second.post("request", kind=kind, role="host", data=data)
    assert (answer.status_code, answer.get_json()["code"]) == (409, "host_stays")
    assert "Anna" in answer.get_json()["message"]["fr"]
    assert is_host(phone)
    clock.s += HOST_AWAY_S
    assert second.post("request", kind=kind, role="host", data=data).status_code == 200, "the phone is lost"


def test_there_are_no_more_hosts_than_a_table_has_room_for(app: Flask, clock: Clock) -> None:
    phones = [Phone(app.test_client()) for _ in range(MAX_HOSTS + 1)]
    answers = [phone.post("host", pin=machine_code(app)) for phone in phones]
    assert [answer.status_code for answer in answers] == [200] * MAX_HOSTS + [409]
    assert answers[-1].get_json()["code"] == "host/full"
    clock.s += HOST_AWAY_S
    assert phones[-1].post("host", pin=machine_code(app)).status_code == 200


def test_the_rights_outlast_the_table_when_it_is_laid_with_another_board(
    app: Flask, phone: Phone, table: Table
) -> None:
    phone.post("host")
    again = create_app(table, PageServices(hosts=context_of(app).services.hosts))
    same = Phone(again.test_client())
    for name in ("tock_host", "tock_device"):
        cookie = phone.client.get_cookie(name)
        assert cookie is not None
        same.client.set_cookie(name, cookie.value)
    assert is_host(same)
    assert Phone(again.test_client()).post("host").status_code == 409


@pytest.mark.parametrize("renewed", [False, True])
def test_a_host_by_the_device_is_host_after_a_restart(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, renewed: bool
) -> None:
    phone = Phone(create_app(table).test_client())
    phone.post("host")
    if renewed:
        monkeypatch.setattr("tock_web.rights.host_secrets.RENEW_S", 0.0)
        phone.post("request", kind="pause", role="host")
    table.stop()
    again = Table(table.board_file, Store(tmp_path))
    again.start()
    app = create_app(again)
    same, guest = Phone(app.test_client()), Phone(app.test_client())
    assert guest.post("host").get_json()["code"] == "host/taken"
    disk = b"".join(file.read_bytes() for file in tmp_path.iterdir() if file.is_file())
    for name in ("tock_host", "tock_device"):
        cookie = phone.client.get_cookie(name)
        assert cookie is not None
        assert cookie.value.encode() not in disk
        same.client.set_cookie(name, cookie.value)
    assert is_host(same)
    same.post("host/release")
    assert guest.post("host").status_code == 200
    again.stop()


@pytest.mark.parametrize("kept", [None, 3, "x", {"hosts": [{"device": "", "tokens": []}]}, {"hosts": 1}])
def test_kept_hosts_that_cannot_be_read_are_nobody(table: Table, kept: object) -> None:
    table.choices.keep("host_devices", kept)
    assert Phone(create_app(table).test_client()).post("host").status_code == 200


# A forgotten PIN.


def test_a_pin_that_is_deleted_on_the_machine_is_gone_at_once(table: Table, tmp_path: Path) -> None:
    app = create_app(table, PageServices(data=tmp_path))
    phone, other_phone = Phone(app.test_client()), Phone(app.test_client())
    phone.sit("P0")
    phone.choose_pin("4711")
    assert other_phone.get("session").get_json()["pin"] is True
    assert forget_pin(tmp_path)
    assert not forget_pin(tmp_path)
    assert other_phone.get("session").get_json()["pin"] is False
    assert is_host(phone), "the host stays host"
    assert other_phone.post("host").get_json()["code"] == "host/taken"
    assert phone.choose_pin("0815").status_code == 200
    assert (tmp_path / PIN_NAME).exists()


def test_a_disk_that_has_gone_takes_no_pin_away(table: Table, tmp_path: Path) -> None:
    folder = tmp_path / "disk"
    folder.mkdir()
    app = create_app(table, PageServices(data=folder))
    phone = Phone(app.test_client())
    phone.sit("P0")
    phone.choose_pin("4711")
    folder.rename(tmp_path / "elsewhere")
    assert phone.get("session").get_json()["pin"] is True
    folder.mkdir()
    assert phone.get("session").get_json()["pin"] is True, "the place of a disk that is not there is empty"


def test_a_host_s_stream_tells_who_else_is_host(app: Flask, phone: Phone, other_phone: Phone) -> None:
    phone.sit("P0", "Anna")
    other_phone.sit("P1", "Zoé")
    stream = phone.client.get("/api/v1/events?role=seat&tab=abcdefgh", buffered=False)
    lines: list[str] = []

    def read() -> None:
        for part in stream.response:
            lines.append(part.decode() if isinstance(part, bytes) else part)
            if "event: hosts" in lines[-1]:
                return

    reader = threading.Thread(target=read)
    reader.start()
    until(lambda: any("event: view" in line for line in lines))
    assert not any("event: hosts" in line for line in lines)
    other_phone.post("host", pin=machine_code(app))
    reader.join(10)
    assert 'event: hosts\ndata: {"names":["Zoé"],"guessing":false}' in lines[-1]
    stream.close()
