"""Who somebody is: a name in its one form, and hashes in place of the secrets of phones."""

import hashlib
from functools import cache

from pydantic import TypeAdapter, ValidationError

from tock_companion.errors import BadInputError
from tock_companion.schema import first_mistake
from tock_companion.table.core.fields import PersonName


@cache
def _name_reader() -> TypeAdapter[str]:
    return TypeAdapter(PersonName)


def person_name(name: str) -> str:
    """The name in its one form; raises BadInputError."""
    try:
        return _name_reader().validate_python(name)
    except ValidationError as error:
        raise BadInputError(first_mistake(error, "name")) from None


def digest(token: str) -> str:
    """The hash of a secret."""
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


def hash_of(device: str) -> str:
    """The hash of a device's secret; empty for a device without one."""
    return digest(device) if device else ""
