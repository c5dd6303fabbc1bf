// Read the hand from a photo: taken by the phone, scaled down, read by the companion, forgotten.

import { upload } from "../core/api.js";
import { button, h } from "../core/dom.js";
import { Store, drawer } from "../core/store.js";
import { language, t } from "../core/words.js";
import { NO_PHOTO, reducePhoto } from "../state/hand.js";
import { cardFace, cardName } from "./cards.js";
import { granted } from "./frame.js";

/** @import { CardName, PhotographedCard } from "#types" */
/** @import { PhotoAction, PhotoState } from "../state/hand.js" */
/** @import { HandEditor } from "./hand_editor.js" */

/** More pixels do not help the reader and take longer to send. */
const MAX_PX = 1600;
const QUALITY = 0.9;

export class PhotoPanel {
  /** @param {HandEditor} editor gets the cards that were read, and the answers */
  constructor(editor) {
    this.editor = editor;
    this.input = h("input.out-of-sight", {
      type: "file",
      accept: "image/*",
      capture: "environment",
      testid: "photo-file",
      tabindex: "-1",
      "aria-hidden": "true",
      onchange: () => this.taken(),
    });
    this.body = h("div.photo");
    this.draw = drawer(this.body, () => this.section());
    /** @type {Store<PhotoState, PhotoAction>} */
    this.store = new Store(reducePhoto, NO_PHOTO, () => this.refresh());
    editor.extra.replaceChildren(this.input, this.body);
    this.refresh();
  }

  /** Open the camera; browsers allow it only in response to a tap. */
  take() {
    this.input.click();
  }

  /** Forget the cards that were read; called when the editor closes. */
  forget() {
    this.store.dispatch({ type: "forgotten" });
  }

  /** @param {boolean} isKept the host keeps photos for a report */
  update(isKept) {
    this.store.dispatch({ type: "kept", isKept });
    this.refresh();
  }

  refresh() {
    this.draw([language(), this.store.state]);
  }

  async taken() {
    const file = this.input.files?.[0];
    this.input.value = "";
    if (!file) return;
    this.store.dispatch({ type: "sent" });
    const { round } = this.store.state;
    const answer = await upload("hand/photo", await smaller(file));
    if (round !== this.store.state.round) return;
    const { cards = [], unread = 0 } = granted(answer) ? answer.data.data : {};
    this.store.dispatch({ type: "read", round, cards, unread });
    if (answer.ok) this.editor.choose(cards.map(({ card }) => card));
    if (this.store.state.questions.length) this.body.scrollIntoView({ block: "center" });
  }

  section() {
    const { isReading, questions, unread, isKept } = this.store.state;
    const word = t(isReading ? "photo-reading" : "photo-take");
    return [
      button("wide", "photo-take", word, () => this.take(), { disabled: isReading }),
      photoKept(isKept),
      unread > 0 &&
        h(
          "p.hand-note",
          { role: "status", testid: "photo-unread" },
          t(unread > 1 ? "photo-unread-many" : "photo-unread-one", { n: unread }),
        ),
      questions.slice(0, 1).map((question) => this.ask(question)),
    ];
  }

  /** @param {PhotographedCard} question */
  ask(question) {
    const title = question.reason && t(`photo-ask-${question.reason}`);
    const choices = question.choices.map((card) =>
      button("big", "photo-choice", [cardFace(card), cardName(card)], () => this.answered(question, card), {
        "data-choice": card,
      }),
    );
    const onclick = () => this.answered(question, null);
    const none = button("quiet", "photo-none", t("photo-none"), onclick);
    const attributes = { class: "question", testid: "photo-question", role: "group", "aria-label": title };
    return h(
      "section",
      { ...attributes, "aria-live": "polite" },
      h("h3", title),
      h("div.choices", choices, none),
    );
  }

  /** @type {(question: PhotographedCard, card: CardName | null) => void} */
  answered(question, card) {
    this.store.dispatch({ type: "answered", question });
    if (card !== question.card) this.editor.swap(question.card, card);
  }
}

/** The notice, before a photo is taken, that the host keeps it. @param {boolean} isKept */
export function photoKept(isKept) {
  return isKept && h("p.hand-note", { testid: "photo-kept" }, t("photo-kept"));
}

/**
 * Scale a photo down and turn it upright; unchanged if the browser cannot decode it.
 * @type {(file: File) => Promise<Blob>}
 */
export async function smaller(file) {
  try {
    const picture = await createImageBitmap(file, { imageOrientation: "from-image" });
    const scale = Math.min(1, MAX_PX / Math.max(picture.width, picture.height));
    const [width, height] = [Math.round(picture.width * scale), Math.round(picture.height * scale)];
    const canvas = h("canvas", { width, height });
    canvas.getContext("2d")?.drawImage(picture, 0, 0, width, height);
    picture.close();
    /** @type {Blob | null} */
    const small = await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", QUALITY));
    return small ?? file;
  } catch {
    return file;
  }
}
