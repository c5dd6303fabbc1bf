"""A table at a broker: it is published there, and may play for the club that is there."""

from tock_app.config.load import Broker
from tock_companion import __version__
from tock_companion.mqtt.connection import BrokerAddress
from tock_companion.mqtt.member import Member
from tock_companion.mqtt.publisher import Publisher
from tock_companion.table.runtime.live import Table


def at_broker(table: Table, broker: Broker) -> tuple[Publisher, Member]:
    """What publishes the table, and what lets it play for a club; both are started by the caller."""
    address = BrokerAddress(broker.host, broker.port, broker.user, broker.password, broker.ca)
    return (
        Publisher(table, address, broker.table, __version__),
        Member(table, address, broker.table, joins_first=broker.joins_club),
    )
