"""The code that only the machine shows: it proves access to the machine."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from threading import Lock
from time import monotonic

CODE_LASTS_S = 600.0
CODE_DIGITS = 8
MAX_CODES = 4
SHOWN_IN_GROUPS_OF = 4


@dataclass(frozen=True, slots=True)
class _Code:
    digits: str
    until_s: float
    device: str = ""
    """The first device to enter it; it then counts on no other."""


def random_digits() -> str:
    """The digits of a new code."""
    return str(secrets.randbelow(10**CODE_DIGITS)).zfill(CODE_DIGITS)


class MachineCode:
    """The codes of this run; each lets one device be host and choose the PIN. Any thread may call this."""

    def __init__(self, clock_s: Callable[[], float] = monotonic) -> None:
        self._clock_s = clock_s
        self._lock = Lock()
        self._codes: tuple[_Code, ...] = ()

    def new(self, *, until_used: bool = False) -> str:
        """A code to show on the machine: good for ten minutes, or, with `until_used`, for ten after its first use."""
        digits = random_digits()
        self.take(digits, float("inf") if until_used else self._clock_s() + CODE_LASTS_S)
        return f"{digits[:SHOWN_IN_GROUPS_OF]} {digits[SHOWN_IN_GROUPS_OF:]}"

    def take(self, digits: str, until_s: float = float("inf")) -> None:
        """Accept a code that was made elsewhere; beyond the limit the oldest one expires."""
        with self._lock:
            self._codes = (*self._codes, _Code(digits, until_s))[-MAX_CODES:]

    def is_right(self, given: str, device: str) -> bool:
        """Whether this code is valid for a device; from now on it counts for no other."""
        digits = given.replace(" ", "").encode(errors="replace")
        with self._lock:
            now_s = self._clock_s()
            self._codes = tuple(code for code in self._codes if now_s < code.until_s)
            for code in self._codes:
                if secrets.compare_digest(code.digits.encode(), digits) and code.device in ("", device):
                    until_s = min(code.until_s, now_s + CODE_LASTS_S)
                    bound = replace(code, device=device, until_s=until_s)
                    self._codes = tuple(bound if other is code else other for other in self._codes)
                    return True
        return False

    def knows(self, device: str) -> bool:
        """Whether a device has entered a code that is still valid."""
        with self._lock:
            return bool(device) and any(code.device == device for code in self._codes)

    def unbind_others(self, device: str) -> None:
        """Withdraw the codes that other devices have entered."""
        with self._lock:
            self._codes = tuple(code for code in self._codes if code.device in ("", device))
