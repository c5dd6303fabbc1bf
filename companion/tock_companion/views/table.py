"""The public view, for anybody at the table; every other view adds to it."""

from collections.abc import Sequence

from tock_companion.events.facts import PawnMissing, PawnStep, ViolationFound
from tock_companion.language import Text, in_every_language
from tock_companion.observation import SourceCondition
from tock_companion.rules import Card, Seat, parse_parts
from tock_companion.views.far import far_info
from tock_companion.views.lessons import lessons
from tock_companion.views.moves import (
    Chronicle,
    instruction,
    move_arrows,
    move_targets,
    parts_label,
)
from tock_companion.views.names import Names, hole_of
from tock_companion.views.parts import (
    AbsentInfo,
    BoardWarning,
    Choice,
    GameInfo,
    GuidanceInfo,
    LobbyInfo,
    NearestMove,
    Planned,
    PracticeInfo,
    ProposalInfo,
    Question,
    RepairStep,
    SeatInfo,
    SeenHole,
    SourceInfo,
    SpotInfo,
)
from tock_companion.views.phrases import known, phrase
from tock_companion.views.schema import PublicView
from tock_companion.views.sentences import expectation, sentence
from tock_companion.views.state import Guidance, TableState


def public_view(state: TableState, chronicle: Chronicle) -> PublicView:
    """The public view, ready to be sent as JSON."""
    game, position, names = state.game, state.position, state.names
    expects = expectation(state)
    moves = chronicle.newest(game, names)
    return {
        "revision": state.revision,
        "game": _game(state),
        "board": state.board,
        "seats": [_seat(state, seat) for seat in position.seats],
        "to_move": position.to_move.name,
        "card": str(game.card) if game.card is not None else None,
        "planned": _planned(state),
        "stored_moves": {seat.name: position.stored_moves[seat] for seat in position.seats},
        "expects": expects,
        "sentence": sentence(state, expects),
        "holes": _holes(state),
        "indices": names.indices.value,
        "places": {seat.name: _places(state, seat) for seat in position.seats},
        "seen": _seen(state),
        "last_move": moves[-1] if moves else None,
        "warning": _warning(state) if state.practice is None else _gentle(_warning(state)),
        "guidance": _guidance(state),
        "lobby": _lobby(state),
        "host": state.host.name if state.host is not None else None,
        "absent": _absent(state),
        "practice": _practice(state),
        "far": far_info(state),
        "question": _question(state),
        "proposal": _proposal(state),
        "recording": state.recording,
        "health": [
            {"code": note.code, "hole": note.hole, "sentence": note.sentence} for note in state.health
        ],
        "sources": [_source(source.name, source.condition, source.code) for source in state.sources],
        "history": moves,
    }


def _game(state: TableState) -> GameInfo:
    game = state.game
    return {
        "ruleset": game.started.ruleset,
        "options": game.started.options,
        "seq": game.seq,
        "paused": game.paused,
        "mode": game.mode.value,
        "ended": game.ended is not None,
        "winner": game.ended.winner if game.ended is not None else None,
    }


def _seen(state: TableState) -> dict[str, SeenHole]:
    """The holes where the table looks different from the position."""
    return {
        hole: {
            "state": reading.state.value,
            "seat": reading.seat.name if reading.seat is not None else None,
        }
        for hole, reading in state.seen.items()
    }


def _seat(state: TableState, seat: Seat) -> SeatInfo:
    teams = state.position.teams or ()
    team = next((index for index, members in enumerate(teams) if seat in members), None)
    hand = state.hands.of(seat)
    return {
        "seat": seat.name,
        "name": state.names.players.get(seat, ""),
        "color": state.names.colors.get(seat, ""),
        "taken": seat.name in state.held_seats,
        "computer": state.names.computers.get(seat),
        "team": team,
        "cards": hand.count if hand is not None else None,
    }


def _planned(state: TableState) -> Planned | None:
    """The move of a computer, or of somebody far away, that a person is asked to make."""
    move = state.announced
    if move is None:
        return None
    return {
        "seat": state.position.to_move.name,
        "card": str(move.card),
        "text": move.text,
        "label": instruction(state.position.to_move, move, state.names),
        "targets": move_targets(move),
        "arrows": move_arrows(move),
    }


def _holes(state: TableState) -> dict[str, str]:
    """The place of every pawn of the accepted position, by board-file hole."""
    standing = {**state.position.board.occupied(), **state.camps}
    return {str(hole): seat.name for hole, seat in standing.items()}


