"""The state of the simulated table."""

import threading
from collections.abc import Callable

import pytest

from tock_companion.boardfile import generate
from tock_companion.errors import BadInputError
from tock_companion.sources.scene import Scene
from tock_rules import Card, Seat

PATIENCE_S = 10.0


@pytest.fixture
def scene() -> Scene:
    return Scene(generate(4, 400))


def holes(scene: Scene) -> dict[str, str | None]:
    return {pawn.id: scene.hole_of(pawn) for pawn in scene.state.pawns}


def test_every_pawn_starts_in_its_camp(scene: Scene) -> None:
    assert holes(scene) == {f"P{p}-{n}": f"P{p}-C{n}" for p in range(4) for n in (1, 2, 3, 4)}


def test_a_position_of_the_contract_is_set_up(scene: Scene) -> None:
    scene.set_up({"P0": ["T20*", "H4", "camp", "camp"], "P2": ["C", "T3"]})
    assert holes(scene) == {
        "P0-1": "T20",
        "P0-2": "P0-H4",
        "P0-3": "P0-C1",
        "P0-4": "P0-C2",
        "P2-1": "C",
        "P2-2": "T3",
        "P2-3": "P2-C1",
        "P2-4": "P2-C2",
    }


def test_a_pawn_put_down_near_a_hole_rolls_into_it_and_else_stays_beside(scene: Scene) -> None:
    scene.move_pawn("P0-1", 161.0, 378.0)
    assert holes(scene)["P0-1"] == "T0"
    scene.move_pawn("P0-1", 170.0, 372.0)
    assert holes(scene)["P0-1"] is None
    assert scene.state.pawns[-1].id == "P0-1"


def test_a_pawn_set_aside_lies_off_the_board_and_beside_every_other(scene: Scene) -> None:
    for pawn_id in ("P0-1", "P3-4"):
        scene.set_aside(pawn_id)
    aside = [pawn for pawn in scene.state.pawns if pawn.x_mm < 0]
    assert [pawn.id for pawn in aside] == ["P0-1", "P3-4"]
    assert len({pawn.y_mm for pawn in aside}) == len(aside)
    assert holes(scene)["P0-1"] is None
    scene.place_on("P0-1", "T0")
    assert holes(scene)["P0-1"] == "T0"
    with pytest.raises(BadInputError):
        scene.set_aside("P9-1")


def test_pawns_put_back_stand_as_in_the_position_and_the_laid_card_stays(scene: Scene) -> None:
    scene.set_aside("P0-1")
    scene.place_on("P2-2", "T40")
    scene.show_hand(100, 100)
    scene.lay_card(Card.parse("10H"), Seat.P1)
    scene.put_back({seat.name: ["T0*"] if seat is Seat.P0 else [] for seat in scene.board.seats})
    others = {f"P{p}-{n}": f"P{p}-C{n}" for p in range(1, 4) for n in (1, 2, 3, 4)}
    assert holes(scene) == {"P0-1": "T0", "P0-2": "P0-C1", "P0-3": "P0-C2", "P0-4": "P0-C3", **others}
    assert scene.state.hand_mm is None
    assert scene.state.laid is not None


def test_every_change_has_its_own_revision(scene: Scene) -> None:
    seen = [scene.revision]
    changes: tuple[Callable[[], object], ...] = (
        lambda: scene.place_on("P1-2", "T18"),
        lambda: scene.show_hand(100, 100),
        scene.hide_hand,
        lambda: scene.lay_card(Card.parse("10H"), Seat.P1),
        scene.clear_card,
    )
    for change in changes:
        change()
        seen.append(scene.revision)
    assert seen == sorted(set(seen))


def test_the_page_gets_pawns_hand_and_card(scene: Scene) -> None:
    scene.show_hand(10, 20)
    scene.lay_card(Card.parse("JOK_C"))
    data = scene.to_json()
    assert data["hand"] == {"x_mm": 10.0, "y_mm": 20.0}
    assert data["card"] == {"card": "JOK_C", "seat": None}
    assert isinstance(data["pawns"], list)
    assert data["pawns"][0] == {"id": "P0-1", "seat": "P0", "x_mm": 100.0, "y_mm": 320.0, "hole": "P0-C1"}


@pytest.mark.parametrize(
    "position",
    [{"P4": ["camp"]}, {"P0": ["T72"]}, {"P0": ["T1", "T1"]}, {"P0": ["camp"] * 5}, {"P0": ["H5"]}],
)
def test_impossible_positions_are_refused_and_change_nothing(
    scene: Scene, position: dict[str, list[str]]
) -> None:
    before = scene.state
    with pytest.raises(BadInputError):
        scene.set_up(position)
    assert scene.state == before


def test_unknown_pawns_and_far_places_are_refused(scene: Scene) -> None:
    for pawn, x_mm in (("P9-1", 10.0), ("P0-1", 1e6), ("P0-1", float("nan"))):
        with pytest.raises(BadInputError):
            scene.move_pawn(pawn, x_mm, 10.0)
    with pytest.raises(BadInputError):
        scene.place_on("P0-1", "T99")


def test_waiting_ends_with_the_next_change_and_not_before(scene: Scene) -> None:
    known = scene.revision
    assert scene.wait(known, timeout_s=0.0).revision == known
    revisions: list[int] = []
    waiting = threading.Thread(target=lambda: revisions.append(scene.wait(known, PATIENCE_S).revision))
    waiting.start()
    scene.show_hand(10, 10)
    waiting.join(PATIENCE_S)
    assert revisions == [known + 1]
    assert scene.wait(known, PATIENCE_S).revision == known + 1, "what has changed already is not waited for"
