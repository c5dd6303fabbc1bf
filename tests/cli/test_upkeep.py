"""A companion that runs for weeks: its copies, its memory, and its figures for Prometheus."""

import io
import os
import re
import subprocess
import sys
import urllib.error
from collections.abc import Callable
from datetime import date
from pathlib import Path
from urllib.request import urlopen

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.support.service import Companion
from tests.support.waiting import until
from tock_app.cli.commands.game import run
from tock_app.config.load import load_config
from tock_app.service.metrics import metrics_text
from tock_app.service.upkeep import RECORDINGS, Upkeep
from tock_companion.background import running, troubles
from tock_companion.boardfile import generate
from tock_companion.core.game_setup import GameSetup, game_started
from tock_companion.errors import BadInputError, TockError
from tock_companion.events.facts import Event, GameEnded
from tock_companion.storage import FolderLock, Store
from tock_companion.table.runtime.figures import Figures

Ask = Callable[..., str]
STARTED = game_started(GameSetup(), generate(4, 440.0))


def game(folder: Path, number: int, *, ended: bool = False) -> None:
    store = Store(folder)
    store.append(number, [Event(1, 0, STARTED)])
    if ended:
        store.append(number, [Event(2, 5, GameEnded(None, "new game"))])
    store.close()


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ask:
    monkeypatch.setenv("TOCK_DATA", str(tmp_path))

    def asked(*arguments: str, typed: str = "") -> str:
        out = io.StringIO()
        assert run(arguments, io.StringIO(typed), out) == 0
        return out.getvalue()

    return asked


def test_a_copy_is_made_once_a_day_and_the_newest_are_kept(tmp_path: Path) -> None:
    game(tmp_path, 1)
    (tmp_path / "tock.toml").write_text("[backup]\nkeep = 2\n")
    upkeep = Upkeep(load_config(None, {"TOCK_DATA": str(tmp_path)}))
    for day in (1, 1, 2, 3):
        upkeep.do_what_is_due(date(2026, 12, day))
    names = sorted(path.name for path in (tmp_path / "backups").iterdir())
    assert names == ["games-2026-12-02.sqlite", "games-2026-12-03.sqlite"]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_is_asked_before_a_copy_replaces_the_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOCK_DATA", str(tmp_path / "owner"))
    game(tmp_path / "maker", 1)
    (copy,) = (tmp_path / "maker").glob("games.sqlite")
    for answer, code in (("n\n", 1), ("o\n", 0)):
        out = io.StringIO()
        assert run(("restore", str(copy)), Terminal(answer), out) == code
        assert "holds 1 game, copied 20" in out.getvalue()
        assert "made elsewhere: only its games come back" in out.getvalue()
        assert (tmp_path / "owner" / "games.sqlite").exists() == (code == 0)


