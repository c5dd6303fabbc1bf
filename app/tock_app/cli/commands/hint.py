"""`tock hint`: positions on standard input, one JSON line each; the legal moves of the seat to move, best first."""

import time
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace
from typing import TextIO

from tock_app.cli.commands.judge import position_of, ruleset_of
from tock_app.cli.console import Answer, Parser, Request, answer_lines
from tock_companion.errors import BadInputError
from tock_companion.hints.advice import BUDGET_MS, Advice, Adviser, Hint
from tock_companion.hints.knowledge import Knowledge
from tock_companion.hints.search import Effort
from tock_companion.views.names import Names
from tock_rules import Position, Seat, parse_hand
from tock_rules.engine import code_of


def run(arguments: Sequence[str] = (), stdin: TextIO | None = None, stdout: TextIO | None = None) -> int:
    """Answer every line; return 0, or 1 when a line was malformed."""
    parser = Parser(prog="tock hint", description="Ranks the legal moves of positions on standard input.")
    parser.add_argument(
        "--ms", type=float, default=BUDGET_MS, help="time for looking ahead; 0: only the estimate"
    )
    parser.add_argument("--worlds", type=int, default=64, help="games that a move is played out in at most")
    parser.add_argument("--seed", type=int, default=0, help="another seed draws other games")
    options = parser.parse_args(list(arguments))
    if options.worlds < 0 or options.ms < 0:
        raise BadInputError("--ms and --worlds are 0 or more")
    return answer_lines(lambda request: answer(request, options), stdin, stdout)


def answer(request: Request, options: Namespace) -> Answer:
    """Answer one request; raises BadInputError."""
    knowledge = knowledge_of(request)
    began_s = time.monotonic()
    adviser = Adviser(knowledge, options.seed)
    advice = adviser.further(Effort(options.worlds), options.ms) if options.ms else adviser.at_once()
    shown = _shown(advice, knowledge)
    return {"ms": round((time.monotonic() - began_s) * 1000, 1), **shown}


def knowledge_of(request: Request) -> Knowledge:
    """The seat's knowledge in a request; raises BadInputError for a contradiction."""
    rules = ruleset_of(request)
    position = position_of(rules, request)
    stored = list(position.stored_moves)
    for seat, count in _counts(position, request, "stored_moves").items():
        stored[seat] = count
    played = _number(request, "cards_played")
    position = replace(position, stored_moves=tuple(stored), cards_played=played)
    if position.outcome() is not None:
        raise BadInputError("the game is over: there is nothing to play")
    hand = parse_hand(request.get("hand"))
    discards = parse_hand(request.get("discards") or [])
    return Knowledge(position, hand, _counts(position, request, "hand_counts"), discards)


def _counts(position: Position, request: Request, name: str) -> dict[Seat, int]:
    """A number per seat; a list is in the order of the playing seats."""
    given = request.get(name)
    if given is None:
        return {}
    if isinstance(given, list) and len(given) == len(position.seats):
        given = {seat.name: count for seat, count in zip(position.seats, given, strict=True)}
    if not isinstance(given, dict):
        raise BadInputError(f"{name} are seats with a number each, not {given!r}")
    counts: dict[Seat, int] = {}
    for seat_name, count in given.items():
        seat = Seat.parse(seat_name)
        if seat not in position.seats:
            raise BadInputError(f"{name}: {seat_name} does not play")
        if not isinstance(count, int) or isinstance(count, bool) or not 0 <= count <= 60:
            raise BadInputError(f"{name} of {seat_name} is a number from 0 to 60, not {count!r}")
        counts[seat] = count
    return counts


def _number(request: Request, name: str) -> int:
    value = request.get(name, 0)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise BadInputError(f"{name} is a number from 0, not {value!r}")
    return value


def _shown(advice: Advice, knowledge: Knowledge) -> Answer:
    names = Names(knowledge.position.shape, {}, {})
    moves: list[Answer] = []
    for hint in advice.moves:
        assert hint.card is not None
        # Equivalent cards are analysed once, but printed each.
        alike = [card for card in dict.fromkeys(knowledge.hand) if code_of(card) == code_of(hint.card)]
        moves += [{**_move(hint, names), "card": str(card)} for card in alike]
    answer: Answer = {"moves": moves}
    if advice.hints and advice.best not in advice.moves:
        answer["instead"] = {**_move(advice.best, names), "do": advice.best.doing}
    return answer


def _move(hint: Hint, names: Names) -> Answer:
    return {
        "card": None if hint.card is None else str(hint.card),
        "text": None if hint.move is None else hint.move.text,
        "value": round(hint.value, 4),
        "reasons": [{"code": reason.code, **reason.text(names)} for reason in hint.reasons],
    }
