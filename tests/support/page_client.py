"""Clients that play the phones: a real browser without a window, or as much of one as the page's server sees.

`PageClient` keeps cookies and speaks JSON, one request after the other.
"""

import importlib
import json
import os
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.cookiejar import Cookie, CookieJar
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.support.waiting import until
from tock_companion.errors import BadInputError

HOST = "tock.local"
"""`http://127.0.0.1` is a secure context, unlike anything a phone opens."""
PROGRAMS = (Path("/usr/bin/chromium-headless-shell"), Path("/usr/bin/chromium"))
"""The first is the same engine without the program around it, which takes as much computing as all pages together."""
TIMEOUT_S = 20.0
VIEW_PATIENCE_S = 30.0
ARGUMENTS = ["--no-sandbox", "--disable-dev-shm-usage", f"--host-resolver-rules=MAP {HOST} 127.0.0.1"]


def find_browser() -> Path:
    """The program named by CHROMIUM, else the first one installed; raises BadInputError where there is none."""
    named = os.environ.get("CHROMIUM")
    for program in (Path(named),) if named else PROGRAMS:
        if program.exists():
            return program
    raise BadInputError(f"{named or PROGRAMS[0]} is missing; `sh tools/need.sh browser` installs a browser")


@contextmanager
def chromium(more: Sequence[str] = ()) -> Iterator[Any]:
    """Start the browser, with `more` arguments; raises BadInputError where something of it is not installed."""
    try:
        playwright = importlib.import_module("playwright.sync_api")
    except ImportError:
        raise BadInputError("playwright is missing; `make test` installs it") from None
    with playwright.sync_playwright() as started:
        browser = launched(started.chromium, more)
        yield browser
        browser.close()


def launched(kind: Any, more: Sequence[str] = ()) -> Any:
    """A browser of a kind that playwright knows; a process has one playwright, and any number of browsers."""
    return kind.launch(executable_path=str(find_browser()), args=[*ARGUMENTS, *more])


class PageClient:
    """A phone without a browser: the cookies of one address, and its requests."""

    def __init__(self, url: str, timeout_s: float = TIMEOUT_S) -> None:
        self.url, self._timeout_s = url, timeout_s
        self._jar = CookieJar()
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self._jar))

    def cookies(self) -> dict[str, str]:
        """The cookies that say who it is."""
        return {cookie.name: cookie.value or "" for cookie in self._jar}

    def take(self, cookies: Mapping[str, str]) -> None:
        """Have cookies that another browser was given at this host."""
        for name, value in cookies.items():
            self._jar.set_cookie(
                Cookie(
                    version=0, name=name, value=value, port=None, port_specified=False,
                    domain=urlsplit(self.url).hostname or "", domain_specified=False, domain_initial_dot=False,
                    path="/", path_specified=True, secure=False, expires=None, discard=True, comment=None,
                    comment_url=None, rest={},
                )
            )  # fmt: skip

    def get(self, path: str) -> Any:
        """The JSON found there; raises OSError when nobody answers."""
        with self._opener.open(self.url + path, timeout=self._timeout_s) as answer:
            return json.load(answer)

    def post(self, path: str, **data: object) -> Any:
        """The JSON answer, also of a refusal; raises OSError when nobody answers."""
        return json.loads(self.send(path, json.dumps(data).encode())[1])

    def send(
        self, path: str, body: bytes | None = None, content_type: str = "application/json"
    ) -> tuple[int, bytes]:
        """Status and body of any answer; without a body it is a GET. Raises OSError when nobody answers."""
        headers = {"Content-Type": content_type, "X-Tock": "1"} if body is not None else {}
        request = urllib.request.Request(self.url + path, body, headers)
        try:
            with self._opener.open(request, timeout=self._timeout_s) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()

    def ask(self, kind: str, **data: object) -> Any:
        """Make a request for its seat."""
        return self.post("/api/v1/request", kind=kind, data=data)

    def view(self, role: str = "seat") -> Any:
        """The view of a role."""
        return self.get(f"/api/v1/view?role={role}")

    def wait_for(self, what: str, value: object, role: str = "table") -> Any:
        """The first view in which `what` is `value`."""

        def wanted() -> Any:
            view = self.view(role)
            return view if view[what] == value else None

        return until(wanted, f"{what} {value!r}", VIEW_PATIENCE_S)
