// The games that a family has made of printed ones: kept, sent to others, taken from others.

import { post } from "../core/api.js";
import { button, h } from "../core/dom.js";
import { say, t } from "../core/words.js";
import { granted, toast } from "./frame.js";
import { learnRulesets } from "./lobby_rules.js";

/** @import { Children, OwnGameRow } from "#types" */
/** @import { Acts, ChosenGame } from "./which_game.js" */

/** @type {(game: ChosenGame, name: string) => Promise<boolean>} */
export async function keep(game, name) {
  const isKept = granted(await post("own-games", { name, ...game }));
  if (isKept) await learnRulesets();
  return isKept;
}

/** @param {(() => unknown) | null} lay the board of the game; null where there is none */
export function otherBoard(lay = null) {
  return [
    h("p.bad", { role: "alert", testid: "which-other-board" }, t(lay ? "own.lay-board" : "own.other-board")),
    lay && button("main", "which-lay", t("own.lay"), lay),
  ];
}

/**
 * The games that the family has made already, and the way in for one of others.
 * @type {(games: readonly OwnGameRow[], acts: Acts) => Children}
 */
export function familyGames(games, acts) {
  const link = h("input", { id: "which-link", testid: "which-link", autocomplete: "off" });
  /** @type {HTMLInputElement} */
  const file = h("input", {
    type: "file",
    id: "which-file",
    testid: "which-file",
    accept: ".toml",
    onchange: async () => {
      const chosen = file.files?.[0];
      if (chosen) acts.read(await chosen.text());
    },
  });
  return [
    games.length > 0 && h("h3", t("own.ours")),
    games.map((game) => ownRow(game, acts)),
    h(
      "details",
      { testid: "which-shared" },
      h("summary", t("own.shared")),
      h("label", { for: "which-link" }, t("own.link")),
      link,
      button("wide", "which-read", t("own.look"), () => acts.read(link.value)),
      h("label", { for: "which-file" }, t("own.file")),
      file,
    ),
  ];
}

/** @type {(game: OwnGameRow, acts: Acts) => HTMLElement} */
function ownRow(game, acts) {
  const { name, ruleset, options, link } = game;
  const copy = async () => {
    const address = `${location.origin}/${link}`;
    try {
      await navigator.clipboard.writeText(address);
      toast(t("own.copied"), "good");
    } catch {
      field.hidden = false;
      field.value = address;
      field.select();
    }
  };
  const field = h("input", { readonly: true, hidden: true, "aria-label": t("own.link") });
  return h(
    "section.which-own",
    { testid: `own-${name}` },
    described(game),
    h(
      "div.which-ways",
      button("quiet", "own-play", t("own.play"), () => acts.play({ ruleset, options: { ...options } })),
      h(
        "a",
        {
          href: `/api/v1/own-games/file?name=${encodeURIComponent(name)}`,
          download: `${name}.toml`,
          testid: "own-file",
        },
        t("own.as-file"),
      ),
      button("quiet", "own-link", t("own.as-link"), copy),
      button("quiet", "own-forget", t("own.forget"), () => acts.forget(name)),
    ),
    field,
  );
}

/** @param {OwnGameRow} game */
function described({ name, title, changes }) {
  return [
    h("h3", name),
    h("p", t("own.like", { game: say(title) })),
    h(
      "ul",
      changes.map((text) => h("li", say(text))),
    ),
  ];
}

/** @type {(game: OwnGameRow, acts: Acts) => Children} */
export function sharedGame(game, acts) {
  const { name, ruleset, options, fits } = game;
  return [
    h("h2", { id: "which-title" }, t("own.received")),
    h("section.which-own", { testid: "which-received" }, described(game)),
    !fits && otherBoard(),
    fits &&
      button("main", "which-play", t("own.keep"), () =>
        acts.play({ ruleset, options: { ...options } }, name),
      ),
  ];
}
