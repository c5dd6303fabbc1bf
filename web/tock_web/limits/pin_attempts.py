"""Limits on attempts at a PIN or a secret."""

from tock_companion.allowance import Window

TRIES_OF_ONE, TRIES_OF_ONE_S = 5, 300
"""Tries of one address at a PIN or another code, and their window."""
TRIES_TOGETHER, TRIES_TOGETHER_S = 20, 60
"""The same for all addresses: twenty of them are needed to delay a device new to the PIN by over a minute."""
STRANGER_TRIES, STRANGER_TRIES_TOGETHER = 60, 600
"""Cookies with unknown secrets in a minute: a browser shows its old one with every request."""


def pin_attempts() -> Window:
    """Count the attempts at the PIN."""
    return Window(
        each=TRIES_OF_ONE,
        together=TRIES_TOGETHER,
        window_s=TRIES_TOGETHER_S,
        each_window_s=TRIES_OF_ONE_S,
    )


def stranger_attempts() -> Window:
    """Count cookies with unknown secrets."""
    return Window(each=STRANGER_TRIES, together=STRANGER_TRIES_TOGETHER, window_s=TRIES_TOGETHER_S)
