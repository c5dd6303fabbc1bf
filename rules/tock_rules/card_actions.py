"""The actions of each card as a ruleset file writes them: `A = ["start", "+1", "+11"]`.

A player picks one action of the card played.
`!` marks an effect of the card besides, however it is used. `ACTIONS` lists them all.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tock_rules.cards import RANKS
from tock_rules.errors import BadInputError, quoted

JOKER = "joker"
ROWS = (*(rank.text for rank in RANKS), JOKER)
"""The rows of a table. A card may have a row of its own:"""
OWN_ROWS = {"2S": "2", "J_one_eyed": "J", "JOK_B": JOKER, "JOK_C": JOKER}
"""Rows of single cards, with the row that counts where the table has none for them."""
SWAPS = ("others", "opponents", "any", "any_two")
SPLIT_WORDS = ("repeat", "mate_rest", "mates")
_STEP = re.compile(r"(any|other|opponent)?([+±-])([1-9][0-9]?)(:takes)?")
_SPLIT = re.compile(r"split7(:takes)?((?: (?:pawns=[1-5]|repeat|mate_rest|mates))*)")
_BOTH_WAYS = re.compile(r"split([2-9]|1[0-9])±")

ACTIONS = {
    "start": "a pawn from its camp onto its start",
    "start:mate": "a pawn of a partner from its camp onto its start",
    "+n": "an own pawn n holes forward, 1 to 99; `-n` back, `±n` either",
    "-n": "an own pawn n holes back",
    "±n": "an own pawn n holes forward or back",
    "any+n": "a pawn of any seat; also with -",
    "other+n": "a pawn of another seat; also with -",
    "opponent+n": "a pawn of an opponent; also with -",
    "+n:takes": "every walk of own pawns, and split7, may end so: it takes the pawns that it passes",
    "split7": "7 steps shared by own pawns; these words may follow it",
    "split7 pawns=2": "by at most two pawns, or 1 to 5",
    "split7 repeat": "a pawn may get several parts",
    "split7 mate_rest": "the steps left when the last own pawn is home go to a partner's",
    "split7 mates": "pawns of partners share it from the first step on",
    "split9±": "9 steps, or 2 to 19, shared by two own pawns, one forward and one back",
    "swap:others": "an own pawn and one of another seat",
    "swap:opponents": "an own pawn and one of an opponent",
    "swap:any": "an own pawn and any other, own ones too",
    "swap:any_two": "any two pawns",
    "replace": "an own pawn, from camp or track, onto the hole of a pawn of others, which it bumps",
    "centre": "from a 7 into the centre hole, or out of it",
    "wild": "the actions of every other card",
    "next_discards": "nothing moves, and the next player loses a card and the turn",
    "nothing": "the card moves no pawn: it is put away",
    "!again": "besides, a second move, now or later",
    "!next_discards": "besides, the next player loses a card and the turn, also when the card is discarded",
}
"""Every action, as a file writes it, and its effect."""
CardRows = Mapping[str, tuple[str, ...]]
Value = bool | int | str


@dataclass(frozen=True)
class Step:
    """A walk of one pawn."""

    steps: int
    """Negative backwards."""
    takes: bool = False
    """It takes the pawns that it passes."""


@dataclass(frozen=True)
class Split:
    """A seven to be shared."""

    takes: bool = False
    pawns: int = 7
    """Pawns that may share it."""
    repeat: bool = False
    """A pawn may get several parts."""
    mate_rest: bool = False
    """Steps left when the last own pawn comes home go to a mate's pawns."""
    mates: bool = False
    """Pawns of mates may share it from the first step on."""


@dataclass(frozen=True)
class Row:
    """The actions of one card."""

    start: bool = False
    start_mate: bool = False
    steps: tuple[Step, ...] = ()
    push: int = 0
    """Steps that the card moves a pawn of another seat."""
    pushes: str = ""
    """Whose: `other` or `opponent`."""
    split: Split | None = None
    both_ways: int = 0
    """Steps shared by two pawns, one forward and one back."""
    swap: str = ""
    replace: bool = False
    centre: bool = False
    wild: bool = False
    burn: bool = False
    """The next player may be made to lose a card instead."""
    again: bool = False
    burns: bool = False
    """The next player loses a card, however this one is used."""