def test_a_folder_that_cannot_be_written_is_reported_and_does_not_stop_the_evening(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    game(tmp_path, 1)
    (tmp_path / "backups").write_text("a file is in the way")
    upkeep = Upkeep(load_config(None, {"TOCK_DATA": str(tmp_path)}))
    upkeep.start()
    until(lambda: "upkeep" in [trouble.thread for trouble in troubles()])
    assert "upkeep" in [background.name for background in running()]
    upkeep.stop()
    (warning,) = [record for record in caplog.records if "could not be copied" in record.getMessage()]
    assert not warning.exc_info


def test_a_copy_that_fails_leaves_the_room_for_recordings_to_be_made(tmp_path: Path) -> None:
    game(tmp_path, 1)
    (tmp_path / "backups").write_text("a file is in the way")
    (tmp_path / "tock.toml").write_text("[retention]\nrecordings_mb = 1\n")
    (tmp_path / RECORDINGS).mkdir()
    (tmp_path / RECORDINGS / "large").write_bytes(bytes(2_000_000))
    with pytest.raises(TockError, match="could not be copied"):
        Upkeep(load_config(None, {"TOCK_DATA": str(tmp_path)})).do_what_is_due(date(2026, 12, 1))
    assert not (tmp_path / RECORDINGS / "large").exists()


def test_old_recordings_make_room_for_new_ones(tmp_path: Path) -> None:
    (tmp_path / "tock.toml").write_text("[retention]\nrecordings_mb = 1\n")
    folder = tmp_path / RECORDINGS
    folder.mkdir()
    for age, name in enumerate(("new", "middle", "old")):
        (folder / name).write_bytes(bytes(400_000))
        os.utime(folder / name, (1000 - age, 1000 - age))
    Upkeep(load_config(None, {"TOCK_DATA": str(tmp_path)})).do_what_is_due(date(2026, 12, 1))
    assert sorted(path.name for path in folder.iterdir()) == ["middle", "new"]


def test_a_copy_put_back_has_the_games_and_the_others_are_kept_aside(tmp_path: Path, ask: Ask) -> None:
    game(tmp_path, 1, ended=True)
    copy = tmp_path / "copy.sqlite"
    ask("backup", str(copy))
    game(tmp_path, 2)
    assert len(ask("list").splitlines()) == 2
    assert "games.replaced-1.sqlite" in ask("restore", str(copy))
    assert ask("list").splitlines()[0].endswith("ended")
    assert len(ask("list").splitlines()) == 1
    assert (tmp_path / "games.replaced-1.sqlite").exists()


def test_a_bad_copy_changes_nothing(tmp_path: Path, ask: Ask) -> None:
    game(tmp_path, 1)
    (tmp_path / "photo.jpg").write_bytes(b"\xff\xd8 not a database" * 300)
    with pytest.raises(BadInputError, match=r"no sound copy of the games .* nothing was changed"):
        ask("restore", str(tmp_path / "photo.jpg"))
    assert len(ask("list").splitlines()) == 1


@pytest.mark.timeout(10)
def test_a_pipe_is_neither_a_copy_nor_a_log(tmp_path: Path, ask: Ask) -> None:
    game(tmp_path, 1)
    os.mkfifo(tmp_path / "pipe")
    for command in ("restore", "import"):
        with pytest.raises(BadInputError, match="pipe: is a pipe, not a file"):
            ask(command, str(tmp_path / "pipe"))
    assert len(ask("list").splitlines()) == 1


def test_an_exported_log_can_be_imported(tmp_path: Path, ask: Ask) -> None:
    game(tmp_path, 1, ended=True)
    log = ask("export", "--events")
    assert ask("import", "-", typed=log) == "game 2: 2 events\n"
    assert ask("export", "--game", "2", "--events") == log


def test_half_a_log_is_refused(tmp_path: Path, ask: Ask) -> None:
    game(tmp_path, 1, ended=True)
    second = ask("export", "--events").splitlines()[1]
    with pytest.raises(BadInputError, match="not a whole log"):
        ask("import", "-", typed=second)
    with pytest.raises(BadInputError, match="line 1"):
        ask("import", "-", typed="{}")


def test_nothing_is_put_back_under_a_running_companion(tmp_path: Path, ask: Ask) -> None:
    game(tmp_path, 1)
    copy = tmp_path / "copy.sqlite"
    ask("backup", str(copy))
    with FolderLock(tmp_path), pytest.raises(TockError, match=r"a companion is running .*; stop it first"):
        ask("restore", str(copy))


RESIDENT = """
from pathlib import Path
from tock_app.service.upkeep import release_freed_memory, limit_heaps

def resident_mb():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6
"""

SCRIPT = """
assert limit_heaps()
release_freed_memory()  # needed by the imports
before = resident_mb()
held = [bytes(100_000) for _ in range(600)]
full = resident_mb()
kept = held[::50]
del held
release_freed_memory()
print(full - before, resident_mb() - before)
"""


def printed_mb(script: str) -> tuple[float, float]:
    """The growth of a new process that runs a script, and the part of it that stayed."""
    command = [sys.executable, "-c", RESIDENT + script]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    grown_mb, left_mb = map(float, ran.stdout.split())
    return grown_mb, left_mb


def test_small_things_between_freed_ones_do_not_keep_the_memory() -> None:
    # A process of its own: this one has freed memory of other tests to use.
    grown_mb, left_mb = printed_mb(SCRIPT)
    assert grown_mb > 40
    assert left_mb < 20


THREADS_SCRIPT = """
from threading import Barrier, Thread

def work():
    [bytes(size) for size in range(500, 990, 16) for _ in range(7)]
    done.wait()
    over.wait()

limit_heaps()
done, over = Barrier(81), Barrier(81)
before = resident_mb()
for _ in range(80):
    Thread(target=work, daemon=True).start()
done.wait()
release_freed_memory()
print(resident_mb() - before)
over.wait()
"""


def test_threads_keep_no_memory_that_they_freed_where_the_unit_says_so() -> None:
    unit = Path(__file__).parents[2] / "packaging/tock-companion.service"
    (tunables,) = re.findall(r"^Environment=GLIBC_TUNABLES=(.*)$", unit.read_text(), re.MULTILINE)

    def grown_mb(**settings: str) -> float:
        command = [sys.executable, "-c", RESIDENT + THREADS_SCRIPT]
        environment = {**os.environ, **settings}
        return float(subprocess.run(command, capture_output=True, check=True, env=environment).stdout)

    assert grown_mb(GLIBC_TUNABLES=tunables) < grown_mb(GLIBC_TUNABLES="") / 2


CYCLES_SCRIPT = """
import gc

class Failure:
    def __init__(self):
        self.photo, self.itself = b"x" * 1_000_000, self

before = resident_mb()
gc.disable()
for _ in range(50):
    Failure()
full = resident_mb()
release_freed_memory()
print(full - before, resident_mb() - before)
"""


def test_photos_that_only_refer_to_themselves_do_not_stay() -> None:
    grown_mb, left_mb = printed_mb(CYCLES_SCRIPT)
    assert grown_mb > 40
    assert left_mb < 10


def samples(text: bytes) -> dict[str, float]:
    found = {}
    for family in text_string_to_metric_families(text.decode()):
        for sample in family.samples:
            labels = ",".join(sample.labels.values())
            found[f"{sample.name}{{{labels}}}" if labels else sample.name] = sample.value
    return found


def test_delays_are_counted_in_classes_that_add_up() -> None:
    figures = Figures()
    for delay_ms in (40, 300, 9000):
        figures.happened("move_accepted", delay_ms)
    figures.happened("violation", 10)
    figures.observed("camera", 25)
    found = samples(metrics_text(figures, lambda: 3)())
    assert found["tock_decision_delay_seconds_bucket{0.05}"] == 1
    assert found["tock_decision_delay_seconds_bucket{0.35}"] == 2
    assert found["tock_decision_delay_seconds_bucket{+Inf}"] == 3
    assert found["tock_decision_delay_seconds_sum"] == pytest.approx(9.34)
    assert found["tock_events_total{violation}"] == 1
    assert found["tock_reading_seconds_total{camera}"] == pytest.approx(0.025)
    assert found["tock_streams"] == 3
    assert found["process_resident_memory_bytes"] > 1e6


@pytest.mark.whole
def test_the_running_companion_serves_them_only_when_asked_to(tmp_path: Path) -> None:
    with Companion(tmp_path / "quiet") as companion, pytest.raises(urllib.error.HTTPError, match="404"):
        urlopen(f"{companion.url}/metrics", timeout=10)
    (tmp_path / "open").mkdir()
    (tmp_path / "open" / "tock.toml").write_text("[metrics]\nenabled = true\n")
    with Companion(tmp_path / "open") as companion, urlopen(f"{companion.url}/metrics", timeout=10) as answer:
        assert samples(answer.read())["tock_streams"] == 0
