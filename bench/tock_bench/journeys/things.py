"""Evenings with things of one's own: a board from photographs, an old phone as the camera, a club's desk."""

import re
import subprocess
import sys
import time
from pathlib import Path

from tests.support import page_client as clients
from tests.support.browsing import TABLET
from tests.support.filmed import as_camera, drawn_camps, held
from tests.support.mosquitto import free_port
from tests.support.pictures import BOARDS, pictures_of
from tests.support.service import Companion
from tock_bench.journeys.home import Home
from tock_bench.journeys.person import SEARCH_MS, Person
from tock_bench.journeys.playing import KING, sits, two_sit
from tock_companion.boardfile import generate

OWN_BOARD = ("stills/s0035.jpg", "stills/s0054.jpg")
"""One board without markers, all its pawns on it: sun through a window, and a shaken picture by the ceiling lamp."""
MAX_QUESTIONS = 12
BROWSER_WARNING_TAPS = 2
"""A phone warns of a page that it does not know; people tap through it."""
CLUB = "Club du Chêne"
NAMES = ("Ana", "Bea", "Cléo", "Dan", "Eva", "Fred", "Gus", "Hugo")
DESK_PATIENCE_S = 60.0


def own_board(at: Home) -> None:
    """J3: from the lobby's line to a king that is judged on the family's own board."""
    pictures = pictures_of(BOARDS)
    screen, lea, mamie = two_sit(at)
    at.start_over()
    lea.tap("Ton propre plateau ?")
    lea.photograph("Prendre une photo", *(pictures / name for name in OWN_BOARD))
    lea.tap("Chercher le plateau")
    lea.read("105 cases", SEARCH_MS)
    for _ in range(MAX_QUESTIONS):
        if not lea.sees("Oui"):
            break
        lea.tap("Oui", exact=True)
    lea.tap("C’est juste")
    lea.tap("Continuer sans vérifier")
    lea.type("Nom du plateau", "Le vieux plateau")
    lea.tap("Garder et jouer dessus")
    lea.miss("Nom du plateau", SEARCH_MS)
    lea.read("En direct", SEARCH_MS)
    lea.tap("Menu")
    lea.tap("Ma place")
    lea.tap(KING)
    lea.read("Fais ce coup")
    color = lea.find(r"[Ll]e pion (\w+)").split()[-1].capitalize()
    screen.drag(f"Camp 1, {color}", f"Départ, {color}")
    mamie.read("À toi, Mamie")


def old_phone(at: Home) -> None:
    """J4: an old phone films the board; from the lobby's line until it has found it."""
    film = held(drawn_camps(generate(4, 440)), at.folder / "film.y4m")
    at.companion.stop()
    environment = {"TOCK_TLS_PORT": str(free_port())}
    at.companion = Companion(at.companion.data, port=at.companion.port, environment=environment)
    at.companion.wait_until_up()
    lea = at.someone()
    sits(lea, "Léa", "Rouge")
    at.start_over()
    lea.tap("Pas de caméra ?")
    lea.tap("Prendre un téléphone comme caméra")
    lea.read("Ouvre ce code avec le vieux téléphone", SEARCH_MS)
    address = re.sub(r"//[^:/]+", f"//{clients.HOST}", lea.find(r"https://\S+"))
    browser = clients.launched(at.browser.browser_type, as_camera(film))
    try:
        page = browser.new_context(ignore_https_errors=True, locale="fr-CA", has_touch=True).new_page()
        at.taps.number += BROWSER_WARNING_TAPS
        page.goto(address)
        phone = Person(page, at.taps)
        phone.tap("Ouvrir la caméra")
        lea.read("veut être la caméra")
        lea.tap("Laisser entrer")
        phone.read("Le plateau est trouvé", SEARCH_MS)
    finally:
        browser.close()


def club(at: Home) -> None:
    """J8: the guide's one command, then announce, enter eight people, pair and begin."""
    port = free_port()
    printed = at.folder / "desk.txt"
    command = [sys.executable, "-m", "tock_app.cli.main", "club", "serve", "--name", CLUB]
    place = ["--host", "127.0.0.1", "--port", str(port), "--data", str(at.folder / "club")]
    at.start_over()
    with printed.open("w") as out:
        desk = subprocess.Popen([*command, *place], stdout=out, stderr=subprocess.STDOUT)
    try:
        code = _code_of_director(printed, desk)
        page = at.browser.new_context(viewport=TABLET, locale="fr-CA", has_touch=True).new_page()  # type: ignore[arg-type]
        page.goto(f"http://{clients.HOST}:{port}/director")
        director = Person(page, at.taps)
        director.type("Code de la direction", code)
        director.tap("Entrer", exact=True)
        director.type("Nom du tournoi", "Soirée d’essai")
        director.tap("Annoncer", exact=True)
        director.type("Un nom par ligne", "\n".join(NAMES))
        director.tap("Inscrire", exact=True)
        director.read(f"Inscrits : {len(NAMES)}")
        director.tap("Faire les appariements")
        director.read("Table 1")
        director.tap("Commencer la ronde")
        director.read("Arrêter le temps")
    finally:
        desk.terminate()
        desk.wait()


def _code_of_director(printed: Path, desk: "subprocess.Popen[bytes]") -> str:
    end_s = time.monotonic() + DESK_PATIENCE_S
    while time.monotonic() < end_s and desk.poll() is None:
        found = re.search(r"code is (\d+)", printed.read_text(encoding="utf-8"))
        if found is not None:
            return found[1]
        time.sleep(0.05)
    raise AssertionError(f"the desk did not start: {printed.read_text(encoding='utf-8')}")
