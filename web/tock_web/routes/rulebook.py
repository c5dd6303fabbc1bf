"""`/api/v1/rules`: the rules of the game in plain words, and the rulesets and house rules to choose from."""

from collections.abc import Mapping
from statistics import mode
from typing import Annotated

from flask import Blueprint, jsonify
from flask.typing import ResponseReturnValue
from pydantic import Field

from tock_companion.core.requests import Role
from tock_companion.language import Text, catalog, same_everywhere
from tock_companion.schema import Schema
from tock_companion.views.wording.games import summary, title
from tock_companion.views.wording.own_rules import like_printed
from tock_companion.views.wording.rulesheet import rulesheet
from tock_companion.views.wording.statements import as_played, is_statement
from tock_companion.views.wording.words import value_label
from tock_rules import Ruleset, Value, load_preset, preset_names, seats_for
from tock_web.answers.game import OptionRow, Options, Rules, RulesetRow, Rulesets, Sentences
from tock_web.answers.people import Fault
from tock_web.context import context
from tock_web.family_games import family_games, fits_here, know_files
from tock_web.serving.gate import endpoint

rulebook = Blueprint("rulebook", __name__, url_prefix="/api/v1")

_RulesetName = Annotated[str, Field(pattern="^[a-z0-9-]{1,40}$")]


class OptionsQuery(Schema):
    """The ruleset whose values are listed."""

    ruleset: _RulesetName = "mjc"


class StatementsQuery(Schema):
    """Numbers of statements, such as those of a warning, with commas between them."""

    refs: Annotated[str, Field(pattern="^[A-Z][A-Z0-9]{2,9}-[0-9]{2}(,[A-Z][A-Z0-9]{2,9}-[0-9]{2}){0,11}$")]


class RulesQuery(Schema):
    """A ruleset; none means the present game with its house rules."""

    ruleset: _RulesetName | None = None


@rulebook.get("/rulesets")
@endpoint(answer=Rulesets)
def rulesets() -> ResponseReturnValue:
    """The games to choose from, the family's own first: title, and for each number of players the seats that play."""
    know_files()
    presets = (load_preset(name) for name in preset_names())
    rows = [
        *(
            _row(game.rules, same_everywhere(game.name), like_printed(game.rules), game.options)
            for game in family_games()
        ),
        *(_row(rules, title(rules.name), summary(rules.name), {}) for rules in presets),
    ]
    return jsonify({"rulesets": [row for row in rows if row is not None]})


def _row(rules: Ruleset, heading: Text, line: Text, options: Mapping[str, Value]) -> RulesetRow | None:
    """A game to choose; None where this board is not for it."""
    if not fits_here(rules):
        return None
    players = _seats(rules, context().table.board_file.zones)
    return {"name": rules.name, "title": heading, "line": line, "options": options, "players": players}


@rulebook.get("/options")
@endpoint(query=OptionsQuery, answer=Options, refusal=Fault)
def options(asked: OptionsQuery) -> ResponseReturnValue:
    """The house rules to choose from, with their sentence and the ruleset's value."""
    ruleset = load_preset(asked.ruleset)
    usual = ruleset.values()
    presets = [load_preset(name).values() for name in preset_names()]
    common = {name: mode(values[name] for values in presets if name in values) for name in usual}
    # A single allowed value is not a choice.
    chosen = [option for option in ruleset.options.values() if len(option.allowed) > 1]
    rows: list[OptionRow] = [
        {
            "name": option.name,
            "kind": option.kind,
            "allowed": option.allowed,
            "usual": usual[option.name],
            "text": catalog("house_rules")[f"switch.{option.name}"],
            "labels": [value_label(option.name, value) for value in option.allowed],
            "differs": usual[option.name] != common[option.name],
        }
        # The distinctive rules of a game come first.
        for option in sorted(chosen, key=lambda option: usual[option.name] == common[option.name])
    ]
    return jsonify({"options": rows})


@rulebook.get("/rules")
@endpoint(query=RulesQuery, answer=Rules, refusal=Fault)
def rules(asked: RulesQuery) -> ResponseReturnValue:
    """The rules of the present game with its house rules, or of the ruleset that the query names."""
    chosen = _present() if asked.ruleset is None else load_preset(asked.ruleset)
    body: Rules = {
        "name": chosen.name,
        "title": title(chosen.name),
        "sections": [
            {"heading": section.heading, "lines": list(section.lines)} for section in rulesheet(chosen)
        ],
    }
    return jsonify(body)


@rulebook.get("/rules/statements")
@endpoint(query=StatementsQuery, answer=Sentences, refusal=Fault)
def statements(asked: StatementsQuery) -> ResponseReturnValue:
    """The sentences of numbered statements, as the present game plays them; unknown numbers are left out."""
    refs = [ref for ref in asked.refs.split(",") if is_statement(ref)]
    body: Sentences = {"sentences": as_played(_present(), refs)}
    return jsonify(body)


def _present() -> Ruleset:
    game = context().table.view(Role.WATCH)["game"]
    return load_preset(game["ruleset"]).with_options(game["options"])


def _seats(ruleset: Ruleset, zones: int) -> dict[str, list[str]]:
    counts = range(ruleset.fewest_players, min(ruleset.most_players, zones) + 1)
    return {
        str(count): [seat.name for seat in seats_for(count, zones)]
        for count in counts
        if ruleset.odd_players or count % 2 == 0
    }
