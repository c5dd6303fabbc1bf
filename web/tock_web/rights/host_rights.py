"""Decides who is host, by the rights of a seat or a secret of the device; all routes and streams ask here.

A host who is present stays host, with or without a PIN; with the PIN, or the code that only the machine shows,
another device becomes a second host.
"""

import logging
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from threading import Lock

from tock_companion.core.bodies import AnswerSeat, FreeSeat, HandHost
from tock_companion.core.requests import Request, Role
from tock_companion.errors import TockError
from tock_companion.table.runtime.live import Table
from tock_rules import Seat
from tock_web.rights.cookies import HOST_COOKIE, Secrets
from tock_web.rights.host_secrets import HOST_AWAY_S, HostDevice, Hosts
from tock_web.rights.pin import PinKeeper

LOG = logging.getLogger(__name__)
KEPT_AS = "host_devices"


@dataclass(frozen=True, slots=True)
class Caller:
    """The rights of one request."""

    seat: Seat | None
    is_host: bool

    def may_look(self, role: Role) -> bool:
        """Whether this caller may see the views of a role."""
        if role is Role.SEAT:
            return self.seat is not None
        return role is not Role.HOST or self.is_host


def named(table: Table, seats: Sequence[Seat | None]) -> list[str | None]:
    """The names at a seat; None where nobody sits."""
    names = table.people.names()
    return [None if seat is None else names.get(seat) for seat in seats]


@dataclass(frozen=True, slots=True)
class OtherHost:
    """A host as the other hosts know it."""

    key: str
    """Its seat, or the number of a device without one."""
    seat: Seat | None
    is_here: bool


