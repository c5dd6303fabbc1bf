"""What the helper will not do, as a code that has a sentence in both languages."""

from tock_companion.errors import TockError


class RefusedError(TockError):
    """A wish of the host that is refused."""

    def __init__(self, code: str, **values: str) -> None:
        """`code` is one of the phrases' catalog, `values` what is filled into its sentence."""
        super().__init__(f"{code} {values}" if values else code)
        self.code = code
        self.values = values
