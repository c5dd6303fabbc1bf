"""Tries the arm64 package on emulated Debian 12 and 13, as root; continues an interrupted run.

Answers are compared with those of this machine. Times are those of an emulator: only their order of magnitude counts.
"""

import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from threading import Lock, Thread
from typing import Annotated, Any

from tests.support.emulated import LIBRARIES, REPOSITORY, SOURCE, Done, Root
from tests.support.mosquitto import free_port
from tests.support.page_client import PageClient
from tests.support.pictures import FOLDER as PICTURES
from tests.support.pictures import pictures_of
from tests.support.service import drag
from tests.support.waiting import until
from tock_bench.results import Measured, Say, present_commit, table
from tock_bench.studies.arm64_answers import TOLERANCE, Question, compare, questions
from tock_companion import __version__
from tools.release.versions import debian_version

ROOTS = Path("/var/tmp/arm64roots")
SUITES = ("bookworm", "trixie")
KEPT = REPOSITORY / "build" / "arm64"
TOCK = "/opt/tock-companion/current/bin/tock"
PYTHON = "/opt/tock-companion/current/bin/python"
ASKING = (
    "import json, sys; from tock_app.cli.main import main; [main(json.loads(line)) for line in sys.argv[1:]]"
)
FROM_PICTURES = ("card", "board")
UNITS = "etc/systemd/system/multi-user.target.wants"
UNITS_OF_RULES = ("tests/rules", "tests/referee", "tests/events", "tests/boardfile", "tests/storage")
EXTRAS = ("club", "dev", "hardware", "postgresql")
MEMORY = "the emulator reports wrong figures of memory"
NOT_THERE = ("ruff", "mypy", "mkdocs", "chess")
"""Libraries that only gates and benches need; the last has no wheel."""
NOT_TRIED = {
    "--ignore=tests/firmware": "there is no compiler, and it runs on other processors",
    "--deselect=tests/test_docs.py::test_every_target_of_make_exists": "there is no make",
    "--deselect=tests/hostile/test_card_out.py": "there is no mkfs",
    "--deselect=tests/packaging/test_deb.py::test_no_package_is_made_for_other_machines": "there is no network",
    "--deselect=tests/cli/test_upkeep.py::test_threads_keep_no_memory_that_they_freed_where_the_unit_says_so": MEMORY,
    "--deselect=tests/cli/test_upkeep.py::test_delays_are_counted_in_classes_that_add_up": MEMORY,
    "--deselect=tests/hostile/test_connections.py::test_a_client_that_does_not_read_is_cut": "emulated",
}
"""Fast tests that are left out, with the reason."""
TEST_PATIENCE = 20
"""Patience with the emulator, as a multiple of the usual time."""
START_PATIENCE_S = 900
ONE_AT_A_TIME = Lock()
"""Both releases are compared with one run on this machine."""


Check = Callable[[Root], tuple[bool, str]]
"""Tries something on a release: whether it works, and a note."""
CheckResult = Mapping[str, Any]
"""A check's `works`, `seconds`, `note` and `commit`."""


def package() -> Path:
    """The package of this version."""
    found = REPOSITORY / f"dist/tock-companion_{debian_version(__version__)}_arm64.deb"
    if not found.exists():
        raise SystemExit(f"tock: {found} is missing; type: make deb ARCH=arm64")
    return found


def install_package(root: Root) -> tuple[bool, str]:
    """Without a network, where nothing can compile."""
    shutil.copy(package(), root.folder / "tmp" / "tock.deb")
    root.run("dpkg", "--purge", "tock-companion")
    done = root.run("dpkg", "--install", "/tmp/tock.deb")
    return _installed(root, done.code), done.output


def install_from_sources(root: Root) -> tuple[bool, str]:
    """`./install.sh` as a person types it, with the network."""
    root.run("dpkg", "--purge", "tock-companion")
    root.copy_sources()
    done = root.run("sh", f"{SOURCE}/install.sh", network=True)
    return _installed(root, done.code), done.output


