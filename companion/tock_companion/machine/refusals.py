"""Refusals of the helper, as codes that have a sentence in both languages."""

from tock_companion.errors import TockError


class RefusedError(TockError):
    """A request of the host that is refused."""

    def __init__(self, code: str, **values: str) -> None:
        """`code` is one of the phrases' catalogue, `values` fill its sentence."""
        super().__init__(f"{code} {values}" if values else code)
        self.code = code
        self.values = values
