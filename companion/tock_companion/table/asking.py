"""What people ask of the table, judged like an observation: granted as facts, or refused with a reason."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from tock_companion.errors import BadInputError
from tock_companion.events.facts import (
    BY_AGREEMENT,
    CardPlayed,
    Correction,
    Fact,
    ModeSet,
    MoveTakenBack,
    Paused,
    QuestionAnswered,
    Repaired,
    Resumed,
    TurnEnded,
    ViolationFound,
)
from tock_companion.events.game import NEW_GAME, Game, Turn
from tock_companion.events.modes import Mode
from tock_companion.language import Text
from tock_companion.referee.tracking.estimate import estimated_setup
from tock_companion.referee.tracking.watch import Watch
from tock_companion.rules import Board, Card, Move, Position, Seat, is_binding, judge_move, parse_hand
from tock_companion.table.laying import lay_card
from tock_companion.table.putting_away import lay_down, throw_out
from tock_companion.table.requests import Reply, Request, Role, WithdrawCard, refused
from tock_companion.table.ruling import TAKE_BACK, Ruling
from tock_companion.views.moves import can_be_seen
from tock_companion.views.names import Names

Answer = tuple[Reply, list[Fact]]
TWO_OF_SPADES = Card.parse("2S")
_HOST_ONLY = {"pause", "resume", "accept_board", "set_mode"}
_OF_THE_TURN = {"play_card", "withdraw_card", "discard", "throw_hand", "move", "end_turn"}
_BLOCKED_BY_PAUSE = _OF_THE_TURN | {"answer", "undo", "override"}


@dataclass(frozen=True, slots=True)
class Asking:
    """One table at the moment of a request."""

    game: Game
    position: Position
    names: Names
    watch: Watch
    sees: bool
    sees_colors: bool

    def answer(self, request: Request) -> Answer:
        """Return the reply and what is to be recorded."""
        answers: Mapping[str, Callable[[Request], Answer]] = {
            "play_card": self._play_card,
            "withdraw_card": self._withdraw_card,
            "discard": self._discard,
            "throw_hand": self._throw_hand,
            "move": self._move,
            "end_turn": self._end_turn,
            "answer": self._answer_question,
            "undo": self._undo,
            "correct": self._correct,
            "accept_board": self._accept_board,
            "override": self._override,
            "set_mode": self._set_mode,
            "pause": self._pause,
            "resume": self._resume,
        }
        reply = self._not_allowed(request, answers)
        if reply is not None:
            return reply, []
        try:
            return answers[request.kind](request)
        except BadInputError as error:
            return refused("bad_request", reason=str(error)), []

    def _not_allowed(self, request: Request, answers: Mapping[str, object]) -> Reply | None:
        if request.kind not in answers:
            return refused("bad_request", reason=f"'{request.kind}'")
        if request.role not in (Role.SEAT, Role.HOST) or (request.role is Role.SEAT and request.seat is None):
            return refused("not_allowed")
        if request.kind in _HOST_ONLY and request.role is not Role.HOST:
            return refused("not_allowed")
        if self.game.ended is not None and request.kind != "undo":
            return refused("over")
        if self.game.paused and request.kind in _BLOCKED_BY_PAUSE:
            return refused("paused")
        turn = self.position.to_move
        if request.kind in _OF_THE_TURN and request.seat not in (turn, None):
            closes_turn = request.kind == "play_card" and self.game.may_close_turn
            if not (closes_turn and request.seat is self.position.end_turn().to_move):
                return refused("not_your_turn", seat=self.names.seat(turn))
        return None

    def _play_card(self, request: Request) -> Answer:
        card = Card.parse(request.data.get("card"))
        if self.game.card is not None and self.game.card != card:
            return refused("card_laid", card=str(self.game.card)), []
        return Reply(True), lay_card(self.game, self.names, card, request.seat, "touch")

    def _withdraw_card(self, request: Request) -> Answer:
        card = self.game.card
        if card is None:
            return refused("no_card"), []
        if self._binds(request) and is_binding(self.position, card):
            return refused("binding_card", card=str(card)), []
        return Reply(True), [Correction(_who(request), "card withdrawn")]

    def _binds(self, request: Request) -> bool:
        """Whether what was laid or released is binding for this person: in strict mode, for all but the host."""
        binding = self.position.ruleset.laid_card_binding
        return binding and self.game.mode is Mode.STRICT and request.role is not Role.HOST

    def _discard(self, request: Request) -> Answer:
        if "cards" in request.data:
            return self._put_away(request)
        laid = self.game.card
        card = laid if laid is not None else Card.parse(request.data.get("card"))
        if self.position.legal_moves(card):
            return refused("card_playable", card=str(card)), []
        turn = self.position.to_move
        following = self.position.end_turn().to_move
        return Reply(True), [
            CardPlayed(turn.name, str(card), "touch", "discard"),
            TurnEnded(turn.name, following.name),
        ]

    def _put_away(self, request: Request) -> Answer:
        if self.game.card is not None:
            return refused("card_laid", card=str(self.game.card)), []
        facts = lay_down(self.position, parse_hand(request.data["cards"]))
        return (refused("hand_playable"), []) if facts is None else (Reply(True), facts)

    def _throw_hand(self, request: Request) -> Answer:
        if self.game.card is not None:
            return refused("card_laid", card=str(self.game.card)), []
        hand = parse_hand(request.data.get("cards", []))
        facts = throw_out(self.position, hand, _who(request))
        move = self.position.throw_move(hand)
        if facts is None or move is None:
            return refused("no_exit"), []
        if self.sees and not estimated_setup(self.watch, self.position).board().looks_like(move.result):
            return refused("on_the_board"), []
        return Reply(True), facts

    def _move(self, request: Request) -> Answer:
        if self.game.card is None:
            return refused("no_card"), []
        move = judge_move(self.position, self.game.card, str(request.data.get("text")))
        if not isinstance(move, Move):
            return refused("bad_request", reason=str(request.data.get("text"))), []
        visible = can_be_seen(move, colors=self.sees_colors)
        if self.sees and visible and not request.data.get("force"):
            return refused("on_the_board"), []
        return Reply(True), self._accept(move, "touch", request)

    def _accept(self, move: Move, how: str, request: Request) -> list[Fact]:
        ruling = Ruling(self.game, self.position, self.names)
        return ruling.accept(move.card, move, {"by": how, "who": _who(request)}, _who(request))

    def _end_turn(self, _request: Request) -> Answer:
        if not self.game.moved or self.game.card is not None:
            return refused("turn_open"), []
        if self.position.must_play_more:
            return refused("must_play_more"), []
        turn = self.position.to_move
        return Reply(True), [TurnEnded(turn.name, self.position.end_turn().to_move.name)]

    def _answer_question(self, request: Request) -> Answer:
        question, choice = self.game.question, str(request.data.get("choice"))
        if question is None or choice not in question.choices:
            return refused("no_question"), []
        if request.role is Role.SEAT and request.seat is not Seat[question.seat]:
            return refused("not_your_turn", seat=self.names.seat(Seat[question.seat])), []
        if question.about == NEW_GAME:
            answered = QuestionAnswered(question.seat, choice, _who(request))
            return Reply(True, data={NEW_GAME: choice == NEW_GAME}), [answered]
        if question.about == "card":
            # Laying the card answers the question.
            return Reply(True), lay_card(self.game, self.names, Card.parse(choice), None, "touch")
        assert self.game.card is not None
        move = judge_move(self.position, self.game.card, choice)
        if not isinstance(move, Move):
            return refused("no_question"), []
        return Reply(True), self._accept(move, "answer", request)

    def _undo(self, request: Request) -> Answer:
        if self.game.card is not None and request.data.get("to") is None:
            return self.answer(replace(request, body=WithdrawCard()))
        if request.data.get("to") is not None and request.role is not Role.HOST:
            return refused("needs_votes"), []
        if not self.game.turns:
            return refused("nothing_to_undo"), []
        if self._binds(request):
            return refused("binding_move"), []
        last = _turn_to_undo(self.game, request.data.get("to"))
        facts: list[Fact] = [MoveTakenBack(_who(request), last.seq)]
        if self.sees and not last.before.board.looks_like(self.position.board):
            ruling = Ruling(self.game, last.before, self.names)
            facts.append(ruling.take_back_warning(estimated_setup(self.watch, last.before)))
        elif self.game.warning is not None:
            facts.append(Repaired(self.game.warning.seat, None))
        return Reply(True), facts

    def _correct(self, request: Request) -> Answer:
        pawns = {seat: list(places) for seat, places in self.position.board.to_pawns().items()}
        changes = request.data.get("changes")
        if not isinstance(changes, list) or not changes:
            raise BadInputError("'changes' must list at least one pawn movement")
        for change in changes:
            _apply_change(pawns, change)
        board = Board.from_pawns(self.position.shape, pawns)
        why = str(request.data.get("why", "the camera is wrong"))
        facts: list[Fact] = [self._correction(request, why, board)]
        if not self.sees and self.game.warning is not None:
            # Nobody will see that the board is right again; the person has said so.
            facts.append(Repaired(self.game.warning.seat, None))
        return Reply(True), facts

    def _accept_board(self, request: Request) -> Answer:
        setup = estimated_setup(self.watch, self.position)
        problems = setup.problems()
        if problems:
            reason: Text = {"fr": str(problems[0]), "en": str(problems[0])}
            return refused("impossible_board", reason=reason), []
        if self.game.card == TWO_OF_SPADES and self.position.ruleset.deux_de_pique:
            # Its powers are in no text (R000-54, R000-70): the host confirms what the table agreed on.
            return Reply(True), self._stands(request, BY_AGREEMENT, setup.board())
        return Reply(True), [self._correction(request, "the board as it stands", setup.board())]

    def _override(self, request: Request) -> Answer:
        """Let a wrong board stand, as a house rule: the turn is over, and the log says who allowed what."""
        warning = self.game.warning
        if self.game.mode is not Mode.FRIENDLY:
            return refused("not_friendly"), []
        if not isinstance(warning, ViolationFound) or warning.code.startswith(("card/", TAKE_BACK)):
            return refused("no_warning"), []
        setup = estimated_setup(self.watch, self.position)
        if setup.problems():
            return self._accept_board(request)
        return Reply(True), self._stands(request, f"override {warning.code}", setup.board())

    def _stands(self, request: Request, why: str, board: Board) -> list[Fact]:
        """Return what lets a board stand that no rule explains, and ends the turn."""
        warning = self.game.warning
        turn, following = self.position.to_move, self.position.end_turn().to_move
        facts: list[Fact] = [Correction(_who(request), why, board.to_pawns())]
        if warning is not None:
            facts.append(Repaired(warning.seat, None))
        return [*facts, TurnEnded(turn.name, following.name)]

    def _set_mode(self, request: Request) -> Answer:
        mode = str(request.data.get("mode"))
        if mode not in {known.value for known in Mode}:
            raise BadInputError(f"mode '{mode}' is not known; use {', '.join(known.value for known in Mode)}")
        facts: list[Fact] = [] if self.game.mode.value == mode else [ModeSet(mode, _who(request))]
        if facts and Mode(mode) is Mode.RECORDER:
            facts += Ruling(self.game, self.position, self.names).settled()
        return Reply(True), facts

    def _correction(self, request: Request, why: str, board: Board) -> Correction:
        card = str(self.game.card) if self.game.card is not None else None
        return Correction(_who(request), why, board.to_pawns(), card)

    def _pause(self, request: Request) -> Answer:
        return Reply(True), [] if self.game.paused else [Paused(_who(request))]

    def _resume(self, request: Request) -> Answer:
        return Reply(True), [Resumed(_who(request))] if self.game.paused else []


def _turn_to_undo(game: Game, seq: object) -> Turn:
    """Return the last turn, or the one of that number, with which all later ones go too."""
    if seq is None:
        return game.turns[-1]
    for turn in game.turns:
        if turn.seq == seq:
            return turn
    raise BadInputError(f"there is no turn {seq} to take back")


def _apply_change(pawns: dict[str, list[str]], change: object) -> None:
    if not isinstance(change, Mapping) or not all(
        isinstance(change.get(key), str) for key in ("seat", "from", "to")
    ):
        raise BadInputError("a change needs 'seat', 'from' and 'to'")
    seat, source, target = str(change["seat"]), _place(str(change["from"])), _place(str(change["to"]))
    places = pawns.get(seat, [])
    marked = next((place for place in places if place.rstrip("*") == source), None)
    if marked is None:
        raise BadInputError(f"{seat} has no pawn on {change['from']}")
    places[places.index(marked)] = target


def _place(hole: str) -> str:
    """Turn a board-file hole into a place of the notation: `P0-C2` is `camp`, `P0-H1` is `H1`."""
    if "-C" in hole:
        return "camp"
    return hole.rsplit("-", maxsplit=1)[-1]


def _who(request: Request) -> str:
    return request.seat.name if request.role is Role.SEAT and request.seat is not None else request.role.value