_PLAIN = {
    "start": Row(start=True),
    "start:mate": Row(start_mate=True),
    "replace": Row(replace=True),
    "centre": Row(centre=True),
    "wild": Row(wild=True),
    "next_discards": Row(burn=True),
    "!again": Row(again=True),
    "!next_discards": Row(burns=True),
}


def read_row(card: str, actions: Iterable[str]) -> Row:
    """The actions of a card; raise `BadInputError` for an unknown one."""
    row = Row()
    for text in actions:
        row = _with_action(row, card, text)
    return row


def _with_action(row: Row, card: str, text: str) -> Row:
    if text == "nothing":
        return row
    if text in _PLAIN:
        name = next(name for name, value in vars(_PLAIN[text]).items() if value is True)
        plain: dict[str, Any] = {name: True}
        return replace(row, **plain)
    if text.startswith("swap:") and text[5:] in SWAPS:
        return replace(row, swap=text[5:])
    if step := _STEP.fullmatch(text):
        whose, sign, number, takes = step.groups()
        if whose and (takes or sign == "±"):
            raise BadInputError(
                f"card {card}: {text}: pawns of others go one way and take nothing in passing"
            )
        ways = (
            [int(number)] if sign == "+" else [-int(number)] if sign == "-" else [int(number), -int(number)]
        )
        own = tuple(Step(steps, bool(takes)) for steps in ways) if whose in (None, "any") else ()
        row = replace(row, steps=row.steps + own)
        pushes = {None: "", "any": "other"}.get(whose, whose)
        return replace(row, push=ways[0], pushes=pushes) if pushes else row
    if split := _SPLIT.fullmatch(text):
        words = split[2].split()
        most = next((int(word[6:]) for word in words if word.startswith("pawns=")), Split.pawns)
        return replace(
            row,
            split=Split(bool(split[1]), most, *(word in words for word in SPLIT_WORDS)),
        )
    if both := _BOTH_WAYS.fullmatch(text):
        return replace(row, both_ways=int(both[1]))
    raise BadInputError(f"card {card}: no such action: {quoted(text)}; actions: {', '.join(ACTIONS)}")


def row_of(rows: CardRows, card: str) -> tuple[str, ...]:
    """The actions of a row, or of the row that counts instead of it."""
    return rows[card] if card in rows else rows.get(OWN_ROWS.get(card, ""), ())


def check_rows(rows: CardRows) -> None:
    """Raise `BadInputError` for rows that no card has, an unknown action, or two ways to share a seven."""
    for fault in row_faults(rows):
        raise BadInputError(fault[1])


def row_faults(rows: CardRows) -> Iterator[tuple[str, str]]:
    """The card and the fault of every row that no card has, every unknown action, and every second way to split."""
    splits: set[Split] = set()
    for card, actions in rows.items():
        if card not in ROWS and card not in OWN_ROWS:
            yield card, f"cards: no such card: {quoted(card)}; cards: {', '.join((*ROWS, *OWN_ROWS))}"
        for action in actions:
            try:
                split = read_row(card, [action]).split
            except BadInputError as error:
                yield card, str(error)
                continue
            if split and splits - {split}:
                yield card, f"card {card}: every split7 must be the same"
            splits |= {split} if split else set()


def with_switch(rows: CardRows, switch: str, value: Value) -> CardRows:
    """The table with one switch of `CARD_SWITCHES` set; the row of a single card follows the row it replaces."""
    change, *cards = CARD_SWITCHES[switch]
    changed = dict(rows)
    for card in cards:
        usual = rows.get(OWN_ROWS.get(card, card), ())
        changed[card] = change(usual, value)
        if card in OWN_ROWS and changed[card] == usual:
            del changed[card]
    return changed


