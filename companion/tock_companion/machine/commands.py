"""Programs of the system, called with fixed lists of arguments and never through a shell."""

import subprocess
from collections.abc import Sequence

from tock_companion.errors import TockError, one_line

PATIENCE_S = 30.0


class CommandError(TockError):
    """A program of the system that failed or is missing."""


def output_of(arguments: Sequence[str], patience_s: float = PATIENCE_S) -> str:
    """The output of a program; raises CommandError with the last line of its complaint."""
    name = arguments[0]
    try:
        done = subprocess.run(
            arguments,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=patience_s,
            check=False,
        )
    except OSError as error:
        raise CommandError(f"{name} cannot be started ({error.strerror})") from None
    except subprocess.TimeoutExpired:
        raise CommandError(f"{name} did not end within {patience_s:g} s") from None
    if done.returncode:
        complaint = one_line((done.stderr or done.stdout).strip().rpartition("\n")[2])
        raise CommandError(f"{name} {arguments[1] if len(arguments) > 1 else ''}: {complaint}")
    return done.stdout
