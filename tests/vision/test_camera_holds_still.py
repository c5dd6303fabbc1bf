"""A camera's automatics settle, are held from then on, and settle again when the room changes: never during a move."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.support.drawn import START, moved, wrong_holes
from tests.support.emulated_cameras import USUAL_FOCUS, EmulatedRibbon, EmulatedWebcam
from tests.support.webcam import Evening, Filmed
from tock_companion.boardfile import BoardFile
from tock_companion.observation import Observation
from tock_vision.stillness.controls import Automatic, Hold, free
from tock_vision.stillness.libcamera import LibcameraControls
from tock_vision.stillness.steadiness import Look, Steadiness
from tock_vision.stillness.v4l2 import MANUAL_EXPOSURE, Control, V4l2Controls

Draw = Callable[..., Any]
ALL_HELD = dict.fromkeys(Automatic, Hold.HELD)


@pytest.fixture
def webcam() -> EmulatedWebcam:
    return EmulatedWebcam()


def test_a_webcam_is_held_at_what_its_automatics_have_found() -> None:
    webcam = EmulatedWebcam(light=0.5)
    controls = V4l2Controls(webcam.ioctl)
    controls.follow()
    assert controls.hold() == ALL_HELD
    assert webcam.values[Control.EXPOSURE_AUTO] == MANUAL_EXPOSURE
    webcam.light = 1.0
    assert webcam.values[Control.EXPOSURE_ABSOLUTE] == 400
    assert controls.is_held()
    webcam.values[Control.AUTO_WHITE_BALANCE] = 1
    assert not controls.is_held()
    controls.hold_again()
    assert controls.is_held()


@pytest.mark.parametrize(
    ("webcam", "expected"),
    [
        (EmulatedWebcam(lacks=frozenset({Control.EXPOSURE_AUTO})), (Automatic.EXPOSURE,)),
        (EmulatedWebcam(refuses=frozenset({Control.AUTO_WHITE_BALANCE})), (Automatic.COLORS,)),
        (EmulatedWebcam(lacks=frozenset({Control.FOCUS_AUTO, Control.FOCUS_ABSOLUTE})), ()),
        (EmulatedWebcam(lacks=frozenset(Control)), (Automatic.EXPOSURE, Automatic.COLORS)),
    ],
)
def test_a_webcam_names_the_automatics_that_it_cannot_hold(
    webcam: EmulatedWebcam, expected: tuple[Automatic, ...]
) -> None:
    assert free(V4l2Controls(webcam.ioctl).hold()) == expected


def test_a_ribbon_camera_is_held_at_what_its_automatics_have_found() -> None:
    ribbon = EmulatedRibbon(light=2.0)
    controls = LibcameraControls(ribbon)
    assert controls.hold() == ALL_HELD
    assert (ribbon.values["AeEnable"], ribbon.values["ExposureTime"]) == (False, 10_000)
    ribbon.values["ColourGains"] = (1.2, 2.0)
    assert not controls.is_held()
    controls.hold_again()
    assert controls.is_held()
    assert controls.expose(0.5)
    assert ribbon.values["ExposureTime"] == 5_000


def test_a_ribbon_camera_without_a_motor_has_no_focus_to_hold_and_one_that_stopped_holds_nothing() -> None:
    ribbon = EmulatedRibbon(has_motor=False)
    assert free(LibcameraControls(ribbon).hold()) == ()
    ribbon.is_stopped = True
    assert free(LibcameraControls(ribbon).hold()) == tuple(Automatic)


def test_automatics_are_held_once_the_board_is_seen_and_steady(
    board: BoardFile, draw: Draw, webcam: EmulatedWebcam
) -> None:
    evening = Evening(board, Filmed(webcam, np.full_like(draw(START), 90)))
    evening.go_on(4)
    assert not evening.is_held
    evening.grabber.shown = draw(START)
    evening.go_on(3)
    assert evening.is_held


def test_one_setting_leaves_a_camera_as_it_is(board: BoardFile, draw: Draw, webcam: EmulatedWebcam) -> None:
    Evening(board, Filmed(webcam, draw(START), holds_still=False)).go_on(3)
    assert webcam.calls == []


def test_learning_holds_the_settings_that_were_learned_with(
    board: BoardFile, draw: Draw, webcam: EmulatedWebcam
) -> None:
    evening = Evening(board, Filmed(webcam, draw(START)))
    evening.go_on(0.5)
    evening.loop.learn("camps")
    evening.go_on(0.5)
    assert evening.is_held


def test_a_camera_that_forgets_its_exposure_is_exposed_as_before(
    board: BoardFile, draw: Draw, webcam: EmulatedWebcam
) -> None:
    webcam.forgets, webcam.light = True, 0.4
    evening = Evening(board, Filmed(webcam, draw(START)))
    evening.go_on(5)
    assert evening.is_held
    assert webcam.values[Control.EXPOSURE_ABSOLUTE] == pytest.approx(500, rel=0.15)


def test_a_room_that_changes_is_followed_only_while_the_board_is_at_rest(
    board: BoardFile, draw: Draw, webcam: EmulatedWebcam
) -> None:
    evening = Evening(board, Filmed(webcam, draw(START)))
    evening.go_on(3)
    held = webcam.values[Control.EXPOSURE_ABSOLUTE]
    # Evening comes, and people play: every second a pawn stands elsewhere.
    webcam.light = 0.5
    for number in range(10):
        evening.grabber.shown = draw(moved(START, "P0-C1", "T0") if number % 2 else START)
        evening.go_on(1)
        assert webcam.values[Control.EXPOSURE_ABSOLUTE] == held
    evening.go_on(14)
    assert evening.is_held
    assert webcam.values[Control.EXPOSURE_ABSOLUTE] == pytest.approx(400, rel=0.1)
    assert set(evening.codes) == {""}


def test_a_camera_that_changes_by_itself_is_set_again_and_in_the_end_left_alone(
    board: BoardFile, draw: Draw, webcam: EmulatedWebcam
) -> None:
    evening = Evening(board, Filmed(webcam, draw(START)))
    evening.go_on(3)
    for _ in range(3):
        webcam.values[Control.EXPOSURE_AUTO] = 3
        evening.go_on(6)
        assert evening.is_held
    webcam.values[Control.EXPOSURE_AUTO] = 3
    evening.go_on(6)
    assert evening.codes == ["", "camera/wanders"]
    evening.go_on(14)
    assert evening.codes == ["", "camera/wanders", ""]
    assert not evening.is_held


def test_a_picture_too_blurred_to_read_is_reported(
    board: BoardFile, draw: Draw, webcam: EmulatedWebcam
) -> None:
    webcam.lacks = frozenset({Control.FOCUS_AUTO})
    webcam.values[Control.FOCUS_AUTO] = 0
    evening = Evening(board, Filmed(webcam, draw(START)))
    evening.go_on(3)
    # Somebody turns the ring of the lens, and turns it back.
    webcam.values[Control.FOCUS_ABSOLUTE] = 250
    evening.go_on(2, every_ms=500)
    webcam.values[Control.FOCUS_ABSOLUTE] = USUAL_FOCUS
    evening.go_on(1, every_ms=500)
    assert evening.codes == ["", "camera/out_of_focus", ""]
    last = [message for message in evening.received if isinstance(message, Observation)][-1]
    assert not wrong_holes(last.holes, START)


def test_a_lens_that_drifts_focuses_again_while_the_board_is_at_rest() -> None:
    webcam = EmulatedWebcam()
    steadiness = Steadiness()
    steadiness.begin(V4l2Controls(webcam.ioctl), 0)
    for t_ms in range(0, 3000, 500):
        steadiness.see(Look(t_ms, -2.0, 0.5), is_found=True, is_moving=False, is_at_rest=False)
    assert webcam.values[Control.FOCUS_AUTO] == 0
    for t_ms in range(3000, 7000, 500):
        steadiness.see(Look(t_ms, -2.0, 0.01), is_found=True, is_moving=True, is_at_rest=False)
    assert (webcam.values[Control.FOCUS_AUTO], steadiness.note(7000)) == (0, "")
    steadiness.see(Look(7000, -2.0, 0.01), is_found=True, is_moving=False, is_at_rest=True)
    assert (webcam.values[Control.FOCUS_AUTO], steadiness.note(7000)) == (1, "camera/blurred")
    steadiness.see(Look(7500, -2.0, 0.5), is_found=True, is_moving=True, is_at_rest=False)
    assert webcam.values[Control.FOCUS_AUTO] == 0


def test_a_camera_that_comes_back_is_held_again(board: BoardFile, draw: Draw, webcam: EmulatedWebcam) -> None:
    evening = Evening(board, Filmed(webcam, draw(START)))
    evening.go_on(3)
    webcam.is_unplugged = True
    evening.go_on(0.25)
    evening.grabber.webcam = EmulatedWebcam(light=0.8)
    evening.go_on(3)
    assert evening.codes == ["", "camera/unplugged", ""]
    assert evening.is_held
