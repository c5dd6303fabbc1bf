"""Each numbered statement of a game (`R004-29`, `TOC-14`) in one sentence, in every language."""

from collections.abc import Mapping, Sequence

from tock_companion.errors import BadInputError, quoted
from tock_companion.language import DEFAULT, Text, catalog
from tock_companion.views.wording.games import own_sections, own_statements
from tock_companion.views.wording.own_rules import own_lines
from tock_companion.views.wording.rulesheet import rulesheet
from tock_rules import Ruleset

TEXTS: Mapping[str, str] = {
    "000": "joker-individuel",
    "001": "diagonale",
    "002": "gladius",
    "003": "parteu",
    "004": "mjc",
}
"""The ruleset of each text, by the number that its statements begin with."""


def statements(ruleset: str) -> Mapping[str, Text]:
    """Every statement of a ruleset with its sentence, in the order of its text or file."""
    own = own_sections(ruleset)
    if own:
        return {ref: text for lines in own.values() for ref, text in lines.items()}
    return {ref: text for ref, text in catalog("statements").items() if TEXTS[ref[1:4]] == ruleset}


def is_statement(ref: str) -> bool:
    """Whether a game has a statement of this number."""
    return ref in catalog("statements") or ref in own_statements()


def statement(ref: str) -> Text:
    """The sentence of a statement; raise `BadInputError` for a number that no game has."""
    if not is_statement(ref):
        raise BadInputError(f"no such statement: {quoted(ref)}; write R004-29 for statement 29 of text 004")
    return catalog("statements").get(ref) or own_statements()[ref]


def as_played(rules: Ruleset, refs: Sequence[str]) -> tuple[Text, ...]:
    """Statements in the words of the table that plays by `rules`, each sentence once.

    Lines of the rule sheet, which follow the switches, replace statements that a house rule changes.
    """
    sentences: list[Text] = []
    for ref in refs:
        changed = _changed_behind(rules, ref)
        sentences += (
            tuple(own_lines(rules, ref))
            or (_in_sheet(rules, ref, changed) if changed else ())
            or (statement(ref),)
        )
    return tuple({text[DEFAULT]: text for text in sentences}.values())


def _changed_behind(rules: Ruleset, ref: str) -> frozenset[str]:
    """The switches resting on a statement that have another value than in the preset."""
    usual, values = rules.usual, rules.values()
    return frozenset(
        name for name, refs in rules.rests_on.items() if ref in refs and values[name] != usual[name]
    )


def _in_sheet(rules: Ruleset, ref: str, changed: frozenset[str]) -> tuple[Text, ...]:
    """The lines of the rule sheet that put a statement into words; where none follows a changed switch, those too."""
    lines = [
        (text, ref in refs, bool(followed & changed))
        for section in rulesheet(rules)
        for text, refs, followed in zip(section.lines, section.statements, section.switches, strict=True)
    ]
    is_enough = any(is_about and follows for _, is_about, follows in lines)
    return tuple(text for text, is_about, follows in lines if is_about or (follows and not is_enough))
