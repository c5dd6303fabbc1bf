// Which game does the family play? Seven questions with pictures find it, or make the family's own of the nearest.

import { get, post } from "../core/api.js";
import { button, h } from "../core/dom.js";
import { endOnceSure } from "../core/ending.js";
import { drawer } from "../core/store.js";
import { language, onLanguage, say, t } from "../core/words.js";
import { cardFace } from "./cards.js";
import { granted, toast } from "./frame.js";
import { learnRulesets } from "./lobby_rules.js";
import { familyGames, keep, otherBoard, sharedGame } from "./own_games.js";
import { picture } from "./rule_pictures.js";

/** @import { AnswerRow, Children, FoundGames, NamedGame, OptionValue, OwnGameRow, QuestionRow, SheetRow } from "#types" */
/** @typedef {{ ruleset: string, options: Record<string, OptionValue> }} ChosenGame */
/**
 * @typedef {object} WhichState
 * @property {Record<string, string>} given the answers so far, in their order
 * @property {string | null} game the one that is found, and may be changed
 * @property {FoundGames | null} found
 * @property {boolean} isOther the answers of the other games are shown
 * @property {readonly OwnGameRow[]} own the games that the family has made
 * @property {OwnGameRow | null} shared a game that somebody has sent
 */

const CARDS = /** @type {Record<string, string>} */ ({
  card_a: "AS",
  card_j: "JH",
  card_k: "KC",
  card_5: "5D",
  card_7: "7S",
});
const UNKNOWN = "?";
/** @type {WhichState} */
const NOTHING = { given: {}, game: null, found: null, isOther: false, own: [], shared: null };

/** @param {(choice: ChosenGame) => unknown} choose */
export function whichGame(choose) {
  const body = h("div.which");
  const dialog = h("dialog.replay", { testid: "which", "aria-labelledby": "which-title" }, body);
  const style = new URL("../../css/which.css", import.meta.url).href;
  document.head.append(h("link", { rel: "stylesheet", href: style }));
  document.body.append(dialog);
  let state = NOTHING;
  const draw = drawer(body, () => contents(state, acts));
  const show = (/** @type {Partial<WhichState>} */ change) => {
    state = { ...state, ...change };
    draw([language(), state]);
    dialog.scrollTop = 0;
  };
  onLanguage(() => show({}));

  /** @type {(given: Record<string, string>, game: string | null, ask?: string) => Promise<void>} */
  async function look(given, game, ask) {
    const answer = await get("own-games/find", { ...given, ...(game && { game }), ...(ask && { ask }) });
    if (granted(answer)) show({ given, game, found: answer.data, isOther: false, shared: null });
  }

  const acts = {
    answer: (/** @type {string} */ topic, /** @type {string} */ id) => {
      const { [topic]: _, ...before } = state.given;
      void look({ ...before, [topic]: id }, state.game);
    },
    ask: (/** @type {string} */ topic) => void look(state.given, state.found?.games[0].name ?? null, topic),
    back: () => void look(Object.fromEntries(Object.entries(state.given).slice(0, -1)), null),
    others: () => show({ isOther: true }),
    play: async (/** @type {ChosenGame} */ game, name = "") => {
      if (name && !(await keep(game, name))) return;
      await choose(game);
      dialog.close();
    },
    lay: async (/** @type {NamedGame} */ { name, board }) => {
      // In the lobby no game ends.
      if (!granted(await endOnceSure("boards/choose", { key: board ?? "", game: name }, null))) return;
      // The companion lays the other board now: every page comes back by itself.
      toast(t("boards.laying"), "good");
      dialog.close();
    },
    forget: async (/** @type {string} */ name) => {
      if (!granted(await endOnceSure("own-games/forget", { name }, t("game-forget-yes"), h("b", name))))
        return;
      show({ own: state.own.filter((game) => game.name !== name) });
      await learnRulesets();
    },
    read: async (/** @type {string} */ text) => {
      const answer = await post("own-games/read", { text });
      if (granted(answer)) show({ shared: answer.data });
    },
    close: () => dialog.close(),
  };
  return async (/** @type {string | undefined} */ link = undefined) => {
    dialog.showModal();
    const own = await get("own-games");
    if (own.ok) show({ own: own.data.games });
    await look({}, null);
    if (link) await acts.read(link);
  };
}

