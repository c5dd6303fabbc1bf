"""`/api/v1/hint`: advice to the asking seat, and to no other; the host sets the limits."""

from math import hypot

from flask import Blueprint, jsonify
from flask.typing import ResponseReturnValue

from tock_companion.hints.advice import Adviser, Hint
from tock_companion.schema import Schema
from tock_companion.table.runtime.advising import Moment
from tock_companion.views.moves import move_arrows, move_label, move_targets
from tock_companion.views.names import Names
from tock_rules import Move, judge_move
from tock_web.answers.game import Advised, HintAnswer, HintRules
from tock_web.answers.people import Refusal
from tock_web.context import caller, context
from tock_web.hint_quota import HintAllowance, Level
from tock_web.serving.faults import refusal
from tock_web.serving.gate import Who, endpoint

EVEN = 0.015
"""A move whose chance to win is at most this much below the best counts as equally good."""
SURE_ERRORS = 2.0
"""Standard errors by which two moves must differ before one is called better; less is noise."""

hints = Blueprint("hints", __name__, url_prefix="/api/v1")


class HintQuestion(Schema):
    """The kind of advice: a card, a move, or a comparison of the last move with the best."""

    level: Level


@hints.get("/hints")
@endpoint(answer=HintRules)
def allowed() -> ResponseReturnValue:
    """The limits on advice."""
    return jsonify(context().hint_quota.allowance.model_dump())


@hints.post("/hints")
@endpoint(body=HintAllowance, answer=HintRules, who=Who.HOST)
def allow(asked: HintAllowance) -> ResponseReturnValue:
    """Set the limits on advice."""
    context().hint_quota.allow(asked)
    return jsonify(asked.model_dump())


@hints.post("/hint")
@endpoint(body=HintQuestion, answer=HintAnswer, refusal=Refusal, who=Who.SEATED)
def advise(asked: HintQuestion) -> ResponseReturnValue:
    """Advice to the caller's seat, from its own knowledge alone."""
    here, seat, level = context(), caller().seat, asked.level
    assert seat is not None
    refused = here.hint_quota.refusal(level, seat)
    if refused is not None:
        return refusal(409, refused)
    moment = here.table.moment(seat, before=level == "teacher")
    if moment is None:
        return refusal(409, "hint/no_move_yet" if level == "teacher" else "hint/nothing")
    names = Names(moment.knowledge.position.shape, here.table.board_file.colors, {})
    here.quotas.hints.take(seat.name)
    with here.hint_quota.turn(seat) as is_mine:
        if not is_mine:
            return refusal(429, "hint/busy")
        found = Adviser(moment.knowledge, laid=moment.laid).further().hints
    if not found:
        return refusal(409, "hint/nothing")
    here.hint_quota.taken[seat] += 1
    answer: HintAnswer = {"ok": True, "level": level, "best": _advised(found[0], names, level)}
    if level == "teacher":
        played = next((hint for hint in found if _is_played(hint, moment)), None)
        answer["played"] = None if played is None else _advised(played, names, level)
        answer["even"] = played is not None and _is_even(found[0], played)
    return jsonify(answer)


def _advised(hint: Hint, names: Names, level: Level) -> Advised:
    """A hint as the page shows it; a nudge names only the card."""
    advised: Advised = {"doing": hint.doing, "card": None if hint.card is None else str(hint.card)}
    if level == "nudge":
        return advised
    advised["value"] = round(hint.value, 3)
    advised["reasons"] = [{"code": reason.code, "text": reason.text(names)} for reason in hint.reasons]
    if hint.move is not None:
        advised["text"] = hint.move.text
        advised["label"] = move_label(hint.move, names)
        advised["targets"] = move_targets(hint.move)
        advised["arrows"] = move_arrows(hint.move)
    return advised


def _is_even(best: Hint, played: Hint) -> bool:
    """Whether a move is as good as the best one, as far as the playouts can tell."""
    error = hypot(best.choice.error, played.choice.error)
    return best.value - played.value <= max(EVEN, SURE_ERRORS * error)


def _is_played(hint: Hint, moment: Moment) -> bool:
    """Whether hint and move have the same result: suits and the order of a seven's parts may differ."""
    if hint.move is None or hint.card is None or moment.card is None or moment.played is None:
        return False
    if hint.card.rank is not moment.card.rank:
        return False
    made = judge_move(moment.knowledge.position, moment.card, moment.played)
    return isinstance(made, Move) and made.result == hint.move.result