def _installed(root: Root, code: int) -> bool:
    compilers = [
        name for name in ("cc", "gcc", "clang", "rustc") if (root.folder / "usr/bin" / name).exists()
    ]
    enabled = (root.folder / UNITS / "tock-companion.service").is_symlink()
    return code == 0 and enabled and not compilers and root.run(TOCK, "--version").code == 0


def serve(root: Root) -> tuple[bool, str]:
    """As started by the unit: the page comes, a game is refereed, and it stops on request."""
    port = free_port()
    began_s = time.monotonic()
    as_user = ("setpriv", "--reuid=tock", "--regid=tock", "--init-groups", "env", "-C", "/")
    settings = ("TOCK_DATA=/var/lib/tock-companion", f"TOCK_PORT={port}")
    (root.folder / "var/lib/tock-companion/games.sqlite").unlink(missing_ok=True)
    with root.start(*as_user, *settings, TOCK, "run", network=True) as process:
        try:
            anna = PageClient(f"http://127.0.0.1:{port}")
            until(lambda: anna.get("/api/v1/health"), within_s=START_PATIENCE_S, despite=(OSError,))
            up_s = time.monotonic() - began_s
            anna.post("/api/v1/join", name="Anna", seat="P0", lang="fr")
            anna.ask("play_card", card="KH")
            drag(anna, "P0", "T0")
            until(lambda: anna.view("table")["to_move"] == "P1", within_s=START_PATIENCE_S)
            refereed = anna.view("table")["holes"]["T0"] == "P0"
            began_s = time.monotonic()
            process.terminate()
            process.communicate(timeout=START_PATIENCE_S)
        finally:
            process.kill()
    stop_s = time.monotonic() - began_s
    works = refereed and process.returncode == 0
    return works, f"page after {up_s:.0f} s, a move refereed, ended in {stop_s:.0f} s"


def tests_of(name: str, *folders: str) -> Check:
    """A step that runs the fast tests of these folders on the sources of the last commit."""

    def run_check(root: Root) -> tuple[bool, str]:
        _bring_tests(root)
        options = ("-p", "no:xdist", "-p", "no:cacheprovider", "-m", "not slow and not browser and not whole")
        arguments = shlex.join((*options, *NOT_TRIED, *folders))
        done = _in_sources(
            root, f"TOCK_TEST_PATIENCE={TEST_PATIENCE} python3 -m pytest --timeout 3600 {arguments}"
        )
        (KEPT / f"{name}-{root.suite}.txt").write_text(done.out + done.err)
        return done.code == 0, done.output

    return run_check


def hardware_files(root: Root) -> tuple[bool, str]:
    """All drawings and parts, made again and compared with those kept in the repository."""
    _bring_tests(root)
    done = _in_sources(root, "python3 -m tock_app.cli.main hardware build --check")
    return done.code == 0, done.output


def _bring_tests(root: Root) -> None:
    root.copy_sources()
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *(one for name in EXTRAS for one in extras[name])]
    listed = "\n".join(wanted)
    there = root.folder / LIBRARIES.lstrip("/") / "wanted.txt"
    if not there.exists() or there.read_text() != listed:
        with tempfile.TemporaryDirectory() as folder:
            # Its entry points name the sources, which are those of the last commit.
            build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder]
            subprocess.run([*build, str(REPOSITORY)], check=True)
            others = [one for one in wanted if not one.startswith(("tock-companion", *NOT_THERE))]
            root.add_libraries([*others, *map(str, Path(folder).iterdir())])
        there.write_text(listed)


def _in_sources(root: Root, command: str) -> Done:
    paths = ":".join(
        f"{SOURCE}/{name}"
        for name in ("app", "companion", "rules", "vision", "web", "hardware", "bench", ".")
    )
    return root.run("sh", "-c", f"cd {SOURCE} && PYTHONPATH={paths}:{LIBRARIES} {command}")


