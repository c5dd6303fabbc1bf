"""`make demo`: writes build/demo, a folder of static files that runs the companion in a browser."""

import gzip
import json
import shutil
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path

from tock_companion.language import LANGUAGES
from tock_web.assets import all_assets, catalog

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
OUT = ROOT / "build" / "demo"
SITE = ROOT / "build" / "demo-site"
OURS = (
    ROOT / "rules" / "tock_rules",
    ROOT / "companion" / "tock_companion",
    ROOT / "web" / "tock_web",
    HERE / "tock_demo",
)
CARD = ("memory_card", "drawing")
"""The parts of `tock_hardware` that the form for a card needs."""
LIBRARIES = (
    "Flask", "Werkzeug", "Jinja2", "MarkupSafe", "click", "itsdangerous", "blinker", "pydantic", "annotated-types",
    "typing-extensions", "typing-inspection", "segno", "h11", "uvicorn",
)  # fmt: skip
"""Taken from this environment, so that the demo runs the versions that the tests ran."""
NATIVE = "pydantic-core"
WASM = (
    "--platform",
    "pyemscripten_2026_0_wasm32",
    "--python-version",
    "314",
    "--implementation",
    "cp",
    "--abi",
    "cp314",
)
PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
PACKED = "pyodide.asm.wasm"
"""A plain file server compresses nothing: the page unpacks this itself."""
LEFT_OUT = ("__pycache__", "documents", "keyrings")
"""The guide has pages of its own, and nothing is updated here."""
EPOCH = (1980, 1, 1, 0, 0, 0)


def build() -> None:
    """Write the folder; raises CalledProcessError where npm, node or pip fail."""
    for folder in (OUT, SITE):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    say("takes the Python of the companion and of its libraries")
    for package in OURS:
        shutil.copytree(package, SITE / package.name, ignore=shutil.ignore_patterns(*LEFT_OUT))
    hardware = ROOT / "hardware" / "tock_hardware"
    for part in CARD:
        shutil.copytree(
            hardware / part, SITE / hardware.name / part, ignore=shutil.ignore_patterns(*LEFT_OUT)
        )
    shutil.copyfile(hardware / "__init__.py", SITE / hardware.name / "__init__.py")
    for name in LIBRARIES:
        take_library(name)
    take_native()
    say("compiles it for the browser")
    subprocess.run(["npm", "ci", "--silent", "--ignore-scripts"], cwd=HERE, check=True)
    subprocess.run(["node", "compile.mjs", str(SITE)], cwd=HERE, check=True)
    pack_site(OUT / "app.zip")
    say("writes the page")
    write_pyodide()
    for path, asset in all_assets().items():
        target = OUT / "static" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(asset.plain)
    for file in sorted((HERE / "page").iterdir()):
        shutil.copyfile(file, OUT / file.name)
    write_words()
    write_list()
    size = sum(file.stat().st_size for file in OUT.rglob("*") if file.is_file())
    say(f"{OUT} is ready, {size / 1e6:.1f} MB: serve it with `python -m http.server -d {OUT}`")


def say(what: str) -> None:
    """Show the progress."""
    sys.stderr.write(f"demo: {what}\n")


def take_library(name: str) -> None:
    """Copy the Python of an installed library, without parts compiled for this machine."""
    for file in distribution(name).files or ():
        if file.suffix == ".py" and not {"..", "tests", "v1"}.intersection(file.parts):
            target = SITE / file
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(str(file.locate()), target)
    metadata = SITE / f"{name.lower().replace('-', '_')}-{distribution(name).version}.dist-info" / "METADATA"
    metadata.parent.mkdir(exist_ok=True)
    metadata.write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {distribution(name).version}\n")


def take_native() -> None:
    """Unpack the wheel of the one library that is compiled, of the version installed here."""
    wheels = SITE.parent / "demo-wheels"
    wheels.mkdir(exist_ok=True)
    wanted = f"{NATIVE}=={distribution(NATIVE).version}"
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
    subprocess.run([*pip, *WASM, "--dest", str(wheels), wanted], check=True)
    (wheel,) = wheels.glob(f"pydantic_core-{distribution(NATIVE).version}-*wasm32.whl")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(SITE)


def pack_site(target: Path) -> None:
    """Pack the compiled files, in a fixed order and with a fixed date: equal sources make equal bytes."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for file in site_files():
            info = zipfile.ZipInfo(file.relative_to(SITE).as_posix(), EPOCH)
            info.compress_type = zipfile.ZIP_DEFLATED
            packed.writestr(info, file.read_bytes())


def site_files() -> Iterator[Path]:
    """Everything but sources that have a compiled form, and scripts that the page fetches as files."""
    for file in sorted(SITE.rglob("*")):
        if file.is_file() and not (file.suffix == ".py" and file.with_suffix(".pyc").exists()):
            yield file


def write_pyodide() -> None:
    """Copy the interpreter, its large part compressed."""
    target = OUT / "pyodide"
    target.mkdir()
    for name in PYODIDE:
        data = (HERE / "node_modules" / "pyodide" / name).read_bytes()
        if name == PACKED:
            (target / f"{name}.gz").write_bytes(gzip.compress(data, 9, mtime=0))
        else:
            (target / name).write_bytes(data)


def write_words() -> None:
    """Put the words of the demo's pages into them, in every language."""
    words = {
        lang: {key: text for key, text in catalog(lang).items() if key.startswith("demo.")}
        for lang in LANGUAGES
    }
    for page in (OUT / "index.html", OUT / "card.html"):
        text = page.read_text(encoding="utf-8")
        page.write_text(
            text.replace("      {}\n", f"      {json.dumps(words, ensure_ascii=False)}\n"), encoding="utf-8"
        )


def write_list() -> None:
    """Tell the worker for offline use which files there are; a new list replaces the old files."""
    script = OUT / "offline.js"
    names = sorted(
        file.relative_to(OUT).as_posix() for file in OUT.rglob("*") if file.is_file() and file != script
    )
    names = [
        name for name in names if not name.startswith("static/js/") or name.startswith("static/js/bundle/")
    ]
    version = f"{sum(zlib.crc32((OUT / name).read_bytes()) for name in names) & 0xFFFFFFFF:08x}"
    text = script.read_text(encoding="utf-8")
    text = text.replace('"VERSION"', json.dumps(version)).replace('["FILES"]', json.dumps(["./", *names]))
    script.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    build()
