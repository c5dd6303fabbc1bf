// The steps of the set-up: the contents of each, and how it detects that it is done.

import { pawnIcon } from "../board/shapes.js";
import { postSlow } from "../core/api.js";
import { button, h, tile } from "../core/dom.js";
import { endOnceSure } from "../core/ending.js";
import { LANGUAGES, language, languageName, say, switchLanguage, t, tNamed } from "../core/words.js";
import { misplacedCount, occludedCount } from "../state/setup.js";
import { granted, toast } from "./frame.js";
import { proofField } from "./proof.js";
import { colorName } from "./seats.js";

/** @import { BoardFile, Children, HostView, Lang, SeatStyles, SeatName, Session } from "#types" */
/** @import { Store } from "../core/store.js" */
/** @import { LearnedAnswer, Shown, SetupAction, SetupState } from "../state/setup.js" */
/** @import { Corners } from "./corners.js" */
/** @import { PhonesPanel } from "./phones.js" */
/**
 * The data for the steps.
 *
 * @typedef {object} StepContext
 * @property {BoardFile} boardFile
 * @property {SeatStyles} styles
 * @property {Session} session
 * @property {PhonesPanel} phones
 * @property {Store<SetupState, SetupAction>} store
 * @property {Corners} corners
 * @property {HostView} view
 * @property {() => void} refresh draws the words again
 */
/** @typedef {"language" | "network" | "board" | "camera" | "colors" | "pawns" | "card" | "moves"} StepName */
/**
 * @typedef {object} SetupStep
 * @property {StepName} name
 * @property {"words" | "board" | "camera"} shows beside the words
 * @property {boolean} [onlyCamera] only a camera has colours; reed contacts have none
 * @property {boolean} [pauses] pawns are moved about, so the referee must not watch
 * @property {boolean} [countsMoves]
 * @property {(at: StepContext) => boolean} isDone
 * @property {(at: StepContext) => Children} words
 */

/** @type {SetupStep[]} */
export const STEPS = [
  {
    name: "language",
    shows: "words",
    isDone: ({ session }) => session.pin,
    words: (at) => [languageButtons(), pinBox(at)],
  },
  {
    name: "network",
    shows: "words",
    isDone: ({ store }) => store.state.phones > 0,
    words: ({ session, store }) => [
      h("img.setup-code", { src: "/api/v1/qr.svg", alt: "", width: 180, height: 180 }),
      h("p", h("b", session.url)),
      h("p", t("setup-phones", { n: store.state.phones })),
    ],
  },
  {
    name: "board",
    shows: "board",
    isDone: () => true,
    words: (at) => [
      h("p", h("b", at.boardFile.name), " · ", holeCount(at.boardFile)),
      seatList(at, () => ""),
      h("button.wide", { type: "button", "data-open": "boards" }, t("boards.title")),
    ],
  },
  {
    name: "camera",
    shows: "camera",
    isDone: ({ view, corners }) => !corners.asked && isSeen(view) && !occludedCount(view),
    words: ({ view, corners, session, phones }) =>
      corners.asked ? corners.words() : [sourceLines(view), session.camera && corners.words(), phones.box],
  },
  {
    name: "colors",
    shows: "camera",
    onlyCamera: true,
    pauses: true,
    isDone: ({ store: { state } }) => Boolean(state.learned?.ok && state.learned.shows === "camps"),
    words: (at) => [learnButtons(at), learnResult(at)],
  },
  {
    name: "pawns",
    shows: "board",
    pauses: true,
    isDone: ({ view }) => isSeen(view) && view.seats.every(({ seat }) => !misplacedCount(view, seat)),
    words: (at) =>
      seatList(at, (seat) => {
        const wrong = misplacedCount(at.view, seat);
        return wrong ? t("setup-wrong", { n: wrong }) : "✓";
      }),
  },
  { name: "card", shows: "board", isDone: ({ store }) => store.state.cards > 0, words: () => [] },
  {
    name: "moves",
    shows: "board",
    countsMoves: true,
    isDone: ({ store }) => store.state.moved > 0,
    words: ({ store }) => h("p", t("setup-moved", { n: store.state.moved })),
  },
];