@cache
def answered_here(asked: tuple[Question, ...]) -> str:
    """This machine's answers, as printed."""
    with _given(asked).open(encoding="utf-8") as given:
        command = [sys.executable, *_asking(asked)]
        return subprocess.run(command, stdin=given, capture_output=True, text=True, check=False).stdout


def _asking(asked: tuple[Question, ...]) -> list[str]:
    """All in one Python: its start costs an emulator more than most answers."""
    return ["-c", ASKING, *(json.dumps(question.arguments) for question in asked)]


def _given(asked: tuple[Question, ...]) -> Path:
    return next((question.given for question in asked if question.given), Path(os.devnull))


def same_answers(asked: tuple[Question, ...], tolerance: float) -> Check:
    """A step that asks the root and this machine the same."""

    def run_check(root: Root) -> tuple[bool, str]:
        there = root.run(PYTHON, *_asking(asked), stdin=_given(asked))
        with ONE_AT_A_TIME:
            here = answered_here(asked)
        (KEPT / f"{root.suite}-{asked[0].arguments[0]}.jsonl").write_text(there.out, encoding="utf-8")
        likeness = compare(here, there.out, tolerance)
        return likeness.same == likeness.answers > 0, str(likeness)

    return run_check


def all_checks() -> dict[str, Check]:
    """All steps, in the order in which they are tried."""
    return {
        "the package, without network": install_package,
        "service": serve,
        **{
            what: same_answers(tuple(asked), TOLERANCE if what.startswith(FROM_PICTURES) else 0)
            for what, asked in questions(KEPT).items()
        },
        "hardware files": hardware_files,
        # The tests of `make unit` first: those of `make check` take an hour.
        "unit tests": tests_of("unit", *UNITS_OF_RULES),
        "fast tests": tests_of("fast", "tests"),
        "`./install.sh`": install_from_sources,
    }


def try_root(root: Root, names: list[str]) -> None:
    """Run the checks that have not succeeded yet, and keep their results."""
    root.make()
    kept = results(root.suite)
    for name, run_check in all_checks().items():
        if name not in names or kept.get(name, {}).get("works"):
            continue
        began_s = time.monotonic()
        try:
            works, note = run_check(root)
        except (AssertionError, OSError, KeyError, subprocess.SubprocessError) as error:
            works, note = False, str(error)[:200]
        seconds = time.monotonic() - began_s
        kept[name] = {"works": works, "seconds": seconds, "note": note, "commit": present_commit()}
        sys.stderr.write(f"tock: {root.suite}: {name}: {'yes' if works else 'NO'}: {note}\n")
        (KEPT / f"{root.suite}.json").write_text(json.dumps(kept, indent=1) + "\n")


def results(suite: str) -> dict[str, CheckResult]:
    """The known results of a release."""
    path = KEPT / f"{suite}.json"
    found: dict[str, CheckResult] = json.loads(path.read_text()) if path.exists() else {}
    return found


def _cell(result: CheckResult | None) -> str:
    if result is None:
        return "not tried"
    works, minutes = "yes" if result["works"] else "**no**", result["seconds"] / 60
    return f"{works}, {minutes:.0f} min: {result['note']} (`{result['commit']}`)"


def run(
    _say: Say,
    roots: Annotated[Path, "where the roots are kept"] = ROOTS,
    suites: Annotated[tuple[str, ...], "releases of Debian"] = SUITES,
    steps: Annotated[tuple[str, ...], "only these"] = (),
) -> Measured:
    """Try both releases at the same time."""
    KEPT.mkdir(parents=True, exist_ok=True)
    shown = (REPOSITORY / "tests" / "data", pictures_of(PICTURES))
    tried = [
        Thread(target=try_root, args=(Root(suite, roots / suite, shown), list(steps or all_checks())))
        for suite in suites
    ]
    for thread in tried:
        thread.start()
    for thread in tried:
        thread.join()
    found = {suite: results(suite) for suite in SUITES}
    rows = [(name, *(_cell(found[suite].get(name)) for suite in SUITES)) for name in all_checks()]
    return Measured(found, table(("step", "Bookworm (3.11)", "Trixie (3.13)"), rows))
