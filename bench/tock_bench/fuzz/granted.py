"""Settings as the host saves them: refused with a sentence, or good enough to start with."""

import os
import sys
from pathlib import Path

from tock_app.config.load import load_config
from tock_app.service.admin import MachineAdmin
from tock_app.service.companion import serve
from tock_app.service.shutdown import Shutdown
from tock_app.service.supervision import Supervision
from tock_companion.errors import BadInputError, one_line

FILE = Path("data/tock.toml")


def save_and_start(text: str) -> int:
    """Save a text as the host of a running companion; where that is granted, start with it and stop at once.

    Returns 2 when it is refused; whatever a start raises is raised.
    """
    FILE.touch()
    # Below those that the system gives to whoever asks for any: another program could take one meanwhile.
    os.environ["TOCK_PORT"] = str(20_000 + os.getpid() % 10_000)
    try:
        MachineAdmin(FILE, load_config(FILE)).replace(text)
    except BadInputError as error:
        sys.stderr.write(f"{one_line(str(error))}\n")
        return 2
    supervision = Supervision({})
    shutdown = Shutdown(supervision)
    shutdown.stop()
    serve(load_config(FILE), FILE, shutdown, supervision)
    return 0
