"""A computer at the simulated table: the host seats it, it names its move, a person makes it, the referee agrees."""

from flask.testing import FlaskClient

from tests.support.page import Phone
from tests.support.tables import put, wait_for
from tock_companion.computer_seats import Computers
from tock_companion.core.requests import Role, parse_request
from tock_companion.table.runtime.live import Table
from tock_rules import Seat


def test_a_whole_turn_of_a_computer_at_the_simulated_table(client: FlaskClient, table: Table) -> None:
    host = Phone(client)
    host.post("host")
    asked = {"kind": "set_computer", "role": "host", "data": {"seat": "P0", "strength": "strong"}}
    assert host.post("request", **asked).status_code == 200
    table.request(parse_request("hand_set", {"cards": ["6H"]}, Role.SEAT, Seat.P0))
    computers = Computers(table, seed=2, pace_s=0.0)
    computers.start()
    planned = wait_for(table, lambda view: view["planned"])["planned"]
    (arrow,) = planned["arrows"]
    assert planned["label"]["fr"].endswith("s’il te plaît.")
    # The six captures the blue pawn on T26, which the sentence does not forget.
    assert planned["label"]["en"].endswith("the blue pawn to its camp, please.")
    put(table, "T26", "P1-C4")
    put(table, arrow["from"], arrow["to"])
    after = wait_for(table, lambda view: view["to_move"] == "P1")
    assert after["last_move"]["text"] == planned["text"]
    assert after["planned"] is None
    computers.stop()