class HostRights:
    """The host's rights at one table; any thread may ask."""

    def __init__(self, table: Table, pin: PinKeeper, hosts: Hosts) -> None:
        self._table, self._pin, self._hosts = table, pin, hosts
        self._changing = Lock()
        """Held while rights are given, so that one of two simultaneous requests is first."""
        hosts.take_up(table.choices.get(KEPT_AS))
        self._kept: object = hosts.to_keep()
        table.let_inherit(lambda: not pin.is_set and not hosts.here())
        table.people.listen(hosts.silent_s, lambda held: hosts.keep(held.device_hash, held.token_hash))

    def of(self, known: Secrets) -> Caller:
        """The rights that secrets give; notes that their device is here."""
        seat, host = self._found(known)
        if known.is_host is not None:
            return Caller(seat, known.is_host())
        return Caller(seat, host is not None or (seat is not None and seat is self._table.host_seat))

    def device_of(self, known: Secrets) -> str | None:
        """Name the device behind secrets while it has a seat or is host; None for a stranger's."""
        seat, host = self._found(known)
        if seat is not None:
            return seat.name
        return None if host is None else f"{HOST_COOKIE} {host.number}"

    def _found(self, known: Secrets) -> tuple[Seat | None, HostDevice | None]:
        seat = self._table.people.holder(known.seat, known.device) if known.seat is not None else None
        if seat is not None:
            self._hosts.hear(known.device)
        host = self._hosts.of(known.host, known.device, seat)
        # A host whose seat was taken over has no other secret yet.
        return seat, self._hosts.of(known.seat, known.device) if host is None and seat is None else host

    def is_by_lost_seat(self, known: Secrets) -> bool:
        """Whether the secret of a seat that was taken over is all that makes the caller host."""
        _, host = self._found(known)
        return host is not None and not host.has(known.host or "")

    @property
    def is_host_here(self) -> bool:
        """Whether a host is present: a device without the PIN or the machine's code would be refused."""
        return bool(self._hosts.here()) or self._is_host_seat_here()

    def _is_host_seat_here(self) -> bool:
        seat = self._table.host_seat
        return seat is not None and self._hosts.silent_s(self._table.people.device_hash(seat)) < HOST_AWAY_S

    def others(self, known: Secrets) -> tuple[OtherHost, ...]:
        """The other hosts. Empty for a caller who is not a host."""
        me = self.of(known)
        return tuple(self._others(known, me)) if me.is_host else ()

    def _others(self, known: Secrets, me: Caller) -> Iterator[OtherHost]:
        by_seat, here = self._table.host_seat, self._hosts.here()
        if by_seat is not None and by_seat is not me.seat:
            yield OtherHost(by_seat.name, by_seat, self._is_host_seat_here())
        for host in self._hosts.all():
            is_me = host.is_device(known.device) or (host.seat is not None and host.seat is me.seat)
            if not is_me and (host.seat is None or host.seat is not by_seat):
                key = str(host.number) if host.seat is None else host.seat.name
                yield OtherHost(key, host.seat, host in here)

    # Granting and withdrawing rights.

    def become(self, known: Secrets, device: str, *, proven: bool) -> str | None:
        """A secret that makes the caller's device host; None where other hosts are present, or there are enough.

        Without the PIN or the machine's code, a device becomes host only while no other host is here.
        """
        with self._changing:
            me = self.of(known)
            if not proven and not me.is_host and self.is_host_here:
                return None
            token = self._hosts.add(device, me.seat)
            if token is not None and not self._is_host_seat_here() and me.seat is not self._table.host_seat:
                self._table.hand_host(me.seat)
            self._keep()
            return token

    def renew(self, known: Secrets) -> str | None:
        """A new secret for a host's device whose own is old, or is that of a lost seat."""
        by_seat = self.is_by_lost_seat(known)
        token = self._hosts.renew(known.seat if by_seat else known.host, known.device, at_once=by_seat)
        if token is not None:
            with self._changing:
                self._keep()
        return token

    def _keep(self) -> None:
        """Save the hosts for after a restart; where the disk refuses, they have to ask again then."""
        kept = self._hosts.to_keep()
        if kept == self._kept:
            return
        try:
            self._table.choices.keep(KEPT_AS, kept)
            self._kept = kept
        except TockError as error:
            LOG.error("%s", error)

    def sat_down(self, seat: Seat, known: Secrets, device: str) -> None:
        """Note who is here now; the first person to sit down is host, where hosts need no PIN and nobody is.

        They start the game, so nobody has to look for a host's page. A host's device brings its rights to its seat.
        """
        self._hosts.hear(device)
        with self._changing:
            if self._hosts.of(known.host, device, seat) is not None:
                if not self._is_host_seat_here():
                    self._table.hand_host(seat)
            elif not self._pin.is_set and not self._hosts.here():
                self._hosts.forget_those_away()
                self._keep()
                self._table.hand_host(seat, only_first=True)

    def release(self, known: Secrets) -> None:
        """Withdraw the host's rights from a caller who gives them back."""
        with self._changing:
            seat = self.of(known).seat
            self._hosts.release(known.host, known.device)
            self._keep()
            if seat is not None and seat is self._table.host_seat:
                self._table.hand_host(None)

    def take_from(self, known: Secrets, keys: Collection[str] | None = None) -> None:
        """Withdraw the rights of other hosts, named by their keys; of all others without any."""
        with self._changing:
            others = [host for host in self.others(known) if keys is None or host.key in keys]
            seats = {host.seat for host in others if host.seat is not None}
            numbers = {host.key for host in others}
            self._hosts.remove(lambda host: str(host.number) in numbers or host.seat in seats)
            self._keep()
            if self._table.host_seat in seats:
                self._table.hand_host(None)

    def release_device(self, known: Secrets) -> None:
        """Withdraw them from a device that has handed them on to a seat."""
        with self._changing:
            self._hosts.release(known.host, known.device)
            self._keep()

    def deposed_by(self, asked: Request, me: Caller) -> Seat | None:
        """The seat of another present host who would lose the rights by a request; None for none."""
        seat = self._table.host_seat
        if asked.role is not Role.HOST or seat is None or seat is me.seat or not self._is_host_seat_here():
            return None
        match asked.body:
            case HandHost(seat=to):
                return seat if to is not seat else None
            case FreeSeat(seat=freed):
                return seat if freed is seat else None
            case AnswerSeat(number=number, yes=True):
                found = (wish.seat for wish in self._table.people.requests() if wish.number == number)
                return seat if next(found, None) is seat else None
        return None
