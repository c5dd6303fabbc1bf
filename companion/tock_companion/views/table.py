"""The public view, for anybody at the table; every other view adds to it."""

from tock_companion.core.lessons import lessons_on_table
from tock_companion.language import Text, in_every_language
from tock_companion.observation import SourceCondition
from tock_companion.views.board_warnings import gentle, guidance_info, warning_info
from tock_companion.views.fact_words import question_words
from tock_companion.views.far import far_info
from tock_companion.views.moves import (
    Chronicle,
    instruction,
    move_arrows,
    move_targets,
    text_label,
)
from tock_companion.views.parts import (
    AbsentInfo,
    Choice,
    GameInfo,
    LobbyInfo,
    Planned,
    PracticeInfo,
    ProposalInfo,
    Question,
    SeatInfo,
    SeenHole,
    SourceInfo,
)
from tock_companion.views.phrases import known, phrase
from tock_companion.views.schema import PublicView
from tock_companion.views.sentences import expectation, sentence
from tock_companion.views.state import TableState
from tock_rules import Card, Seat


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
        "givers": [seat.name for seat in sorted(state.givers)],
        "sentence": sentence(state, expects),
        "holes": _holes(state),
        "indices": names.indices.value,
        "places": {seat.name: _places(state, seat) for seat in position.seats},
        "seen": _seen(state),
        "last_move": moves[-1] if moves else None,
        "warning": warning_info(state) if state.practice is None else gentle(warning_info(state)),
        "guidance": guidance_info(state),
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


def _question(state: TableState) -> Question | None:
    question = state.game.question
    if question is None:
        return None
    choices: list[Choice] = []
    for choice in question.choices:
        if question.about == "card":
            label = state.names.card(Card.parse(choice))
        elif question.about == "move":
            label = text_label(choice, state.position.shape, state.names)
        else:
            label = phrase(f"answer-{choice}")
        choices.append({"id": choice, "label": label})
    return {
        "about": question.about,
        "seat": question.seat,
        "sentence": question_words(question, state.names),
        "choices": choices,
    }


def _lobby(state: TableState) -> LobbyInfo | None:
    lobby = state.lobby
    if lobby is None:
        return None
    return {
        "players": lobby.players,
        "counts": lobby.counts,
        "chosen": lobby.chosen,
        "computers": lobby.computers,
        "team_sizes": lobby.team_sizes,
        "team_size": lobby.team_size,
        "team_chosen": lobby.team_chosen,
        "last": [{"seat": seat.name, "name": name, "lang": lang} for seat, name, lang in state.last],
    }


def _practice(state: TableState) -> PracticeInfo | None:
    practice = state.practice
    if practice is None:
        return None
    return {
        "seat": practice.learner.name,
        "lesson": practice.shown_as[0] or practice.number,
        "lessons": practice.shown_as[1] or len(lessons_on_table()),
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
