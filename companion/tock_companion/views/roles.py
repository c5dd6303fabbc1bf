"""The views of the roles: the public view, made once for all of them, and what each role may see besides."""

from collections.abc import Collection, Mapping

from tock_companion.rules.geometry import Seat
from tock_companion.views.hand import cards_to_lay, hand_view, may_throw_away
from tock_companion.views.moves import can_be_seen, move_arrows, move_label, move_targets
from tock_companion.views.state import TableState

Public = Mapping[str, object]
"""What `views.table.table_view` returns for the same state."""


def watch_view(public: Public) -> dict[str, object]:
    """Return the view of spectators: the public one."""
    return {**public, "role": "watch"}


def host_view(public: Public, state: TableState) -> dict[str, object]:
    """Return the view of the host: the public one and the sources in detail. Hosts see no hands."""
    return {
        **public,
        "role": "host",
        "can_undo": bool(state.game.turns) or state.game.card is not None,
        "wishes": _wishes(state, state.position.seats),
    }


def _wishes(state: TableState, seats: Collection[Seat]) -> list[dict[str, object]]:
    """Return who asks for one of these seats."""
    return [
        {"number": number, "seat": seat.name, "name": name}
        for number, seat, name in state.wishes
        if seat in seats
    ]


def seat_view(public: Public, state: TableState, seat: Seat) -> dict[str, object]:
    """Return the view of one seat: with its hand and the legal moves of the card it has laid."""
    game, position = state.game, state.position
    mine = seat is position.to_move and game.ended is None and not game.paused
    moves = position.legal_moves(game.card) if mine and game.card is not None else ()
    closes_turn = game.may_close_turn and seat is position.end_turn().to_move
    may_lay = game.card is None and (mine or closes_turn)
    return {
        **public,
        "role": "seat",
        "seat": seat.name,
        "your_turn": mine,
        "can_undo": mine if game.card is not None else bool(game.turns),
        "can_discard": mine and not moves and not game.moved and may_throw_away(state, seat),
        "can_end_turn": mine and game.may_close_turn,
        "by_touch": not state.sees,
        "photos_kept": state.photos_kept,
        "cards": cards_to_lay(state, seat) if may_lay else [],
        "hand": hand_view(state, seat),
        "wishes": _wishes(state, (seat,)),
        "legal_moves": [
            {
                "text": move.text,
                "label": move_label(move, state.names),
                "targets": move_targets(move),
                "arrows": move_arrows(move),
                "captures": [{"seat": owner.name, "hole": hole} for owner, hole in move.captures],
                "by_touch": not state.sees or not can_be_seen(move, colors=state.sees_colors),
            }
            for move in moves
        ],
    }
