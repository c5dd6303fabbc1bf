"""Command lines: a wrong one is answered in one line, like every other wrong input."""

import argparse
from typing import NoReturn

from tock_companion.errors import BadInputError


class Parser(argparse.ArgumentParser):
    """An argument parser whose complaint is an exception instead of a page of usage."""

    def error(self, message: str) -> NoReturn:
        """Raise BadInputError; `--help` shows the usage."""
        raise BadInputError(f"{message}; see '{self.prog} --help'")
