"""Sends the public events to a program elsewhere, signed as Standard Webhooks has it: one request each, in order.

A receiver that fails gets the same event again, after growing pauses, and no later one before. Nothing is sent to this
machine itself. The place in the events is kept, so that a restart loses none.
"""

import base64
import hmac
import logging
import socket
import ssl
import time
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from hashlib import sha256
from http.client import HTTPConnection, HTTPException
from ipaddress import IPv6Address, ip_address
from itertools import takewhile
from urllib.parse import urlsplit

from tock_companion.background import Follower
from tock_companion.core.requests import Role
from tock_companion.errors import BadInputError, TockError
from tock_companion.strict_json import encode
from tock_companion.table.runtime.live import Table
from tock_companion.views.public_events import Mark, PublicEvent, mark_of
from tock_companion.views.schema import View

LOG = logging.getLogger(__name__)
KEPT_AS = "webhook_place"
POLL_S = 1.0
TIMEOUT_S = 10.0
FIRST_PAUSE_S, MAX_PAUSE_S = 1.0, 300.0
Find = Callable[[str, int], Sequence[str]]
"""Finds the addresses behind a name that may be sent to."""


def addresses_elsewhere(host: str, port: int) -> Sequence[str]:
    """The addresses of a machine that is not this one; raises OSError where there is none."""
    found = dict.fromkeys(str(info[4][0]) for info in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
    elsewhere = [address for address in found if not is_own(address)]
    if not elsewhere:
        raise ConnectionRefusedError(f"{host} is this machine, or none that can be sent to")
    return elsewhere


def is_own(address: str) -> bool:
    """Whether an address is of this machine, or of no single other one."""
    known = ip_address(address.partition("%")[0])
    if isinstance(known, IPv6Address) and known.ipv4_mapped is not None:
        known = known.ipv4_mapped
    if known.is_loopback or known.is_unspecified or known.is_multicast or known.is_link_local:
        return True
    family = socket.AF_INET if known.version == 4 else socket.AF_INET6
    with socket.socket(family, socket.SOCK_DGRAM) as probe, suppress(OSError):
        # Only an address of this machine can be bound.
        probe.bind((str(known), 0))
        return True
    return False


def signature(secret: str, event_id: str, sent_s: int, body: bytes) -> str:
    """The signature of one request."""
    signed = hmac.digest(secret.encode(), f"{event_id}.{sent_s}.".encode() + body, sha256)
    return f"v1,{base64.b64encode(signed).decode()}"


class Webhook:
    """Follows one table and posts its events to one address."""

    def __init__(
        self,
        table: Table,
        url: str,
        secret: str,
        *,
        find: Find = addresses_elsewhere,
        first_pause_s: float = FIRST_PAUSE_S,
    ) -> None:
        """Prepare to send; raises BadInputError where the address is not one."""
        self._url = urlsplit(url)
        if self._url.scheme not in ("http", "https") or not self._url.hostname or self._url.username:
            raise BadInputError(f"webhook.url: '{url}' is no address like https://example.org/tock")
        self._table, self._secret, self._find, self._first_pause_s = table, secret, find, first_pause_s
        self._pause_s = 0.0
        self._place: Mark | None = None
        self._loop = Follower[View](
            "webhook",
            "sends the public events to a program elsewhere, where one is configured",
            lambda: table.subscribe(Role.TABLE),
            self._take,
            POLL_S,
        )

    def start(self) -> None:
        self._loop.start()

    def stop(self) -> None:
        self._loop.stop()

    def _take(self, _view: View | None) -> float:
        feed = self._table.public_feed
        if self._place is None:
            self._place = self._kept() or feed.newest()
        while news := feed.after(self._place):
            sent = list(takewhile(self._deliver, news))
            if sent:
                # Once for many: after a loss of power their ids tell them from new ones.
                self._place = mark_of(sent[-1]["id"])
                self._keep(sent[-1]["id"])
            if len(sent) < len(news):
                break
        return 0.0

    def _deliver(self, event: PublicEvent) -> bool:
        """Send an event until it has arrived; False where the table stops before that."""
        self._pause_s = 0.0
        while not self._loop.pause(self._pause_s):
            if self._sent(event):
                return True
            self._pause_s = min(MAX_PAUSE_S, max(self._first_pause_s, 2 * self._pause_s))
        return False

    def _sent(self, event: PublicEvent) -> bool:
        body = encode(event).encode()
        sent_s = int(time.time())
        headers = {
            "Content-Type": "application/json",
            "webhook-id": event["id"],
            "webhook-timestamp": str(sent_s),
            "webhook-signature": signature(self._secret, event["id"], sent_s, body),
        }
        try:
            status = self._post(body, headers)
        except (OSError, HTTPException) as error:
            return self._failed(str(error))
        return 200 <= status < 300 or self._failed(f"status {status}")

    def _post(self, body: bytes, headers: dict[str, str]) -> int:
        host = self._url.hostname or ""
        is_tls = self._url.scheme == "https"
        port = self._url.port or (443 if is_tls else 80)
        # The address that was checked is the one that is used: a name may lead elsewhere the next time.
        line = socket.create_connection((self._find(host, port)[0], port), TIMEOUT_S)
        with closing(line):
            connection = HTTPConnection(host, port, timeout=TIMEOUT_S)
            connection.sock = (
                ssl.create_default_context().wrap_socket(line, server_hostname=host) if is_tls else line
            )
            with closing(connection):
                path = (self._url.path or "/") + (f"?{self._url.query}" if self._url.query else "")
                connection.request("POST", path, body, headers)
                return connection.getresponse().status

    def _failed(self, why: str) -> bool:
        if not self._pause_s:
            LOG.warning("the receiver of events at %s fails (%s); it is tried again", self._url.hostname, why)
        return False

    def _kept(self) -> Mark | None:
        try:
            return mark_of(str(self._table.choices.get(KEPT_AS)))
        except BadInputError:
            return None

    def _keep(self, event_id: str) -> None:
        try:
            self._table.choices.keep(KEPT_AS, event_id)
        except TockError as error:
            LOG.warning("%s", error)
