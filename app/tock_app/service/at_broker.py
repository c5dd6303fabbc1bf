"""A table at a broker: it is published there, and may play for the club that is there."""

from tock_app.config.load import Broker
from tock_companion import __version__
from tock_companion.mqtt.connection import BrokerAddress
from tock_companion.mqtt.member import Member
from tock_companion.mqtt.publisher import Publisher
from tock_companion.table.runtime.live import Table


def at_broker(table: Table, broker: Broker) -> tuple[Publisher, Member]:
    """The publisher of the table, and the member that lets it play for a club; the caller starts both."""
    address = BrokerAddress(broker.host, broker.port, broker.user, broker.password, broker.ca)
    return (
        Publisher(table, address, broker.table, __version__),
        Member(table, address, broker.table, joins_first=broker.joins_club),
    )
