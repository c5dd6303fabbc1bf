"""Optional parts of a companion, each loaded with its first use."""

import logging
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from tock_app.config.load import Config
from tock_companion import __version__
from tock_companion.boardfile import BoardFile
from tock_companion.storage.files import JOKERS_NAME
from tock_companion.table.runtime.live import Table
from tock_web.services import MetricsText, ReadPhoto

if TYPE_CHECKING:
    from flask import Flask

    from tock_companion.far.tunnel import Tunnel
    from tock_companion.mqtt.member import Member
    from tock_companion.mqtt.publisher import Publisher
    from tock_companion.webhook import Webhook
    from tock_vision.mending.maker import BoardMaker

LOG = logging.getLogger(__name__)


def parts_at_broker(table: Table, config: Config) -> "tuple[Publisher, Member] | None":
    """The publisher of the table and its member of a club; None where no broker is configured."""
    if config.broker is None:
        return None
    # MQTT and the notes of a club take 1 MB, and hardly any table has a broker.
    from tock_companion.mqtt.connection import BrokerAddress  # noqa: PLC0415
    from tock_companion.mqtt.member import Member  # noqa: PLC0415
    from tock_companion.mqtt.publisher import Publisher  # noqa: PLC0415

    named = config.broker
    address = BrokerAddress(named.host, named.port, named.user, named.password, named.ca)
    return (
        Publisher(table, address, named.table, __version__),
        Member(table, address, named.table, joins_first=named.joins_club),
    )


def webhook_of(table: Table, config: Config) -> "Webhook | None":
    """Sends the events to a program elsewhere; None where none is configured."""
    if config.receiver is None:
        return None
    from tock_companion.webhook import Webhook  # noqa: PLC0415

    return Webhook(table, config.receiver.url, config.receiver.secret)


def home_of_far(table: Table, config: Config) -> "Tunnel | None":
    """The seats and boards far away; None where no relay is configured."""
    if config.far is None:
        return None
    # Its libraries take memory, and hardly any table plays with somebody far away.
    from tock_app.service.far import far_home  # noqa: PLC0415

    return far_home(table, config.far, config.data)


def answer_far_phones(far: "Tunnel", app: "Flask") -> None:
    """Have phones far away answered by the app."""
    from tock_app.service.far import let_in  # noqa: PLC0415

    let_in(far, app)


def picture_of_board(board: BoardFile, holes: Mapping[str, str], width_px: int) -> bytes:
    """Draw a board."""
    from tock_vision.film.board_picture import board_png  # noqa: PLC0415

    return board_png(board, holes, width_px)


def reader_of_photos(config: Config) -> ReadPhoto | None:
    """Reads photos of hands; None where pictures cannot be read at all."""
    try:
        from tock_vision.cards.stills import photo_reader  # noqa: PLC0415
    except ImportError as error:
        LOG.warning("photos of hands cannot be read here: %s", error)
        return None
    return photo_reader(config.data / JOKERS_NAME)


def maker_of_boards() -> "BoardMaker | None":
    """Makes boards from photographs; None where pictures cannot be read at all."""
    try:
        from tock_vision.mending.maker import BoardMaker  # noqa: PLC0415
    except ImportError as error:
        LOG.warning("no board can be made from photographs here: %s", error)
        return None
    return BoardMaker()


def metrics_of(table: Table, config: Config) -> Callable[[Callable[[], int]], MetricsText] | None:
    """Makes the text for Prometheus from the number of open streams; None unless the configuration asks for it."""
    if not config.metrics:
        return None
    # Its library costs every start some time and memory, and hardly any table asks for it.
    from tock_app.service.metrics import metrics_text  # noqa: PLC0415

    return lambda streams: metrics_text(table.figures, streams)
