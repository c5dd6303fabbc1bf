"""Sentences for violations in every language."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from tock_companion.language import Text, catalog, in_every_language
from tock_companion.views.phrases import joined
from tock_companion.views.wording.words import Words
from tock_rules import BoardShape, Seat, Violation

__all__ = ["Message", "both", "codes", "message"]


@dataclass(frozen=True, slots=True)
class Message:
    """A violation in words."""

    whole: Text
    """Reason and instruction, to the player who moved."""
    reason: Text
    others: Text
    """The reason, to the others."""


def codes() -> tuple[str, ...]:
    """Every violation code that has a sentence."""
    return tuple(code for code in catalog("violations") if "." not in code)


def both(violation: Violation, shape: BoardShape, colors: Mapping[Seat, str] | None = None) -> Text:
    """The sentence for the player; `colors` has the colour of each seat's pawns."""
    return message(violation, shape, colors or {}, {}).whole


def message(
    violation: Violation, shape: BoardShape, colors: Mapping[Seat, str], players: Mapping[Seat, str]
) -> Message:
    """A violation in words for all at the table; `players` has the players' names."""
    texts, code = catalog("violations"), violation.code

    def filled(template: Text) -> Text:
        return in_every_language(
            lambda lang: _filled(template[lang], violation, Words(shape, lang, colors, players))
        )

    reason = filled(texts[code])
    parts = [reason, *(filled(texts[f"gesture.{gesture}"]) for gesture in _gestures().get(code, ()))]
    return Message(
        joined(parts, " "),
        reason,
        filled(texts.get(f"{code}.of", texts[code])),
    )


@cache
def _gestures() -> Mapping[str, tuple[str]]:
    """The gesture that mends a mistake, where there is one."""
    text = files("tock_companion.views.wording").joinpath("gestures.toml").read_text(encoding="utf-8")
    return {code: (gesture,) for gesture, mended in tomllib.loads(text).items() for code in mended}


def _filled(template: str, violation: Violation, words: Words) -> str:
    params = _phrases(violation, words)
    capitals = {name[:1].upper() + name[1:]: text[:1].upper() + text[1:] for name, text in params.items()}
    return template.format(**params, **capitals)


def _phrases(violation: Violation, words: Words) -> dict[str, str]:
    """The words for every placeholder that a template may use."""
    params = violation.params
    seat = violation.seat or Seat.P0
    pawn = Seat[str(params.get("pawn", seat.name))]
    source, target = str(params.get("from", "camp")), str(params.get("to", "camp"))
    moved, left = int(params.get("moved", 0)), int(params.get("left", 0))
    starters = tuple(rank for rank in str(params.get("starters", "A K joker")).split() if rank)
    return {
        "pawn": words.pawn(pawn),
        "blocker": words.pawn(Seat[str(params.get("blocker", pawn.name))]),
        "captured": words.pawn(Seat[str(params.get("captured", pawn.name))]),
        "captured_back": words.place(str(params.get("captured_from", "camp"))),
        "pawn_of_owner": words.pawn_of_owner(pawn),
        "walked": words.walked(moved),
        "player": words.player(seat),
        "owner": words.player(pawn),
        "card": words.card(violation.card),
        "from": words.place(source),
        "back": words.place(source),
        "to": words.place(target),
        "moved": str(moved),
        "gone": words.gone(back="back" in params),
        "moved_holes": words.holes(moved),
        "of_moved_holes": words.holes(moved, "of_"),
        "left": str(left),
        "left_holes": words.holes_left(left),
        "most": str(params.get("most", 4)),
        "starters": words.starters(starters),
    }
