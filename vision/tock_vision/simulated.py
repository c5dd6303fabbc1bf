"""The source `simulated`: pictures of the simulated table go through the same reader as a camera's."""

from collections.abc import Mapping

from tock_companion.boardfile import BoardFile
from tock_companion.errors import BadInputError
from tock_companion.observation import CardSighting
from tock_companion.schema import check
from tock_companion.sources.scene import Scene, ScenePawn, SceneState
from tock_rules import Card
from tock_vision.arrays import Frame
from tock_vision.capture import CaptureLoop
from tock_vision.grabbers import Grabber
from tock_vision.reader import BoardReader
from tock_vision.rendering.appearance import Appearance, DrawnCard, DrawnPawn, named_color
from tock_vision.rendering.renderer import Renderer
from tock_vision.settings import SimulatedSettings

RED_SUITS = "HD"


class SceneGrabber(Grabber):
    """Draws the scene at the moment of the call."""

    def __init__(self, board: BoardFile, scene: Scene, appearance: Appearance) -> None:
        self._board = board
        self._scene = scene
        self._appearance = appearance
        self._renderer: Renderer | None = None
        self._drawn: SceneState | None = None

    def open(self) -> None:
        """Draw the empty board, once."""
        if self._renderer is None:
            self._renderer = Renderer(self._board, self._appearance)

    def grab(self) -> Frame:
        """Draw a frame of the scene."""
        self.open()
        renderer = self._renderer
        if renderer is None:
            raise RuntimeError("the renderer is made by open()")
        state = self._drawn = self._scene.state
        pawns = [
            DrawnPawn(pawn.x_mm, pawn.y_mm, named_color(self._board.colors[pawn.seat]), _pattern(pawn))
            for pawn in state.pawns
        ]
        card = None if state.laid is None else _drawn(state.laid.card)
        return renderer.frame(pawns, state.hand_mm, card)

    def is_unchanged(self) -> bool:
        """Whether the scene is still the one that was drawn last."""
        return self._scene.state is self._drawn

    def close(self) -> None:
        """Nothing is held open."""


class SimulatedSource(CaptureLoop):
    """Reads the simulated table with the settings of `SimulatedSettings`."""

    def __init__(
        self, board_file: BoardFile, settings: Mapping[str, object], scene: Scene | None = None
    ) -> None:
        chosen = check(SimulatedSettings, settings, "source simulated")
        if scene is None:
            raise BadInputError(
                "source simulated: there is no scene to draw; start it with the simulated table"
            )
        appearance = Appearance(size_px=(chosen.width, chosen.height), seed=chosen.seed)
        super().__init__(
            chosen.name, SceneGrabber(board_file, scene, appearance), BoardReader(board_file), chosen.fps
        )
        self._scene = scene
        self._cards_reported = scene.state.laid_count

    def step(self, t_ms: int) -> float:
        """Report a newly laid card, then draw and read a frame."""
        state = self._scene.state
        if state.laid_count != self._cards_reported:
            self._cards_reported = state.laid_count
            if state.laid is not None:
                self._thread.deliver(CardSighting(t_ms, state.laid.seat, state.laid.card, "simulated"))
        return super().step(t_ms)


def _drawn(card: Card) -> DrawnCard:
    name = str(card)
    return DrawnCard(name, red=name[-1] in RED_SUITS or name == "JOK_C")


def _pattern(pawn: ScenePawn) -> int:
    """Seed of a pawn's pattern, the same in every frame."""
    return 10 * int(pawn.seat) + int(pawn.id[-1])
