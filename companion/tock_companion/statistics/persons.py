"""The names that the family says are one person; kept with the table's choices."""

from collections.abc import Mapping

from tock_companion.language import folded
from tock_companion.storage.choices import Choices

KEPT_AS = "persons"
MAX_NAMES = 500


def persons_of(choices: Choices) -> Mapping[str, str]:
    """The folded names that belong to another name: other name to the person's folded name."""
    kept = choices.get(KEPT_AS)
    return {str(name): str(person) for name, person in kept.items()} if isinstance(kept, dict) else {}


def merged(persons: Mapping[str, str], name: str, person: str) -> Mapping[str, str]:
    """The same with one more name of a person; a name that had names of its own brings them along."""
    key, other = folded(name), folded(person)
    other = persons.get(other, other)
    if key == other:
        return {one: whose for one, whose in persons.items() if one != key}
    moved = {one: other if whose == key else whose for one, whose in persons.items() if one != other}
    return dict([*moved.items(), (key, other)][-MAX_NAMES:])
