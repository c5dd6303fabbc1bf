"""Why a move is good: up to three facts about it, the strongest first, with sentences."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from tock_companion.hints.knowledge import Knowledge
from tock_companion.hints.search import Choice
from tock_companion.hints.tactics import Tactics, ranks_of
from tock_companion.language import Text, catalog, in_every_language
from tock_companion.views.names import Names
from tock_companion.views.wording.words import Words
from tock_rules import Card, Kind, Move, Part, Rank, Seat, Suit
from tock_rules.engine import (
    CARDS,
    DISCARD,
    FROM,
    KIND,
    LAY_DOWN,
    PART,
    PLAY,
    STOP,
    SWAP,
    TAKEN,
    TO,
    code_of,
)

MAX_REASONS = 3
VALUABLE_RANKS = (Rank.JOKER, Rank.JACK, Rank.KING, Rank.ACE, Rank.SEVEN, Rank.FOUR)
"""Cards worth mentioning when they stay in the hand (advice in rule text 000)."""
NEAR_ENTRANCE_HOLES = 13
"""From this many holes before the entrance a player thinks of coming home."""


@dataclass(frozen=True)
class Reason:
    """One true statement about a move; `code` picks the sentence."""

    code: str
    pawns: tuple[Seat, ...] = ()
    ranks: tuple[Rank, ...] = ()
    numbers: Mapping[str, int] = field(default_factory=dict)

    def text(self, names: Names) -> Text:
        """The sentence in every language."""
        return in_every_language(lambda lang: self._sentence(names, lang))

    def _sentence(self, names: Names, lang: str) -> str:
        words, texts = Words(names.shape, lang, names.colors), catalog("hints")
        cards = [words.card(_card(rank)) for rank in self.ranks]
        params: dict[str, str] = {name: str(number) for name, number in self.numbers.items()}
        if "holes" in self.numbers:
            params["holes"] = words.holes(self.numbers["holes"], "of_")
        params["pawns"] = _listed([words.pawn(seat) for seat in self.pawns], texts["reasons._and"][lang])
        params["cards"] = params["hand"] = _listed(cards, texts["reasons._or"][lang])
        return texts[f"reasons.{self.code}"][lang].format(**params)


def _card(rank: Rank) -> Card:
    return Card(rank, Suit.BLACK if rank is Rank.JOKER else Suit.CLUBS)


def _listed(words: list[str], joint: str) -> str:
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + joint + words[-1] if words else ""


class ReasonContext:
    """The position and the other choices, which all reasons of one advice share."""

    def __init__(self, knowledge: Knowledge, choices: list[Choice]) -> None:
        """Note the choices, best first."""
        self.knowledge = knowledge
        self.choices = choices
        self.tactics = Tactics(knowledge)
        self.state = knowledge.position.board.state

    @cached_property
    def plays(self) -> list[Choice]:
        """The choices that move a pawn."""
        return [choice for choice in self.choices if choice.action[0] == PLAY]

    def rest(self, card: Card | None) -> list[Card]:
        """List the hand without one card."""
        hand = list(self.knowledge.hand)
        if card in hand:
            hand.remove(card)
        return hand


def reasons_of(
    context: ReasonContext, choice: Choice, card: Card | None, move: Move | None
) -> tuple[Reason, ...]:
    """Find one to three reasons for a choice, the strongest first."""
    if move is None:
        return _without_move(context, choice)
    found = list(_of_move(context, card, move))
    if len(found) < MAX_REASONS:
        found += _keeping(context, card)
    if choice is context.choices[0]:
        gap = _gap(context)
        if gap is not None:
            found.insert(min(2, len(found)), gap)
    if len(context.choices) == 1:
        found.insert(min(1, len(found)), Reason("only_move"))
    if not found:
        better = context.choices.index(choice)
        found = [Reason("legal", numbers={"rank": better}) if better else Reason("first")]
    return tuple(found[:MAX_REASONS])


def _without_move(context: ReasonContext, choice: Choice) -> tuple[Reason, ...]:
    kind, number, _ = choice.action
    if kind == STOP:
        return (Reason("keeps_second"),)
    found = [] if context.plays else [Reason("no_move")]
    if kind == DISCARD and choice is context.choices[0]:
        found.append(Reason("least_needed", ranks=(CARDS[number].rank,)))
    if kind == LAY_DOWN and not found:
        found.append(Reason("first"))
    return tuple(found) or (Reason("legal", numbers={"rank": context.choices.index(choice)}),)


def _of_move(context: ReasonContext, card: Card | None, move: Move) -> Iterable[Reason]:
    tactics, board = context.tactics, move.result
    after = board.state
    if all(tactics.engine.finished(after, seat) for seat in tactics.side):
        yield Reason("wins")
    taken = tuple(seat for seat, _ in move.captures if seat not in tactics.side)
    centre = tactics.shape.centre
    if taken:
        yield Reason("sends_home", taken)
    home = tuple(p.seat for p in move.parts if p.to_cell > centre >= p.from_cell)
    if home:
        yield Reason("goes_home", home)
    for part in move.parts:
        yield from _of_part(context, part, context.rest(card), move)
    if any(part.from_cell > centre for part in move.parts) and not home:
        yield Reason("climbs")
    if card is not None and context.knowledge.position.gives_second_move(move):
        yield Reason("second_move")
    yield from _forward(context, move)


def _of_part(context: ReasonContext, part: Part, rest: list[Card], move: Move) -> Iterable[Reason]:
    tactics = context.tactics
    after = move.result.state
    if part.kind in (Kind.START, Kind.THROW):
        yield Reason("comes_out", (part.seat,))
        barred = tactics.barred(after, part.to_cell) if _bars(context, part, move) else []
        if barred:
            yield Reason("blocks", tuple(barred))
    elif part.kind is Kind.SWAP:
        yield from _of_swap(context, part)
    elif part.kind is Kind.CENTRE_IN:
        yield Reason("into_centre")
    elif part.seat in tactics.others:
        before, now = tactics.left(part.seat, part.from_cell), tactics.left(part.seat, part.to_cell)
        if tactics.on_track(part.to_cell) and before >= 0 and (now < 0 or now > before):
            yield Reason("drives_past", (part.seat,))
        return
    if part.seat in tactics.side and tactics.on_track(part.to_cell) and _stays(part, move):
        if tactics.on_track(part.from_cell) and part.kind is not Kind.SWAP:
            gone = tactics.shape.progress(part.seat, part.from_cell)
            left = tactics.left(part.seat, part.to_cell)
            if gone <= 3 and 0 <= left <= NEAR_ENTRANCE_HOLES:
                yield Reason("saves_lap")
        yield from _of_entrance(context, part.seat, part.to_cell, rest, move)
        yield from _of_danger(context, part, move)
        yield from _of_attack(context, part.to_cell, rest, move)


def _stays(part: Part, move: Move) -> bool:
    """Whether the pawn still stands where this part left it once the whole move is over."""
    return move.result.owners.get(part.to_cell) is part.seat


def _bars(context: ReasonContext, part: Part, move: Move) -> bool:
    rules = context.knowledge.position.ruleset
    return part.kind is Kind.START and rules.start_blocks and _stays(part, move)


def _of_swap(context: ReasonContext, part: Part) -> Iterable[Reason]:
    tactics = context.tactics
    # Two pawns of one colour change places: nothing is different.
    if part.other is None or part.other is part.seat:
        return
    for seat, src, dst in (
        (part.seat, part.from_cell, part.to_cell),
        (part.other, part.to_cell, part.from_cell),
    ):
        if not (tactics.on_track(src) and tactics.on_track(dst)):
            continue
        ahead = tactics.shape.progress(seat, dst) - tactics.shape.progress(seat, src)
        if seat in tactics.side and ahead > 0:
            yield Reason("swap_gains", (seat,), numbers={"holes": ahead})
        elif seat in tactics.others and ahead < 0:
            yield Reason("swap_costs", (seat,), numbers={"holes": -ahead})


def _of_entrance(
    context: ReasonContext, seat: Seat, cell: int, rest: list[Card], move: Move
) -> Iterable[Reason]:
    """Tell which cards bring the pawn home from here."""
    tactics = context.tactics
    if seat is not tactics.seat or not 0 <= tactics.left(seat, cell) <= NEAR_ENTRANCE_HOLES:
        return
    after = move.result.state
    held = {code_of(card): card for card in rest}
    codes = tactics.entering(after, seat, cell, list(held))
    if codes:
        yield Reason("hand_enters", ranks=tuple(ranks_of([held[code] for code in codes])))
        return
    codes = tactics.entering(after, seat, cell, [code for code in range(1, 14) if code in tactics.packed])
    if codes:
        yield Reason("card_enters", ranks=tuple(sorted(Rank(code) for code in codes)))


def _of_danger(context: ReasonContext, part: Part, move: Move) -> Iterable[Reason]:
    tactics = context.tactics
    if not tactics.on_track(part.from_cell):
        return
    before = tactics.hitters(context.state, part.from_cell)
    if not before:
        return
    after = tactics.hitters(move.result.state, part.to_cell)
    if not after:
        yield Reason("safe")
    elif set(after) == {Rank.FOUR}:
        yield Reason("only_four", (after[Rank.FOUR],))
    elif len(after) < len(before):
        yield Reason("fewer_hit", numbers={"before": len(before), "after": len(after)})


def _of_attack(context: ReasonContext, cell: int, rest: list[Card], move: Move) -> Iterable[Reason]:
    """Tell that a card of the hand can capture with this pawn next."""
    tactics = context.tactics
    after = move.result.state
    length = tactics.shape.track_length
    for other in tactics.others:
        for target in after.pawns[tactics.engine.of_seat[other]]:
            if not tactics.on_track(target):
                continue
            for card in rest:
                code = code_of(card)
                if tactics.may_reach(code, (target - cell) % length) and _hits_from(
                    tactics, after, code, cell, target
                ):
                    yield Reason("hit_next", (other,), (card.rank,))
                    return


def _hits_from(tactics: Tactics, state: object, code: int, cell: int, target: int) -> bool:
    return any(
        len(flat) == PART
        and flat[KIND] != SWAP
        and flat[FROM] == cell
        and (flat[TO] == target or flat[TAKEN] >> target & 1)
        for flat in tactics.engine.moves(state, tactics.seat, code)  # type: ignore[arg-type]
    )


def _forward(context: ReasonContext, move: Move) -> Iterable[Reason]:
    tactics = context.tactics
    for part in move.parts:
        if part.seat in tactics.side and tactics.on_track(part.from_cell) and tactics.on_track(part.to_cell):
            ahead = (part.to_cell - part.from_cell) % tactics.shape.track_length
            if part.kind is not Kind.SWAP and 0 < ahead <= 36:
                yield Reason("forward", (part.seat,), numbers={"holes": ahead})
                return


def _keeping(context: ReasonContext, card: Card | None) -> list[Reason]:
    """Tell the best card that could have been played and stays in the hand."""
    playable = {CARDS[choice.action[1]].rank for choice in context.plays}
    held = {kept.rank for kept in context.rest(card)} & playable
    played = None if card is None else card.rank
    return next(
        ([Reason("keeps", ranks=(rank,))] for rank in VALUABLE_RANKS if rank in held and rank is not played),
        [],
    )


def _gap(context: ReasonContext) -> Reason | None:
    """Tell how much more often the best choice wins than the next, where that is no accident."""
    if len(context.choices) < 2:
        return None
    best, following = context.choices[0], context.choices[1]
    if best.samples < 16 or following.samples < 16:
        return None
    if (
        best.value - following.value < 2 * max(best.error, following.error)
        or best.value - following.value < 0.02
    ):
        return None
    return Reason(
        "looks_best",
        numbers={
            "games": best.samples,
            "best": round(100 * best.value),
            "next": round(100 * following.value),
        },
    )
