"""The table's Wi-Fi: its own or the house's, and how one is tried without locking people out."""

import json
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from tock_companion.errors import BadInputError
from tock_companion.files import replace_file
from tock_companion.machine.commands import CommandError
from tock_companion.machine.network import Network
from tock_companion.machine.network_manager import OWN_PROFILE, Device, NetworkManager
from tock_companion.machine.refusals import RefusedError
from tock_companion.strict_json import read_object

TRIAL_S = 180
"""Time for a phone to arrive through the new network; then NetworkManager goes back by itself."""
ANSWER_S = 1.5
"""The page gets its answer over the network that is about to go."""
SETTLE_S = 40
"""Time for a known network to come up when the machine starts."""
CARD_FILE = Path("/etc/tock-companion/own-wifi.json")
"""The own Wi-Fi as the memory card was made with."""
TRIAL_FILE = Path("/run/tock-companion-helper/trial.json")
MAX_FILE_BYTES = 2000


@dataclass(frozen=True, slots=True)
class Trial:
    """The last trial: `own` or `house`, and the name of the network."""

    mode: str
    name: str


class Wifi:
    """The host's operations on the Wi-Fi."""

    def __init__(
        self,
        manager: NetworkManager,
        sleep: Callable[[float], None] = time.sleep,
        card_file: Path = CARD_FILE,
        trial_file: Path = TRIAL_FILE,
    ) -> None:
        """Use a NetworkManager; the files are where the card and the last trial are kept."""
        self._manager = manager
        self._sleep = sleep
        self._card_file = card_file
        self._trial_file = trial_file

    def status(self) -> dict[str, object]:
        """Describe the radio, its network and a trial under way; only the own network with its password."""
        try:
            device = self._manager.wifi()
        except CommandError:
            return {"radio": False}
        if device is None:
            return {"radio": False}
        own = self._own()
        mode, name = self._now(device)
        pending = self._manager.pending()
        left_s = max(0, pending.ends_ms - _boot_ms()) // 1000 if pending else None
        return {
            "radio": True,
            "mode": mode,
            "name": name,
            "own": {"name": own.name, "password": own.password, "code": own.code} if own else None,
            "houses": [{"id": house.uuid, "name": house.name} for house in self._manager.houses()],
            "left_s": left_s,
            "failed": self._failed(mode, name) if pending is None else None,
        }

    def open_own(self, network: Network) -> Callable[[], None]:
        """Check that the own Wi-Fi can be opened; the answer does it and goes back unless `keep` follows."""
        device = self._radio()

        def change() -> None:
            self._manager.allow_radio()
            self._try(device, Trial("own", network.name), lambda: self._open(network))

        return change

    def join_house(self, uuid: str) -> Callable[[], None]:
        """Check that a known network can be joined; the answer does it and goes back unless `keep` follows."""
        device = self._radio()
        name = next((house.name for house in self._manager.houses() if house.uuid == uuid), None)
        if name is None:
            raise RefusedError("wifi/unknown")
        return lambda: self._try(device, Trial("house", name), lambda: self._manager.up(uuid))

    def join_new(self, network: Network) -> Callable[[], None]:
        """The same for a network that is not known yet; it is forgotten unless `keep` follows."""
        device = self._radio()
        known = next((house for house in self._manager.houses() if house.name == network.name), None)
        if known is not None:
            # Its profile was made elsewhere and stays unchanged.
            raise RefusedError("wifi/known", name=network.name)
        return lambda: self._try(
            device, Trial("house", network.name), lambda: self._manager.up(self._manager.add_house(network))
        )

    def is_tried(self) -> bool:
        return self._manager.pending() is not None

    def keep(self, by: str) -> None:
        """A phone has arrived through the `own` Wi-Fi or the `house`: keep the trial, also after the next start."""
        pending, trial = self._manager.pending(), self._trial()
        if pending is None or trial is None or trial.mode != by:
            return
        self._manager.keep(pending)
        with suppress(OSError):
            self._trial_file.unlink()
        device = self._manager.wifi()
        if device is not None and self._manager.own() is not None:
            self._manager.comes_up_by_itself(OWN_PROFILE, yes=self._now(device)[0] == "own")

    def at_start(self) -> None:
        """Open the own Wi-Fi where nothing else leads to the table."""
        own = self._own()
        if own is None or self._manager.wifi() is None:
            return
        self._manager.allow_radio()
        if self._manager.own() is None:
            self._manager.set_own(own)
        waited_s = 0.0
        while waited_s < SETTLE_S and self._may_connect():
            if self._is_connected():
                return
            self._sleep(1.0)
            waited_s += 1.0
        if not self._is_connected():
            self._manager.up(OWN_PROFILE)

    def _open(self, network: Network) -> None:
        self._manager.set_own(network)
        self._manager.up(OWN_PROFILE)

    def _try(self, device: Device, trial: Trial, change: Callable[[], None]) -> None:
        self._sleep(ANSWER_S)
        self._trial_file.parent.mkdir(parents=True, exist_ok=True)
        replace_file(self._trial_file, json.dumps(asdict(trial)))
        checkpoint = self._manager.checkpoint(device, TRIAL_S)
        try:
            change()
        except CommandError:
            self._manager.go_back(checkpoint)
            raise

    def _radio(self) -> Device:
        device = self._manager.wifi()
        if device is None:
            raise RefusedError("wifi/no-radio")
        if self._manager.pending() is not None:
            raise RefusedError("wifi/busy")
        return device

    def _own(self) -> Network | None:
        known = self._manager.own()
        if known is not None:
            return known
        try:
            found = read_object(self._card_file, MAX_FILE_BYTES, "own Wi-Fi")
            return Network(str(found["name"]), str(found["password"]))
        except (BadInputError, ValueError, KeyError, TypeError):
            return None

    def _now(self, device: Device) -> tuple[str, str]:
        known = next((found for found in self._manager.profiles() if found.uuid == device.profile), None)
        if known is None:
            return "none", ""
        return "own" if known.is_own else "house", known.name

    def _failed(self, mode: str, name: str) -> dict[str, str] | None:
        """The last trial, if it is not the present state."""
        trial = self._trial()
        return asdict(trial) if trial is not None and (trial.mode, trial.name) != (mode, name) else None

    def _trial(self) -> Trial | None:
        try:
            found = read_object(self._trial_file, MAX_FILE_BYTES, "trial of a Wi-Fi")
            return Trial(str(found["mode"]), str(found["name"]))
        except (BadInputError, ValueError, KeyError, TypeError):
            return None

    def _is_connected(self) -> bool:
        return any(
            device.state == "connected" and device.kind in ("wifi", "ethernet")
            for device in self._manager.devices()
        )

    def _may_connect(self) -> bool:
        """Whether it is worth waiting: a cable is plugged in, or there is a Wi-Fi to look for."""
        wired = any(
            device.kind == "ethernet" and device.state not in ("unavailable", "unmanaged")
            for device in self._manager.devices()
        )
        return wired or bool(self._manager.houses())


def _boot_ms() -> int:
    return int(time.clock_gettime(time.CLOCK_BOOTTIME) * 1000)
