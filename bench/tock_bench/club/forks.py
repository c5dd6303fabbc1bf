"""`python -m tock_bench.club.forks`: forks a club's desk for each line that it reads, and answers its process number.

A line is the JSON list of a file for what the desk prints, and of the arguments of `tock club serve`. Everything is
loaded before, so that a desk that is killed a hundred times is started again without three seconds of computing each.
"""

import json
import os
import signal
import sys
from pathlib import Path

# The command imports these only once it runs.
import tock_web.club_desk  # noqa: F401
from tock_app.cli.commands import club_serve


def main() -> None:
    """Fork until there is nothing more to read."""
    # Nobody waits for the dead here: they are gone at once.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for line in sys.stdin:
        printed, *arguments = json.loads(line)
        number = os.fork()
        if number == 0:
            try:
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                with Path(printed).open("w", encoding="utf-8") as stdout:
                    club_serve.run(arguments, stdout)
            finally:
                os._exit(1)
        sys.stdout.write(f"{number}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
