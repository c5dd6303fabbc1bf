"""`tock judge`: rule questions on standard input, one JSON line each, answers in the same order."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TextIO

from tock_app.cli.commands.judge_table import answer_table
from tock_app.cli.console import Answer, Parser, Request, answer_lines
from tock_app.cli.rulesets import ruleset_named
from tock_companion.errors import BadInputError
from tock_companion.language import TERMINAL
from tock_companion.referee.diagnosis.explain import explain
from tock_companion.views.wording import both
from tock_rules import (
    Board,
    Card,
    Move,
    Position,
    Ruleset,
    Seat,
    Setup,
    after_play,
    check_setup,
    deal_plan,
    judge_move,
    judge_throw,
    left_of,
    parse_hand,
    preset_table,
    shape_for,
    turn_options,
)


def run(arguments: Sequence[str] = (), stdin: TextIO | None = None, stdout: TextIO | None = None) -> int:
    """Answer every line; return 1 when one was malformed."""
    parser = Parser(
        prog="tock judge",
        description="Answers rule questions on standard input, one JSON line each: tock judge < FILE.",
        epilog="docs/formats.md has the questions; `ruleset` is a name or the path of a ruleset file.",
    )
    _, rest = parser.parse_known_args(list(arguments))
    if rest:
        raise BadInputError(f"judge takes no arguments but reads requests: tock judge < {' '.join(rest)}")
    return answer_lines(answer, stdin, stdout)


def answer(request: Request) -> Answer:
    """Answer one request; raises BadInputError."""
    kind = request.get("kind")
    if not isinstance(kind, str) or kind not in _KINDS:
        raise BadInputError(f"no such kind: {kind!r}; kinds: {', '.join(_KINDS)}")
    return _KINDS[kind](ruleset_of(request), request)


def ruleset_of(request: Request) -> Ruleset:
    """The ruleset named in a request, with its house rules."""
    name = request.get("ruleset")
    if not isinstance(name, str):
        raise BadInputError(f"ruleset is a name, not {name!r}")
    options = request.get("options")
    return ruleset_named(name).with_options(options if options is not None else {})


def position_of(rules: Ruleset, request: Request, pawns: str = "pawns") -> Position:
    """The position of a request; `pawns` names the field that holds the board."""
    zones = request.get("board_zones", 4)
    if not isinstance(zones, int) or isinstance(zones, bool):
        raise BadInputError(f"board_zones is 4, 6 or 8, not {zones!r}")
    board = Board.from_pawns(shape_for(rules, zones), request.get(pawns))
    players = request.get("players", [seat.name for seat in board.seats])
    if not isinstance(players, list):
        raise BadInputError(f"players is a list of seats, not {players!r}")
    if {Seat.parse(name) for name in players} != set(board.seats):
        raise BadInputError(
            f"players are {players!r} but pawns are given for {[s.name for s in board.seats]}"
        )
    position = Position.of(rules, board, Seat.parse(request.get("to_move")), _teams(request.get("teams")))
    check_setup(rules, position.seats, position.teams)
    owing, empty = _seats(request, "owes_discard"), _without_cards(request)
    return replace(position, owes_discard=owing, without_cards=empty) if owing or empty else position


def _teams(teams: object) -> list[list[Seat]] | None:
    if teams is None:
        return None
    if not isinstance(teams, list) or not all(isinstance(team, list) for team in teams):
        raise BadInputError(f"teams are null or lists of seats, not {teams!r}")
    return [[Seat.parse(name) for name in team] for team in teams]


def _seats(request: Request, field: str) -> frozenset[Seat]:
    names = request.get(field) or []
    if not isinstance(names, list):
        raise BadInputError(f"{field} is a list of seats, not {names!r}")
    return frozenset(map(Seat.parse, names))


def _without_cards(request: Request) -> frozenset[Seat]:
    """The other seats whose hand is known to be empty."""
    counts = request.get("hand_counts") or {}
    if not isinstance(counts, dict):
        raise BadInputError(f"hand_counts has a number by seat, not {counts!r}")
    return frozenset(Seat.parse(name) for name, count in counts.items() if count == 0)


def _move_text(request: Request) -> str:
    move = request.get("move")
    text = move.get("text") if isinstance(move, dict) else move
    if not isinstance(text, str):
        raise BadInputError(f'move is {{"text": …}}, not {move!r}')
    return text


def _legal_moves(rules: Ruleset, request: Request) -> Answer:
    moves = position_of(rules, request).legal_moves(Card.parse(request.get("card")))
    return {"moves": [{"text": move.text, "result": move.result.to_pawns()} for move in moves]}


def _verdict(rules: Ruleset, request: Request) -> Answer:
    position = position_of(rules, request)
    if request.get("card") is None and request.get("hand") is not None:
        found = judge_throw(position, parse_hand(request["hand"]), _move_text(request))
    else:
        found = judge_move(position, Card.parse(request.get("card")), _move_text(request))
    if isinstance(found, Move):
        return {"legal": True, "result": found.result.to_pawns()}
    return {"legal": False, "breaks": list(found.breaks), "message": both(found, position.shape)}


def _turn_options(rules: Ruleset, request: Request) -> Answer:
    position = position_of(rules, request)
    options = turn_options(position, parse_hand(request.get("hand")))
    answer: Answer = {
        "playable": [str(card) for card in options.playable],
        "discard_allowed": options.discard_allowed,
    }
    if options.discard_allowed:
        answer["discard_count"] = options.discard_count
        answer["draw_count"] = options.draw_count
    if options.throw_exit is not None:
        answer["dump_exit"] = {"allowed": options.throw_exit.allowed, "to": options.throw_exit.to}
    return answer


def _outcome(rules: Ruleset, request: Request) -> Answer:
    position = position_of(rules, request)
    played = {**request, **_setup(request)} if request.get("setup") else request
    if played.get("card") is not None and played.get("move") is not None:
        found = judge_move(position, Card.parse(played["card"]), _move_text(played))
        if not isinstance(found, Move):
            raise BadInputError(f"the move is not legal: {both(found, position.shape)[TERMINAL]}")
        position = position.play(found)
    outcome = position.outcome()
    if outcome is None:
        return {"winner": None}
    names = [seat.name for seat in outcome.winners]
    answer: Answer = {"winner": names if outcome.as_team else names[0]}
    if rules.points_pawn or rules.points_win:
        answer["points"] = [position.points(side) for side in position.sides]
    return answer


def _setup(request: Request) -> Request:
    setup = request.get("setup")
    if not isinstance(setup, dict):
        raise BadInputError(f"setup is an object, not {setup!r}")
    return setup


def _deal(rules: Ruleset, request: Request) -> Answer:
    setup = _setup(request)
    named = request.get("players")
    players = setup.get("players", len(named) if isinstance(named, list) else None)
    listed: list[object] = players if isinstance(players, list) else [players]
    counts = [count for count in listed if isinstance(count, int) and not isinstance(count, bool)]
    if not counts or len(counts) != len(listed):
        raise BadInputError(f"setup: players is a number or a list of numbers, not {players!r}")
    plans = {count: deal_plan(rules, count) for count in counts}
    answer: Answer = {"draw_after_each_card": 1 if rules.draw_after_card else 0}
    for key in ("rounds", "deck", "left_over", "stock_after_deal", "sevens_in_deck"):
        values = {}
        for count, plan in plans.items():
            value = {
                "rounds": list(plan.rounds),
                "deck": len(plan.deck),
                "left_over": plan.left_over,
                "stock_after_deal": plan.stock,
                "sevens_in_deck": plan.sevens,
            }[key]
            if value is not None:
                values[str(count)] = value
        if values:
            answer[key] = values if isinstance(players, list) else values[str(players)]
    if "dealer_moves" in preset_table(rules.name).get("deal", {}):
        answer["exchange_cards"] = int(rules.card_exchange)
        answer["dealer_moves"] = rules.dealer_moves
    if setup.get("dealer") is not None:
        answer.update(_dealer(rules, named, Seat.parse(setup["dealer"])))
    return answer


def _dealer(rules: Ruleset, names: object, dealer: Seat) -> Answer:
    if not isinstance(names, list):
        raise BadInputError(f"with a dealer, players (beside setup) is a list of seats, not {names!r}")
    following = left_of(sorted(Seat.parse(name) for name in names), dealer)
    deals_on = rules.dealer_moves == "never"
    return {"first_player": following.name, "next_dealer": dealer.name if deals_on else following.name}


def _after_play(rules: Ruleset, request: Request) -> Answer:
    setup = _setup(request)
    stored = setup.get("stored_before", 0)
    if not isinstance(stored, int) or isinstance(stored, bool) or stored < 0:
        raise BadInputError(f"stored_before is a number, not {stored!r}")
    after = after_play(rules, Card.parse(setup.get("card")), stored, burned=setup.get("action") == "burn")
    answer: Answer = {"draw_count": after.draw_count, "second_move": list(after.second_move)}
    if after.stored_if_later is not None:
        answer["stored_if_later"] = after.stored_if_later
    if after.next_discards is not None:
        answer |= {"next_discards": after.next_discards, "next_loses_turn": after.next_discards > 0}
    return answer


def _observed(rules: Ruleset, request: Request) -> Answer:
    position = position_of(rules, request, "before")
    card = None if request.get("card") is None else Card.parse(request["card"])
    seen = Setup.from_pawns(position.shape, request.get("after"))
    found = explain(position, card, seen)
    answer: Answer = {
        "explanations": [
            {"card": str(played), "text": move.text, "result": move.result.to_pawns()}
            for played, move in found.explanations
        ]
    }
    if found.violation is not None:
        answer["violation"] = {
            "breaks": list(found.violation.breaks),
            "message": both(found.violation, position.shape),
            "nearest": [{"text": move.text} for move in found.nearest],
            "repair": [step.to_json() for step in found.repair],
        }
    return answer


def _table(rules: Ruleset, request: Request) -> Answer:
    return answer_table(position_of(rules, request), request)


_KINDS: dict[str, Callable[[Ruleset, Request], Answer]] = {
    "legal_moves": _legal_moves,
    "verdict": _verdict,
    "turn_options": _turn_options,
    "outcome": _outcome,
    "deal": _deal,
    "after_play": _after_play,
    "observed": _observed,
    "table": _table,
}
