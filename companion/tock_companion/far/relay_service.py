"""Asking a relay over HTTPS for an account and for rooms; each call waits some seconds at most."""

import base64
import http.client
import json
import ssl
from dataclasses import dataclass
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from tock_companion import strict_json
from tock_companion.errors import TockError
from tock_companion.far.invitations import Account
from tock_companion.far.link import NAME, RoomKeys

PATIENCE_S = 8.0
MAX_ANSWER_BYTES = 10_000
MAX_PASSWORD_CHARS = 200


class RelayError(TockError):
    """The relay cannot be reached, or refuses."""


@dataclass(frozen=True, slots=True)
class RelayService:
    """A relay by its address; `ca` is the file of a certificate that only this table trusts."""

    relay: str
    ca: str = ""

    def context(self) -> ssl.SSLContext | None:
        """The certificates that count; None for a place without TLS, as on a bench."""
        if not self.relay.startswith("https:"):
            return None
        try:
            return ssl.create_default_context(cafile=self.ca or None)
        except (OSError, ValueError) as error:
            raise RelayError(f"{self.ca} holds no certificate ({error}); check far.ca") from None

    def new_account(self) -> Account:
        """An account for a table; raises RelayError."""
        answer = self._ask("POST", "tables", {"form": 1})
        table, password = answer.get("table"), answer.get("password")
        if not isinstance(table, str) or not isinstance(password, str) or not NAME.fullmatch(table):
            raise RelayError(f"{self.relay} does not answer as a relay; check far.relay")
        return Account(self.relay, table, password[:MAX_PASSWORD_CHARS])

    def open_room(self, account: Account, keys: RoomKeys, until_s: int) -> None:
        """Let the holder of a link into its room until then; raises RelayError."""
        asked = {"room": keys.room, "password": keys.broker_password, "until": until_s}
        self._ask("POST", "rooms", asked, account)

    def close_room(self, account: Account, room: str) -> None:
        """Close a room; raises RelayError."""
        self._ask("DELETE", f"rooms/{room}", None, account)

    def _ask(
        self, method: str, path: str, asked: dict[str, object] | None, account: Account | None = None
    ) -> dict[str, Any]:
        request = Request(f"{self.relay}/relay/v1/{path}", method=method)
        if asked is not None:
            request.data = json.dumps(asked).encode()
            request.add_header("Content-Type", "application/json")
        if account is not None:
            basic = base64.b64encode(f"{account.table}:{account.password}".encode()).decode()
            request.add_header("Authorization", f"Basic {basic}")
        try:
            with urlopen(request, timeout=PATIENCE_S, context=self.context()) as answer:
                found = strict_json.decode(answer.read(MAX_ANSWER_BYTES) or b"{}")
        except HTTPError as error:
            raise RelayError(f"{self.relay} refuses ({error.code}); try again later") from None
        except (URLError, OSError, ValueError, http.client.HTTPException) as error:
            reason = getattr(error, "reason", error)
            raise RelayError(f"{self.relay} cannot be reached ({reason}); is this home online?") from None
        return found if isinstance(found, dict) else {}
