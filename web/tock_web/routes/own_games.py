"""`/api/v1/own-games`: which game a family plays, found by seven questions, and the games of families' own."""

from typing import Annotated

from flask import Blueprint, Response, jsonify
from flask.typing import ResponseReturnValue
from pydantic import Field

from tock_companion.core.bodies import RulesetName
from tock_companion.core.fields import Flag, OwnRule, ShortText
from tock_companion.errors import BadInputError
from tock_companion.events.facts import ViolationFound
from tock_companion.own_games import OwnGame, own_game, read_own_game
from tock_companion.ruleset_folder import is_ruleset
from tock_companion.schema import Schema
from tock_companion.sisters import sister_rule
from tock_companion.views.wording.games import summary, title
from tock_companion.views.wording.own_rules import answer, question, rule, rules_changed, sister
from tock_rules import Ruleset, load_preset, own_files, preset_names, which_game
from tock_web.answers.own_games import (
    AnswerRow,
    FoundGames,
    NamedGame,
    OwnGameRow,
    OwnGames,
    QuestionRow,
    SheetRow,
    SisterAnswer,
)
from tock_web.answers.people import Done, Fault
from tock_web.context import context
from tock_web.family_games import (
    family_games,
    fits_here,
    keep_family_games,
    keep_next,
    know_files,
    next_game,
    take_ruleset,
)
from tock_web.serving.gate import Media, Who, endpoint

MAX_GAMES = 20

own_games = Blueprint("own_games", __name__, url_prefix="/api/v1/own-games")


class Given(Schema):
    """The answers so far; `?` for a question that the family cannot answer."""

    card_a: OwnRule | None = None
    card_j: OwnRule | None = None
    card_k: OwnRule | None = None
    card_5: OwnRule | None = None
    card_7: OwnRule | None = None
    deal: OwnRule | None = None
    pass_: Annotated[OwnRule | None, Field(alias="pass")] = None
    ask: Annotated[str, Field(pattern="^[a-z0-9_]{1,20}$")] | None = None
    """A topic to ask about next; none for the one that tells most."""
    game: RulesetName | None = None
    """The game that was found already, and is only to be changed."""


class KeptGame(Schema):
    """A printed game with other rules, under the family's name for it."""

    name: ShortText
    ruleset: RulesetName
    options: dict[str, object]
    next: Flag = False
    """To be played after the present game."""


class GameName(Schema):
    """The name of a family's game."""

    name: ShortText


class SharedGame(Schema):
    """The file of a game, or a link to one."""

    text: Annotated[str, Field(max_length=own_files.MAX_BYTES)]


@own_games.get("/find")
@endpoint(query=Given, answer=FoundGames, refusal=Fault)
def find_game(asked: Given) -> ResponseReturnValue:
    """The games nearest to a family's answers, the next question, and the nearest game made to agree with them."""
    given = {
        topic: text
        for topic, text in asked.model_dump(by_alias=True, exclude={"ask", "game"}).items()
        if text is not None
    }
    know_files()
    games = [load_preset(name) for name in preset_names()]
    found = which_game.find(games if asked.game is None else [load_preset(asked.game)], given)
    nearest = found.games[0]
    bent = which_game.bend(nearest, given)
    body: FoundGames = {
        "games": [_row(rules) for rules in found.games],
        "question": _question(
            asked.ask if asked.ask in which_game.TOPICS else found.question, found.games, games
        ),
        "options": dict(bent.options),
        "sheet": [_sheet_row(nearest, topic, given, topic in bent.left) for topic in which_game.TOPICS],
    }
    return jsonify(body)


def _row(rules: Ruleset) -> NamedGame:
    fits, boards = fits_here(rules), context().services.boards
    return {
        "name": rules.name,
        "title": title(rules.name),
        "line": summary(rules.name),
        "fits": fits,
        "board": None if fits or boards is None else boards.board_for(rules.name),
    }


