"""The far seats and boards of a table: loaded only where the settings name a relay."""

from collections.abc import Callable
from pathlib import Path

from flask import Flask

from tock_app.config.load import Relay
from tock_companion.errors import BadInputError
from tock_companion.far.line import BrokerLine
from tock_companion.far.link import FarLink, RoomKeys
from tock_companion.far.relay_service import RelayError, RelayService
from tock_companion.far.second_board import SecondBoard
from tock_companion.far.tunnel import Tunnel
from tock_companion.table.runtime.live import Table
from tock_rules import Seat
from tock_web.far.phone import FarPhone


def far_home(table: Table, relay: Relay, folder: Path) -> Tunnel:
    """The tunnel of a table; `let_in` says which app answers, and the caller starts it."""
    return Tunnel(table, folder, RelayService(relay.address, relay.ca))


def refuse_silent(relay: Relay) -> None:
    """Raise BadInputError where no relay answers at an address."""
    try:
        RelayService(relay.address, relay.ca).new_account()
    except RelayError as error:
        raise BadInputError(str(error)) from None


def second_board(table: Table, folder: Path, ca: str) -> SecondBoard:
    """This table as one that follows another home."""

    def make_line(
        link: FarLink, keys: RoomKeys, received: Callable[[bytes], None], changed: Callable[[bool], None]
    ) -> BrokerLine:
        trust = RelayService(link.relay, ca).context()
        return BrokerLine(link, keys, trust, received, changed)

    return SecondBoard(table, folder, make_line)


def let_in(tunnel: Tunnel, app: Flask) -> None:
    """Have phones far away answered by this app."""

    def open_phone(seat: Seat | None, device: str, name: str) -> FarPhone:
        return FarPhone(app, seat, device, name)

    tunnel.connect(open_phone)
