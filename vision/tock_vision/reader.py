"""Reads a frame: where the board is, and whether each hole is empty, has a pawn, or cannot be seen."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from time import perf_counter

import cv2

from tock_companion.boardfile import BoardFile
from tock_companion.observation import HoleReading, LoosePawn, Observation
from tock_rules import Hole
from tock_vision.arrays import Frame, Gray
from tock_vision.camera_pose import CameraPose
from tock_vision.holes.calibration import Calibration, Shows
from tock_vision.holes.hole_reader import HoleClassifier, HoleReader
from tock_vision.holes.light_reference import referred_colors
from tock_vision.holes.network import PatchNetwork
from tock_vision.holes.patches import small_frame
from tock_vision.images import as_bgr
from tock_vision.learning import learn
from tock_vision.orientation import resolve_orientation, turned_way, turns_by_paint
from tock_vision.registration.hole_fit import seated
from tock_vision.registration.registrar import Registrar, SearchPlan
from tock_vision.registration.results import Orientation, Refusal, Registration
from tock_vision.registration.symmetry import turned_registration
from tock_vision.registration.touches import Touches, register_by_touches
from tock_vision.way_round import MIN_PAWNS, WayRound

DARK_MEAN = 7.0
"""Mean brightness below which nothing is read."""
COVERED_SPREAD = 3.0
"""Standard deviation of brightness below which the lens is covered."""
MOVED_SHARE = 0.25
"""Share of holes looking different from which board or camera may have moved, or an arm lies over the board."""
CHECK_EVERY_MS = 2000
"""The places of the holes are checked at least this often, even if nothing seems to have moved."""


DARK = Refusal("camera/dark", "the picture is dark; switch a light on or take the cap off the lens")
COVERED = Refusal("camera/covered", "the picture shows one plain colour; something covers the lens")
WHICH_WAY = Refusal(
    "camera/which_way",
    "the colours of the pawns do not tell which way round the board is; touch its start holes, and learn the colours",
)


@dataclass(frozen=True)
class Reading:
    """The result of one frame; `holes` is empty when the board is not registered."""

    t_ms: int
    registered: bool
    ms: float
    """Duration of the reading."""
    rms_px: float | None = None
    holes: Mapping[Hole, HoleReading] = field(default_factory=dict)
    reason: str = ""
    """Stable code when not registered: `camera/no_board`, `camera/dark`, `camera/covered`, `camera/which_way`."""
    sentence: str = ""
    """The same as a sentence for people."""
    orientation: Orientation | None = None
    pose: CameraPose | None = None
    loose: tuple[LoosePawn, ...] = ()
    """Pawns that lie beside the holes."""
    holes_changed: bool = False
    """Whether a hole looked different from when it was last read."""

    def observation(self, source: str) -> Observation:
        """The holes as an observation of a source."""
        return Observation(self.t_ms, source, self.holes, loose=self.loose)


class BoardReader:
    """Reads frames of one board, one after the other; not for use from several threads at once."""

    def __init__(
        self,
        board_file: BoardFile,
        calibration: Calibration | None = None,
        network: PatchNetwork | None = None,
        plan: SearchPlan | None = None,
    ) -> None:
        """Prepare to read frames; `plan` says how a board is found of which nothing is known."""
        self.board = board_file
        self.calibration = calibration
        self._plan = plan
        self._network = network or PatchNetwork()
        self._classifier = self._new_classifier()
        self._registrar = self._new_registrar()
        self._hole_reader: HoleReader | None = None
        self._oriented: Registration | None = None
        self._way_round = WayRound(board_file)
        self._checked_ms = 0
        self._is_agreed = False
        """Whether the colours of the board file and the learned ones have agreed on the way round."""
        self._asked_ms: int | None = None
        """When they last did not."""

    def read_frame(self, frame_bgr: Frame, t_ms: int = 0) -> Reading:
        """Read one frame (BGR, 8 bits); what cannot be seen is unknown, what cannot be registered is refused."""
        start_s = perf_counter()
        frame = as_bgr(frame_bgr, "frame")
        small = small_frame(frame)
        found = unusable(small) or self._locate(frame, small, t_ms)
        if isinstance(found, Refusal):
            self._hole_reader = None
            return Reading(t_ms, False, ms_since(start_s), reason=found.code, sentence=found.sentence)
        reader, holes = self._read(found, frame, small)
        if found.method != "markers":
            turned = self._turned(found, frame, holes, t_ms)
            if isinstance(turned, Refusal):
                return Reading(t_ms, False, ms_since(start_s), reason=turned.code, sentence=turned.sentence)
            if turned is not found:
                found = turned
                reader, holes = self._read(found, frame, small)
        return Reading(
            t_ms,
            True,
            ms_since(start_s),
            rms_px=round(found.rms_px, 3),
            holes=holes,
            orientation=found.orientation,
            pose=found.pose,
            loose=reader.loose_pawns(frame, small, holes, t_ms),
            holes_changed=reader.holes_changed,
        )

    def _read(
        self, found: Registration, frame: Frame, small: Frame
    ) -> tuple[HoleReader, dict[Hole, HoleReading]]:
        reader = self._hole_reader
        if reader is None or reader.pose is not found.pose:
            reader = self._hole_reader = HoleReader(found.pose, self._classifier, self.calibration)
        return reader, reader.read_holes(frame, small)

    def _turned(
        self, found: Registration, frame: Frame, holes: Mapping[Hole, HoleReading], t_ms: int
    ) -> Registration | Refusal:
        """The same place of the board, the way round that the pawns speak for, or the question which one it is."""
        way_round = self._way_round
        turns = way_round.turns(holes, t_ms, is_touched=found.method == "touch")
        is_open = found.orientation == "guessed" or (self._has_learned and not self._is_agreed)
        if is_open and found.method != "touch" and way_round.pawns >= MIN_PAWNS:
            return self._agreed(found, frame, turns, t_ms)
        if self._has_learned and way_round.is_by_owners:
            return self._agreed(found, frame, turns, t_ms)
        if not turns:
            return found
        gray = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
        turned = turned_registration(gray, self.board, found, -turns)
        if turned is None:
            way_round.stay()
            return found
        way_round.turn(turns)
        return self._keep(replace(turned, method=found.method, orientation="sure"), gray)

    @property
    def _has_learned(self) -> bool:
        return self.calibration is not None and bool(self.calibration.colors)

    def _agreed(self, found: Registration, frame: Frame, turns: int, t_ms: int) -> Registration | Refusal:
        """The way round on which the colours of the board file and the learned paint agree.

        Learned pawns may only contradict it: colours that were learned a zone off would turn every board by that zone.
        """
        open_still = WHICH_WAY if self._has_learned else found
        if self._asked_ms is not None and 0 <= t_ms - self._asked_ms < CHECK_EVERY_MS:
            return open_still
        gray = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
        sure = self._sure_turns(found, frame, gray)
        if not sure and turns == 0 and found.orientation == "sure":
            sure = {0}
        self._is_agreed = len(sure) == 1 and not (self._has_learned and self._way_round.contradicts(*sure))
        self._asked_ms = None if self._is_agreed else t_ms
        if not self._is_agreed:
            return open_still
        (best,) = sure
        if best == 0 and found.orientation == "sure":
            return found
        self._way_round.turn(best)
        turned = seated(gray, turned_way(gray, self.board, found, best), self.board)
        return self._keep(replace(turned, method=found.method, orientation="sure"), gray)

    def _sure_turns(self, found: Registration, frame: Frame, gray: Gray) -> set[int]:
        """The turns of which the colours of the board file, and the learned paint, are sure."""
        way = resolve_orientation(frame, gray, found, self._classifier)
        sure = {way.turns} if way.registration.orientation == "sure" else set()
        hues = self._hole_reader.hues if self._hole_reader is not None else None
        by_paint = turns_by_paint(self.board, *hues) if hues is not None else None
        return sure if by_paint is None else sure | {by_paint}

    def _keep(self, found: Registration, gray: Gray) -> Registration:
        self._oriented = found
        self._registrar.adopt(found, gray)
        return found

    def holes_differ(self, small: Frame) -> bool:
        """Whether a hole in a frame, at a quarter of its size, looks different from when it was last read.

        A glance that remembers nothing; False while the board is not found.
        """
        return self._hole_reader is not None and self._hole_reader.changed_share(small) > 0

    def _locate(self, frame: Frame, small: Frame, t_ms: int) -> Registration | Refusal:
        """Find the board; it is searched for only when many holes look different, and now and then."""
        last, reader = self._registrar.last, self._hole_reader
        if (
            last is not None
            and reader is not None
            and last.pose.size_px == (frame.shape[1], frame.shape[0])
            and 0 <= t_ms - self._checked_ms < CHECK_EVERY_MS
            and reader.changed_share(small) < MOVED_SHARE
        ):
            return last
        self._checked_ms = t_ms
        gray = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
        found = self._registrar.locate(gray)
        if isinstance(found, Refusal) or found.orientation == "sure" or found is self._oriented:
            return found
        way = resolve_orientation(frame, gray, found, self._classifier)
        return self._keep(seated(gray, way.registration, self.board), gray)

    def reset(self) -> None:
        """Forget all frames read so far; the calibration stays."""
        self._registrar = self._new_registrar()
        self._hole_reader, self._checked_ms = None, 0
        self._is_agreed, self._asked_ms = False, None
        self._way_round = WayRound(self.board)

    def touch(self, frame: Frame, touches: Touches) -> Registration | Refusal:
        """Find the board by places touched in a frame and keep it; raises BadInputError for unusable touches."""
        gray = cv2.cvtColor(as_bgr(frame, "frame"), cv2.COLOR_BGR2GRAY)
        found = register_by_touches(gray, self.board, touches)
        if isinstance(found, Registration):
            found = seated(gray, found, self.board)
            self._registrar.adopt(found, gray)
            self._hole_reader, self._oriented = None, found
            self._way_round = WayRound(self.board)
            if self._asked_ms is not None and self.calibration is not None:
                # The colours were learned another way round.
                self.calibration, self._asked_ms = replace(self.calibration, colors={}), None
        return found

    def learn(self, frame: Frame, shows: Shows) -> Calibration | Refusal:
        """Add a frame to the calibration, and use it from the next frame on."""
        known = self.calibration
        stored = self._registrar.last or (known.registration if known else None)
        found = learn(self.board, [(frame, shows)], stored, known, self._network)
        if isinstance(found, Refusal):
            return found
        if known is not None and shows == "empty":
            colors = known.colors
            if known.empty is not None and found.empty is not None and known.empty.shape == found.empty.shape:
                look = known.empty, found.empty
                colors = {seat: referred_colors(learned, *look) for seat, learned in colors.items()}
            found = replace(found, colors=colors)
        self.calibration, self._hole_reader = found, None
        self._is_agreed, self._asked_ms = False, None
        self._classifier = self._new_classifier()
        return found

    def _new_classifier(self) -> HoleClassifier:
        board = self.board if self.calibration is None else self.calibration.fitted(self.board)
        return HoleClassifier(board, self._network)

    def _new_registrar(self) -> Registrar:
        return Registrar(self.board, self.calibration.registration if self.calibration else None, self._plan)


def unusable(small: Frame) -> Refusal | None:
    """Say why nothing can be read from a frame, at a quarter of its size, that is dark or covered."""
    mean, spread = cv2.meanStdDev(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY))
    if mean[0, 0] < DARK_MEAN:
        return DARK
    return COVERED if spread[0, 0] < COVERED_SPREAD else None


def ms_since(start_s: float) -> float:
    """Milliseconds since a reading of the performance counter."""
    return round((perf_counter() - start_s) * 1000, 2)
