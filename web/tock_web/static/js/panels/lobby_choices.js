// The host's choices before a game: the number of players, players for free seats, and the rules.

import { bootstrap } from "../core/bootstrap.js";
import { button, h } from "../core/dom.js";
import { drawer } from "../core/store.js";
import { language, say, t } from "../core/words.js";
import { deckTiles } from "./deck.js";
import { houseRules } from "./house_rules.js";
import { freeWord, known, rulesLine } from "./lobby_rules.js";
import { Pairing } from "./pairing.js";
import { seatName } from "./seats.js";

/** @import { Children, LobbyInfo, OptionValue, RequestArguments, RulesetRow, SeatName, SeatStyles, Strength, View } from "#types" */
/** @import { Deck } from "./deck.js" */

/**
 * The host's choices in the lobby; a key that is left out stays as it is.
 *
 * @typedef {{ ruleset?: string, options?: Record<string, OptionValue>, players?: number | null,
 *   computers?: Strength | null, team_size?: number | null }} LobbyChoice
 * @typedef {object} LobbyActions
 * @property {(choice: LobbyChoice) => unknown} choose
 * @property {() => unknown} begin
 * @property {(seat: SeatName) => unknown} handOn the host's rights
 * @property {(first: SeatName, second: SeatName) => unknown} pair two people as partners
 * @property {(deck: Deck) => unknown} letter the letters of the cards
 * @typedef {object} HostsLobby
 * @property {ReturnType<typeof rulesBox>} rules
 * @property {(view: View, lobby: LobbyInfo) => Children} choices
 * @property {(view: View, styles: SeatStyles, me: SeatName | null) => Children} ways on to the game
 * @property {Pairing} pairing
 */

/** @type {(Strength | null)[]} */
const FREE = [null, "easy", "medium", "strong"];
/**
 * A host's additions to the lobby that everybody reads.
 *
 * @param {LobbyActions["choose"]} choose
 * @param {(...asked: RequestArguments) => unknown} ask as the host
 * @returns {HostsLobby}
 */
export function hostsLobby(choose, ask) {
  /** @type {LobbyActions} */
  const actions = {
    choose,
    begin: () => ask("begin"),
    handOn: (seat) => ask("hand_host", { seat }),
    pair: (first, second) => ask("pair", { first, second }),
    letter: (indices) => ask("set_indices", { indices }),
  };
  return {
    rules: rulesBox(actions),
    choices: (view, lobby) => choices(view, lobby, actions),
    ways: (view, styles, me) => ways(view, styles, me, actions),
    pairing: new Pairing(actions.pair),
  };
}

/** The complete lobby after a choice: other rules have house rules and teams of their own. */
export function prepared(/** @type {View} */ { game, lobby }, /** @type {LobbyChoice} */ choice) {
  const ruleset = choice.ruleset ?? game.ruleset;
  const isSame = ruleset === game.ruleset;
  const options = choice.options ?? (isSame ? game.options : {});
  const kept = { players: lobby?.chosen ?? null, computers: lobby?.computers, team_size: null };
  const asked = { ...kept, ...(isSame && { team_size: lobby?.team_chosen ?? null }), ...choice };
  const counts = known.rulesets?.find(({ name }) => name === ruleset)?.players;
  const isAllowed = asked.players === null || !counts || asked.players in counts;
  return {
    ruleset,
    options,
    players: isAllowed ? asked.players : null,
    computers: strengthOf(asked.computers),
    team_size: asked.team_size,
  };
}

/** @param {string | null | undefined} text */
function strengthOf(text) {
  return FREE.find((strength) => strength === text) ?? null;
}

/**
 * @param {View} view
 * @param {LobbyInfo} lobby
 * @param {LobbyActions} actions
 */
