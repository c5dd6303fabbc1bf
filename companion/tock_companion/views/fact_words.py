"""Sentences for warnings and questions of the log, from their codes and parameters."""

from collections.abc import Mapping

from tock_companion.errors import BadInputError, printable, quoted
from tock_companion.events.facts import PawnMissing, QuestionAsked, ViolationFound
from tock_companion.events.game import NEW_GAME, SET_UP, TAKE_BACK
from tock_companion.language import Text, in_every_language
from tock_companion.views.moves import move_label, text_label
from tock_companion.views.names import Names
from tock_companion.views.phrases import joined, phrase
from tock_companion.views.wording import codes, message
from tock_rules import Card, Move, Position, Seat, Violation, judge_move


def warning_words(warning: ViolationFound, position: Position, names: Names) -> tuple[Text, Text]:
    """The reason of a warning, to the player who moved and to the others; raises BadInputError for misfits."""
    if warning.params is None:
        return _stored_words(warning)
    try:
        return _worded(warning, warning.params, position, names)
    except (LookupError, ValueError) as error:
        # A log from outside may name a code with the parameters of another one.
        misfit = printable(str(error))
        raise BadInputError(
            f"the parameters of the warning {quoted(warning.code)} do not fit it: {misfit}"
        ) from None


def _worded(
    warning: ViolationFound, params: Mapping[str, str | int], position: Position, names: Names
) -> tuple[Text, Text]:
    if warning.code in codes():
        card = Card.parse(str(params["card"])) if "card" in params else None
        violation = Violation(
            warning.code, tuple(warning.breaks), Seat.parse(warning.seat), card, params=params
        )
        words = message(violation, names.shape, names.colors, names.players)
        return words.reason, words.others
    if warning.code == TAKE_BACK:
        return _take_back(params, names)
    if warning.code == SET_UP:
        asked = phrase(str(params.get("reason", "set-up")))
        return asked, asked
    turn = Seat.parse(str(params["turn"]))
    if "move" in params:
        card = Card.parse(str(params["card"]))
        move = judge_move(position, card, str(params["move"]))
        chosen = (
            move_label(move, names)
            if isinstance(move, Move)
            else text_label(str(params["move"]), position.shape, names)
        )
        sentence = phrase("far-another-move", name=names.seat(turn), move=chosen)
    else:
        sentence = phrase("card-other-seat", seat=names.seat(Seat.parse(warning.seat)), turn=names.seat(turn))
    return sentence, sentence


def _take_back(params: Mapping[str, str | int], names: Names) -> tuple[Text, Text]:
    card, by = params.get("card"), params.get("by")
    mine = phrase("take-back")
    if card is not None:
        mine = phrase("take-back-mine", card=names.card(Card.parse(str(card))))
    if by is None:
        return mine, phrase("take-back")
    return mine, phrase(f"take-back-{by}", seat=names.seat(Seat.parse(str(params["seat"]))))


def _stored_words(warning: ViolationFound) -> tuple[Text, Text]:
    """The sentences that an earlier release wrote; the oldest have reason and instruction in one."""
    mine = warning.reason or warning.message or {}
    return in_installed_languages(mine), in_installed_languages(warning.others or mine)


def in_installed_languages(sentence: Mapping[str, str]) -> Text:
    """A stored sentence; a language that it lacks shows the first one that it has."""
    first = next(iter(sentence.values()), "")
    return in_every_language(lambda lang: sentence.get(lang, first))


def question_words(question: QuestionAsked, names: Names) -> Text:
    """The sentence of a question."""
    if question.about == NEW_GAME:
        return phrase("question-new-game")
    return phrase(f"question-{question.about}", seat=names.seat(Seat.parse(question.seat)))


def missing_words(warning: PawnMissing, position: Position, names: Names) -> Text:
    """The sentence for a pawn that has left the board."""
    seat = Seat.parse(warning.seat)
    code = "pawn-missing" if seat in position.played_seats() else "pawn-missing-taken"
    where = joined([names.hole(hole) for hole in warning.last_seen], ", ")
    return phrase(code, pawn=names.pawn(seat), hole=where)
