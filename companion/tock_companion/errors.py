"""The one base class of faults that a person can mend: a broken call, file, cable or setting.

Player mistakes are values (`Violation`), never exceptions.
"""


class TockError(Exception):
    """A fault with one line that says what is wrong, where, and what to do."""


class BadInputError(TockError, ValueError):
    """An input (file, line, option, argument) that cannot be used as it is."""
