"""Sentences from a code and its terms."""

from tock_companion.events.terms import Param, Params, Term
from tock_companion.language import Text
from tock_companion.views.names import Names
from tock_companion.views.phrases import joined, phrase
from tock_companion.views.wording.games import title
from tock_rules import Card, Seat


def worded(code: str, params: Params, names: Names) -> Text:
    """The sentence of a code with its terms in words."""
    return phrase(code, **{name: _words(param, names) for name, param in params.items()})


def _words(param: Param, names: Names) -> str | Text:
    if isinstance(param, str):
        return param
    if isinstance(param, tuple):
        return joined([_term(term, names) for term in param], ", ")
    return _term(param, names)


def _term(term: Term, names: Names) -> Text:
    match term.kind:
        case "seat":
            return names.seat(Seat[term.value])
        case "pawn":
            return names.pawn(Seat[term.value])
        case "card":
            return names.card(Card.parse(term.value))
        case "hole":
            return names.hole(term.value)
        case "place":
            return names.place(term.value)
        case "beside":
            return names.beside(term.value)
        case "ruleset":
            return title(term.value)
        case "board":
            zones, holes, pawns = term.value.split()
            return phrase("board-size", zones=zones, holes=holes, pawns=pawns)
        case "phrase":
            return phrase(term.value)
