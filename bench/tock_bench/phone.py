"""A phone as the page's server sees it: cookies, JSON, one request after the other."""

import json
import urllib.error
import urllib.request
from http.cookiejar import CookieJar

Answer = dict[str, object]
TIMEOUT_S = 20.0


class Phone:
    """One browser's worth of cookies at one address."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))

    def get(self, path: str) -> Answer:
        """Return the JSON found there; raises OSError when nobody answers."""
        with self._opener.open(self._url + path, timeout=TIMEOUT_S) as answer:
            document: Answer = json.load(answer)
        return document

    def post(self, path: str, **data: object) -> Answer:
        """Return the JSON answer, also of a refusal; raises OSError when nobody answers."""
        headers = {"Content-Type": "application/json", "X-Tock": "1"}
        request = urllib.request.Request(self._url + path, json.dumps(data).encode(), headers)
        try:
            with self._opener.open(request, timeout=TIMEOUT_S) as answer:
                document: Answer = json.load(answer)
        except urllib.error.HTTPError as error:
            document = json.load(error)
        return document

    def ask(self, kind: str, **data: object) -> Answer:
        """Send a wish in the name of the own seat."""
        return self.post("/api/v1/request", kind=kind, data=data)

    def view(self, role: str) -> Answer:
        """Return what a role sees."""
        return self.get(f"/api/v1/view?role={role}")