def _question(topic: str | None, near: tuple[Ruleset, ...], games: list[Ruleset]) -> QuestionRow | None:
    """The question with the answers of the nearest games first, then those of the others."""
    if topic is None:
        return None
    likely = which_game.answers(near, topic)
    others = [text for text in which_game.answers(games, topic) if text not in likely]
    return {
        "topic": topic,
        "text": question(topic),
        "answers": [_answer(topic, text) for text in likely],
        "others": [_answer(topic, text) for text in others],
    }


def _answer(topic: str, text: str) -> AnswerRow:
    return {"id": text, "text": answer(topic, text)}


def _sheet_row(rules: Ruleset, topic: str, given: which_game.Answers, is_left: bool) -> SheetRow:
    printed = which_game.answer_of(rules, topic)
    played = given.get(topic, which_game.UNKNOWN)
    differs = played not in (which_game.UNKNOWN, printed)
    return {
        "topic": topic,
        "text": rule(topic, played if differs else printed),
        "printed": rule(topic, printed) if differs else None,
        "possible": not is_left,
    }


@own_games.get("/sister")
@endpoint(answer=SisterAnswer)
def sister_game() -> ResponseReturnValue:
    """The rule of a sister game that would allow the move that the table refuses now."""
    game = context().table.game
    warning, card = game.warning, game.warned_card
    found = None
    if isinstance(warning, ViolationFound) and card is not None:
        found = sister_rule(game.position, card, warning.seen)
    changed = next_game()
    # Several rules may be changed in one game.
    before = game.started.options if changed is None else changed.options
    options = {**before, **({found.option: found.value} if found is not None else {})}
    text = None if found is None else sister(found)
    return jsonify({"text": text, "ruleset": game.started.ruleset, "options": options})


@own_games.get("")
@endpoint(answer=OwnGames)
def kept() -> ResponseReturnValue:
    """The games that this family has made."""
    following = next_game()
    body: OwnGames = {
        "games": [_own_row(game) for game in family_games()],
        "next": None if following is None else _own_row(following),
    }
    return jsonify(body)


@own_games.post("")
@endpoint(body=KeptGame, answer=OwnGameRow, refusal=Fault, who=Who.HOST)
def keep(asked: KeptGame) -> ResponseReturnValue:
    """Keep a game; one of the same name is replaced."""
    game = own_game(asked.name, asked.ruleset, asked.options)
    games = [other for other in family_games() if other.name != game.name]
    if len(games) >= MAX_GAMES:
        raise BadInputError(f"{MAX_GAMES} games are kept already: remove one first")
    keep_family_games([game, *games])
    if asked.next:
        keep_next(game)
    return jsonify(_own_row(game))


@own_games.post("/forget")
@endpoint(body=GameName, answer=Done, who=Who.HOST, ends=True)
def forget(asked: GameName) -> ResponseReturnValue:
    """Remove a game."""
    keep_family_games([game for game in family_games() if game.name != asked.name])
    return jsonify({"ok": True})


@own_games.post("/read")
@endpoint(body=SharedGame, answer=OwnGameRow, refusal=Fault)
def read(asked: SharedGame) -> ResponseReturnValue:
    """The game of a file or a link, kept only when the host asks for it; the host's file of a whole game is kept."""
    if is_ruleset(asked.text):
        return jsonify(_own_row(take_ruleset(asked.text)))
    return jsonify(_own_row(read_own_game(asked.text)))


@own_games.get("/file")
@endpoint(query=GameName, answer=Media(("application/toml",)), refusal=Fault)
def file(asked: GameName) -> ResponseReturnValue:
    """The file of a game."""
    game = next((game for game in family_games() if game.name == asked.name), None)
    if game is None:
        raise BadInputError(f"no game of that name: {asked.name}")
    return Response(game.file(), mimetype="application/toml")


def _own_row(game: OwnGame) -> OwnGameRow:
    return {
        "name": game.name,
        "ruleset": game.rules.name,
        "title": title(game.rules.name),
        "options": dict(game.options),
        "changes": rules_changed(game.rules),
        "link": game.fragment(),
        "fits": fits_here(game.rules),
    }
