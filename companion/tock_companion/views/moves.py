"""Moves as people read them and as they are drawn, each on its own and as the history of a game."""

from tock_companion.core.playing import can_be_seen
from tock_companion.events.game import Game, Played
from tock_companion.language import Text
from tock_companion.views.names import Names
from tock_companion.views.parts import Arrow, PlayedMove
from tock_companion.views.phrases import joined, phrase
from tock_companion.views.schema import LegalMove
from tock_companion.views.state import TableState
from tock_rules import CAMP, BoardShape, Hole, Kind, Move, Part, Seat, camp_holes_of, parse_parts

HISTORY_LENGTH = 40


def move_label(move: Move, names: Names) -> Text:
    """A move in words: every part, then the pawns it takes."""
    owners = sorted(seat for seat, _ in move.captures)
    taken: list[Text] = []
    for number, seat in enumerate(owners):
        code = "move-capture" if not number else "move-capture-more"
        is_same = bool(number) and owners[number - 1] is seat
        taken.append(phrase("move-capture-again") if is_same else phrase(code, pawn=names.pawn(seat)))
    return joined([parts_label(move.parts, names), *taken], "")


def legal_move(move: Move, state: TableState, *, is_far: bool) -> LegalMove:
    """A legal move as it reaches a phone; a far player plays every move by touch."""
    return {
        "text": move.text,
        "label": move_label(move, state.names),
        "targets": move_targets(move),
        "arrows": move_arrows(move),
        "captures": [{"seat": owner.name, "hole": hole} for owner, hole in move.captures],
        "by_touch": is_far or not state.sees or not can_be_seen(move, colors=state.sees_colors),
    }


def played_label(played: Played, names: Names) -> Text:
    """Player, card and move, as in histories and replays."""
    return phrase(
        "history",
        seat=names.seat(played.seat),
        card=names.card(played.card),
        move=move_label(played.move, names),
    )


def instruction(seat: Seat, move: Move, names: Names) -> Text:
    """The sentence that asks a person to move the pawns for a computer."""
    steps = [_step(part, names) for part in move.parts]
    steps += [phrase("computer-capture", pawn=names.pawn(owner)) for owner, _ in move.captures]
    return phrase(
        "computer-plays", seat=names.seat(seat), card=names.card(move.card), steps=joined(steps, ", ")
    )


def _step(part: Part, names: Names) -> Text:
    source = names.hole(hole_of_cell(names.shape, part.seat, part.from_cell))
    target = names.hole(hole_of_cell(names.shape, part.seat, part.to_cell))
    if part.kind is Kind.BURN and part.other is not None:
        return phrase("move-burn", other=names.seat(part.other))
    if part.kind is Kind.SWAP and part.other is not None:
        other = names.pawn(part.other)
        return phrase("computer-swap", pawn=names.pawn(part.seat), other=other, source=source, target=target)
    return phrase("computer-step", pawn=names.pawn(part.seat), source=source, target=target)


def parts_label(parts: tuple[Part, ...], names: Names) -> Text:
    """The parts of a move in words, in the order played."""
    first = parts[0]
    if first.kind is Kind.BURN and first.other is not None:
        return phrase("move-burn", other=names.seat(first.other))
    ways = joined([_part_label(part, names) for part in parts], " + ")
    return phrase("move-of", pawn=names.pawn(first.seat), parts=ways)


def text_label(text: str, shape: BoardShape, names: Names) -> Text:
    """A move that is given as text, in words."""
    return parts_label(parse_parts(shape, text), names)


def _part_label(part: Part, names: Names) -> Text:
    source = hole_of_cell(names.shape, part.seat, part.from_cell)
    target = hole_of_cell(names.shape, part.seat, part.to_cell)
    if part.kind is Kind.START:
        return phrase("move-start")
    if part.kind is Kind.SWAP and part.other is not None:
        return phrase(
            "move-swap", source=names.hole(source), other=names.pawn(part.other), target=names.hole(target)
        )
    return names.way(source, target)


def hole_of_cell(shape: BoardShape, seat: Seat, cell: int) -> Hole:
    """The hole of a cell; a camp goes by its first hole."""
    return camp_holes_of(seat)[0] if cell == CAMP else shape.hole_id(cell)


def move_arrows(move: Move) -> list[Arrow]:
    """An arrow for each part, in the order played."""
    shape = move.before.shape
    arrows: list[Arrow] = []
    for part in move.parts:
        if part.kind is Kind.BURN:
            continue
        arrow: Arrow = {
            "seat": part.seat.name,
            "from": hole_of_cell(shape, part.seat, part.from_cell),
            "to": hole_of_cell(shape, part.seat, part.to_cell),
            "kind": part.kind.value,
        }
        if part.kind in (Kind.JUMP, Kind.LINE) and part.via is not None:
            arrow["via"] = shape.hole_id(part.via)
        arrows.append(arrow)
    return arrows


def move_targets(move: Move) -> list[str]:
    """The holes where pawns of this move come to stand."""
    shape = move.before.shape
    return [hole_of_cell(shape, part.seat, part.to_cell) for part in move.parts if part.kind is not Kind.BURN]


class Chronicle:
    """Keeps the wording of the newest moves: of forty in a view, at most one is new."""

    def __init__(self) -> None:
        self._names: Names | None = None
        self._worded: dict[int, tuple[Played, PlayedMove]] = {}

    def newest(self, game: Game, names: Names) -> list[PlayedMove]:
        """The newest moves that count, oldest first; they are shared and must not be changed."""
        kept = self._worded if names == self._names else {}
        kept_now: dict[int, tuple[Played, PlayedMove]] = {}
        for played in game.moves[-HISTORY_LENGTH:]:
            before = kept.get(played.seq)
            if before is None or before[0] is not played:
                before = (played, worded(played, names))
            kept_now[played.seq] = before
        self._names, self._worded = names, kept_now
        return [move for _, move in kept_now.values()]


def worded(played: Played, names: Names) -> PlayedMove:
    """An accepted move with its words and arrows."""
    return {
        "seq": played.seq,
        "t_ms": played.t_ms,
        "seat": played.seat.name,
        "card": str(played.card),
        "text": played.move.text,
        "label": played_label(played, names),
        "arrows": move_arrows(played.move),
    }
