"""The rules in plain words follow the switches."""

import contextlib
import io

import pytest

from tock_app.cli.commands.rules import run
from tock_companion.errors import BadInputError
from tock_companion.language import LANGUAGES
from tock_companion.views.wording.rulesheet import rulesheet
from tock_rules import OPTIONS, TEXTS, load_preset, preset_names


def shown(*arguments: str) -> str:
    out = io.StringIO()
    assert run(arguments, out) == 0
    return out.getvalue()


@pytest.mark.whole
def test_every_switch_changes_the_text_of_some_game() -> None:
    fixed = {name for name, option in OPTIONS.items() if len(option.allowed) == 1}
    assert [name for name in OPTIONS if name not in fixed and not _is_shown(name)] == []


def _is_shown(switch: str) -> bool:
    """Whether the text of some game is another with another value."""
    for rules in map(load_preset, preset_names()):
        texts = set()
        for value in rules.options[switch].allowed if switch in rules.options else ():
            with contextlib.suppress(BadInputError):
                sheet = rulesheet(rules.with_options({switch: value}))
                texts.add(str([section.lines for section in sheet]))
        if len(texts) > 1:
            return True
    return False


@pytest.mark.parametrize("preset", TEXTS)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_rules_are_shown_in_every_language(preset: str, lang: str) -> None:
    text = shown("show", preset, "--lang", lang)
    assert "{" not in text
    assert len(text.splitlines()) > 30


def test_house_rule_changes_the_text() -> None:
    plain = shown("show", "mjc")
    strict = shown("show", "mjc", "--option", "own_start_crossing=forbidden")
    assert "otherwise it goes on for another lap" in plain
    assert "it may not go past its own start again" in strict


def test_unknown_ruleset_and_option_are_named() -> None:
    with pytest.raises(BadInputError, match="no such ruleset: 'ludo'"):
        shown("show", "ludo")
    with pytest.raises(BadInputError, match="no such option"):
        shown("show", "mjc", "--option", "lava=true")


def test_switches_are_listed_with_their_statements() -> None:
    assert "king_sweeps = true (R004-15, R004-30, R004-36)" in shown("show", "mjc", "--switches")


def test_list_names_every_ruleset() -> None:
    assert len(preset_names()) == len(shown("list").splitlines())


def test_text_speaks_only_of_what_is_in_the_game() -> None:
    assert "joker" not in shown("show", "parteu").replace("without jokers", "")
    assert "joker" in shown("show", "parteu", "--option", "jokers=true").replace("jokers are", "")
    assert "partner" not in shown("show", "diagonale")
    assert "stock" not in shown("show", "gladius")


def test_statements_are_printed_by_their_numbers() -> None:
    assert shown("say", "R004-09", "R004-29").splitlines() == [
        "R004-09: On your turn you play a card, move one of your pawns with it, and draw a card.",
        "R004-29: A pawn that has just come out is neither taken nor passed until it moves.",
    ]
    assert "Un pion qui vient de sortir" in shown("say", "R004-29", "--lang", "fr")
    with pytest.raises(BadInputError, match="no such statement: 'R004-500'"):
        shown("say", "R004-500")