def _places(state: TableState, seat: Seat) -> Text:
    """The places of a seat's pawns in words, for people who cannot see the board."""
    board, names = state.position.board, state.names
    out = [names.hole(hole) for hole, owner in board.occupied().items() if owner is seat]
    camp = board.camp_count(seat)
    places = [*out, *([phrase("places-camp", n=str(camp))] if camp else [])]
    separator = phrase("places-separator")
    return in_every_language(lambda lang: separator[lang].join(place[lang] for place in places))


def _warning(state: TableState) -> BoardWarning | None:
    warning = state.game.warning
    if warning is None:
        return None
    if isinstance(warning, PawnMissing):
        given = state.guidance
        lies = given if given is not None and given.code.startswith(("loose/", "hidden/")) else None
        message = lies.sentence if lies is not None else warning.message
        return {"tone": "calm", "breaks": [], "code": "board/pawn_missing", "seat": warning.seat,
                "message": message, "others": message, "repair": [],
                "wrong": [], "right": warning.last_seen, "nearest": [],
                "leads_on": False, "otherwise": [], "spots": _spots(lies), "may_pass": False}  # fmt: skip
    back, on = _ways(warning, state.names)
    # One step that ends in a legal move of the laid card is nearer than several that undo everything.
    leads_on = state.game.card is not None and len(on) == 1 < len(back)
    steps, otherwise = (on, back) if leads_on else (back, on)
    # The steps give the instructions; logs of earlier versions have reason and instruction in one.
    message = warning.message if warning.reason is None else warning.reason
    return {
        "tone": "calm" if state.game.restores else "wrong",
        "breaks": warning.breaks,
        "code": warning.code,
        "seat": warning.seat,
        "message": message,
        "others": warning.others if warning.others is not None else message,
        "repair": steps,
        "wrong": [step["from_hole"] for step in steps],
        "right": [step["to_hole"] for step in steps],
        "nearest": _nearest(warning, state),
        "leads_on": leads_on,
        "otherwise": otherwise,
        "spots": [],
        "may_pass": state.game.may_let_pass,
    }


def _gentle(warning: BoardWarning | None) -> BoardWarning | None:
    """A warning to a child who learns: one way to put it right, in a colour that alarms nobody."""
    if warning is None:
        return None
    return {**warning, "tone": "calm", "breaks": [], "nearest": [], "otherwise": []}


def _ways(warning: ViolationFound, names: Names) -> tuple[list[RepairStep], list[RepairStep]]:
    """The way back to the board before, and the way on to the nearest legal move."""
    back = warning.repair
    return _steps(back, names, back), _steps(warning.finish or [], names, back)


def _guidance(state: TableState) -> GuidanceInfo | None:
    """The instruction; a warning and a question come first."""
    game = state.game
    taught = state.practice is not None
    given = state.guidance if state.guidance is not None or taught else _after_taking_back(state)
    if given is None or game.warning is not None or game.question is not None or game.paused or game.ended:
        return None
    return {
        "code": given.code,
        "sentence": given.sentence,
        "breaks": () if taught else given.breaks,
        "steps": _steps(given.steps, state.names),
        "places": given.places,
        "spots": _spots(given),
    }


def _after_taking_back(state: TableState) -> Guidance | None:
    """Announce the turn taken back and the place of its card, until somebody plays on."""
    taken = state.game.taken_back
    if taken is None:
        return None
    code = "taken-back-own" if taken.by == taken.seat.name else "taken-back"
    if taken.card is None:
        code += "-thrown"
    card = state.names.card(taken.card) if taken.card is not None else ""
    return Guidance("taken_back", phrase(code, seat=state.names.seat(taken.seat), card=card))


def _spots(given: Guidance | None) -> list[SpotInfo]:
    return [{"x_mm": spot.x_mm, "y_mm": spot.y_mm} for spot in given.spots] if given is not None else []


def _nearest(warning: ViolationFound, state: TableState) -> list[NearestMove]:
    return [{"text": text, "label": _text_label(text, state)} for text in warning.nearest]


def _text_label(text: str, state: TableState) -> Text:
    return parts_label(parse_parts(state.position.shape, text), state.names)