function choices(view, lobby, actions) {
  const count = (/** @type {number} */ players) =>
    button("tile small", `lobby-players-${players}`, String(players), () => actions.choose({ players }), {
      "aria-pressed": String(players === lobby.players),
    });
  const free = (/** @type {Strength | null} */ strength) =>
    h("option", { value: strength ?? "", selected: strength === lobby.computers }, freeWord(strength));
  /** @type {HTMLSelectElement} */
  const select = h(
    "select",
    {
      id: "lobby-free",
      testid: "lobby-free",
      onchange: () => actions.choose({ computers: FREE[select.selectedIndex] }),
    },
    FREE.map(free),
  );
  const size = (/** @type {number} */ team_size) =>
    button(
      "tile small",
      `lobby-teams-${team_size}`,
      teamsWord(team_size),
      () => actions.choose({ team_size }),
      {
        "aria-pressed": String(team_size === lobby.team_size),
      },
    );
  return [
    h("p", { class: "label" }, t("lobby-players")),
    h("div", { class: "tiles lobby-counts" }, lobby.counts.map(count)),
    lobby.team_sizes.length > 1 && h("p", { class: "label" }, t("lobby-teams")),
    lobby.team_sizes.length > 1 && h("div", { class: "tiles" }, lobby.team_sizes.map(size)),
    h("label", { for: "lobby-free" }, t("lobby-free")),
    select,
    deckTiles(view, actions.letter),
  ];
}

/** @param {number} size 1 where everybody plays alone */
export function teamsWord(size) {
  return size === 1 ? t("lobby-alone") : t("lobby-teams-of", { size });
}

/** The chosen rules; the others, and house rules, behind a tap. @param {LobbyActions} actions */
function rulesBox(actions) {
  const [title, rows, houseRows] = [
    h("summary"),
    h("div", { class: "tiles" }),
    h("div", { class: "settings" }),
  ];
  const houseBox = h("details", { testid: "lobby-house" }, h("summary", {}, t("house-rules")), houseRows);
  const box = h("details", { class: "lobby-rules", testid: "lobby-rules" }, title, rows, houseBox);
  const house = houseRules(houseBox, houseRows, (options) => actions.choose({ options }));
  const drawTitle = drawer(title, rulesLine);
  const drawRows = drawer(rows, (/** @type {View} */ view) =>
    (known.rulesets ?? []).map((row) => rulesRow(row, row.name === view.game.ruleset, actions)),
  );
  const show = (/** @type {View} */ view, /** @type {boolean} */ isHost) => {
    box.hidden = !isHost;
    const { ruleset, options } = view.game;
    const key = [language(), ruleset, options, known.rulesets !== null];
    drawTitle(key, view);
    drawRows(key, view);
    house.use(ruleset, options);
  };
  return { box, show };
}

/** @type {(row: RulesetRow, isChosen: boolean, actions: LobbyActions) => HTMLButtonElement} */
function rulesRow({ name, title, line }, isChosen, actions) {
  const onclick = () => actions.choose({ ruleset: name });
  const pressed = String(isChosen);
  return button(
    "tile rules-row",
    `lobby-rules-${name}`,
    h("span", {}, say(title), h("small", {}, say(line))),
    onclick,
    { "aria-pressed": pressed },
  );
}

/**
 * On to the game, or the host's rights to another.
 * @type {(view: View, styles: SeatStyles, me: SeatName | null, actions: LobbyActions) => Children}
 */
function ways(view, styles, me, actions) {
  return [
    handOn(view, styles, me, actions),
    button("main lobby-begin", "begin", t("lobby-begin"), () => actions.begin()),
    equipment(),
  ];
}

/** Tools that few would look for: a board of one's own, and a camera that lies in a drawer. */
function equipment() {
  return h(
    "div",
    { class: "lobby-equipment" },
    h("a", { href: "/host#board", testid: "lobby-own-board" }, t("lobby-own-board")),
    bootstrap.session.simulated &&
      h("a", { href: "/host#phone", testid: "lobby-old-phone" }, t("lobby-old-phone")),
  );
}

/**
 * @param {View} view
 * @param {SeatStyles} styles
 * @param {SeatName | null} me
 * @param {LobbyActions} actions
 */
function handOn(view, styles, me, actions) {
  const others = view.seats.filter(({ taken, seat }) => taken && seat !== me && seat !== view.host);
  if (!others.length) return null;
  /** @type {HTMLSelectElement} */
  const select = h(
    "select",
    {
      testid: "hand-host",
      "aria-label": t("lobby-hand-on"),
      onchange: () => {
        if (select.selectedIndex > 0) actions.handOn(others[select.selectedIndex - 1].seat);
      },
    },
    h("option", {}, t("lobby-hand-on")),
    others.map((entry) => h("option", {}, seatName(entry, styles))),
  );
  return select;
}
