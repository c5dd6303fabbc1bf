"""The table's voice: its sentences, its silence, and that Debian's espeak-ng really speaks."""

import shutil
import threading
import time
import wave
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.boards import pawns
from tests.support.sources import HandSource
from tock_companion.boardfile import generate
from tock_companion.core.game_setup import GameSetup
from tock_companion.core.requests import Role, parse_request
from tock_companion.language import LANGUAGES, Language
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_companion.voice.loudspeaker import Loudspeaker
from tock_companion.voice.news import spoken
from tock_companion.voice.speaker import REPEAT_S, STALE_S, Speaker
from tock_companion.voice.table_voice import TableVoice
from tock_rules import Seat

PATIENCE_S = 20.0
BEFORE = pawns("P0 T20, P1 T26")
CARD = " 0 [Headphones     ]: bcm2835_headpho - bcm2835 Headphones\n"
NO_CARD = "--- no soundcards ---\n"
needs_espeak = pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="NOT TRIED: no espeak-ng here")


class Gate:
    """A loudspeaker that is silent until it is let go; sentences begun are in `begun`."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.changed = threading.Condition()
        self.open = threading.Event()

    def say(self, text: str, _lang: Language) -> None:
        with self.changed:
            self.begun.append(text)
            self.changed.notify()
        self.open.wait(PATIENCE_S)

    def wait_for(self, count: int) -> list[str]:
        with self.changed:
            assert self.changed.wait_for(lambda: len(self.begun) >= count, PATIENCE_S)
            return list(self.begun)


class Clock:
    """Stands still until it is moved."""

    now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def gate() -> Iterator[Gate]:
    gate = Gate()
    yield gate
    gate.open.set()


def test_a_newer_sentence_takes_the_place_of_one_that_waits(gate: Gate) -> None:
    speaker = Speaker(gate.say)
    speaker.start()
    speaker.put("one", "en")
    gate.wait_for(1)
    for text in ("two", "three", "four"):
        speaker.put(text, "en")
    gate.open.set()
    assert gate.wait_for(2) == ["one", "four"]
    speaker.stop()


def test_a_sentence_whose_moment_has_gone_is_not_spoken(gate: Gate) -> None:
    clock = Clock()
    speaker = Speaker(gate.say, clock)
    speaker.start()
    speaker.put("one", "en")
    gate.wait_for(1)
    speaker.put("too late", "en")
    clock.now_s += STALE_S + 0.1
    gate.open.set()
    speaker.put("in time", "en")
    assert gate.wait_for(2) == ["one", "in time"]
    speaker.stop()


def test_the_same_sentence_is_not_spoken_again_at_once(gate: Gate) -> None:
    clock = Clock()
    gate.open.set()
    speaker = Speaker(gate.say, clock)
    speaker.start()
    speaker.put("again", "en")
    gate.wait_for(1)
    speaker.put("again", "en")
    speaker.put("other", "en")
    assert gate.wait_for(2) == ["again", "other"]
    clock.now_s += REPEAT_S + 0.1
    speaker.put("again", "en")
    assert gate.wait_for(3)[-1] == "again"
    speaker.stop()


def test_cards_are_spoken_as_words() -> None:
    assert spoken({"fr": "Le 8♠ ne permet rien.", "en": "8♠"}, "fr") == "Le 8 de pique ne permet rien."
    assert (
        spoken({"fr": "", "en": "Léa plays K♥: red 2 → red 8."}, "en")
        == "Léa plays king of hearts: red 2 to red 8."
    )
    assert spoken({"fr": "R♥, 10♦, Joker ☆", "en": ""}, "fr") == "roi de cœur, 10 de carreau, Joker noir"
    assert spoken({"fr": "1♣, B♠", "en": ""}, "fr") == "as de trèfle, valet de pique"


@pytest.fixture
def source() -> HandSource:
    return HandSource()


@pytest.fixture
def table(tmp_path: Path, source: HandSource) -> Iterator[Table]:
    setup = GameSetup(position=BEFORE)
    running = Table(generate(4, 440), Store(tmp_path), [source], setup=setup)
    running.start()
    yield running
    running.stop()


class Recorder(Loudspeaker):
    """The hardware edge: a loudspeaker that writes down its sentences."""

    def __init__(self) -> None:
        super().__init__()
        self.utterances: list[str] = []

    def say(self, text: str, _lang: Language) -> None:
        self.utterances.append(text)

    def until(self, text: str) -> None:
        """Wait until a sentence has been said."""
        end_s = time.monotonic() + PATIENCE_S
        while not any(text in utterances for utterances in self.utterances):
            assert time.monotonic() < end_s, self.utterances
            time.sleep(0.01)


def test_the_table_says_whose_turn_it_is_and_what_is_wrong_once_the_host_wants_it(
    table: Table, source: HandSource
) -> None:
    recorder = Recorder()
    voice = TableVoice(lambda: table.subscribe(Role.TABLE), table.choices, recorder)
    voice.start()
    assert voice.speech == "off"
    voice.choose("fr")
    recorder.until("À Rouge de jouer.")
    source.show(BEFORE, 3)
    assert table.request(parse_request("play_card", {"card": "8S"}, Role.SEAT, Seat.P0)).ok
    source.show(pawns("P0 T29, P1 T26"), 15)
    recorder.until(
        "Rouge a joué un 8 et avancé de 9 cases. Remets le pion rouge (11 bleu) sur la case 2 bleue."
    )
    source.show(pawns("P0 T28, P1 T26"), 15)
    recorder.until("À Bleu de jouer.")
    voice.stop()
    assert len(recorder.utterances) == 3
    again = TableVoice(lambda: table.subscribe(Role.TABLE), table.choices, recorder)
    again.start()
    assert again.speech == "fr"
    again.choose("off")
    assert table.choices.get("voice") == "off"
    again.stop()


@needs_espeak
@pytest.mark.parametrize("lang", LANGUAGES)
def test_espeak_really_says_the_sentence(tmp_path: Path, lang: Language) -> None:
    sound_file, cards = tmp_path / "heard.wav", tmp_path / "cards"
    cards.write_text(CARD)
    loudspeaker = Loudspeaker(player=("/bin/sh", "-c", f'cat > "{sound_file}"'), cards=cards)
    assert loudspeaker.trouble() is None
    loudspeaker.say("À toi, Léa ! Pose une carte." if lang == "fr" else "Your turn, Léa! Lay a card.", lang)
    with wave.open(str(sound_file)) as sound:
        assert 1.0 < (sound_file.stat().st_size - 44) / sound.getframerate() / sound.getsampwidth() < 5.0
        samples = sound.readframes(sound.getframerate())
    assert max(samples) > 0


@needs_espeak
def test_a_loudspeaker_that_hangs_is_given_up(tmp_path: Path) -> None:
    loudspeaker = Loudspeaker(player=("/bin/sh", "-c", "sleep 600"), longest_s=0.3)
    began_s = time.monotonic()
    loudspeaker.say("Bonjour", "fr")
    assert time.monotonic() - began_s < 10.0


@pytest.mark.parametrize(
    ("synthesis", "player", "cards", "code"),
    [
        ("no-such-voice", "/bin/sh", CARD, "voice/no_espeak"),
        ("/bin/sh", "no-such-player", CARD, "voice/no_player"),
        ("/bin/sh", "/bin/sh", NO_CARD, "voice/no_card"),
        ("/bin/sh", "/bin/sh", CARD, None),
    ],
)
def test_missing_programs_are_named(
    tmp_path: Path, synthesis: str, player: str, cards: str, code: str | None
) -> None:
    file = tmp_path / "cards"
    file.write_text(cards)
    assert Loudspeaker(synthesis, (player,), file).trouble() == code


def test_without_a_list_of_cards_there_is_no_card(tmp_path: Path) -> None:
    assert Loudspeaker("/bin/sh", ("/bin/sh",), tmp_path / "none").trouble() == "voice/no_card"
