// This table follows the game of another home: the link that somebody there has sent, and how things stand.

import { post } from "../core/api.js";
import { button, h } from "../core/dom.js";
import { endOnceSure } from "../core/ending.js";
import { say, t } from "../core/words.js";
import { granted } from "../panels/frame.js";

/** @import { FarPlaces, Reply } from "#types" */

/**
 * @param {FarPlaces["followed"]} followed
 * @param {boolean} asksCopy whether a move of the other home is to be copied here
 * @param {string} link the text typed so far
 * @param {(link: string) => void} typed
 * @param {(places: FarPlaces) => void} show
 */
export function followParts(followed, asksCopy, link, typed, show) {
  /** @param {Promise<Reply<FarPlaces>>} asked */
  const ask = async (asked) => {
    const answer = await asked;
    if (granted(answer)) show(answer.data);
  };
  const one = (
    /** @type {"far-follow" | "far-later" | "far-unfollow"} */ testid,
    /** @type {string} */ kind,
    /** @type {() => void} */ onclick,
  ) => button(kind, testid, t(`far-host.${testid}`), onclick);
  if (followed.state !== "off") {
    const word = t(`far-host.followed.${followed.state}`);
    const text = followed.sentence ? say(followed.sentence) : word;
    return [
      h("h3", t("far-host.follow")),
      h("p", { testid: "far-followed", "data-state": followed.state, role: "status" }, text),
      asksCopy && one("far-later", "wide", () => void ask(post("far/later"))),
      one(
        "far-unfollow",
        "quiet",
        () => void ask(endOnceSure("far/unfollow", {}, t("far-host.far-unfollow"))),
      ),
    ];
  }
  /** @type {HTMLInputElement} */
  const field = h("input.far-address", {
    testid: "far-follow-link",
    value: link,
    autocomplete: "off",
    "aria-label": t("far-host.follow-link"),
    placeholder: t("far-host.follow-link"),
    oninput: () => typed(field.value),
  });
  return [
    h("h3", t("far-host.follow")),
    field,
    one("far-follow", "wide", () => void ask(post("far/follow", { link: field.value.trim() }))),
  ];
}
