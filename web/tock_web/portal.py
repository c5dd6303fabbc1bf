"""On the table's own Wi-Fi phones ask well-known addresses whether there is a network: they are shown to the page.

All names lead to the table there, so these questions come with the names of others in their Host header. Nothing but
the paths below is answered under such a name, and nothing but where the page is: that is no secret, so a page of
somebody else that gets hold of a name (DNS rebinding) learns nothing from it.
"""

from collections import OrderedDict
from threading import Lock

from flask import Flask, Response, redirect, request

from tock_companion.machine.network import OWN_ADDRESS
from tock_web.routes.wifi import is_on_own_wifi

PAGE = f"http://{OWN_ADDRESS}/"
SUCCESS = "<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>"
PROBES: dict[str, tuple[int, str, str]] = {
    # Android, Chrome OS, and what others took over from them
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
"""What each system asks for, and the answer with which it is content and stays on a Wi-Fi without internet."""
MAX_GUESTS = 1000


class Guests:
    """The addresses of phones that have opened the page: their systems need not show them to it again."""

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
    """Answer the probes of phones on the own Wi-Fi; to be called before the check of the Host header is installed."""
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
