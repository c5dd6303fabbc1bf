"""Answers the connectivity probes of phones on the table's own Wi-Fi, and leads them to the page.

All names resolve to the table there, so probes arrive with the names of others in their Host header. Under such a
name only the paths below are answered, and only with the page's address: that is no secret, so a hostile page that
gets hold of a name (DNS rebinding) learns nothing from it.
"""

from collections import OrderedDict
from threading import Lock

from flask import Flask, Response, redirect, request

from tock_companion.machine.network import OWN_ADDRESS
from tock_web.routes.wifi import is_on_own_wifi

PAGE = f"http://{OWN_ADDRESS}/"
SUCCESS = "<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>"
PROBES: dict[str, tuple[int, str, str]] = {
    # Android, Chrome OS, and systems that copied them
    "/generate_204": (204, "", ""),
    "/gen_204": (204, "", ""),
    # iOS, macOS
    "/hotspot-detect.html": (200, "text/html", SUCCESS),
    "/library/test/success.html": (200, "text/html", SUCCESS),
    # Windows
    "/connecttest.txt": (200, "text/plain", "Microsoft Connect Test"),
    "/ncsi.txt": (200, "text/plain", "Microsoft NCSI"),
    "/redirect": (302, "", PAGE),
    # Firefox, GNOME, KDE
    "/canonical.html": (
        200,
        "text/html",
        '<meta http-equiv="refresh" content="0;url=https://support.mozilla.org/">',
    ),
    "/success.txt": (200, "text/plain", "success\n"),
    "/check_network_status.txt": (200, "text/plain", "NetworkManager is online\n"),
}
"""The path that each system probes, and the answer that keeps it on a Wi-Fi without internet."""
MAX_GUESTS = 1000


class Guests:
    """The addresses of phones that have opened the page, which their systems need not show again."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._known: OrderedDict[str, None] = OrderedDict()

    def welcome(self, address: str) -> None:
        """Note a phone that has opened the page."""
        with self._lock:
            self._known[address] = None
            self._known.move_to_end(address)
            while len(self._known) > MAX_GUESTS:
                self._known.popitem(last=False)

    def knows(self, address: str) -> bool:
        """Whether a phone has opened the page."""
        with self._lock:
            return address in self._known


def show_the_way(app: Flask) -> None:
    """Answer the probes of phones on the table's own Wi-Fi; install before the check of the Host header."""
    guests = Guests()

    @app.before_request
    def probe() -> Response | None:
        address = request.remote_addr or ""
        if not is_on_own_wifi(address) or request.method not in ("GET", "HEAD"):
            return None
        wanted = PROBES.get(request.path)
        if wanted is None:
            if request.host.partition(":")[0] == OWN_ADDRESS and request.endpoint == "pages.table":
                guests.welcome(address)
            return None
        if not guests.knows(address):
            return redirect(PAGE, 302)  # type: ignore[return-value]
        status, kind, text = wanted
        return redirect(text, status) if status == 302 else Response(text, status, mimetype=kind or None)  # type: ignore[return-value]
