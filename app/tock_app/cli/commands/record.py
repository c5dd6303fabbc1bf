"""`tock record --out DIR`: records the running table until it is interrupted or the companion stops."""

import signal
import sys
from pathlib import Path
from types import FrameType

from tock_app.cli.console import Parser
from tock_app.config.load import load_config
from tock_app.service.control import call


def run(arguments: list[str]) -> int:
    """Record until Ctrl-C, SIGTERM or the end of the companion; return 0 when complete."""
    parser = Parser(prog="tock record", description="Records the running table for `tock replay`.")
    parser.add_argument("--out", type=Path, required=True, help="a new folder for the recording")
    parser.add_argument(
        "--photos", action="store_true", help="keep photos of hands too, for a report; every phone says so"
    )
    parser.add_argument("--config", type=Path, help="the configuration of the running companion")
    options = parser.parse_args(arguments)
    config = load_config(options.config)
    line = call(
        config.data, "record", out=str(options.out.absolute()), photos="kept" if options.photos else ""
    )
    print(f"tock record: recording into {options.out}; stop with Ctrl-C", file=sys.stderr, flush=True)

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, stop)
    try:
        line.recv()
    except (EOFError, OSError):
        print("tock record: the companion has stopped; the recording is complete", file=sys.stderr)
    except KeyboardInterrupt:
        line.close()
    return 0
