"""Warnings about the board and guidance to it: the fault, and the steps that repair it."""

from collections.abc import Sequence

from tock_companion.core.guiding import Guidance
from tock_companion.events.facts import PawnMissing, PawnStep, ViolationFound
from tock_companion.events.terms import card_term, seat_term
from tock_companion.language import Text
from tock_companion.views.fact_words import missing_words, warning_words
from tock_companion.views.moves import instruction, text_label
from tock_companion.views.names import Names, hole_of
from tock_companion.views.parts import BoardWarning, GuidanceInfo, NearestMove, RepairStep, SpotInfo
from tock_companion.views.phrases import phrase
from tock_companion.views.state import TableState
from tock_companion.views.terms import worded
from tock_rules import Seat


def warning_info(state: TableState) -> BoardWarning | None:
    """The warning that the board differs from every legal one, with the ways to put it right."""
    warning = state.game.warning
    if warning is None:
        return None
    if isinstance(warning, PawnMissing):
        given = state.guidance
        lies = given if given is not None and given.code.startswith(("loose/", "hidden/")) else None
        message = (
            guidance_words(lies, state.names)
            if lies is not None
            else missing_words(warning, state.position, state.names)
        )
        return {"tone": "calm", "breaks": [], "code": "board/pawn_missing", "seat": warning.seat,
                "message": message, "others": message, "repair": [],
                "wrong": [], "right": warning.last_seen, "nearest": [],
                "leads_on": False, "otherwise": [], "spots": _spots(lies), "may_pass": False}  # fmt: skip
    back, on = _ways(warning, state.names)
    # One step that ends in a legal move of the laid card is nearer than several that undo everything.
    leads_on = state.game.card is not None and len(on) == 1 < len(back)
    steps, otherwise = (on, back) if leads_on else (back, on)
    message, others = warning_words(warning, state.position, state.names)
    return {
        "tone": "calm" if state.game.restores else "wrong",
        "breaks": warning.breaks,
        "code": warning.code,
        "seat": warning.seat,
        "message": message,
        "others": others,
        "repair": steps,
        "wrong": [step["from_hole"] for step in steps],
        "right": [step["to_hole"] for step in steps],
        "nearest": _nearest(warning, state),
        "leads_on": leads_on,
        "otherwise": otherwise,
        "spots": [],
        "may_pass": state.game.may_let_pass,
    }


def gentle(warning: BoardWarning | None) -> BoardWarning | None:
    """A warning to a child who learns: one way to put it right, in a colour that alarms nobody."""
    if warning is None:
        return None
    return {**warning, "tone": "calm", "breaks": [], "nearest": [], "otherwise": []}


def _ways(warning: ViolationFound, names: Names) -> tuple[list[RepairStep], list[RepairStep]]:
    """The way back to the board before, and the way on to the nearest legal move."""
    back = warning.repair
    return _steps(back, names, back), _steps(warning.finish or [], names, back)


def guidance_info(state: TableState) -> GuidanceInfo | None:
    """The instruction; a warning and a question come first."""
    game = state.game
    taught = state.practice is not None
    given = state.guidance if state.guidance is not None or taught else _after_taking_back(state)
    if given is None or game.warning is not None or game.question is not None or game.paused or game.ended:
        return None
    return {
        "code": given.code,
        "sentence": guidance_words(given, state.names),
        "breaks": () if taught else given.breaks,
        "steps": _steps(given.steps, state.names),
        "places": given.places,
        "spots": _spots(given),
    }


def _after_taking_back(state: TableState) -> Guidance | None:
    """Announce the turn taken back and the place of its card, until somebody plays on."""
    taken = state.game.taken_back
    if taken is None:
        return None
    code = "taken-back-own" if taken.by == taken.seat.name else "taken-back"
    if taken.card is None:
        code += "-thrown"
    card = card_term(taken.card) if taken.card is not None else ""
    return Guidance("taken_back", code, {"seat": seat_term(taken.seat), "card": card})


def guidance_words(given: Guidance, names: Names) -> Text:
    """The sentence of an instruction."""
    if given.move is not None:
        return instruction(*given.move, names)
    return worded(given.phrase or given.code, given.params, names)


def _spots(given: Guidance | None) -> list[SpotInfo]:
    return [{"x_mm": spot.x_mm, "y_mm": spot.y_mm} for spot in given.spots] if given is not None else []


def _nearest(warning: ViolationFound, state: TableState) -> list[NearestMove]:
    return [
        {"text": text, "label": text_label(text, state.position.shape, state.names)}
        for text in warning.nearest
    ]


def _steps(way: Sequence[PawnStep], names: Names, back: Sequence[PawnStep] = ()) -> list[RepairStep]:
    """Put a way into words; two pawns that change places are one gesture, for people have two hands.

    Steps that are among `back` return a pawn to where it was; the others take it where it has not been yet.
    """
    steps: list[RepairStep] = []
    left = list(way)
    while left:
        swapped = left[2]["from"] == "camp" if len(left) > 2 else False
        if swapped and _is_swap(*left[:3]):
            first, second, _ = left[:3]
            steps.append(_swap_step(first, second, names))
            left = left[3:]
        else:
            step = left.pop(0)
            steps.append(_step(step, names, "repair-step" if step in back else "finish-step"))
    return steps


def _is_swap(aside: PawnStep, across: PawnStep, back: PawnStep) -> bool:
    """Whether a pawn steps aside into its camp, another takes its hole, and it goes to that one's."""
    return (
        aside["to"] == "camp"
        and across["to"] == aside["from"]
        and back["seat"] == aside["seat"]
        and back["to"] == across["from"]
    )


def _swap_step(first: PawnStep, second: PawnStep, names: Names) -> RepairStep:
    step = _step({"seat": first["seat"], "from": first["from"], "to": second["from"]}, names, "repair-step")
    one, other = Seat[first["seat"]], Seat[second["seat"]]
    step["sentence"] = phrase(
        "repair-swap",
        pawn=names.pawn(one),
        source=names.hole(hole_of(one, first["from"])),
        other=names.pawn(other),
        target=names.hole(hole_of(other, second["from"])),
    )
    return step


def _step(step: PawnStep, names: Names, code: str) -> RepairStep:
    seat = Seat[step["seat"]]
    return {
        "seat": step["seat"],
        "from": step["from"],
        "to": step["to"],
        "from_hole": hole_of(seat, step["from"]),
        "to_hole": hole_of(seat, step["to"]),
        "sentence": phrase(
            code,
            pawn=names.pawn(seat),
            source=names.hole(hole_of(seat, step["from"])),
            target=names.place(hole_of(seat, step["to"])),
        ),
    }
