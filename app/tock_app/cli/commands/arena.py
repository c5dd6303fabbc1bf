"""`tock arena`: plays computer players against each other, on the same deals with the sides swapped."""

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Sequence

from tock_app.cli.console import Parser
from tock_app.cli.rulesets import ruleset_argument
from tock_companion.errors import BadInputError
from tock_companion.hints.arena import FORMS, Match, forms_of
from tock_companion.hints.arena import run as run_match
from tock_companion.hints.computer_players import STRENGTHS
from tock_companion.hints.line_engine import Command
from tock_rules import load_preset, preset_names


def run(arguments: Sequence[str] = ()) -> int:
    """Play the matches and print a table, or JSON lines."""
    options = _parser().parse_args(list(arguments))
    matches = _matches(options)
    if not options.json:
        print(f"{matches[0].one} against {matches[0].two}: won, 95 % interval, games, won by seat")
    for match in matches:
        title = f"{match.ruleset} {match.form}"
        score = run_match(match, options.games, options.processes, bar(title), _complain)
        if options.json:
            players = {"one": str(match.one), "two": str(match.two)}
            entry = {"ruleset": match.ruleset, "form": match.form, **players}
            print(json.dumps({**entry, **score.to_json(), "by_seat": score.by_seat}), flush=True)
        else:
            low, high = score.interval()
            seats = " ".join(map(str, score.by_seat))
            print(
                f"{title:28} {score.rate:6.1%}  {low:6.1%} to {high:6.1%}  {score.games:5}   {seats}",
                flush=True,
            )
    return 0


def _complain(fault: str) -> None:
    print(f"tock arena: {fault}", file=sys.stderr, flush=True)


def _parser() -> Parser:
    parser = Parser(prog="tock arena", description="Plays players against each other on the same deals.")
    parser.add_argument("one", nargs="?", choices=list(STRENGTHS), help="default: strong")
    parser.add_argument("two", nargs="?", choices=list(STRENGTHS), help="default: greedy")
    parser.add_argument(
        "--engine",
        action="append",
        default=[],
        metavar="CMD",
        help="a program in the place of ONE, given twice of both: docs/hints.md has its lines",
    )
    parser.add_argument("--move-ms", type=float, default=1000, help="its time for a move (default 1000)")
    parser.add_argument(
        "--ruleset",
        action="append",
        type=_ruleset,
        metavar="GAME",
        help="a name, the path of a ruleset file, or all (default: mjc)",
    )
    parser.add_argument(
        "--form", action="append", choices=[*FORMS, "all"], help="default: duel, four and teams"
    )
    parser.add_argument("--games", type=int, default=100, help="games of each match (default 100)")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="default: every core")
    parser.add_argument("--seed", type=int, default=0, help="another seed deals other cards")
    parser.add_argument("--json", action="store_true", help="one JSON object a match")
    return parser


def _ruleset(text: str) -> str:
    return text if text == "all" else ruleset_argument(text)


def _matches(options: argparse.Namespace) -> list[Match]:
    """The matches selected by the options; raises BadInputError for none."""
    if min(options.games, options.processes, options.move_ms) < 1:
        raise BadInputError("--games, --processes and --move-ms are 1 or more")
    one, two = _players(options)
    wanted = options.ruleset or ["mjc"]
    rulesets = preset_names() if "all" in wanted else wanted
    matches = [
        Match(ruleset, form.name, one, two, options.seed)
        for ruleset in rulesets
        for form in forms_of(load_preset(ruleset))
        if form.name in (options.form or ("duel", "four", "teams")) or "all" in (options.form or ())
    ]
    if not matches:
        raise BadInputError(f"{', '.join(rulesets)}: not played as {', '.join(options.form or ())}")
    return matches


def _players(options: argparse.Namespace) -> tuple[str | Command, str | Command]:
    """The programs in the order given, then the players by name."""
    named = [name for name in (options.one, options.two) if name is not None]
    if len(options.engine) + len(named) > 2:
        raise BadInputError("two play against each other: leave out a player or an --engine")
    given = [Command(line, options.move_ms) for line in options.engine]
    players = [*given, *named, *("strong", "greedy")[len(given) + len(named) :]]
    return players[0], players[1]


def bar(title: str) -> Callable[[int, int], None]:
    """A progress bar on standard error, silent unless that is a terminal."""
    began_s = time.monotonic()
    watched = sys.stderr.isatty()

    def show(done: int, of: int) -> None:
        if not watched:
            return
        left_s = (time.monotonic() - began_s) / done * (of - done)
        filled = "█" * (30 * done // of)
        line = f"\r{title:28} {filled:30} {done}/{of}, {left_s / 60:.0f} min left "
        print(line if done < of else "\r" + " " * 100 + "\r", end="", file=sys.stderr, flush=True)

    return show
