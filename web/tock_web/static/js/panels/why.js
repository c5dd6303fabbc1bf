// Why? The broken rules in plain words, and the sister game that would allow the move: fetched with the first tap.

import { get, post } from "../core/api.js";
import { button, h } from "../core/dom.js";
import { loadAllWords, say, t } from "../core/words.js";
import { granted, toast } from "./frame.js";
import { rulesAbout } from "./rules.js";

/** @import { GameInfo } from "#types" */

/**
 * Open or close the explanation below its button.
 * @type {(opener: HTMLElement, text: HTMLElement, breaks: string[], game: GameInfo, isHost: boolean) => Promise<void>}
 */
export async function explain(opener, text, breaks, game, isHost) {
  const isOpen = opener.getAttribute("aria-expanded") === "true";
  const lines = isOpen ? [] : await rulesAbout(game, breaks);
  opener.setAttribute("aria-expanded", String(lines.length > 0));
  text.replaceChildren(...lines.map((words) => h("li", say(words))));
  if (lines.length) await addSister(text, isHost);
}

/** @type {(text: HTMLElement, isHost: boolean) => Promise<void>} */
async function addSister(text, isHost) {
  const answer = await get("own-games/sister");
  if (!answer.ok || !answer.data.text || !text.children.length) return;
  await loadAllWords();
  const { ruleset, options } = answer.data;
  const change = async () => {
    const name = t("own.next-name");
    if (granted(await post("own-games", { name, ruleset, options, next: true })))
      toast(t("own.next-kept", { name }), "good");
  };
  text.append(
    h(
      "li",
      { testid: "sister" },
      say(answer.data.text),
      isHost && button("wide", "sister-next", t("own.next"), change),
    ),
  );
}
