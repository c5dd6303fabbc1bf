"""The documents are honest: commands work, targets, files and links exist, versions agree, the site can be built."""

import io
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from functools import cache
from pathlib import Path
from pkgutil import resolve_name

import pytest

import tock_companion
from tests.support.forked import ForkedTock
from tock_app.cli.commands import COMMANDS
from tock_app.cli.main import main
from tock_companion.boardfile import generate
from tock_companion.core.game_setup import GameSetup, game_started
from tock_companion.events.facts import Event
from tock_companion.storage import Store

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
"""The pages that people read to use the companion; every command in these is tried."""
DOCUMENTS = sorted(
    [
        *PAGES,
        *(ROOT / "hardware").rglob("*.md"),
        ROOT / "CONTRIBUTING.md",
        ROOT / "CHANGELOG.md",
        ROOT / ".github/PULL_REQUEST_TEMPLATE.md",
    ]
)
MEASUREMENTS = sorted(set((ROOT / "docs/measurements").glob("*.md")) - {ROOT / "docs/measurements/index.md"})
BLOCK = re.compile(r"^( *)```sh\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`([^`\n]+)`")
COMMIT = re.compile(r"`([0-9a-f]{7,40})`")
LINK = re.compile(r"(?:\]\(|(?:src|href)=\")([^)\"\s#]+)")
FILE = re.compile(r"^[\w./-]+\.(?:py|toml|md|c|h|mjs|js|json|sh|jsonl|txt|stl|svg|png|uf2)$|^[\w./-]+/$")
MODULE = re.compile(r"^[a-z_]+(?:\.[A-Za-z_]+)+$")
WALKED = [ROOT / "docs/architecture.md", ROOT / "docs/code-flow.md", ROOT / "docs/threads.md"]
"""Documents in which every dotted name is a module, class or function."""
RECORDED = (
    "recording.json",
    "board.json",
    "events.jsonl",
    "frames.jsonl",
    "cards.jsonl",
    "reed.jsonl",
    "requests.jsonl",
)
READERS = (
    "position.txt",
    "tock.toml",
    "our-board.json",
    "backups/",
    "recordings/",
    "http/",
    "board.tock",
    "host-pin.json",
    "forgotten.json",
    "far-board.json",
    "far.json",
    *RECORDED,
)
"""Files that the reader makes or meets, which are not in the repository."""
JSON_BLOCK = re.compile(r"^```json\n(.*?)^```", re.MULTILINE | re.DOTALL)
FORMER_NAMES = (
    r"\b(?:(?<!club's )(?<!club’s )desks?|"
    r"audience|witness(?:es)?|unfelt|leftovers|slips|worlds|lookers?|check sums?|the own)\b"
)
"""Private words that the project once had for things with a usual name, and word order of other languages."""
SERVES = ("run", "club")
"""Commands that run until a signal stops them; their own tests start them."""
SYSTEM = ("journalctl", "git")
"""Commands of the system that only make sense on an installed machine."""


NESTED = ("board", "cards", "config", "firmware", "game", "hardware", "reed", "rules", "update")
"""Commands of `tock` that have commands of their own."""


def name_of(document: Path) -> str:
    """The path of a document within the repository."""
    return str(document.relative_to(ROOT))


def commands() -> Iterator[tuple[Path, str]]:
    """Yield document and command for every line of every block of shell."""
    for document in PAGES:
        for _, block in BLOCK.findall(document.read_text(encoding="utf-8")):
            for line in block.splitlines():
                command = line.split("#")[0].strip()
                if command:
                    yield document, command


def code_in(document: Path) -> Iterator[str]:
    """Yield the code in backticks outside blocks, and every line of every block of shell."""
    text = document.read_text(encoding="utf-8")
    yield from (line.split("#")[0].strip() for _, block in BLOCK.findall(text) for line in block.splitlines())
    yield from CODE.findall(re.sub(r"```.*?```", "", text, flags=re.DOTALL))


def targets() -> set[str]:
    """The targets of the Makefile and of the files that it includes."""
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "Makefile", *(ROOT / "make").glob("*.mk"))]
    return set(re.findall(r"^([a-z][a-z0-9-]*):", "\n".join(texts), re.MULTILINE))


def help_of(target: str) -> list[str]:
    """The lines that a target prints."""
    ran = subprocess.run(["make", target], cwd=ROOT, capture_output=True, text=True, check=True)
    return ran.stdout.splitlines()


def test_the_everyday_targets_fit_one_screen() -> None:
    lines = help_of("help")
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 100


def test_every_target_with_a_meaning_is_listed() -> None:
    lines = help_of("help-all")
    assert max(map(len, lines)) <= 100
    listed = {line.split()[0] for line in lines if line}
    sources = "\n".join(
        path.read_text("utf-8") for path in (ROOT / "Makefile", *(ROOT / "make").glob("*.mk"))
    )
    assert set(re.findall(r"^([a-z][a-z0-9-]*):.*## ", sources, re.MULTILINE)) <= listed