def _steps(way: Sequence[PawnStep], names: Names, back: Sequence[PawnStep] = ()) -> list[RepairStep]:
    """Put a way into words; two pawns that change places are one gesture, for people have two hands.

    Steps that are among `back` return a pawn to where it was; the others take it where it has not been yet.
    """
    steps: list[RepairStep] = []
    left = list(way)
    while left:
        swapped = left[2]["from"] == "camp" if len(left) > 2 else False
        if swapped and _is_swap(*left[:3]):
            first, second, _ = left[:3]
            steps.append(_swap_step(first, second, names))
            left = left[3:]
        else:
            step = left.pop(0)
            steps.append(_step(step, names, "repair-step" if step in back else "finish-step"))
    return steps


def _is_swap(aside: PawnStep, across: PawnStep, back: PawnStep) -> bool:
    """Whether a pawn steps aside into its camp, another takes its hole, and it goes to that one's."""
    return (
        aside["to"] == "camp"
        and across["to"] == aside["from"]
        and back["seat"] == aside["seat"]
        and back["to"] == across["from"]
    )


def _swap_step(first: PawnStep, second: PawnStep, names: Names) -> RepairStep:
    step = _step({"seat": first["seat"], "from": first["from"], "to": second["from"]}, names, "repair-step")
    one, other = Seat[first["seat"]], Seat[second["seat"]]
    step["sentence"] = phrase(
        "repair-swap",
        pawn=names.pawn(one),
        source=names.hole(hole_of(one, first["from"])),
        other=names.pawn(other),
        target=names.hole(hole_of(other, second["from"])),
    )
    return step


def _step(step: PawnStep, names: Names, code: str) -> RepairStep:
    seat = Seat[step["seat"]]
    return {
        "seat": step["seat"],
        "from": step["from"],
        "to": step["to"],
        "from_hole": hole_of(seat, step["from"]),
        "to_hole": hole_of(seat, step["to"]),
        "sentence": phrase(
            code,
            pawn=names.pawn(seat),
            source=names.hole(hole_of(seat, step["from"])),
            target=names.place(hole_of(seat, step["to"])),
        ),
    }


def _question(state: TableState) -> Question | None:
    question = state.game.question
    if question is None:
        return None
    choices: list[Choice] = []
    for choice in question.choices:
        if question.about == "card":
            label = state.names.card(Card.parse(choice))
        elif question.about == "move":
            label = _text_label(choice, state)
        else:
            label = phrase(f"answer-{choice}")
        choices.append({"id": choice, "label": label})
    return {"about": question.about, "seat": question.seat, "sentence": question.message, "choices": choices}


def _lobby(state: TableState) -> LobbyInfo | None:
    lobby = state.lobby
    if lobby is None:
        return None
    return {
        "players": lobby.players,
        "counts": lobby.counts,
        "chosen": lobby.chosen,
        "computers": lobby.computers,
        "last": [{"seat": seat.name, "name": name, "lang": lang} for seat, name, lang in state.last],
    }


def _practice(state: TableState) -> PracticeInfo | None:
    practice = state.practice
    if practice is None:
        return None
    return {
        "seat": practice.learner.name,
        "lesson": practice.number,
        "lessons": len(lessons()),
        "card": str(practice.lesson.card),
    }


def _absent(state: TableState) -> AbsentInfo | None:
    seat = state.absent
    if seat is None or state.game.card is not None or state.game.warning is not None:
        return None
    return {"seat": seat.name, "name": state.left.get(seat, "")}


def _proposal(state: TableState) -> ProposalInfo | None:
    """The proposal to go back several turns that waits for votes."""
    proposal = state.proposal
    if proposal is None:
        return None
    turns = sum(turn.seq >= proposal.to for turn in state.game.turns)
    code = "proposal-many" if turns > 1 else "proposal-one"
    words: dict[str, str | Text] = {"seat": state.names.seat(proposal.by), "n": str(turns)}
    if proposal.asked is not None:
        code, words["mover"] = "proposal-asks", state.names.seat(proposal.asked)
    return {
        "number": proposal.number,
        "by": proposal.by.name,
        "to": proposal.to,
        "sentence": phrase(code, **words),
        "asked": proposal.asked.name if proposal.asked is not None else None,
        "waits_for": sorted(seat.name for seat in proposal.waits_for),
        "yes": sorted(seat.name for seat in proposal.yes),
    }


def _source(name: str, condition: SourceCondition, code: str) -> SourceInfo:
    if condition is SourceCondition.OK and not code:
        sentence = phrase("source-ok")
    else:
        sentence = phrase(code if known(code) else "source-trouble")
    return {"name": name, "condition": condition.value, "note": bool(code), "sentence": sentence}
