"""A machine with a radio that is not one: NetworkManager as a few lists, behind the real helper on a real socket."""

import socket
import threading
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from tests.support.packages import trusted
from tock_app.config.load import config_of
from tock_app.service.admin import MachineAdmin
from tock_app.service.helper import serve
from tock_companion.machine.client import Helper
from tock_companion.machine.commands import CommandError
from tock_companion.machine.network import Network
from tock_companion.machine.network_manager import OWN_PROFILE, Checkpoint, Device, NetworkManager, Profile
from tock_companion.machine.updates import Updates
from tock_companion.machine.wifi import Wifi

OWN_UUID = "own-uuid"
HOUSE = Profile("house-uuid", "Maison", is_own=False)
FOREVER_MS = 1 << 60


class FakeNetworkManager(NetworkManager):
    """Keeps settings as the real one does; `reachable` networks answer, `lapse` lets a checkpoint run out."""

    def __init__(self, now: str = HOUSE.uuid, wired: str = "unavailable") -> None:
        super().__init__()
        self.state = Device("wlan0", "wifi", "connected" if now else "disconnected", now)
        self.cable = Device("eth0", "ethernet", wired, "cable" if wired == "connected" else "")
        self.known = [HOUSE]
        self.own_network: Network | None = None
        self.by_itself: dict[str, bool] = {}
        self.reachable = {HOUSE.uuid, OWN_UUID}
        self.saved: tuple[Device, list[Profile], Network | None] | None = None
        self.radio_allowed = False

    def devices(self) -> tuple[Device, ...]:
        return (self.state, self.cable)

    def profiles(self) -> tuple[Profile, ...]:
        own = self.own_network
        return (*self.known, *([Profile(OWN_UUID, own.name, is_own=True)] if own else []))

    def own(self) -> Network | None:
        return self.own_network

    def set_own(self, network: Network) -> None:
        self.own_network = network

    def add_house(self, network: Network) -> str:
        self.known.append(Profile(f"new-{network.name}", network.name, is_own=False))
        return self.known[-1].uuid

    def comes_up_by_itself(self, profile: str, *, yes: bool) -> None:
        self.by_itself[profile] = yes

    def up(self, profile: str) -> None:
        uuid = OWN_UUID if profile == OWN_PROFILE else profile
        if uuid not in self.reachable:
            raise CommandError("nmcli: no network of that name answers")
        self.state = replace(self.state, state="connected", profile=uuid)

    def allow_radio(self) -> None:
        self.radio_allowed = True

    def checkpoint(self, device: Device, seconds: int) -> Checkpoint:  # noqa: ARG002
        self.saved = (self.state, list(self.known), self.own_network)
        return Checkpoint("/1", FOREVER_MS)

    def pending(self) -> Checkpoint | None:
        return Checkpoint("/1", FOREVER_MS) if self.saved else None

    def keep(self, checkpoint: Checkpoint) -> None:  # noqa: ARG002
        self.saved = None

    def go_back(self, checkpoint: Checkpoint) -> None:  # noqa: ARG002
        self.lapse()

    def lapse(self) -> None:
        """Go back by itself, as NetworkManager does when the time of a checkpoint is over."""
        assert self.saved is not None
        self.state, self.known, self.own_network = self.saved
        self.saved = None


class HelperServer:
    """The helper on a socket, as systemd starts it for each connection."""

    def __init__(self, folder: Path, manager: NetworkManager) -> None:
        self.wifi = Wifi(manager, lambda _s: None, folder / "own-wifi.json", folder / "trial.json")
        self.updates = Updates(folder / "state", folder, folder / "setup.sh", trusted)
        self._path = folder / "helper.sock"
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listener.bind(str(self._path))
        self._listener.listen()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        self.helper = Helper(self._path)

    def _run(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            # What fails after the answer is for the journal alone.
            with (
                suppress(CommandError, ValueError),
                connection,
                connection.makefile("rb") as source,
                connection.makefile("wb") as target,
            ):
                serve(source, target, self.wifi, self.updates, lambda _status: None)

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join(timeout=5)


def settings_of(folder: Path) -> MachineAdmin:
    """The settings of a companion that keeps its games in a folder."""
    path = folder / "tock.toml"
    return MachineAdmin(path, config_of(path, "", {"TOCK_DATA": str(folder)}))
