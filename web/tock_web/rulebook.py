"""`/api/v1/rules`: the rules of the game in plain words, and the rulesets that a game may have."""

from collections.abc import Mapping

from flask import Blueprint, jsonify, request
from flask.typing import ResponseReturnValue

from tock_companion.rules import OPTIONS, Ruleset, load_preset, preset_names, preset_table
from tock_companion.table.requests import Role
from tock_companion.table.setup import seats_for
from tock_companion.views.wording.rulesheet import rulesheet
from tock_web.context import context

LANGUAGES = ("fr", "en")

rulebook = Blueprint("rulebook", __name__, url_prefix="/api/v1")


@rulebook.get("/rulesets")
def rulesets() -> ResponseReturnValue:
    """Return the rulesets that a game may have: title, and for each number of players the seats that play."""
    zones = context().table.board_file.zones
    rows = [
        {
            "name": name,
            "title": preset_table(name)["title"],
            "players": _seats(load_preset(name), zones),
        }
        for name in preset_names()
    ]
    return jsonify({"rulesets": rows})


@rulebook.get("/options")
def options() -> ResponseReturnValue:
    """Return the house rules that a game may have, with their sentence and what a ruleset says."""
    usual = load_preset(request.args.get("ruleset", "mjc")).values()
    rows = [
        {
            "name": option.name,
            "kind": option.kind,
            "allowed": option.allowed,
            "usual": usual[option.name],
            "text": {"fr": option.fr, "en": option.en},
        }
        for option in OPTIONS.values()
    ]
    return jsonify({"options": rows})


@rulebook.get("/rules")
def rules() -> ResponseReturnValue:
    """Return the rules of the present game with its house rules, or of the ruleset that the query names."""
    game = context().table.view(Role.WATCH)["game"]
    assert isinstance(game, Mapping)
    name = request.args.get("ruleset")
    chosen = load_preset(game["ruleset"]).with_options(game["options"]) if name is None else load_preset(name)
    return jsonify(
        {"name": chosen.name, "title": preset_table(chosen.name)["title"], "sections": _sections(chosen)}
    )


def _seats(ruleset: Ruleset, zones: int) -> dict[str, list[str]]:
    counts = range(ruleset.fewest_players, min(ruleset.most_players, zones) + 1)
    return {
        str(count): [seat.name for seat in seats_for(count, zones)]
        for count in counts
        if ruleset.odd_players or count % 2 == 0
    }


def _sections(ruleset: Ruleset) -> list[dict[str, object]]:
    """Return the sections with every text in all languages, and which statements each line puts into words."""
    sheets = [rulesheet(ruleset, lang) for lang in LANGUAGES]
    return [
        {
            "heading": dict(zip(LANGUAGES, (section.heading for section in same), strict=True)),
            "lines": [
                {**dict(zip(LANGUAGES, line, strict=True)), "statements": sorted(statements)}
                for *line, statements in zip(
                    *(section.lines for section in same), same[0].statements, strict=True
                )
            ],
        }
        for same in zip(*sheets, strict=True)
    ]
