"""`tock firmware`: prints the reed board's firmware version, and updates it."""

import sys

from tock_app.cli.console import Parser
from tock_companion.errors import BadInputError
from tock_companion.sources.reed.flashing import ask, flash, shipped, version_of
from tock_companion.sources.reed.ports import AUTO, port_names
from tock_companion.sources.reed.protocol import BoardKind, Hello, ResetCause


def run(arguments: list[str]) -> int:
    """Run the subcommand; 1 when the board's firmware is not the one shipped with this companion."""
    parser = Parser(prog="tock firmware", description="The firmware of the reed board.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    show = commands.add_parser("show", help="says what runs on the board")
    write = commands.add_parser("flash", help="brings the board's firmware up to date (avrdude)")
    for command in (show, write):
        command.add_argument("--port", default=AUTO, help="the board's port (default: found by its USB chip)")
    write.add_argument(
        "--force", action="store_true", help="flash although no reed board answers on the port"
    )
    options = parser.parse_args(arguments)
    port = the_port(options.port)
    if options.command == "show":
        hello = ask(port)
        if hello is None:
            raise BadInputError(f"{port}: no reed board answers there; name its port with --port")
    else:
        hello = flash(port, lambda line: print(line, file=sys.stderr, flush=True), force=options.force)
    print(describe(port, hello))
    return 0 if hello.build == shipped().build else 1


def the_port(setting: str) -> str:
    """The only port that fits; raises BadInputError when there is none or more than one."""
    names = port_names(setting)
    if not names:
        raise BadInputError(
            "no reed board is plugged in; name its port with --port if it has an unusual USB chip"
        )
    if len(names) > 1:
        raise BadInputError(f"several boards could be meant; choose one with --port: {', '.join(names)}")
    return names[0]


def describe(port: str, hello: Hello) -> str:
    """A board in a few lines."""
    ours = shipped()
    known = {kind.value: kind.name.lower() for kind in BoardKind}
    causes = {cause.value: cause.name.lower().replace("_", " ") for cause in ResetCause}
    same = (
        "the one that comes with this companion"
        if hello.build == ours.build
        else f"this companion has {ours.version}"
    )
    return "\n".join(
        [
            f"{port}: reed board on {known.get(hello.board_kind, 'an unknown chip')}, started {hello.nonce + 1} times, "
            f"last by: {causes.get(hello.reset_cause, 'unknown')}",
            f"firmware {version_of(hello)}, build {hello.build:08x} ({same})",
            f"{hello.boards} sector boards, {hello.boards_alive} of them answer; "
            f"debounce {hello.debounce_samples} scans every {hello.debounce_period_ms} ms",
        ]
    )
