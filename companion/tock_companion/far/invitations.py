"""Invitations to people and boards far away, kept through a power cut in a file for the companion's user alone."""

import json
import logging
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from tock_companion import strict_json
from tock_companion.core.roster import FarCards
from tock_companion.errors import BadInputError, TockError
from tock_companion.far.link import SECRET_BYTES, base64url, from_base64url
from tock_companion.file_versions import FORMS, refuse_newer
from tock_companion.files import read_text_bounded, replace_file
from tock_rules import Seat

LOG = logging.getLogger(__name__)
NAME = "far.json"
FORM_NAME = "far"
MAX_BYTES = 100_000
MAX_INVITATIONS = 16
EVENING_S = 12 * 3600
CARDS: Mapping[object, FarCards] = {"drawn": "drawn", "real": "real"}


@dataclass(frozen=True, slots=True)
class Account:
    """The table's account at a relay."""

    relay: str
    table: str
    password: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Invitation:
    """One link: for a seat, or where there is none for a board or for a spectator."""

    secret: bytes = field(repr=False)
    seat: Seat | None
    until_s: int
    """Unix time of its end."""
    device: str = field(repr=False)
    """The secret by which the table knows the phone far away; it never leaves this machine."""
    name: str = ""
    """The name that the host gave."""
    cards: FarCards = "drawn"
    owner: str = ""
    """The hash of the key of the first device that came with the link; no other may use it."""
    has_left: bool = False
    watches: bool = False
    """For a spectator; there is no seat then."""

    @property
    def is_board(self) -> bool:
        return self.seat is None and not self.watches

    @classmethod
    def new(
        cls,
        seat: Seat | None,
        now_s: float,
        name: str = "",
        cards: FarCards = "drawn",
        *,
        watches: bool = False,
    ) -> "Invitation":
        """An invitation until the end of the evening."""
        secret, device = secrets.token_bytes(SECRET_BYTES), secrets.token_hex(16)
        return cls(secret, seat, int(now_s) + EVENING_S, device, name, cards, watches=watches)


@dataclass(frozen=True, slots=True)
class Kept:
    """The contents of the file."""

    account: Account | None = None
    invitations: tuple[Invitation, ...] = ()

    def with_invitation(self, invitation: Invitation) -> "Kept":
        """The same with one more invitation, or with another in the place of that secret."""
        others = tuple(one for one in self.invitations if one.secret != invitation.secret)
        return replace(self, invitations=(*others, invitation))

    def without(self, invitation: Invitation) -> "Kept":
        others = tuple(one for one in self.invitations if one.secret != invitation.secret)
        return replace(self, invitations=others)


class Invitations:
    """Keeps accounts and invitations; one thread at a time changes them."""

    def __init__(self, folder: Path) -> None:
        """Take up the kept invitations; an unreadable file is laid aside, and its links open nothing any more."""
        self._path = folder / NAME
        self.kept = self._read()

    def keep(self, kept: Kept) -> None:
        """Replace the contents; raises TockError where the disk refuses, and nothing has changed then."""
        if kept == self.kept:
            return
        try:
            replace_file(self._path, json.dumps(_document(kept)))
        except OSError as error:
            raise TockError(f"{self._path} cannot be written ({error.strerror}); check the disk") from None
        self.kept = kept

    def _read(self) -> Kept:
        if not self._path.exists():
            return Kept()
        text = read_text_bounded(self._path, MAX_BYTES, "invitations")
        try:
            document = strict_json.decode(text)
            refuse_newer(
                document.get("v") if isinstance(document, dict) else None, FORM_NAME, str(self._path)
            )
            return _kept(document)
        except BadInputError:
            raise
        except (ValueError, TypeError, KeyError, TockError):
            LOG.error("%s is damaged and laid aside; invite again whoever plays from far away", self._path)
            self._path.replace(self._path.with_name(f"{NAME}.damaged"))
            return Kept()


def _document(kept: Kept) -> dict[str, object]:
    return {
        "v": FORMS[FORM_NAME].version,
        "account": None if kept.account is None else asdict(kept.account),
        "invitations": [
            {
                "secret": base64url(one.secret),
                "seat": None if one.seat is None else one.seat.name,
                "until_s": one.until_s,
                "device": one.device,
                "name": one.name,
                "cards": one.cards,
                "owner": one.owner,
                "has_left": one.has_left,
                "watches": one.watches,
            }
            for one in kept.invitations
        ],
    }


def _kept(document: Any) -> Kept:
    account = document["account"]
    return Kept(
        None
        if account is None
        else Account(str(account["relay"]), str(account["table"]), str(account["password"])),
        _one_each(_invitation(row) for row in document["invitations"][:MAX_INVITATIONS]),
    )


def _one_each(invitations: Iterable[Invitation]) -> tuple[Invitation, ...]:
    """Keep the newest invitation of each seat: releases up to 0.3 could leave two."""
    return tuple({one.secret if one.seat is None else one.seat: one for one in invitations}.values())


def _invitation(row: Any) -> Invitation:
    return Invitation(
        from_base64url(row["secret"]),
        None if row["seat"] is None else Seat.parse(row["seat"]),
        int(row["until_s"]),
        str(row["device"]),
        str(row["name"]),
        CARDS[row["cards"]],
        str(row["owner"]),
        bool(row["has_left"]),
        bool(row.get("watches", False)),
    )