Actions = tuple[str, ...]


def _starts(row: Actions, value: Value) -> Actions:
    rest = tuple(action for action in row if action != "start")
    return ("start", *rest) if value else rest


def _with_word(word: str) -> Callable[[Actions, Value], Actions]:
    def change(row: Actions, value: Value) -> Actions:
        rest = tuple(action for action in row if action != word)
        return (*rest, word) if value else rest

    return change


def _advances(row: Actions, value: Value) -> Actions:
    """A card that starts says so first, then how far it walks."""
    walks = [action for action in row if action.startswith("+")]
    takes = ":takes" if walks and walks[0].endswith(":takes") else ""
    rest = [action for action in row if action not in walks]
    after = rest.index("start") + 1 if "start" in rest else 0
    return (*rest[:after], *([f"+{value}{takes}"] if value else []), *rest[after:])


def _takes(row: Actions, value: Value) -> Actions:
    plain = (action.removesuffix(":takes") if action.startswith("+") else action for action in row)
    return tuple(f"{action}:takes" if value and action.startswith("+") else action for action in plain)


def _five(_: Actions, value: Value) -> Actions:
    return ("+5",) if value == "own" else (f"{value}+5",)


def _swaps(row: Actions, value: Value) -> Actions:
    kind = {"opponent": "opponents", "other_player": "others"}.get(str(value), str(value))
    return tuple(f"swap:{kind}" if action.startswith("swap:") else action for action in row)


def _swaps_any_two(row: Actions, value: Value) -> Actions:
    return _swaps(row, "any_two") if value else row


def _split_takes(row: Actions, value: Value) -> Actions:
    plain = (action.replace("split7:takes", "split7") for action in row)
    return tuple(action.replace("split7", "split7:takes") if value else action for action in plain)


def _split_word(word: str) -> Callable[[Actions, Value], Actions]:
    def change(row: Actions, value: Value) -> Actions:
        return tuple(_split(action, word, value) if action.startswith("split7") else action for action in row)

    return change


def _split(action: str, word: str, value: Value) -> str:
    first, *words = action.split()
    kept = {w.partition("=")[0]: w for w in words}
    kept.pop(word, None)
    if value is not False:
        kept[word] = word if value is True else f"{word}={value}"
    return " ".join([first, *(kept[w] for w in ("pawns", *SPLIT_WORDS) if w in kept)])


CARD_SWITCHES: dict[str, tuple[Any, ...]] = {
    "ace_starts": (_starts, "A"),
    "king_starts": (_starts, "K"),
    "joker_starts": (_starts, JOKER),
    "ace_value": (_advances, "A"),
    "ace_eleven": (_with_word("+11"), "A"),
    "two_swaps": (_with_word("swap:others"), "2"),
    "jack_value": (_advances, "J"),
    "queen_value": (_advances, "Q"),
    "queen_burns": (_with_word("next_discards"), "Q"),
    "king_value": (_advances, "K"),
    "joker_value": (_advances, JOKER),
    "king_sweeps": (_takes, "K"),
    "five": (_five, "5"),
    "jack_swap": (_swaps, "J"),
    "joker_second_move": (_with_word("!again"), JOKER),
    "centre": (_with_word("centre"), "A", "7", "K", JOKER),
    "seven_pawns": (_split_word("pawns"), "7"),
    "seven_same_pawn_twice": (_split_word("repeat"), "7"),
    "seven_takes": (_split_takes, "7"),
    "seven_with_mates": (_split_word("mates"), "7"),
    "seven_partner_rest": (_split_word("mate_rest"), "7"),
    "deux_de_pique": (_starts, "2S"),
    "one_eyed_jack": (_swaps_any_two, "J_one_eyed"),
    "colour_joker_sweeps": (_takes, "JOK_C"),
}
"""The switches that change a row: how, and which rows. Rows of single cards come last, after those they follow."""
