"""A ruleset named on the command line or in a request: a game of the library, of the data folder, or a file."""

import argparse
import sys
from functools import cache

from tock_app.config.load import config_path
from tock_companion.errors import BadInputError, one_line
from tock_companion.ruleset_folder import know_rulesets, named
from tock_rules import Ruleset, load_preset, own_files


def ruleset_named(text: str) -> Ruleset:
    """The ruleset of a name or of the path of its file; raises BadInputError."""
    if text not in own_files.LIBRARY:
        know_games()
    return load_preset(named(text))


def ruleset_argument(text: str) -> str:
    """The name of the ruleset that an argument names."""
    try:
        return ruleset_named(text).name
    except BadInputError as error:
        raise argparse.ArgumentTypeError(one_line(str(error))) from None


@cache
def know_games() -> None:
    """Learn the games in the data folder, once; a bad file is one line and stops no other."""
    for fault in know_rulesets(config_path(None).parent):
        print(f"tock: {one_line(fault)}", file=sys.stderr)
