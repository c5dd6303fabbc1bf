"""Rules that a family changes beyond the switches of a game: the actions of a card, the deal, passing.

They are options like the switches, in small letters without spaces: `card_a=start;+1;+11`,
`card_7=split7.pawns=2.mate_rest`, `deal=5-4-4`, `pass=not_own`.
"""

import re
from collections.abc import Mapping
from typing import Any

from tock_rules.card_actions import ROWS, CardRows, Row, check_rows, read_row
from tock_rules.errors import BadInputError, quoted
from tock_rules.game import GameRules

CARDS = {f"card_{row.lower()}": row for row in ROWS}
DEAL = "deal"
PASS = "pass"
NAMES = (*CARDS, DEAL, PASS)
PASSING = {"free": ("free", "free"), "not_own": ("free", "forbidden"), "never": ("forbidden", "forbidden")}
"""How pawns may be passed: other pawns, own pawns."""
_KEEP = re.compile(r"keep-([3-8])")
_HANDS = re.compile(r"([1-9](?:-[1-9]){0,7})(-on)?")
_DOWN = re.compile(r"down-([4-6])(-4-4)?")


def actions_text(actions: tuple[str, ...]) -> str:
    """The actions of a card in one word, as an option has them."""
    return ";".join(actions).replace(" ", ".")


def actions_of(text: str) -> tuple[str, ...]:
    """The actions that an option names."""
    return tuple(text.replace(".", " ").split(";")) if text else ()


def row_of(option: str, text: str) -> Row:
    """The actions that an option gives its card; raise `BadInputError` for an unknown one."""
    return read_row(CARDS[option], actions_of(text))


def own_fields(game: GameRules, has_centre: bool, own: Mapping[str, object]) -> dict[str, Any]:
    """The fields of the game that these options change; raise `BadInputError` for one that cannot be read."""
    rows: dict[str, tuple[str, ...]] = dict(game.cards)
    fields: dict[str, Any] = {}
    for name, text in own.items():
        if not isinstance(text, str):
            raise BadInputError(f"option {name}: write a text, not {quoted(text)}")
        if name == DEAL:
            fields |= _deal(text)
        elif name == PASS:
            fields |= _passing(text)
        else:
            rows[CARDS[name]] = _actions(name, text, has_centre)
    check_rows(rows)
    return {"cards": rows, **fields}


def _actions(name: str, text: str, has_centre: bool) -> tuple[str, ...]:
    actions = actions_of(text)
    if row_of(name, text).centre and not has_centre:
        raise BadInputError(f"option {name}: this game has no centre hole")
    return actions


def _passing(text: str) -> dict[str, Any]:
    if text not in PASSING:
        raise BadInputError(f"option {PASS}: {quoted(text)} is not allowed; allowed: {', '.join(PASSING)}")
    passing, own_pawns = PASSING[text]
    # Where nothing at all is passed, landing on one's own pawns is another matter.
    return {"passing": passing, "own_pawns": own_pawns} if text != "never" else {"passing": passing}


def _deal(text: str) -> dict[str, Any]:
    if keep := _KEEP.fullmatch(text):
        return _dealt("keep_hand", hand_size=int(keep[1]), draw_after_card=True)
    if down := _DOWN.fullmatch(text):
        return _dealt("descending", hand_size=int(down[1]), deal_5_4_4=bool(down[2]))
    if hands := _HANDS.fullmatch(text):
        rounds: CardRows | dict[str, tuple[int, ...]] = {"all": tuple(map(int, hands[1].split("-")))}
        return _dealt("table", hands=rounds, pack_goes_on=bool(hands[2]))
    raise BadInputError(
        f"option {DEAL}: {quoted(text)} is no deal; write keep-5, 5-4-4, 6-5-4-3-2-on or down-5"
    )


def _dealt(dealing: str, **fields: Any) -> dict[str, Any]:
    usual = {"draw_after_card": False, "deal_5_4_4": False, "pack_goes_on": False}
    return {**usual, "dealing": dealing, **fields}
