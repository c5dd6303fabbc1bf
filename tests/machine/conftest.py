"""A machine on which packages are tried."""

import os
from pathlib import Path

import pytest

from tests.support.packages import trusted
from tock_companion.machine.updates import Updates

DPKG_QUERY = "#!/bin/sh\nprintf '%s' \"$INSTALLED\"\n"
LOGGED = '#!/bin/sh\necho "$(basename "$0") $*" >>"$LOG"\n'
DPKG = f'{LOGGED}case "$*" in --install*) exit "${{DPKG_FAILS:-0}}" ;; esac\nexec /usr/bin/dpkg "$@"\n'


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Updates:
    """Updates of a machine on which version 1.0.0 is installed, and whose dpkg and systemctl only write down."""
    shims = tmp_path / "shims"
    shims.mkdir()
    for name, text in (("dpkg-query", DPKG_QUERY), ("dpkg", DPKG), ("systemctl", LOGGED)):
        (shims / name).write_text(text)
        (shims / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{shims}:{os.environ['PATH']}")
    monkeypatch.setenv("INSTALLED", "1.0.0")
    monkeypatch.setenv("LOG", str(tmp_path / "log"))
    (tmp_path / "setup.sh").write_text('echo "setup.sh $*" >>"$LOG"\n')
    return Updates(tmp_path / "state", tmp_path, tmp_path / "setup.sh", trusted)
