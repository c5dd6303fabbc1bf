"""Positions as one line of text: `mjc 4 P0 P0+P2/P1+P3 P0:T20,H1 P1: P2:T36* P3: stored=P0:1`.

After the ruleset come zones, seat to move, teams (`-` for none) and, per seat, the pawns outside the camp.
House rules stand in
brackets behind the ruleset: `mjc[own_start_crossing=forbidden]`. What `position_text` prints
`parse_position` reads back.
"""

from dataclasses import replace

from tock_companion.errors import BadInputError
from tock_companion.rules.board import Board
from tock_companion.rules.geometry import PAWNS_PER_SEAT, BoardShape, Seat
from tock_companion.rules.position import Position, shape_for
from tock_companion.rules.ruleset import OPTIONS, Ruleset, load_preset
from tock_companion.rules.switches import Value


def ruleset_text(rules: Ruleset) -> str:
    """Return the name of a ruleset with the house rules in which it differs from its preset."""
    preset = load_preset(rules.name).values()
    changed = [
        f"{name}={_value_text(value)}" for name, value in rules.values().items() if preset[name] != value
    ]
    return f"{rules.name}[{','.join(changed)}]" if changed else rules.name


def parse_ruleset(text: str) -> Ruleset:
    """Return the ruleset of its text; raise `BadInputError` for an unknown name, option or value."""
    name, bracket, house = text.partition("[")
    if bracket and not house.endswith("]"):
        raise BadInputError(f"ruleset {text!r}: the bracket is not closed")
    options: dict[str, Value | str] = {}
    for entry in filter(None, house.removesuffix("]").split(",")):
        option, equals, value = entry.partition("=")
        if not equals:
            raise BadInputError(f"ruleset {text!r}: write option=value, not {entry!r}")
        options[option] = parse_value(option, value)
    return load_preset(name).with_options(options)


def parse_value(option: str, text: str) -> Value | str:
    """Return the allowed value of an option that is written like this, else the text itself."""
    if option in OPTIONS:
        for allowed in OPTIONS[option].allowed:
            if _value_text(allowed) == text.lower():
                return allowed
    return text


def _value_text(value: Value) -> str:
    return str(value).lower()


def teams_text(teams: tuple[tuple[Seat, ...], ...]) -> str:
    """Return `P0+P2/P1+P3`, `-` for no teams."""
    return "/".join("+".join(seat.name for seat in team) for team in teams) or "-"


def parse_teams(text: str) -> list[list[Seat]]:
    """Return the teams of their text."""
    return [] if text == "-" else [[Seat.parse(name) for name in team.split("+")] for team in text.split("/")]


def board_text(board: Board) -> str:
    """Return the pawns outside the camps, seat by seat: `P0:T20,H1 P1: P2:T36* P3:`."""
    pawns = board.to_pawns()
    return " ".join(f"{seat}:" + ",".join(p for p in places if p != "camp") for seat, places in pawns.items())


def parse_board(shape: BoardShape, text: str) -> Board:
    """Return the board of `board_text`; raise `BadInputError` that says what is wrong."""
    pawns: dict[str, list[str]] = {}
    for word in text.split():
        seat, colon, places = word.partition(":")
        out = [place for place in places.split(",") if place]
        if not colon or seat in pawns or len(out) > PAWNS_PER_SEAT:
            raise BadInputError(
                f"no board: {word!r} in {text!r}; write each seat once with at most four places"
            )
        pawns[seat] = ["camp"] * (PAWNS_PER_SEAT - len(out)) + out
    return Board.from_pawns(shape, pawns)


def position_text(position: Position) -> str:
    """Return the position as one line."""
    stored = [f"{Seat(seat).name}:{count}" for seat, count in enumerate(position.stored_moves) if count]
    parts = [
        ruleset_text(position.ruleset),
        str(position.shape.zones),
        position.to_move.name,
        teams_text(position.teams),
        board_text(position.board),
    ]
    return " ".join(parts + ([f"stored={','.join(stored)}"] if stored else []))


def parse_position(text: str) -> Position:
    """Return the position of its line; raise `BadInputError` that says what is wrong."""
    words = text.split()
    if len(words) < 5 or not words[1].isdigit():
        raise BadInputError(f"no position: {text!r}; write ruleset, zones, seat to move, teams and the pawns")
    rules = parse_ruleset(words[0])
    stored = words.pop().removeprefix("stored=") if words[-1].startswith("stored=") else ""
    board = parse_board(shape_for(rules, int(words[1])), " ".join(words[4:]))
    position = Position.of(rules, board, Seat.parse(words[2]), parse_teams(words[3]))
    counts = list(position.stored_moves)
    for entry in filter(None, stored.split(",")):
        name, _, count = entry.partition(":")
        if not count.isdigit() or Seat.parse(name) >= len(counts):
            raise BadInputError(f"no position: stored={stored!r}; write stored=P0:1")
        counts[Seat.parse(name)] = int(count)
    return replace(position, stored_moves=tuple(counts))
