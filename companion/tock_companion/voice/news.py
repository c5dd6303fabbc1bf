"""The voice's sentences about a new view: pure, and from the same view that everybody gets."""

import re
from dataclasses import dataclass

from tock_companion.language import Text, catalog
from tock_companion.views.phrases import joined
from tock_companion.views.schema import PublicView

CARD = re.compile(r"\b(10|[1-9AJQKVDRB])([♠♥♦♣])")
SIGN = re.compile(r" *([→⇄★☆]) *")


@dataclass(frozen=True, slots=True)
class Spoken:
    """The last sentence on each of the voice's two subjects."""

    turn: Text | None = None
    warning: Text | None = None


def news(last: Spoken, view: PublicView) -> tuple[Spoken, Text | None]:
    """The spoken state after a view, and the sentence for it; None where it is not new."""
    warning = view["warning"]
    if warning is not None:
        # Everybody hears it, so it speaks of who moved and not to them; one gesture is said with it.
        gesture = [step["sentence"] for step in warning["repair"]] if len(warning["repair"]) == 1 else []
        sentence = joined([warning["others"], *gesture], " ")
        return Spoken(last.turn, sentence), sentence if sentence != last.warning else None
    turn = _turn(view)
    return Spoken(turn or last.turn), turn if turn != last.turn else None


def _turn(view: PublicView) -> Text | None:
    """Announce whose turn it is, a computer's request, a move of the other home to copy, or the winner."""
    guidance = view["guidance"]
    if guidance is not None and guidance["code"] == "elsewhere/copy":
        return guidance["sentence"]
    if view["lobby"] is not None:
        return None
    is_due = view["expects"] in ("give", "card", "over") or view["planned"] is not None
    return view["sentence"] if is_due else None


def spoken(text: Text, lang: str) -> str:
    """A sentence with its signs in words: `8♠` is read as "8 of spades"."""

    words = catalog("things")

    def card(found: re.Match[str]) -> str:
        rank = words.get(f"sign.{found[1]}")
        return f"{found[1] if rank is None else rank[lang]} {words[f'sign.{found[2]}'][lang]}"

    return SIGN.sub(lambda found: f" {words[f'sign.{found[1]}'][lang]} ", CARD.sub(card, text[lang])).strip()
