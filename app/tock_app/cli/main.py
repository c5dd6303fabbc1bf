"""`tock`: runs a command; a correctable error is one line on standard error and exit code 2."""

import errno
import logging
import os
import sys
import warnings
from collections.abc import Sequence

from tock_app.cli.commands import COMMANDS, program_of
from tock_app.cli.console import UNREADABLE, Parser, discard_output
from tock_app.cli.terminal import write_plainly
from tock_companion import __version__
from tock_companion.errors import BadInputError, TockError, one_line, printable, quoted
from tock_companion.views.terminal import command_purpose, in_language, terminal_language


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 yes, 1 no, 2 wrong use or unreadable input."""
    _open_closed_streams()
    write_plainly()
    if not sys.warnoptions:
        # What libraries remark is for those who develop with them (`python -W default`).
        warnings.simplefilter("ignore")
    # Games, hands, pictures and passwords are readable by their user only.
    os.umask(0o077)
    lang = terminal_language()
    parser = Parser(prog="tock", description=in_language("The companion of a real Tock board.", lang))
    parser.add_argument("--version", action="version", version=f"tock {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, purpose in COMMANDS.items():
        commands.add_parser(name, help=command_purpose(name, purpose, lang), add_help=False)
    try:
        arguments, rest = parser.parse_known_args(argv)
        logging.basicConfig(
            stream=sys.stderr, level=_log_level(), format="%(levelname)s %(name)s: %(message)s"
        )
    except TockError as error:
        return _refuse("tock", error)
    try:
        code = program_of(arguments.command)(rest)
        sys.stdout.flush()
    except TockError as error:
        return _refuse(f"tock {arguments.command}", error)
    except BrokenPipeError:
        # The reader of our output (`| head`) may leave.
        discard_output()
        return 0
    except OSError as error:
        if error.filename is not None:
            # A name too long, a missing right, a lost disk: handled here instead of at each path.
            fault = f"{printable(os.fsdecode(error.filename))}: {error.strerror}; check the path"
            return _refuse(f"tock {arguments.command}", BadInputError(fault))
        if error.errno not in (errno.ENOSPC, errno.EIO):
            raise
        discard_output()
        return _refuse(
            f"tock {arguments.command}", TockError(f"the output cannot be written: {error.strerror}")
        )
    except KeyboardInterrupt:
        return 130
    return code


def start() -> int:
    """Run as `tock-companion`: alone it starts the companion and opens its page, with arguments it is `tock`."""
    return main(sys.argv[1:] or ["run", "--browser"])


def _open_closed_streams() -> None:
    """Open /dev/null for closed standard streams: else the first file opened would replace one."""
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        if getattr(sys, name) is None:
            # The kernel assigns the lowest free number, the closed one.
            descriptor = os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, os.fdopen(descriptor, mode, encoding="utf-8", closefd=descriptor != number))


def _log_level() -> int:
    name = os.environ.get("TOCK_LOG", "INFO").upper()
    levels = logging.getLevelNamesMapping()
    if name not in levels:
        raise BadInputError(f"TOCK_LOG must be one of {', '.join(levels)}, not {quoted(name)}")
    return levels[name]


def _refuse(who: str, error: TockError) -> int:
    print(f"{who}: {one_line(in_language(str(error), terminal_language()))}", file=sys.stderr)
    return UNREADABLE


if __name__ == "__main__":
    sys.exit(main())
