"""The words in which NetworkManager is asked: fixed lists of arguments, and its answers read as they come."""

from collections.abc import Sequence

import pytest

from tock_companion.machine.network import Network
from tock_companion.machine.network_manager import NetworkManager, Profile

PROFILES = """\
1111:802-3-ethernet:Wired connection 1
2222:802-11-wireless:netplan-wlan0-Chez: nous
3333:802-11-wireless:tock-own
4444:802-11-wireless:Hotspot
"""
WIFI = {
    "2222": "infrastructure\nChez: nous\n",
    "3333": "ap\nTock\n",
    "4444": "ap\nOther\n",
    "5555": "infrastructure\nnew\n",
}


class Asked:
    """Stands for the programs of the system: notes each call, and answers as nmcli 1.52 does."""

    def __init__(self, air: str = "") -> None:
        self.calls: list[tuple[str, ...]] = []
        self.air = air
        """The networks in the air."""

    def __call__(self, arguments: Sequence[str], _patience_s: float) -> str:
        self.calls.append(tuple(arguments))
        match arguments:
            case [*_, "device", "status"]:
                return "wlan0:wifi:connected:2222\neth0:ethernet:unavailable:\nlo:loopback:connected (externally):9\n"
            case [*_, "connection", "show"]:
                added = any("add" in call for call in self.calls)
                return PROFILES + ("5555:802-11-wireless:new\n" if added else "")
            case [*_, "wifi", "list"]:
                return self.air
            case [*_, "connection", "show", "tock-own"]:
                return "Tock\nk7mq-2x9w-p4ht\n"
            case [*_, "connection", "show", uuid]:
                return WIFI[uuid]
        return ""


def test_names_come_as_they_are_and_other_access_points_are_left_alone() -> None:
    manager = NetworkManager(Asked())
    assert manager.profiles() == (
        Profile("2222", "Chez: nous", is_own=False),
        Profile("3333", "Tock", is_own=True),
    )
    device = manager.wifi()
    assert device is not None
    assert (device.name, device.profile) == ("wlan0", "2222")
    assert manager.own() == Network("Tock", "k7mq-2x9w-p4ht")


def test_a_name_is_one_argument_whatever_it_holds() -> None:
    asked = Asked()
    NetworkManager(asked).set_own(Network("; reboot $(id) --", "k7mq-2x9w-p4ht"))
    change = asked.calls[-1]
    assert change[change.index("802-11-wireless.ssid") + 1] == "; reboot $(id) --"
    assert change[change.index("802-11-wireless-security.pmf") + 1] == "disable"
    assert change[change.index("ipv4.addresses") + 1] == "10.42.0.1/24"


@pytest.mark.parametrize(
    ("air", "key_management"),
    [
        ("WPA2:Chez: nous\n", "wpa-psk"),
        # NetworkManager takes the best that the radio supports.
        ("WPA2 WPA3:Chez: nous\n", "wpa-psk"),
        ("WPA3:Chez: nous\n", "sae"),
        ("WPA3:Chez: nous\nWPA2:Chez: nous\n", "wpa-psk"),
        ("WPA3:nous\nWPA2:Voisins\n", "wpa-psk"),
        ("", "wpa-psk"),
    ],
)
def test_a_house_is_joined_by_what_it_offers(air: str, key_management: str) -> None:
    asked = Asked(air)
    assert NetworkManager(asked).add_house(Network("Chez: nous", "k7mq-2x9w-p4ht")) == "5555"
    added = next(call for call in asked.calls if "add" in call)
    assert added[added.index("802-11-wireless-security.key-mgmt") + 1] == key_management
