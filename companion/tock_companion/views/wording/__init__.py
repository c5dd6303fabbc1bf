"""Sentences for violations in every language; the words are in the data files beside this one."""

from collections.abc import Mapping
from dataclasses import dataclass

from tock_companion.language import Language, Text, in_every_language
from tock_companion.views.wording.words import Words, catalog
from tock_rules import BoardShape, Seat, Violation

__all__ = ["Message", "both", "codes", "message", "sentence"]


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
    return tuple(catalog("violations.toml"))


def sentence(
    violation: Violation, shape: BoardShape, lang: Language, colors: Mapping[Seat, str] | None = None
) -> str:
    """The sentence for the player; `colors` has the colour of each seat's pawns."""
    return _whole(violation, Words(shape, lang, colors or {}))


def both(violation: Violation, shape: BoardShape, colors: Mapping[Seat, str] | None = None) -> Text:
    """The sentence for the player, in every language."""
    return in_every_language(lambda lang: sentence(violation, shape, lang, colors))


def message(
    violation: Violation, shape: BoardShape, colors: Mapping[Seat, str], players: Mapping[Seat, str]
) -> Message:
    """A violation in words for all at the table; `players` has the players' names."""
    words = {lang: Words(shape, lang, colors, players) for lang in ("fr", "en")}
    return Message(
        in_every_language(lambda lang: _whole(violation, words[lang])),
        in_every_language(lambda lang: _filled(_entry(violation)[lang], violation, words[lang])),
        in_every_language(lambda lang: _filled(_for_others(violation, lang), violation, words[lang])),
    )


def _entry(violation: Violation) -> Mapping[str, str]:
    entry: Mapping[str, str] = catalog("violations.toml")[violation.code]
    return entry


def _for_others(violation: Violation, lang: Language) -> str:
    entry = _entry(violation)
    return entry.get(f"{lang}_of", entry[lang])


def _whole(violation: Violation, words: Words) -> str:
    """The reason, then the instruction that goes with it."""
    entry = _entry(violation)
    gesture = [catalog("gestures.toml")[entry["do"]][words.lang]] if "do" in entry else []
    return " ".join(_filled(template, violation, words) for template in (entry[words.lang], *gesture))


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
        "moved_holes": words.holes(moved),
        "left": str(left),
        "left_holes": words.holes_left(left),
        "most": str(params.get("most", 4)),
        "starters": words.starters(starters),
    }