/** @param {HostView} view */
function isSeen(view) {
  return view.sources.some(({ condition }) => condition === "ok");
}

/** @param {BoardFile} boardFile */
function holeCount({ holes }) {
  return t("setup-holes", { n: holes.length });
}

/** @type {(at: StepContext, mark: (seat: SeatName) => string) => HTMLUListElement} */
function seatList({ view, styles }, mark) {
  const rows = view.seats.map(({ seat }) =>
    h("li", pawnIcon(styles.get(seat)), h("span", colorName(seat, styles)), h("b", mark(seat))),
  );
  return h("ul.seats", rows);
}

function languageButtons() {
  const one = (/** @type {Lang} */ lang) => {
    const onclick = () => {
      if (lang !== language()) switchLanguage();
    };
    return tile("tile small", `setup-${lang}`, languageName(lang), lang === language(), onclick);
  };
  return h("div.tiles", LANGUAGES.map(one));
}

/** @param {StepContext} at */
function pinBox({ session, refresh }) {
  const input = h("input", {
    id: "setup-pin",
    type: "password",
    inputmode: "numeric",
    maxlength: 12,
    autocomplete: "new-password",
  });
  const { box, input: proof } = proofField(session, "setup-proof");
  const onclick = async () => {
    if (!granted(await endOnceSure("host/pin", { pin: input.value || null, proof: proof.value }, null)))
      return;
    session.pin = Boolean(input.value);
    toast(t("done"), "good");
    refresh();
  };
  return [
    h("label", { for: "setup-pin" }, t("new-pin")),
    input,
    box,
    button("wide", "setup-pin-save", t("save"), onclick),
  ];
}

/** @param {HostView} view */
function sourceLines(view) {
  return [
    view.sources.map(({ name, condition, sentence }) =>
      h(
        "p",
        { class: condition === "ok" ? "good" : "bad" },
        h("b", tNamed("source.", name)),
        " ",
        say(sentence),
      ),
    ),
    h("p", t("setup-hidden", { n: occludedCount(view) })),
  ];
}

/** @param {StepContext} at */
function learnButtons({ store }) {
  const { learning } = store.state;
  const one = (/** @type {Shown} */ shows) => {
    const word = t(learning === shows ? "setup-learning" : `setup-learn-${shows}`);
    return button("wide", `learn-${shows}`, word, () => learn(store, shows), { disabled: learning !== null });
  };
  return [one("empty"), one("camps")];
}

/**
 * Let the camera learn the empty board, or the pawns' colours, in the light of the room.
 * @type {(store: Store<SetupState, SetupAction>, shows: Shown) => Promise<void>}
 */
async function learn(store, shows) {
  store.dispatch({ learning: shows, learned: null });
  const answer = await postSlow("camera/learn", { shows });
  /** @type {LearnedAnswer} */
  const learned = answer.ok
    ? { ok: true, shows, ...answer.data.data }
    : { ok: false, message: answer.data?.message };
  store.dispatch({ learning: null, learned });
}

/** @param {StepContext} at */
function learnResult({ store, styles }) {
  const { learned } = store.state;
  if (!learned) return null;
  const attributes = { class: learned.ok ? "good" : "bad", role: "status", testid: "colors-answer" };
  if (!learned.ok) return h("p", attributes, say(learned.message) || t("connection.lost"));
  // Missing pawns are expected until they have been shown.
  const weak = learned.shows === "camps" ? (learned.weak ?? []) : [];
  return [
    h("p", attributes, t(`setup-learned-${learned.shows}`, { n: Math.round(100 * (learned.score ?? 0)) })),
    weak.map(({ code, seats }) => {
      const names = seats.map((seat) => colorName(seat, styles)).join(" + ");
      return h("p.bad", { testid: `weak-${code}` }, tNamed("setup-weak.", code, { names }));
    }),
    !learned.kept && h("p.hint-line", t("setup-not-kept")),
  ];
}
