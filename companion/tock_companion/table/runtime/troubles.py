"""Faults of the machine while people play: shown on the page, never a reason to stop the game."""

import time
from collections.abc import Callable, Iterable, Iterator

from tock_companion.background import troubles
from tock_companion.core.roster import Roster
from tock_companion.sources.base import DefectSource, Source
from tock_companion.table.runtime.ledger import Ledger
from tock_companion.views.names import Names
from tock_companion.views.phrases import phrase
from tock_companion.views.state import HealthNote

SLOW_S = 1.0
"""A worn-out or counterfeit card takes longer to write a move."""
_OF_DISK = ("disk", "disk_slow")
NETWORK_S = 3600.0
HELD_BACK, HOST_CHANGED = "held_back", "host_changed"
"""A proxy holds streams back, or hands requests on under another name."""
SET_BACK_S = 60.0
"""Smaller corrections of the clock are the business of network time."""


class Troubles:
    """The disk, the clock and a recording, as the writing thread meets them."""

    def __init__(
        self,
        wall_s: Callable[[], float] = time.time,
        steady_s: Callable[[], float] = time.monotonic,
        *,
        has_lost: bool = False,
    ) -> None:
        """`has_lost`: the disk no longer has all that it had when the companion ended."""
        self._wall_s, self._steady_s = wall_s, steady_s
        self._ahead_s = wall_s() - steady_s()
        self._notes: dict[str, HealthNote] = {}
        self._network: dict[str, float] = {}
        if has_lost:
            self._note("games_missing")

    @property
    def notes(self) -> tuple[HealthNote, ...]:
        return tuple(self._notes.values())

    def disk_refused(self, reason: str) -> None:
        """Note that the disk refuses events that must be on it before they are shown."""
        self._note("disk", reason=reason)

    def disk(self, ledger: Ledger) -> None:
        """Note how the disk is doing: what waits for it, and whether it keeps people waiting."""
        for code in _OF_DISK:
            self._notes.pop(code, None)
        events, busy_s = str(ledger.waiting), ledger.busy_s
        if ledger.refusal:
            self._note("disk", "disk_waiting", events=events, reason=ledger.refusal)
        elif busy_s is not None and busy_s >= SLOW_S:
            self._note("disk_slow", "disk_late", seconds=f"{busy_s:.0f}")
        elif ledger.took_s >= SLOW_S:
            self._note("disk_slow", seconds=f"{ledger.took_s:.0f}")

    def set_back(self, code: str, board: str, reason: str) -> None:
        """Note that the table is not as the settings say."""
        self._note(code, board=board, reason=reason)

    def game_damaged(self, number: int, missing: str | None) -> None:
        """Note that a game could not be taken up, so that a new one began beside it: its rules may be `missing`."""
        if missing is None:
            self._note("game_damaged", number=str(number))
        else:
            self._note("game_without_rules", number=str(number), game=missing)

    def recording_failed(self, reason: str) -> None:
        """Note that the recording ended unasked."""
        self._note("recording", reason=reason)

    def recording_begun(self) -> None:
        """Forget the recording before."""
        self._notes.pop("recording", None)

    def name_doubled(self, name: str, *, is_doubled: bool) -> None:
        """Note whether another machine uses the table's name on the broker."""
        self._notes.pop("same_name", None)
        if is_doubled:
            self._note("same_name", name=name)

    def note_network(self, code: str) -> None:
        """Note a fault of the network that a phone has met; any thread may call this."""
        self._network[code] = self._steady_s()

    def network(self) -> list[str]:
        """The faults of the network in the last hour, for `tock doctor`."""
        since_s = self._steady_s() - NETWORK_S
        found = [code for code, at_s in dict(self._network).items() if at_s >= since_s]
        return sorted({*found, *({"same_name"} & self._notes.keys())})

    def views_made(self, *, all_made: bool) -> None:
        """Note whether an old view is shown because the present one cannot be made."""
        if all_made:
            self._notes.pop("old_view", None)
        elif "old_view" not in self._notes:
            self._note("old_view")

    def check(self) -> None:
        """Check for changes that the table has not made: the clock, and everything that runs beside it."""
        self.check_clock()
        if not troubles():
            self._notes.pop("background", None)
        elif "background" not in self._notes:
            self._note("background")

    def check_clock(self) -> None:
        """Compare the wall clock with the steady one; the game is timed by the steady one alone."""
        ahead_s = self._wall_s() - self._steady_s()
        back_s = self._ahead_s - ahead_s
        if back_s >= SET_BACK_S:
            self._note("clock_back", minutes=f"{back_s / 60:.0f}")
        elif ahead_s >= self._ahead_s:
            self._ahead_s = ahead_s
            self._notes.pop("clock_back", None)

    def _note(self, code: str, sentence: str = "", **words: str) -> None:
        self._notes[code] = HealthNote(code, phrase(f"health/{sentence or code}", **words))


def source_notes(sources: Iterable[Source], roster: Roster) -> Iterator[HealthNote]:
    """Yield what sources say should be mended although they work."""
    for source in sources:
        for defect in source.defects() if isinstance(source, DefectSource) else ():
            place = Names.of(roster).place(defect.hole) if defect.hole else ""
            yield HealthNote(defect.code, phrase(f"health/{defect.code}", hole=place), defect.hole)
