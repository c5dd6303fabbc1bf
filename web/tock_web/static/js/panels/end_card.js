// The card at the end of a game: the winner, the best move, the scores, and how to go on.

import { drawLastMove } from "../board/overlays.js";
import { pictureOf } from "../board/picture.js";
import { pawnIcon } from "../board/shapes.js";
import { get } from "../core/api.js";
import { part } from "../core/bootstrap.js";
import { button, h } from "../core/dom.js";
import { drawer } from "../core/store.js";
import { language, say, t } from "../core/words.js";
import { isHost } from "../state/me.js";
import { NO_FILM, filmBox, handOver, makeFilm } from "./film.js";
import { celebrate } from "./celebration.js";

/** @import { BestMoveInfo, Ending, FilmInfo, SeatStyles, ScoreRow, View } from "#types" */
/** @import { Board } from "../board/board.js" */
/** @import { GoOn } from "./rare.js" */
/** @typedef {{ ending: Ending | null, best: BestMoveInfo | null, film: FilmInfo }} Found */

const AGAIN_MS = 2_000;
/** @type {Found} */
const NOTHING = { ending: null, best: null, film: NO_FILM };
/** The board stands for a moment before and after the winning move is shown again. */
const STAND_MS = 900;

/**
 * @param {HTMLElement} root
 * @param {SeatStyles} styles
 * @param {Board | null} board
 * @param {GoOn | null} goOn given to the host
 */
export function endCard(root, styles, board, goOn) {
  let found = NOTHING;
  /** @type {string | null} */
  let asked = null;
  /** @type {View | null} */
  let newest = null;
  const draw = drawer(
    root,
    (/** @type {View | null} */ view) => view && card(view, found, styles, { goOn, again, film }),
  );
  const show = () => {
    const over = newest?.game.winner?.length ? newest : null;
    draw([language(), over?.game.winner, found, over && isHost(over)], over);
  };

  const again =
    board &&
    (() => {
      // The card is longer than the screen, and the board above it.
      board.svg.scrollIntoView({ block: "nearest" });
      void showAgain(board);
    });

  function film() {
    const game = asked;
    void makeFilm((newer) => {
      if (asked === game) found = { ...found, film: newer };
      show();
      return asked === game;
    });
  }

  const fetchAll = async (/** @type {string} */ game) => {
    const ending = await get("ending");
    if (asked !== game || !ending.ok) return;
    found = { ...found, ending: ending.data };
    show();
    for (;;) {
      const best = await get("ending/best");
      if (asked !== game || !best.ok) return;
      if (best.data.ready) {
        found = { ...found, best: best.data };
        show();
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  };

  return (/** @type {View} */ view, /** @type {boolean} */ isNews) => {
    newest = view;
    const game = view.game.winner?.length ? `${view.game.seq} ${view.game.winner}` : null;
    if (game !== asked) {
      asked = game;
      found = NOTHING;
      if (game) fetchAll(game);
      if (game && isNews) {
        celebrate(view, styles);
        if (board) void showAgain(board);
      }
    }
    show();
  };
}

/** Show the last move once more: the pawns stand as before it, then walk. @param {Board} board */
async function showAgain(board) {
  const answer = await get("replay");
  const [before, last] = answer.ok ? answer.data.steps.slice(-2) : [];
  if (!before || !last) return;
  await new Promise((resolve) => setTimeout(resolve, STAND_MS));
  board.drawPawns(before.holes);
  drawLastMove(board, null);
  await new Promise((resolve) => setTimeout(resolve, STAND_MS));
  board.drawPawns(last.holes, new Set(), last.arrows);
  drawLastMove(board, last);
}

/**
 * @param {View} view
 * @param {Found} found
 * @param {SeatStyles} styles
 * @param {{ goOn: GoOn | null, again: (() => void) | null, film: () => void }} actions
 */
function card(view, { ending, best, film }, styles, { goOn, again, film: make }) {
  return h(
    "section.panel.ending",
    { testid: "ending", "aria-labelledby": "ending-title" },
    h(
      "h2.with-icon",
      { id: "ending-title" },
      (view.game.winner ?? []).map((seat) => pawnIcon(styles.get(seat))),
      h("span", say(view.sentence)),
    ),
    goOn &&
      isHost(view) &&
      h(
        "div.button-grid",
        button("main", "rematch", t("rematch"), () => goOn("again")),
        button("wide", "rematch-rotated", t("rematch-rotated"), () => goOn("rotated")),
        button("wide", "rematch-lobby", t("rematch-lobby"), () => goOn("lobby")),
      ),
    ending &&
      ending.story.length > 0 &&
      h(
        "ul.story",
        { testid: "story", "aria-label": t("ending-story") },
        ending.story.map((line) => h("li", say(line))),
      ),
    ending && h("p", { testid: "ending-turns" }, t("ending-turns", { n: ending.turns })),
    best?.best &&
      h(
        "p",
        { testid: "ending-best" },
        h("b", t("ending-best")),
        " ",
        say(best.best.label),
        h("small", ` ${t("ending-gain", { n: best.points })}`),
      ),
    best?.ready && !best.best && h("p.hint-line", { testid: "ending-even" }, t("ending-even")),
    ending && scores(ending),
    h(
      "div.button-grid",
      again && button("wide", "ending-again", t("ending-again"), again),
      button("wide", "ending-replay", t("replay"), openReplay),
      button("wide", "ending-share", t("ending-share"), share),
    ),
    filmBox(film, make),
  );
}

/** @param {Ending} ending */
function scores({ evening, always, evenings }) {
  if (!always.length) return null;
  const lines = (/** @type {ScoreRow[]} */ rows) =>
    rows.map(({ name, won, played }) =>
      h(
        "tr",
        h("th", { scope: "row" }, name),
        h("td", t(won > 1 ? "score-many" : "score", { n: won, of: played })),
      ),
    );
  const table = (/** @type {ScoreRow[]} */ rows, /** @type {string} */ title, /** @type {string} */ testid) =>
    h("table.scores", { testid }, h("caption", title), h("tbody", lines(rows)));
  return [
    table([...evening], t("scores-evening"), "scores-evening"),
    evenings > 1 && table([...always], t("scores-always", { n: evenings }), "scores-always"),
  ];
}

function openReplay() {
  const opener = document.querySelector("[data-testid=replay-open]");
  if (opener instanceof HTMLElement) opener.click();
}

/** Hand over the picture of the board. */
async function share() {
  const svg = part("board").querySelector("svg");
  if (!svg) return;
  const picture = await pictureOf(svg, getComputedStyle(document.body).backgroundColor);
  await handOver(picture, "tock.png", "ending-kept");
}
