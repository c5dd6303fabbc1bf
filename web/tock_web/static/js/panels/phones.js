// Phones that want to be cameras: the host makes one the camera with a tap, admits it with another, and sees them all.

import { get, post } from "../core/api.js";
import { button, h } from "../core/dom.js";
import { endOnceSure } from "../core/ending.js";
import { drawer } from "../core/store.js";
import { language, onLanguage, t } from "../core/words.js";
import { granted, toast } from "./frame.js";

/** @import { PhoneRow, Phones, Reply } from "#types" */

const LOOK_AGAIN_MS = 2_500;

/** Follows the phones for as long as the page is open. */
export class PhonesPanel {
  /**
   * @param {HTMLElement} asks where phones are shown that ask, unless a dialog covers it
   * @param {HTMLElement} list where all are shown, with the code that opens their page
   */
  constructor(asks, list) {
    /** Shows both where the set-up wants them; a phone that asks is shown in one place alone. */
    this.box = h("div");
    this.inSetup = false;
    /** The table is built again with a slot for a phone, or without. */
    this.isLaying = false;
    /** @type {Phones | null} */
    this.known = null;
    const all = (/** @type {Phones} */ phones) => [isCovered() && this.asking(phones), this.listed(phones)];
    this.drawAsks = drawer(asks, (/** @type {Phones} */ phones) => !isCovered() && this.asking(phones));
    this.drawList = drawer(list, (/** @type {Phones} */ phones) => !this.inSetup && all(phones));
    this.drawBox = drawer(this.box, (/** @type {Phones} */ phones) => this.inSetup && all(phones));
    onLanguage(() => this.draw());
    this.follow();
  }

  async follow() {
    if (document.visibilityState === "visible") {
      const answer = await get("phones");
      if (answer.ok) this.show(answer.data);
      // Where no phone can be a camera none will ask.
      if (answer.status === 403 || (answer.ok && !answer.data.places && !this.isLaying)) return;
    }
    setTimeout(() => this.follow(), LOOK_AGAIN_MS);
  }

  /** @param {boolean} inSetup */
  showIn(inSetup) {
    if (inSetup === this.inSetup) return;
    this.inSetup = inSetup;
    this.draw();
  }

  /** @param {Phones} phones */
  show(phones) {
    if (this.known && this.known.places !== phones.places) this.isLaying = false;
    this.known = phones;
    this.draw();
  }

  draw() {
    if (!this.known) return;
    const key = [language(), this.inSetup, isCovered(), this.isLaying, this.known];
    this.drawAsks([language(), isCovered(), this.known.phones], this.known);
    this.drawList(key, this.known);
    this.drawBox(key, this.known);
  }

  /** @param {Promise<Reply<Phones>>} asked */
  async choose(asked) {
    const answer = await asked;
    if (granted(answer)) this.show(answer.data);
  }

  /** @param {"phones/begin" | "phones/end"} path */
  async place(path) {
    this.isLaying = true;
    this.draw();
    if (!this.known?.places) this.follow();
    const isEnd = path === "phones/end";
    const answer = await (isEnd ? endOnceSure(path, {}, t("phones.end")) : post(path));
    if (granted(answer)) {
      // The companion builds the table again: every page comes back by itself.
      toast(t("phones.laying"), "good");
    } else {
      this.isLaying = false;
      this.draw();
    }
  }

  /** @param {Phones} phones */
  asking({ phones }) {
    return phones.filter(({ source }) => source === null).map((phone) => this.asks(phone));
  }

  /** @param {PhoneRow} phone */
  asks({ number, kind }) {
    return h(
      "section.panel.phone-ask",
      { role: "status" },
      h("p", t("phones.asks", { kind: t(`phones.kind.${kind}`) })),
      button("main", "camera-let-in", t("phones.let-in"), () =>
        this.choose(post("phones/let-in", { number })),
      ),
      button("wide", "camera-refuse", t("phones.no"), () =>
        this.choose(endOnceSure("phones/send-away", { number }, null)),
      ),
    );
  }

  /** @param {Phones} phones */
  listed({ url, code, places, may_change: mayChange, phones }) {
    const title = h("h3", t("phones.title"));
    if (!url || !code) return [title, h("p.hint-line", t("phones.no-https"))];
    if (!places) return [title, mayChange ? this.beginner() : h("p", t("phones.no-place"))];
    const rows = phones.filter(({ source }) => source !== null).map((phone) => this.row(phone));
    return [
      title,
      h("p", t("phones.how"), " ", h("a", { href: "/guide/install" }, t("phones.warning"))),
      h("img.phone-code", { src: code, alt: "", testid: "camera-code" }),
      h("p.refs", h("a", { href: url, testid: "camera-url" }, url)),
      rows.length ? h("ul.seats", rows) : h("p.hint-line", t("phones.none")),
      mayChange && rows.length >= places && this.placer("phones/begin", "quiet", "phones.one-more"),
      mayChange && this.placer("phones/end", "quiet", "phones.end"),
    ];
  }

  beginner() {
    return [h("p", t("phones.what")), this.placer("phones/begin", "wide", "phones.begin")];
  }

  /**
   * @param {"phones/begin" | "phones/end"} path
   * @param {"wide" | "quiet"} name
   * @param {"phones.begin" | "phones.end" | "phones.one-more"} word
   */
  placer(path, name, word) {
    const testid = path === "phones/begin" ? "camera-begin" : "camera-end";
    const onclick = () => this.place(path);
    return button(name, testid, t(word), onclick, { disabled: this.isLaying });
  }

  /** @param {PhoneRow} phone */
  row({ number, kind, here }) {
    const values = { kind: t(`phones.kind.${kind}`) };
    const yes = t("phones.send-away");
    const onclick = () => this.choose(endOnceSure("phones/send-away", { number }, yes));

    return h(
      "li",
      h("span", t(here ? "phones.is-in" : "phones.away", values)),
      button("quiet", `camera-send-away-${number}`, t("phones.send-away"), onclick),
    );
  }
}

/** Whether a sheet or the set-up lies over the page. */
function isCovered() {
  return document.querySelector("dialog[open]") !== null;
}
