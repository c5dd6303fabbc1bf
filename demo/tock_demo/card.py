"""The settings of a memory card, packed in the browser: passwords stay on the device that the form is on."""

from collections.abc import Mapping

from tock_companion.machine.network import OWN_NAME, Network, new_password
from tock_hardware.memory_card.settings import Card
from tock_hardware.memory_card.writing import settings_zip


def pack(given: Mapping[str, str]) -> bytes:
    """Pack the answers of the form; raises BadInputError with a line for the form."""
    house = Network(given["house"], given["password"]) if given["house"] else None
    own = Network(given["own"] or OWN_NAME, new_password())
    return settings_zip(
        Card(
            given["country"].upper(), own, house,
            language=given["language"], timezone=given["timezone"], host_name=given["host"] or "tock",
        )
    )  # fmt: skip
