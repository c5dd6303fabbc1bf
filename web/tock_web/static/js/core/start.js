// Every page's first steps: the bar, the view that came with the document, and then the stream of views.

import { seatStyles } from "../board/shapes.js";
import { FEATURES } from "../features.js";
import { arrived, bar, notices } from "../panels/frame.js";
import { bootstrap } from "./bootstrap.js";
import { Live } from "./live.js";
import { onLanguage } from "./words.js";

/** @import { ConnectionState, PublicView, Role, ViewOf } from "#types" */

/** The board file, the seats' appearance, the session, and `follow` to draw views as they come. */
export function start() {
  const showState = bar();
  const drawNotices = notices();
  const { board: boardFile, session } = bootstrap;
  const styles = seatStyles(boardFile);
  const drawFeatures = FEATURES.map(({ draws }) => draws(styles));

  /**
   * @template {Role} R
   * @param {R} role
   * @param {(view: ViewOf[R]) => void} draw
   * @param {(state: ConnectionState) => void} [onState]
   */
  const follow = (role, draw, onState = () => {}) =>
    followViews(
      role,
      (view) => {
        drawNotices(view);
        draw(view);
        for (const feature of drawFeatures) feature(view);
      },
      (state) => {
        showState(state);
        onState(state);
      },
    );
  return { boardFile, styles, session, follow };
}

/**
 * Draw every view of a role, and the last one again when the language changes; the answer redraws or closes.
 *
 * @template {Role} R
 * @param {R} role
 * @param {(view: ViewOf[R]) => void} draw
 * @param {(state: ConnectionState) => void} onState
 */
function followViews(role, draw, onState) {
  /** @type {ViewOf[R] | null} */
  let newest = null;
  const redraw = () => {
    if (newest) draw(newest);
  };
  /** @type {Live<R>} */
  const live = new Live(
    role,
    (view) => {
      if (!isOurBoard(view) || !isOurSeat(view)) {
        // Another board was chosen, or people have changed places: nothing of this document fits.
        live.end();
        // The middle of the old page is elsewhere on the new one.
        history.scrollRestoration = "manual";
        location.reload();
        return;
      }
      newest = view;
      document.documentElement.dataset.indices = view.indices;
      redraw();
    },
    onState,
    true,
  );
  import("./home_screen.js");
  // Before the stream is opened: tabs that are restored together would take all connections, and wait for this one.
  arrived(import("./tabs.js")).then((tabs) => (tabs ? tabs.share(live.stream) : live.stream.wake()));
  live.onHosts = async (others) => {
    const panel = await arrived(import("../panels/other_hosts.js"));
    panel?.tellHosts(others, role === "host");
  };
  try {
    if (bootstrap.view) live.take(/** @type {ViewOf[R]} */ (bootstrap.view), bootstrap.boot);
  } finally {
    // Panels that draw later queued before this, so everything appears at once and nothing jumps under a finger.
    setTimeout(() => document.querySelector("main")?.classList.remove("undrawn"));
  }
  onLanguage(redraw);
  return { redraw, close: () => live.end() };
}

/** Whether a view is of the board that came with the document. @param {Pick<PublicView, "board">} view */
function isOurBoard({ board }) {
  return !bootstrap.view || board.id === bootstrap.view.board.id;
}

/** Whether a view is of the seat that the document was made for. */
function isOurSeat(/** @type {{ role: Role, seat?: string }} */ { role, seat }) {
  return role !== "seat" || seat === bootstrap.session.seat;
}
