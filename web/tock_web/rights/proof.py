"""The proof of a host: the PIN, or the code that only the machine shows."""

import logging
from collections import deque
from threading import Lock
from typing import Annotated

from pydantic import Field

from tock_companion.allowance import Window
from tock_companion.errors import TockError
from tock_web.limits.pin_attempts import PROVED_ADDRESS, PROVED_DEVICE
from tock_web.rights.machine_code import MachineCode
from tock_web.rights.pin import PinKeeper

MAX_PROVED_ADDRESSES = 16
Proof = Annotated[str, Field(max_length=12)]
"""The PIN or the machine's code, as a body has it."""
LOG = logging.getLogger(__name__)


class UnprovenError(Exception):
    """A caller without the proof; `code` names the sentence."""

    def __init__(self, status: int, code: str, **params: str) -> None:
        super().__init__(code)
        self.status, self.code, self.params = status, code, params


class Proofs:
    """Checks the PIN and the machine's codes, and counts the attempts; any thread may call this."""

    def __init__(self, pin: PinKeeper, machine_code: MachineCode, attempts: Window) -> None:
        self._pin, self._machine_code, self.attempts = pin, machine_code, attempts
        self._lock = Lock()
        self._addresses: deque[str] = deque(maxlen=MAX_PROVED_ADDRESSES)
        """Where the right proof came from in this run."""

    def require(self, given: str, device: str, address: str, *, pin_alone: bool = False) -> None:
        """Check a proof; raises UnprovenError for a wrong one, and for one too many before it is checked."""
        client, pool = self._counted(device, address)
        wait_s = self.attempts.take(client, pool)
        if wait_s:
            raise UnprovenError(429, "host/wait", minutes=str(-(-wait_s // 60)))
        says_pin = self._pin.is_right(given)
        if not says_pin and (pin_alone or not self._machine_code.is_right(given, device)):
            raise UnprovenError(403, "host/pin" if self._pin.is_set else "host/code")
        self.attempts.give_back(client)
        with self._lock:
            if address not in self._addresses:
                self._addresses.append(address)
        if says_pin:
            self._remember(device)

    def change_pin(self, pin: str | None, device: str) -> None:
        """Set or remove the PIN: earlier proofs of other devices count no longer. Raises TockError by the disk."""
        self._pin.set(pin)
        self._machine_code.unbind_others(device)
        with self._lock:
            self._addresses.clear()
        self._remember(device)

    def _counted(self, device: str, address: str) -> tuple[str, str]:
        """The client whose attempt this is, and its pool: nothing that the caller could make up."""
        if self._pin.knows(device) or self._machine_code.knows(device):
            return f"device {device}", PROVED_DEVICE
        with self._lock:
            return address, PROVED_ADDRESS if address in self._addresses else ""

    def _remember(self, device: str) -> None:
        try:
            self._pin.remember(device)
        except TockError as error:
            # The caller has the right all the same; only after a restart can others' guesses delay this device.
            LOG.error("%s", error)