def tracked() -> list[str]:
    """All files of the repository."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    return listed.stdout.splitlines()


def test_every_command_is_of_a_kind_that_is_tried() -> None:
    kinds = {shlex.split(command)[0] for _, command in commands()}
    assert kinds <= {"make", "tock", "./install.sh", "sudo", *SYSTEM}
    assert {"make", "tock"} <= kinds


def test_a_command_for_the_superuser_is_one_of_the_installed_script() -> None:
    script = (ROOT / "packaging/setup.sh").read_text(encoding="utf-8")
    verbs = set(re.findall(r"[a-z]+", " ".join(re.findall(r"^([a-z| ]+)\)", script, re.MULTILINE))))
    asked = [shlex.split(command) for _, command in commands() if command.startswith("sudo ")]
    assert {(*words[:3], words[3] in verbs) for words in asked} == {
        ("sudo", "sh", "/opt/tock-companion/setup.sh", True)
    }


@pytest.mark.parametrize("target", sorted({c.split()[1] for _, c in commands() if c.startswith("make ")}))
def test_every_target_of_make_exists(target: str) -> None:
    dry = subprocess.run(["make", "-n", target], cwd=ROOT, capture_output=True, text=True, check=False)
    assert dry.returncode == 0, dry.stderr


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_commands_and_targets_that_are_mentioned_exist(document: Path) -> None:
    for code in code_in(document):
        words = code.split()
        if words[:1] == ["tock"] and len(words) > 1 and words[1].isalpha() and words[1].islower():
            assert words[1] in COMMANDS, code
            if words[1] in NESTED and len(words) > 2 and words[2].isalpha():
                assert words[2] in _commands_of(words[1]), code
        if words[:1] == ["make"] and len(words) > 1 and not words[1].startswith("-"):
            assert words[1] in targets(), code


@cache
def _commands_of(command: str) -> frozenset[str]:
    """The commands that a command of `tock` lists in its help."""
    text = io.StringIO()
    with redirect_stdout(text), pytest.raises(SystemExit):
        main([command, "--help"])
    return frozenset(re.findall(r"^    ([a-z]+) ", text.getvalue(), re.MULTILINE))


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_links_lead_to_files_of_the_repository(document: Path) -> None:
    for target in LINK.findall(document.read_text(encoding="utf-8")):
        if not target.startswith(("http", "mailto:", "../../issues", "../../security/")):
            assert (document.parent / target).exists(), target


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_files_and_folders_that_are_named_exist(document: Path) -> None:
    names = {f"/{name}" for name in tracked()}
    folders = {f"{parent}/" for name in names for parent in Path(name).parents}
    missing = [
        code
        for code in (named.partition("::")[0] for named in code_in(document))
        if FILE.match(code) and not _is_elsewhere(code) and not _ends(code, names, folders)
    ]
    assert not missing


def _ends(code: str, names: set[str], folders: set[str]) -> bool:
    """Whether a file or folder of the repository is called so, in whatever folder the text speaks of."""
    place = f"/{code.removeprefix('./')}"
    return any(name.endswith(place) for name in names) or any(
        folder.endswith(f"{place.rstrip('/')}/") for folder in folders
    )


def _is_elsewhere(code: str) -> bool:
    """Whether this is made by the reader or by a build, or is no file at all."""
    return (
        code in READERS
        or code.startswith(("/api/", "build/", "dist/", "../shared/"))
        or "-N" in code
        or ".../" in code
    )


@pytest.mark.parametrize("document", WALKED, ids=name_of)
def test_modules_and_functions_that_are_named_exist(document: Path) -> None:
    names = [
        code
        for code in code_in(document)
        if MODULE.match(code) and not FILE.match(code) and not code.startswith("tock.")
    ]
    assert len(names) > 4
    assert not [name for name in names if not _resolves(name)]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_tests_that_are_named_exist(document: Path) -> None:
    for file, name in re.findall(r"(tests/[\w/]+\.py)::(\w+)", document.read_text(encoding="utf-8")):
        text = (ROOT / file).read_text(encoding="utf-8")
        assert f"def {name}(" in text, f"{file} has no test '{name}'"


def test_every_name_on_the_three_walks_stands_in_the_code() -> None:
    sources = [ROOT / name for name in tracked() if name.startswith(("companion/", "firmware/core/"))]
    words = set(
        re.findall(
            r"\w+", " ".join(path.read_text("utf-8") for path in sources if path.suffix in (".py", ".c"))
        )
    )
    names = [code for code in code_in(ROOT / "docs/code-flow.md") if re.fullmatch(r"[A-Za-z_]+", code)]
    assert len(names) > 5
    assert not [name for name in names if name not in words]


def _resolves(name: str) -> bool:
    for package in ("", "tock_companion.", "tock_vision.", "tock_web."):
        try:
            resolve_name(package + name)
        except (ImportError, AttributeError):
            continue
        return True
    return False


def test_the_changelog_names_the_version_under_way_or_the_release() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    dated = re.findall(r"^## (\d+\.\d+\.\d+) – (\d{4}-\d\d-\d\d)$", changelog, re.MULTILINE)
    assert [date for _, date in dated] == sorted((date for _, date in dated), reverse=True)
    newest = re.search(r"^## (.+)$", changelog, re.MULTILINE)
    assert newest
    version = tock_companion.__version__
    assert newest[1] == ("Unreleased" if "dev" in version else f"{version} – {dated[0][1]}")


def test_the_newest_lines_of_the_changelog_are_one_line_each() -> None:
    newest = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").split("\n## ")[1]
    lines = [line for line in newest.splitlines()[1:] if line and not line.startswith(("### ", "<"))]
    assert [line for line in lines if not line.startswith("- ") or len(line) > 125] == []


def test_the_rule_questions_of_the_documents_get_the_answers_beside_them() -> None:
    asked, answered = JSON_BLOCK.findall((ROOT / "docs/formats.md").read_text(encoding="utf-8"))[:2]
    ran = subprocess.run(
        [sys.executable, "-m", "tock_app.cli.main", "judge"],
        input=asked,
        capture_output=True,
        text=True,
        check=False,
    )
    assert [json.loads(line) for line in ran.stdout.splitlines()] == [
        json.loads(line) for line in answered.splitlines()
    ]


def test_every_decision_has_a_number_of_its_own_and_a_date() -> None:
    text = (ROOT / "docs/decisions.md").read_text(encoding="utf-8").partition("## Own code")[0]
    decisions = re.findall(r"(?:^\*(\d+) · (\d{4}-\d\d-\d\d)\*\n)?^\*\*(.+)$", text, re.MULTILINE)
    assert [title for number, _, title in decisions if not number] == []
    assert sorted(int(number) for number, _, _ in decisions) == list(range(1, len(decisions) + 1))


def test_no_line_of_the_architecture_has_to_be_scrolled() -> None:
    lines = (ROOT / "docs/architecture.md").read_text(encoding="utf-8").splitlines()
    assert max(map(len, lines)) <= 120


def test_every_module_on_the_map_is_where_the_map_says() -> None:
    section = (ROOT / "docs/architecture.md").read_text(encoding="utf-8").partition("## Where to find it")[2]
    places = [place for name in tracked() for place in (Path(name), *Path(name).parents)]
    stems = {place.stem for place in places}
    named = [code for code in CODE.findall(section) if re.fullmatch(r"[a-z_]+", code)]
    assert len(named) > 80
    assert [code for code in named if code not in stems] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_things_have_the_names_that_engineers_give_them(document: Path) -> None:
    text, _, _generated = document.read_text(encoding="utf-8").partition("<!-- Generated by")
    prose = CODE.sub("", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
    assert re.findall(FORMER_NAMES, prose, re.IGNORECASE) == []


@pytest.mark.parametrize("document", MEASUREMENTS, ids=name_of)
def test_figures_come_with_their_date_commit_and_command(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    assert re.search(r"(?i)measured\b.{0,80}?\d{4}-\d\d-\d\d.{0,100}?commit\s`[0-9a-f]{7,}`", text, re.DOTALL)
    assert re.search(r"`(?:make|tock|pytest|python -m) [^`]+`", text)


@pytest.mark.whole
def test_every_command_of_tock_works_in_the_order_of_the_documents(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.append(1, [Event(1, 0, game_started(GameSetup(), generate(4, 440.0)))])
    store.close()
    environment = {**os.environ, "TOCK_DATA": str(tmp_path)}
    tried = 0
    for document, command in commands():
        words = shlex.split(command)
        if words[0] != "tock" or words[1] in SERVES:
            continue
        # The same document in another language tells the same again.
        folder = tmp_path / document.parent.name
        folder.mkdir(exist_ok=True)
        ran = ForkedTock(words[1:], environment, folder=folder)
        _, errors = ran.communicate()
        # `tock doctor` answers no (1) on a machine without a network.
        assert ran.returncode == 0 or (words[1] == "doctor" and ran.returncode == 1), (
            name_of(document),
            errors,
        )
        tried += 1
    assert tried > 5


@pytest.mark.whole
def test_the_site_can_be_built_without_a_dead_link(tmp_path: Path) -> None:
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stderr
    assert (tmp_path / "guide" / "fr" / "trouble" / "index.html").exists()


def git(*arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)


@cache
def has_whole_history() -> bool:
    return git("rev-parse", "--is-shallow-repository").stdout.strip() == "false"


@pytest.mark.parametrize("document", PAGES, ids=lambda path: path.name)
def test_commits_that_figures_were_measured_at_are_in_the_history(document: Path) -> None:
    """A rebase gives commits new names, and a figure is worthless without the code that it measures."""
    named = COMMIT.findall(document.read_text(encoding="utf-8"))
    if named and not has_whole_history():
        pytest.skip("NOT TRIED: this checkout has no whole history (git fetch --unshallow)")
    gone = [commit for commit in named if git("merge-base", "--is-ancestor", commit, "HEAD").returncode]
    assert gone == []
