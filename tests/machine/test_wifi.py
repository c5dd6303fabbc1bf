"""The own Wi-Fi on trial, and the words in which NetworkManager is asked."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.support.machine import HOUSE, OWN_UUID, FakeNetworkManager
from tock_companion.errors import BadInputError
from tock_companion.machine.commands import CommandError
from tock_companion.machine.network import Network, new_password
from tock_companion.machine.network_manager import OWN_PROFILE, NetworkManager, Profile
from tock_companion.machine.refusals import RefusedError
from tock_companion.machine.wifi import SETTLE_S, Wifi

OWN = Network("Tock", "k7mq-2x9w-p4ht")


def wifi_of(manager: NetworkManager, folder: Path, sleep: Callable[[float], None] = lambda _s: None) -> Wifi:
    return Wifi(manager, sleep, folder / "card.json", folder / "trial.json")


@pytest.fixture
def manager() -> FakeNetworkManager:
    return FakeNetworkManager()


@pytest.fixture
def wifi(manager: FakeNetworkManager, tmp_path: Path) -> Wifi:
    return wifi_of(manager, tmp_path)


def test_the_own_wifi_opens_on_trial(wifi: Wifi, manager: FakeNetworkManager) -> None:
    wifi.open_own(OWN)()
    status = wifi.status()
    assert (status["mode"], status["name"]) == ("own", "Tock")
    assert status["left_s"]
    assert manager.radio_allowed
    # Not before a phone has come by it: a power cut leads back to the house's Wi-Fi.
    assert manager.by_itself.get(OWN_PROFILE) is not True


def test_a_phone_that_comes_by_it_keeps_it(wifi: Wifi, manager: FakeNetworkManager) -> None:
    wifi.open_own(OWN)()
    wifi.keep("own")
    assert wifi.status()["left_s"] is None
    assert wifi.status()["failed"] is None
    assert manager.by_itself == {OWN_PROFILE: True}


def test_a_note_of_a_trial_that_says_two_things_counts_as_none(wifi: Wifi, tmp_path: Path) -> None:
    (tmp_path / "trial.json").write_text('{"mode": "own", "name": "Tock", "name": "Voisins"}')
    assert wifi.status()["failed"] is None


def test_a_phone_on_the_old_network_proves_nothing(wifi: Wifi, manager: FakeNetworkManager) -> None:
    wifi.open_own(OWN)()
    wifi.keep("house")
    assert wifi.status()["left_s"]
    manager.lapse()
    assert wifi.status()["mode"] == "house"
    assert wifi.status()["failed"] == {"mode": "own", "name": "Tock"}


def test_a_network_that_does_not_answer_is_given_up_at_once(wifi: Wifi, manager: FakeNetworkManager) -> None:
    wifi.open_own(OWN)()
    wifi.keep("own")
    change = wifi.join_new(Network("Voisins", "wrong-password"))
    with pytest.raises(CommandError):
        change()
    status = wifi.status()
    assert (status["mode"], status["left_s"]) == ("own", None)
    assert status["failed"] == {"mode": "house", "name": "Voisins"}
    assert [house.name for house in manager.houses()] == ["Maison"]


def test_back_to_the_house_and_the_own_wifi_no_longer_comes_up(
    wifi: Wifi, manager: FakeNetworkManager
) -> None:
    wifi.open_own(OWN)()
    wifi.keep("own")
    wifi.join_house(HOUSE.uuid)()
    wifi.keep("house")
    assert wifi.status()["mode"] == "house"
    assert manager.by_itself == {OWN_PROFILE: False}


def test_a_known_network_is_never_overwritten(wifi: Wifi) -> None:
    with pytest.raises(RefusedError, match="wifi/known"):
        wifi.join_new(Network("Maison", "another-password"))


def test_one_trial_at_a_time(wifi: Wifi) -> None:
    wifi.open_own(OWN)()
    with pytest.raises(RefusedError, match="wifi/busy"):
        wifi.join_house(HOUSE.uuid)


def test_an_unknown_network_is_refused_before_anything_is_done(wifi: Wifi) -> None:
    with pytest.raises(RefusedError, match="wifi/unknown"):
        wifi.join_house("somebody-else")


class TestAtTheStart:
    """The own Wi-Fi of the card comes up where nothing else leads to the table."""

    @staticmethod
    def start(manager: FakeNetworkManager, folder: Path) -> list[float]:
        (folder / "card.json").write_text(json.dumps({"name": OWN.name, "password": OWN.password}))
        slept: list[float] = []
        wifi_of(manager, folder, slept.append).at_start()
        return slept

    def test_nothing_is_known(self, tmp_path: Path) -> None:
        manager = FakeNetworkManager(now="")
        manager.known = []
        assert self.start(manager, tmp_path) == []
        assert manager.state.profile == OWN_UUID
        assert manager.own_network == OWN

    def test_the_house_is_away(self, tmp_path: Path) -> None:
        manager = FakeNetworkManager(now="")
        assert sum(self.start(manager, tmp_path)) == SETTLE_S
        assert manager.state.profile == OWN_UUID

    def test_the_house_is_there(self, tmp_path: Path) -> None:
        manager = FakeNetworkManager()
        self.start(manager, tmp_path)
        assert manager.state.profile == HOUSE.uuid

    def test_a_cable_is_plugged_in(self, tmp_path: Path) -> None:
        manager = FakeNetworkManager(now="", wired="connected")
        self.start(manager, tmp_path)
        assert manager.state.profile == ""

    def test_a_changed_password_outlives_the_card(self, tmp_path: Path) -> None:
        manager = FakeNetworkManager(now="")
        manager.own_network = Network("Tock", "changed-password")
        self.start(manager, tmp_path)
        assert manager.own_network.password == "changed-password"

    def test_without_a_card_nothing_is_opened(self, tmp_path: Path) -> None:
        manager = FakeNetworkManager(now="")
        wifi_of(manager, tmp_path).at_start()
        assert manager.state.profile == ""


@pytest.mark.parametrize(
    ("name", "password"),
    [
        ("", "long-enough"),
        ("é" * 17, "long-enough"),
        ("Tock\n", "long-enough"),
        ("Tock", "seven77"),
        ("Tock", "é" * 9),
    ],
)
def test_an_unusable_network_is_refused(name: str, password: str) -> None:
    with pytest.raises(BadInputError):
        Network(name, password)


def test_the_code_escapes_what_has_a_meaning_in_it() -> None:
    assert Network('a;b:"c"', "pass\\word,1").code == r"WIFI:T:WPA;S:a\;b\:\"c\";P:pass\\word\,1;;"


def test_a_new_password_is_easy_and_never_the_same() -> None:
    made = {new_password() for _ in range(50)}
    assert len(made) == 50
    assert all(len(word) == 14 and not set(word) & set("0O1lIi") for word in made)


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
