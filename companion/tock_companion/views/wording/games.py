"""Title and sentences of a game: from the words of the companion, or from the game's own file."""

from collections.abc import Iterator, Mapping
from functools import cache

from tock_companion.errors import BadInputError
from tock_companion.language import DEFAULT, Text, catalog, in_every_language, same_everywhere
from tock_companion.views.phrases import phrase
from tock_companion.views.wording.words import value_label
from tock_rules import Ruleset, preset_names, preset_table


def title(name: str) -> Text:
    """The title of a ruleset; its name where it is not installed, for kept games."""
    try:
        own = preset_table(name).get("title")
    except BadInputError:
        return same_everywhere(name)
    return phrase(f"ruleset-title/{name}") if own is None else _text(own)


def summary(name: str) -> Text:
    """A ruleset in a sentence or two."""
    own = preset_table(name).get("line")
    return phrase(f"ruleset/{name}") if own is None else _text(own)


def own_sections(name: str) -> Mapping[str, Mapping[str, Text]]:
    """The statements of a ruleset's file by section; empty for the five texts."""
    sections = preset_table(name).get("sentences", {})
    return {
        heading: {ref: _text(words) for ref, words in lines.items()} for heading, lines in sections.items()
    }


@cache
def own_statements() -> Mapping[str, Text]:
    """Every statement that a ruleset's file has."""
    sections = [lines for name in preset_names() for lines in own_sections(name).values()]
    return {ref: text for lines in sections for ref, text in lines.items()}


def house_lines(rules: Ruleset, ref: str) -> Iterator[tuple[str, Text]]:
    """The house rules that change a statement: each switch with its sentence and value."""
    for switch, refs in rules.rests_on.items():
        value = getattr(rules, switch)
        if ref in refs and value != rules.usual[switch]:
            sentence = catalog("house_rules")[f"switch.{switch}"]
            rule = {lang: words.rstrip(".") for lang, words in sentence.items()}
            yield switch, phrase("house-rule", rule=rule, value=value_label(switch, value))


def _text(words: Mapping[str, str]) -> Text:
    fallback = words.get(DEFAULT) or next(iter(words.values()), "")
    return in_every_language(lambda lang: words.get(lang, fallback))
