"""Limits on attempts at a PIN or a secret."""

from tock_companion.allowance import Window

TRIES_OF_ONE, TRIES_OF_ONE_S = 5, 300
"""Tries of one client at a PIN or another code, and their window."""
PIN_WINDOW_S = 3600
STRANGERS_PIN_TRIES = 30
"""Tries at the PIN of all addresses together: 10,000 PINs take a week."""
PROVED_DEVICE, PROVED_ADDRESS = "device", "address"
PROVED_PIN_TRIES = {PROVED_DEVICE: 20, PROVED_ADDRESS: 10}
"""The same for all devices, and for all addresses, that have proved themselves before."""
STRANGER_TRIES, STRANGER_TRIES_TOGETHER, STRANGER_WINDOW_S = 60, 600, 60
"""Cookies with unknown secrets in a minute: a browser shows its old one with every request."""


def pin_attempts() -> Window:
    """Count the attempts at the PIN and at the machine's code."""
    return Window(TRIES_OF_ONE, STRANGERS_PIN_TRIES, PIN_WINDOW_S, TRIES_OF_ONE_S, PROVED_PIN_TRIES)


def stranger_attempts() -> Window:
    """Count cookies with unknown secrets."""
    return Window(STRANGER_TRIES, STRANGER_TRIES_TOGETHER, STRANGER_WINDOW_S)
