"""The views of the roles: the public view, made once for all of them, and each role's additions."""

from collections.abc import Collection

from tock_companion.observation import HoleState
from tock_companion.views.hand import cards_that_help, cards_to_lay, hand_view, may_throw_away
from tock_companion.views.moves import legal_move
from tock_companion.views.parts import SeatRequest
from tock_companion.views.phrases import phrase
from tock_companion.views.schema import HostView, PublicView, SeatView, TableView, WatchView
from tock_companion.views.sentences import own_gift, own_guidance, own_proposal, own_sentence
from tock_companion.views.state import TableState
from tock_rules import Seat


def table_view(public: PublicView) -> TableView:
    """The view of the device that lies on the table: the public one."""
    return {"role": "table", **public}


def watch_view(public: PublicView) -> WatchView:
    """The view of spectators: the public one."""
    return {"role": "watch", **public}


def host_view(public: PublicView, state: TableState) -> HostView:
    """The view of the host, who sees no hands."""
    return {
        "role": "host",
        **public,
        "can_undo": bool(state.game.turns) or state.game.card is not None,
        "wishes": _seat_requests(state, state.position.seats),
    }


def _seat_requests(state: TableState, seats: Collection[Seat]) -> list[SeatRequest]:
    """Requests for some of these seats."""
    return [
        {"number": number, "seat": seat.name, "name": name}
        for number, seat, name in state.seat_requests
        if seat in seats
    ]


def seat_view(public: PublicView, state: TableState, seat: Seat) -> SeatView:
    """The view of one seat, with its hand and the legal moves of the card it has laid."""
    game, position = state.game, state.position
    mine = seat is position.to_move and game.ended is None and not game.paused and not state.must_give
    moves = position.legal_moves(game.card) if mine and game.card is not None else ()
    # The next seat may lay a card too while a stored second move could still keep this turn open.
    closes_turn = game.may_close_turn and seat is position.end_turn().to_move
    may_lay = (game.card is None and (mine or closes_turn)) or (mine and _may_lay_another(state, seat))
    can_discard = mine and may_throw_away(state, seat)
    practice, hand = state.practice, state.hands.of(seat)
    gives = seat in state.givers and hand is not None and hand.cards
    own = own_sentence(state, public["expects"], may_discard=can_discard and not moves) if mine else None
    own = own_gift(state, seat, public["expects"]) or own
    if practice is not None and practice.learner is not seat:
        own = phrase("practice-of", seat=state.names.seat(practice.learner))
    if practice is not None and mine and not practice.lesson.alone and not any(practice.shown_as):
        moves = () if state.announced is None else (state.announced,)
    return {
        "role": "seat",
        **public,
        "sentence": own if own is not None else public["sentence"],
        "seat": seat.name,
        "your_turn": mine,
        "guidance": own_guidance(state, seat, public["guidance"]),
        "proposal": own_proposal(state, seat, public["proposal"]),
        "can_undo": practice is None and _can_undo(state, seat, is_mine=mine),
        "undo_asks": _undo_asks(state, seat),
        "can_discard": can_discard,
        "can_end_turn": mine and game.may_close_turn,
        "by_touch": not state.sees or seat in state.names.far,
        "photos_kept": state.photos_kept,
        "cards": cards_to_lay(state, seat) if may_lay or gives else [],
        "helping": cards_that_help(state, seat) if may_lay else [],
        "may_take_back": mine and game.card is not None,
        "hand": hand_view(state, seat),
        "wishes": _seat_requests(state, (seat,)),
        "legal_moves": [legal_move(move, state, is_far=seat in state.names.far) for move in moves],
    }


def _can_undo(state: TableState, seat: Seat, *, is_mine: bool) -> bool:
    """Whether this seat may take something back, or ask for it."""
    if state.game.card is not None:
        return is_mine
    is_theirs = seat not in state.newcomers or _undo_asks(state, seat) is not None
    return bool(state.game.turns) and is_theirs


def _undo_asks(state: TableState, seat: Seat) -> str | None:
    """The seated player of the last move, if not this one."""
    mover = state.game.last_mover
    is_asked = mover is not None and mover is not seat and mover in state.names.players
    return mover.name if is_asked and mover is not None and state.game.card is None else None


def _may_lay_another(state: TableState, seat: Seat) -> bool:
    """Whether the laid card may still be replaced by another one of a known hand: no pawn has moved."""
    game, hand = state.game, state.hands.of(seat)
    if game.card is None or hand is None or not hand.cards or hand.doubtful:
        return False
    still = all(reading.state is HoleState.UNKNOWN for reading in state.seen.values())
    return still and game.warning is None and game.question is None and state.guidance is None