/** @typedef {{ answer: (topic: string, id: string) => void, ask: (topic: string) => void, back: () => void,
 *   lay: (game: NamedGame) => unknown, others: () => void, play: (game: ChosenGame, name?: string) => unknown, forget: (name: string) => unknown,
 *   read: (text: string) => unknown, close: () => void }} Acts */

/** @type {(state: WhichState, acts: Acts) => Children} */
function contents({ given, found, isOther, own, shared }, acts) {
  if (!found) return [];
  if (shared) return [sharedGame(shared, acts), ways(false, acts)];
  const { question, games } = found;
  const isBegun = Object.keys(given).length > 0;
  return [
    question ? asking(question, isOther, acts) : result(found, acts),
    question && isBegun && h("p.which-left", t("own.left"), " ", named(games)),
    !isBegun && familyGames(own, acts),
    ways(isBegun, acts),
  ];
}

/** @type {(isBegun: boolean, acts: Acts) => HTMLElement} */
function ways(isBegun, acts) {
  return h(
    "div.which-ways",
    isBegun && button("quiet", "which-back", t("own.back"), acts.back),
    button("quiet", "which-close", t("close"), acts.close),
  );
}

/** @param {readonly NamedGame[]} games */
function named(games) {
  return h("b", games.map(({ title }) => say(title)).join(", "));
}

/** @type {(question: QuestionRow, isOther: boolean, acts: Acts) => Children} */
function asking({ topic, text, answers, others }, isOther, acts) {
  const tile = (/** @type {AnswerRow} */ row) =>
    button(
      "tile which-answer",
      `which-${row.id}`,
      [picture(topic, row.id), h("span", capital(say(row.text)))],
      () => acts.answer(topic, row.id),
    );
  return [
    h("h2", { id: "which-title" }, topic in CARDS && cardFace(CARDS[topic]), h("span", say(text))),
    h("div.which-answers", { testid: `which-topic-${topic}` }, answers.map(tile)),
    isOther && h("div.which-answers", { testid: "which-others" }, others.map(tile)),
    !isOther && others.length > 0 && button("wide", "which-other", t("own.otherwise"), acts.others),
    button("wide", "which-unknown", t("own.unknown"), () => acts.answer(topic, UNKNOWN)),
  ];
}

/** @param {string} text */
function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** @type {(found: FoundGames, acts: Acts) => Children} */
function result({ games, options, sheet }, acts) {
  const [game] = games;
  const others = games.slice(1);
  const isOwn = Object.keys(options).length > 0;
  const name = h("input", { id: "which-name", testid: "which-name", maxlength: 24, autocomplete: "off" });
  const play = () => acts.play({ ruleset: game.name, options: { ...options } }, name.value.trim());
  return [
    h(
      "h2",
      { id: "which-title", testid: "which-found" },
      t(isOwn ? "own.nearly" : "own.found"),
      " ",
      say(game.title),
    ),
    h("p", say(game.line)),
    !game.fits && otherBoard(game.board === null ? null : () => acts.lay(game)),
    h(
      "ul.which-sheet",
      sheet.map((row) => sheetRow(row, acts)),
    ),
    isOwn && [h("label", { for: "which-name" }, t("own.name")), name],
    game.fits && button("main", "which-play", t("own.play"), play),
    others.length > 0 && h("p.label", t("own.or")),
    others.map((other) =>
      button("wide", `which-game-${other.name}`, say(other.title), () =>
        acts.play({ ruleset: other.name, options: {} }),
      ),
    ),
  ];
}

/** @type {(row: SheetRow, acts: Acts) => HTMLElement} */
function sheetRow({ topic, text, printed, possible }, acts) {
  return h(
    "li",
    { class: printed ? "changed" : null, testid: `which-row-${topic}` },
    h(
      "span",
      say(printed && !possible ? printed : text),
      printed && h("small", possible ? `${t("own.printed")} ${say(printed)}` : t("own.impossible")),
    ),
    button("quiet", `which-change-${topic}`, t("own.change"), () => acts.ask(topic)),
  );
}
