"""The values of house rules in words."""

from tock_companion.language import Text, in_every_language, same_everywhere
from tock_companion.rules import Value
from tock_companion.views.wording.words import catalog


def value_label(option: str, value: Value) -> Text:
    """What a value of a house rule means; a number stands for itself."""
    if isinstance(value, int) and not isinstance(value, bool):
        return same_everywhere(str(value))
    entry = (
        catalog("words.toml")["answers"]["yes" if value else "no"]
        if isinstance(value, bool)
        else catalog("values.toml")[option][value]
    )
    return in_every_language(lambda lang: str(entry[lang]))
