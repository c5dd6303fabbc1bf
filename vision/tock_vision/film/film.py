"""The film of a game: title, every move, the moments that counted slowly, and who has won."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import BinaryIO

from PIL import Image, ImageDraw

from tock_companion.boardfile.film_scenes import FilmScript, Scene, Standing
from tock_rules import Seat
from tock_vision.film.board_picture import BoardPicture
from tock_vision.film.gif import GifWriter, palette_of
from tock_vision.film.styles import fitted, legible, pawn_picture

WIDTH_PX, HEAD_PX, FOOT_PX, COIN_PX = 600, 68, 108, 14
PAPER, INK, GOLD, LINE = "#fbf6ec", "#2b1a0c", "#f2c14e", "#d3a768"
TITLE_MS, END_MS, LAST_MS = 1_500, 1_500, 3_000
FILM_MS = 28_000
STEP_MS, MIN_STEPS, MAX_STEPS = 90, 3, 8
SLOW_MS, WINNING_MS = 900, 1_200
MIN_SCENE_MS, MAX_SCENE_MS = 60, 500
LEGIBLE_MS = 150
"""Shortest time for which a scene gets words: they cannot be read in less."""
CONFETTI, CONFETTI_PICTURES = 70, 16


@dataclass(frozen=True, slots=True)
class Made:
    """A finished film: its pictures, its length and its size."""

    pictures: int
    seconds: float
    size_px: tuple[int, int]


class Film:
    """Draws the pictures of one film."""

    def __init__(self, script: FilmScript) -> None:
        self.script = script
        self.board = BoardPicture(script.board, WIDTH_PX)
        self.size_px = (WIDTH_PX, HEAD_PX + self.board.size_px[1] + FOOT_PX)
        self._coins = {seat: pawn_picture(style, COIN_PX) for seat, style in self.board.styles.items()}
        self._ground = self._page()

    def write(self, out: BinaryIO, progress: Callable[[float], None] = lambda _: None) -> Made:
        """Write the film as an animated GIF; `progress` hears how much of it is done, 0 to 1."""
        title, last = self._title(), self._last()
        writer = GifWriter(out, title, palette_of([title, last, self._confetti(last, 0)]))
        writer.add(title, TITLE_MS)
        for done, (picture, shown_ms) in enumerate(self._scenes()):
            writer.add(picture, shown_ms)
            if done % 8 == 0:
                progress(0.95 * min(1.0, writer.total_ms / FILM_MS))
        if self.script.winners:
            for number in range(CONFETTI_PICTURES):
                writer.add(self._confetti(last, number), END_MS // CONFETTI_PICTURES)
        writer.add(last, LAST_MS)
        writer.close()
        progress(1.0)
        return Made(writer.pictures, writer.total_ms / 1000, self.size_px)

    # The pictures.

    def _scenes(self) -> Iterator[tuple[Image.Image, int]]:
        scenes, before = self.script.scenes, self.script.start
        each_ms, together = self._pace()
        shown = 0
        for number, scene in enumerate(scenes):
            share = (number + 1) / len(scenes)
            if scene.is_slow:
                yield from self._slowly(scene, before, share, is_last=number == len(scenes) - 1)
                shown = 0
            else:
                shown += 1
                if shown % together == 0:
                    is_legible = each_ms >= LEGIBLE_MS
                    yield (
                        self._moved(replace(scene, caption=scene.caption if is_legible else ""), share),
                        each_ms,
                    )
            before = scene.after

    def _pace(self) -> tuple[int, int]:
        """For how long each quick move is shown, and how many of them in one picture."""
        slow = [scene for scene in self.script.scenes if scene.is_slow]
        quick = max(1, len(self.script.scenes) - len(slow))
        left_ms = FILM_MS - TITLE_MS - END_MS - LAST_MS - WINNING_MS
        left_ms -= len(slow) * (SLOW_MS + MAX_STEPS * STEP_MS)
        together = -(-quick * MIN_SCENE_MS // left_ms)
        return min(MAX_SCENE_MS, left_ms * together // quick), together

    def _slowly(
        self, scene: Scene, before: Standing, share: float, *, is_last: bool
    ) -> Iterator[tuple[Image.Image, int]]:
        """The pawns of a move walking one after the other, then the board after it."""
        standing = dict(before)
        for seat, way in ((walk.seat, walk.holes) for walk in scene.walks):
            standing.pop(way[0], None)
            places = [self.board.at(hole) for hole in way]
            steps = min(MAX_STEPS, max(MIN_STEPS, len(places) - 1)) // len(scene.walks) or 1
            for step in range(1, steps):
                at = step / steps * (len(places) - 1)
                (x, y), (to_x, to_y) = places[int(at)], places[min(int(at) + 1, len(places) - 1)]
                rest = at - int(at)
                picture = self._picture(standing, scene.caption, scene.seat, share)
                self._put(picture, seat, (x + rest * (to_x - x), y + rest * (to_y - y)))
                yield picture, STEP_MS
            standing[way[-1]] = seat.name
        yield self._moved(scene, share), WINNING_MS if is_last else SLOW_MS

    def _moved(self, scene: Scene, share: float) -> Image.Image:
        """The board after a move, with a line along the way."""
        picture = self._picture({}, scene.caption, scene.seat, share)
        pen = ImageDraw.Draw(picture)
        for seat, way in ((walk.seat, walk.holes) for walk in scene.walks):
            points = [(x, y + HEAD_PX) for x, y in map(self.board.at, way)]
            pen.line(points, INK, 7, "curve")
            pen.line(points, self.board.styles[seat].fill, 4, "curve")
        for hole, name in scene.after.items():
            self._put(picture, Seat.parse(name), self.board.at(hole))
        return picture

    def _picture(self, holes: Standing, caption: str, seat: Seat | None, share: float) -> Image.Image:
        picture = self._ground.copy()
        for hole, name in holes.items():
            self._put(picture, Seat.parse(name), self.board.at(hole))
        pen, top = ImageDraw.Draw(picture), HEAD_PX + self.board.size_px[1]
        pen.rectangle([0, top, round((WIDTH_PX - 1) * share), top + 4], GOLD)
        text = legible(caption)
        left = 14
        if seat is not None:
            coin = self._coins[seat]
            picture.paste(coin, (left, top + 30 - coin.height // 2), coin)
            left += coin.width + 8
        pen.text((left, top + 30), text, INK, fitted(text, WIDTH_PX - left - 12, 21), "lm")
        return picture

    def _put(self, picture: Image.Image, seat: Seat, place: tuple[float, float]) -> None:
        self.board.put(picture, seat, (place[0], place[1] + HEAD_PX))

    def _title(self) -> Image.Image:
        return self._picture(self.script.start, self.script.opening, None, 0)

    def _last(self) -> Image.Image:
        """The winners, over the final board."""
        script = self.script
        picture = self._picture(script.last, script.epilogue, None, 1)
        pen, text = ImageDraw.Draw(picture), legible(script.end or script.title)
        pen.rectangle([0, 0, WIDTH_PX, HEAD_PX - 1], GOLD)
        self._head(picture, text, script.winners)
        return picture

    def _head(self, picture: Image.Image, text: str, seats: Sequence[Seat] = ()) -> None:
        pen, coins = ImageDraw.Draw(picture), [self._coins[seat] for seat in seats]
        room = sum(coin.width + 4 for coin in coins)
        font = fitted(text, WIDTH_PX - room - 24, 26)
        left = (WIDTH_PX - room - font.getlength(text)) / 2
        for coin in coins:
            picture.paste(coin, (round(left), HEAD_PX // 2 - coin.height // 2), coin)
            left += coin.width + 4
        pen.text((left + 4, HEAD_PX / 2), text, INK, font, "lm")

    def _confetti(self, last: Image.Image, number: int) -> Image.Image:
        picture = last.copy()
        pen, rng = ImageDraw.Draw(picture), random.Random(7)
        fills = [style.fill for style in self.board.styles.values()] + [GOLD]
        height = self.size_px[1]
        for _ in range(CONFETTI):
            x, speed, start = rng.uniform(0, WIDTH_PX), rng.uniform(0.8, 1.6), rng.uniform(-0.6, 0.5)
            y = (start + speed * number / CONFETTI_PICTURES) * height
            side, color = rng.choice(((5, 9), (9, 5), (7, 7))), rng.choice(fills)
            pen.rectangle([x, y, x + side[0], y + side[1]], color)
        return picture

    def _page(self) -> Image.Image:
        """The unchanging part: paper, title, the empty board, and the players with their colours."""
        picture = Image.new("RGB", self.size_px, PAPER)
        self._head(picture, legible(self.script.title))
        picture.paste(self.board.empty, (0, HEAD_PX))
        pen, top = ImageDraw.Draw(picture), HEAD_PX + self.board.size_px[1]
        pen.rectangle([0, top, WIDTH_PX, top + 4], LINE)
        room = (WIDTH_PX - 20) / len(self.script.players)
        for column, (seat, name) in enumerate(self.script.players.items()):
            coin, left = self._coins[seat], 10 + column * room
            picture.paste(coin, (round(left), top + 78 - coin.height // 2), coin)
            text = legible(name) or seat.name
            font = fitted(text, round(room) - coin.width - 6, 17)
            while len(text) > 1 and font.getlength(text) > room - coin.width - 6:
                text = text[:-1]
            pen.text((left + coin.width + 3, top + 78), text, INK, font, "lm")
        return picture
