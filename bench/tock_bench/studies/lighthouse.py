"""Lighthouse on the start page, on a player's and on the host's, medians of all runs.

Needs Node and a Chromium; `npx` fetches Lighthouse. Other
load lowers the figure of performance, so it is printed.
"""

import json
import os
import statistics
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from tock_bench.clients import find_browser
from tock_bench.figures.web import Player, serving
from tock_bench.results import Figures, Say

LIGHTHOUSE = "lighthouse@12.8.2"
CATEGORIES = ("performance", "accessibility", "best-practices", "seo")
TIMES = (
    "first-contentful-paint",
    "largest-contentful-paint",
    "total-blocking-time",
    "speed-index",
    "cumulative-layout-shift",
)
PATIENCE_S = 180


def run(say: Say, runs: int = 5) -> Figures:
    """Load each page that often; the figures are medians."""
    medians = {}
    with serving() as (port, _), tempfile.TemporaryDirectory() as folder:
        player = Player(port)
        player.sit()
        player.become_host()
        cookie = "; ".join(f"{cookie.name}={cookie.value}" for cookie in player.cookies)
        for path, headers in (("/", {}), ("/seat", {"Cookie": cookie}), ("/host", {"Cookie": cookie})):
            found = []
            for _ in range(runs):
                found.append(report(f"http://127.0.0.1:{port}{path}", headers, Path(folder) / "out.json"))
                say(f"{path}: {found[-1]}")
            medians[path] = {
                "n": runs,
                **{name: statistics.median(f[name] for f in found) for name in found[0]},
            }
    return medians


def report(url: str, headers: dict[str, str], out: Path) -> dict[str, float]:
    """Scores out of 100 and times of one run."""
    command = ["npx", "--yes", LIGHTHOUSE, url, "--quiet", "--output=json", f"--output-path={out}"]
    command += [f"--extra-headers={json.dumps(headers)}", "--chrome-flags=--headless=new --no-sandbox"]
    environment = {**os.environ, "CHROME_PATH": str(find_browser())}
    subprocess.run(command, check=True, timeout=PATIENCE_S, env=environment, stdout=subprocess.DEVNULL)
    measured: dict[str, Any] = json.loads(out.read_text())
    assert measured["finalDisplayedUrl"] == url, f"the page went on to {measured['finalDisplayedUrl']}"
    scores = {name: round(100 * measured["categories"][name]["score"]) for name in CATEGORIES}
    times = {name: round(measured["audits"][name]["numericValue"], 3) for name in TIMES}
    return {**scores, **times, "load": round(os.getloadavg()[0], 1)}
