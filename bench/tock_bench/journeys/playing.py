"""Evenings at the simulated table: the first one of two and of four, mistakes, the end, and the next evening."""

from tests.support.axe import faults
from tests.support.pictures import CARDS, pictures_of
from tock_bench.journeys.home import Home
from tock_bench.journeys.person import Person

KING, EIGHT = "Roi de pique", "8 de cœur"
CAMP, START = "Camp 1, Rouge", "Départ, Rouge"
HANDS = {"Léa": "img/alken_6.jpg", "Bob": "img/alken_8.jpg"}
"""Photographs of five cards each; Léa holds the king of spades."""
HELD = 5
NEARLY_HOME = (("Camp 2, Rouge", "Maison 2, Rouge"), ("Camp 3, Rouge", "Maison 3, Rouge"),
               ("Camp 4, Rouge", "Maison 4, Rouge"), ("Camp 1, Rouge", "Case 9, Vert"))  # fmt: skip
"""Drags that leave Red one move from the end, with an eight."""


def sits(who: Person, name: str, color: str) -> None:
    """Take a seat, in the language of the phone."""
    english = who.page.evaluate("document.documentElement.lang") == "en"
    who.type("Your first name" if english else "Ton prénom", name)
    who.tap(color)
    who.tap("Sit down" if english else "S’asseoir")
    who.page.wait_for_url("**/seat")


def two_sit(at: Home) -> tuple[Person, Person, Person]:
    """The computer's screen, and two who have sat down at their phones."""
    screen, lea, mamie = at.screen(), at.someone(), at.someone()
    sits(lea, "Léa", "Rouge")
    sits(mamie, "Mamie", "Bleu")
    return screen, lea, mamie


def comes_out(lea: Person, screen: Person, mamie: Person) -> None:
    """Red's first move, which everybody's phone accepts."""
    lea.tap(KING)
    lea.read("Tu joues")
    screen.drag(CAMP, START)
    mamie.read("À toi, Mamie")


def two(at: Home) -> None:
    """J1: whoever sits may lay the first card at once, says the page."""
    screen, lea, mamie = two_sit(at)
    lea.read("Pose la première : la partie commence")
    lea.read("Mamie")
    comes_out(lea, screen, mamie)


def four(at: Home) -> None:
    """J2: partners face each other, two phones speak English, two hands are photographed."""
    cards = pictures_of(CARDS)
    screen = at.screen()
    lea, guy = at.someone(), at.someone()
    bob, amy = at.someone(locale="en-GB"), at.someone(locale="en-GB")
    sits(lea, "Léa", "Rouge")
    lea.tap("4", exact=True)
    sits(amy, "Amy", "Blue")
    sits(bob, "Bob", "Yellow")
    sits(guy, "Guy", "Vert")
    lea.tap("Commencer")
    bob.read("Léa’s turn")
    lea.photograph("Prendre mes cartes en photo", cards / HANDS["Léa"])
    lea.tap(f"C’est ma main ({HELD} cartes)")
    bob.photograph("Photograph my cards", cards / HANDS["Bob"])
    bob.tap(f"That is my hand ({HELD} cards)")
    lea.tap(KING)
    screen.drag(CAMP, START)
    amy.read("Your turn, Amy")


def mistakes(at: Home) -> None:
    """J5: a wrong hole, between two holes, out of turn, taken back, and left on one's turn."""
    screen, lea, mamie = two_sit(at)
    lea.tap("Commencer")
    lea.read("À toi, Léa")
    at.start_over()
    screen.drag("Camp 1, Bleu", "Départ, Bleu")
    mamie.read("C’est à Léa de jouer, et le pion de Mamie")
    screen.drag("Départ, Bleu", "Camp 1, Bleu")
    mamie.miss("le pion de Mamie")
    lea.tap(KING)
    screen.drag(CAMP, "Case 3, Rouge")
    mamie.read("Un pion n’est pas à sa place")
    screen.drag("Case 3, Rouge", CAMP)
    mamie.miss("Un pion n’est pas à sa place")
    screen.drag(CAMP, START)
    mamie.read("À toi, Mamie")
    screen.drag_between(START, "Case 1, Rouge", "Case 2, Rouge")
    mamie.read("entre deux cases, 1 rouge et 2 rouge")
    lea.tap("Annuler le dernier coup")
    mamie.read("Léa annule son coup")
    screen.drag_from_between("Case 1, Rouge", "Case 2, Rouge", CAMP)
    lea.read("À toi, Léa")
    lea.tap("Menu")
    lea.tap("Quitter ma place")
    lea.tap("Oui, je quitte ma place")
    mamie.read("Léa a quitté la table")
    mamie.tap("On passe")
    mamie.read("À toi, Mamie")


def end(at: Home) -> None:
    """J6: the last move, who won, its story, and a rematch."""
    _, lea, mamie = won(at)
    lea.tap("Revanche", exact=True)
    mamie.miss("fait la plus longue marche")
    mamie.read("À toi, Mamie")


def won(at: Home) -> tuple[Person, Person, Person]:
    """Two play the last move of a game, which is counted; the rest is not."""
    screen, lea, mamie = two_sit(at)
    lea.tap("Commencer")
    lea.read("À toi, Léa")
    for source, target in NEARLY_HOME:
        screen.drag(source, target)
    lea.read("4 pions ne sont pas à leur place")
    lea.tap("Le plateau est juste")
    lea.miss("4 pions ne sont pas à leur place")
    at.start_over()
    lea.tap(EIGHT)
    screen.drag("Case 9, Vert", "Maison 1, Rouge")
    mamie.read("Léa gagne")
    mamie.read("fait la plus longue marche")
    return screen, lea, mamie


def for_everybody(at: Home) -> None:
    """J7: what axe finds on the lobby, a seat, the host's page and the simulated table."""
    screen, lea, _ = two_sit(at)
    found = faults(lea.page)
    lea.tap("Commencer")
    lea.read("À toi, Léa")
    found += faults(lea.page) + faults(screen.page)
    lea.tap("Menu")
    lea.tap("L’hôte")
    lea.read("Nouvelle partie")
    found += faults(lea.page)
    assert not found, found


def next_evening(at: Home) -> None:
    """A game was won; the next day both phones open the page again and find their seats, and the lobby."""
    screen, lea, mamie = won(at)
    _next_day(at, screen, lea, mamie)
    lea.read("Pose la première : la partie commence")
    lea.read("Mamie")
    comes_out(lea, screen, mamie)


def next_evening_goes_on(at: Home) -> None:
    """A game was left as it stood; the next day it goes on."""
    screen, lea, mamie = two_sit(at)
    comes_out(lea, screen, mamie)
    _next_day(at, screen, lea, mamie)
    mamie.read("À toi, Mamie")
    mamie.tap(KING)
    mamie.read("Tu joues")
    screen.drag("Camp 1, Bleu", "Départ, Bleu")
    lea.read("À toi, Léa")


def _next_day(at: Home, *people: Person) -> None:
    at.restart()
    at.start_over()
    for who in people:
        who.page.reload()
