"""The way to the page on a screen that is plugged in: the text above the console's login prompt."""

import contextlib
import subprocess
from collections.abc import Mapping
from pathlib import Path
from socket import gethostname

from tock_companion.health.system import home_ip
from tock_companion.machine.network import OWN_ADDRESS

ISSUE = Path("/run/issue.d/tock.issue")
"""agetty(8) shows what lies there, without a restart of the machine."""


def show_on_screen(status: Mapping[str, object], file: Path = ISSUE) -> None:
    """Write the text anew and have the prompt drawn again; where that cannot be done, nothing is lost."""
    # The page's libraries are large, and few requests to the superuser's helper change what a screen shows.
    from tock_web.address import page_url, qr_terminal  # noqa: PLC0415

    own = status.get("own")
    if status.get("mode") == "own" and isinstance(own, Mapping):
        code, url = str(own["code"]), f"http://{OWN_ADDRESS}"
        lines = [f"Wi-Fi: {own['name']}   {own['password']}", f"Tock: {url}"]
    else:
        here = home_ip()
        # Without a network the name is at least what will be right once there is one.
        url = page_url(80, f"{gethostname()}.local" if here.startswith("127.") else here)
        code, lines = url, [f"Tock: {url}"]
    # A backslash would begin one of agetty's own marks.
    text = "\n".join(("", qr_terminal(code).rstrip("\n"), *lines, "")).replace("\\", "\\\\")
    with contextlib.suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{text}\n", encoding="utf-8")
        subprocess.run(("agetty", "--reload"), check=False, capture_output=True)
