// The director's panels: people, results, what went wrong.

import { button, h } from "../core/dom.js";
import { say, t } from "../core/words.js";
import { toast } from "../panels/frame.js";
import { resultFields } from "./result.js";
import { labelled } from "./asking.js";

/** @import { Children, DirectorView, HallView, ReadList } from "#types" */
/**
 * @typedef {object} Acts
 * @property {(path: "pair" | "begin" | "seen") => void} act
 * @property {(path: "open" | "drop" | "time" | "close", data: object, yes: string, question: Children) => void} end
 *   asks first; without a question nothing ends
 * @property {(text: string) => void} enter
 * @property {(list: string | File) => Promise<ReadList | null>} read
 * @property {(entrant: number, active: boolean) => void} turn
 * @property {(data: object) => void} result
 */

/** @type {(desk: DirectorView, acts: Acts) => HTMLElement} */
export function peoplePanel(desk, acts) {
  const text = h("textarea", { rows: 5 });
  const file = h("input", { type: "file", accept: ".csv,.txt,text/csv,text/plain" });
  /** Show a list as it is understood; true where it was written so. @param {string | File} list */
  const understood = async (list) => {
    const found = await acts.read(list);
    if (!found) return false;
    if (found.text === text.value.trim()) return true;
    text.value = found.text;
    toast(t("club.people-check", { count: found.count }), "good");
    return false;
  };
  file.addEventListener("change", async () => {
    if (file.files?.[0]) await understood(file.files[0]);
  });
  const enter = async () => {
    if (await understood(text.value)) acts.enter(text.value);
  };
  const people = desk.entrants.map((one) =>
    h(
      "li",
      { class: one.active ? null : "withdrawn" },
      h("span", one.name),
      button(
        "quiet",
        `turn-${one.number}`,
        one.active ? "×" : "+",
        () => acts.turn(one.number, !one.active),
        { "aria-label": t(one.active ? "club.withdraw" : "club.return", { name: one.name }) },
      ),
    ),
  );
  return h(
    "section.panel",
    { testid: "people" },
    h("h2", t("club.people", { count: desk.entrants.length })),
    labelled("people-list", t(desk.people === 2 ? "club.people-pairs" : "club.people-list"), text),
    button("main", "people-add", t("club.people-add"), enter),
    labelled("people-file", t("club.people-file"), file),
    h("ul.director-people", people),
  );
}

/** @type {(hall: HallView, acts: Acts) => HTMLFormElement | null} */
export function resultPanel(hall, acts) {
  if (!hall.begun) return null;
  const table = h("select");
  table.append(...hall.games.map((game) => h("option", { value: game.table }, String(game.table))));
  const why = h("input", { type: "text", maxlength: 200 });
  const place = h("div");
  /** @type {ReturnType<typeof resultFields> | null} */
  let fields = null;
  const show = () => {
    const game = hall.games.find((each) => each.table === Number(table.value));
    fields = game ? resultFields(game) : null;
    place.replaceChildren(...(fields ? [fields.root] : []));
  };
  table.addEventListener("change", show);
  show();
  const send = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (fields)
      acts.result({
        round: hall.round,
        table: Number(table.value),
        why: why.value.trim(),
        ...fields.entered(),
      });
  };
  return h(
    "form.panel",
    { testid: "result", onsubmit: send },
    h("h2", t("club.result")),
    labelled("result-table", t("club.result-table"), table),
    place,
    labelled("result-why", t("club.result-why"), why),
    h("button.main", { type: "submit", testid: "result-save" }, t("club.result-save")),
  );
}

/** @type {(desk: DirectorView, acts: Acts) => (HTMLParagraphElement | null)[]} */
export function troublePanel(desk, acts) {
  return [
    desk.tables.length && !desk.broker ? h("p.panel.trouble", t("club.broker-off")) : null,
    desk.trouble
      ? h(
          "p.panel.trouble",
          { testid: "trouble" },
          h("span", say(desk.trouble)),
          button("wide", "seen", t("club.seen"), () => acts.act("seen")),
        )
      : null,
  ];
}
