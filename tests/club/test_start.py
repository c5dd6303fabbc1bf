"""The modules that a club's desk loads when it starts: time at each start, and memory for the evening."""

import os
import re
import subprocess
import sys
import urllib.error
import urllib.request
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.mosquitto import free_port
from tests.support.waiting import until
from tock_companion.club.access import BROKER_FOLDER
from tock_companion.club.repository import ClubRepository
from tock_web.https.certificate import broker_certificate

START_PATIENCE_S = 90.0
IMPORTED = re.compile(r"^import time: .*\| +(\S+)$", re.MULTILINE)


def imported_by_a_desk(folder: Path) -> set[str]:
    """Every module that `tock club serve` has imported by its first answer and its end."""
    port = free_port()
    command = [sys.executable, "-X", "importtime", "-m", "tock_app.cli.main", "club", "serve"]
    place = ["--host", "127.0.0.1", "--port", str(port), "--data", str(folder)]
    with (folder.parent / "imports.txt").open("w+") as log:
        process = subprocess.Popen([*command, *place], stdout=subprocess.DEVNULL, stderr=log, env=os.environ)
        try:
            url = f"http://127.0.0.1:{port}/api/v1/desk/hall"
            until(
                lambda: urllib.request.urlopen(url, timeout=START_PATIENCE_S),
                "the desk",
                START_PATIENCE_S,
                (OSError,),
            ).close()
        finally:
            process.terminate()
            process.wait()
        log.seek(0)
        return set(IMPORTED.findall(log.read()))


@pytest.mark.whole
def test_a_desk_that_is_up_to_date_imports_neither_alembic_nor_opencv(tmp_path: Path) -> None:
    folder = tmp_path / "club"
    with closing(ClubRepository(folder)):
        (folder / BROKER_FOLDER).mkdir()
        broker_certificate(folder / BROKER_FOLDER)
    loaded = imported_by_a_desk(folder)
    assert "sqlalchemy" in loaded
    assert not loaded & {"alembic", "cv2", "numpy", "ezdxf", "cryptography", "psycopg"}
