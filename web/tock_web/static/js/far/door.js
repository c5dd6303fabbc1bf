// The door: who invites, and one field for the name.

import { partOf, part, recall, remember } from "../core/bootstrap.js";
import { write } from "../core/dom.js";
import { t } from "../core/words.js";
import { isOver } from "./state.js";

/** @import { FarState } from "./state.js" */

/** @type {(join: (name: string) => void) => (state: FarState) => void} */
export function door(join) {
  const name = partOf(HTMLInputElement, "far-name");
  const node = partOf(HTMLButtonElement, "far-join");
  const form = part("far-form");
  name.value ||= recall("name", "");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const text = name.value.trim();
    if (!text) {
      name.focus();
      return;
    }
    remember("name", text);
    join(text);
  });
  return (state) => {
    const { stage, invited } = state;
    const isAsked = stage === "door" || stage === "joining";
    const word = invited?.watches ? "far.invites-to-watch" : "far.invites";
    write(part("far-title"), invited?.by ? t(word, { name: invited.by }) : t("far.title"));
    if (invited && !name.value) name.value = invited.name;
    // The field is there from the beginning: she may write while the line is being made.
    form.hidden = stage === "seated";
    part("far-door").hidden = isOver(state);
    node.disabled = !isAsked || stage === "joining";
    write(node, t(stage === "joining" ? "far.joining" : invited?.watches ? "far.watch" : "join-enter"));
  };
}
