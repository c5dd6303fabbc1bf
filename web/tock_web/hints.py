"""`/api/v1/hint`: advice to the seat that asks, and to no other; the host says how much of it there may be."""

from collections.abc import Mapping

from flask import Blueprint, abort, jsonify
from flask.typing import ResponseReturnValue

from tock_companion.hints.advice import Adviser, Hint
from tock_companion.rules import Move, judge_move
from tock_companion.table.advising import Moment
from tock_companion.views.moves import move_arrows, move_label, move_targets
from tock_companion.views.names import Names
from tock_web.context import body, caller, context, text_of
from tock_web.hint_desk import LEVELS, MOST_PER_SEAT

EVEN = 0.015
"""A move so much behind the best in its chance to win is as good."""
WORDS: Mapping[str, Mapping[str, str]] = {
    "hint/off": {
        "fr": "L'hôte a coupé les conseils, ou celui-ci.",
        "en": "The host has switched hints off, or this one.",
    },
    "hint/spent": {
        "fr": "Tous les conseils permis sont pris.",
        "en": "You have had all the hints that are allowed.",
    },
    "hint/nothing": {
        "fr": "Pas de conseil pour l'instant : ce n'est pas ton tour, ou la table ne connaît pas tes cartes.",
        "en": "No hint now: it is not your turn, or the table does not know your cards.",
    },
    "hint/no_move_yet": {
        "fr": "Rien à comparer : joue d'abord un coup dont la table connaît la main.",
        "en": "Nothing to compare: first make a move from a hand that the table knows.",
    },
}

hints = Blueprint("hints", __name__, url_prefix="/api/v1")


@hints.get("/hints")
def allowed() -> ResponseReturnValue:
    """Tell what advice there may be."""
    return jsonify(context().hint_desk.to_json())


@hints.post("/hints")
def allow() -> ResponseReturnValue:
    """Let the host say what advice there may be."""
    if not caller().is_host:
        abort(403)
    data = body()
    if not context().hint_desk.allow(data.get("most"), data.get("per_seat")):
        abort(
            400,
            f"most is one of {', '.join(LEVELS)}; per_seat is a number from 0 to {MOST_PER_SEAT}, or null for any",
        )
    return allowed()


@hints.post("/hint")
def advise() -> ResponseReturnValue:
    """Advise the seat of the caller; the answer rests on what that seat may know."""
    level = text_of(body(), "level", 20)
    if level not in LEVELS[1:]:
        abort(400, f"level is one of {', '.join(LEVELS[1:])}")
    here, seat = context(), caller().seat
    if seat is None:
        abort(401)
    refusal = here.hint_desk.refusal(level, seat)
    if refusal is not None:
        return _refused(refusal)
    moment = here.table.moment(seat, before=level == "teacher")
    if moment is None:
        return _refused("hint/no_move_yet" if level == "teacher" else "hint/nothing")
    names = Names(moment.knowledge.position.shape, here.table.board_file.colors, {})
    with here.hint_desk.lock:
        found = Adviser(moment.knowledge, laid=moment.laid).further().hints
    if not found:
        return _refused("hint/nothing")
    here.hint_desk.taken[seat] += 1
    answer: dict[str, object] = {"ok": True, "level": level, "best": _told(found[0], names, level)}
    if level == "teacher":
        answer.update(_compared(found, moment, names))
    return jsonify(answer)


def _told(hint: Hint, names: Names, level: str) -> dict[str, object]:
    """Return a hint as the page shows it; a nudge names only the card."""
    told: dict[str, object] = {"doing": hint.doing, "card": None if hint.card is None else str(hint.card)}
    if level == "nudge":
        return told
    told["value"] = round(hint.value, 3)
    told["reasons"] = [{"code": reason.code, **reason.text(names)} for reason in hint.reasons]
    if hint.move is not None:
        told |= {
            "text": hint.move.text,
            "label": move_label(hint.move, names),
            "targets": move_targets(hint.move),
            "arrows": move_arrows(hint.move),
        }
    return told


def _compared(found: tuple[Hint, ...], moment: Moment, names: Names) -> dict[str, object]:
    """Return how the move that was made compares with the best."""
    played = next((h for h in found if h.move is not None and _is_played(h, moment)), None)
    if played is None:
        return {"played": None, "even": False}
    even = found[0].value - played.value <= EVEN
    return {"played": _told(played, names, "teacher"), "even": even}


def _is_played(hint: Hint, moment: Moment) -> bool:
    """Whether the hint leads where the move led: suits and the order of a seven's parts may differ."""
    if hint.move is None or hint.card is None or moment.card is None or moment.played is None:
        return False
    if hint.card.rank is not moment.card.rank:
        return False
    made = judge_move(moment.knowledge.position, moment.card, moment.played)
    return isinstance(made, Move) and made.result == hint.move.result


def _refused(code: str) -> ResponseReturnValue:
    return jsonify({"ok": False, "code": code, "message": WORDS[code]}), 409
