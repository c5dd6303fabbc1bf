// The host's choices before a game: the number of players, players for free seats, and the rules.

import { pawnIcon } from "../board/shapes.js";
import { get } from "../core/api.js";
import { bootstrap } from "../core/bootstrap.js";
import { button, choice, h, tile } from "../core/dom.js";
import { drawer } from "../core/store.js";
import { language, say, t } from "../core/words.js";
import { deckTiles } from "./deck.js";
import { houseRules } from "./house_rules.js";
import { chosenRow, freeWord, known, learnRulesets, rulesLine } from "./lobby_rules.js";
import { Pairing } from "./pairing.js";
import { seatName } from "./seats.js";
import { followLink, whichGameDoor } from "./which_game_door.js";

/** @import { Children, LobbyInfo, OptionValue, RequestArguments, RulesetRow, SeatInfo, SeatName, SeatStyles, Strength, View } from "#types" */
/** @import { Deck } from "./deck.js" */

/**
 * The host's choices in the lobby; a key that is left out stays as it is.
 *
 * @typedef {{ ruleset?: string, options?: Record<string, OptionValue>, players?: number | null,
 *   computers?: Strength | null, team_size?: number | null, first?: SeatName | null }} LobbyChoice
 * @typedef {object} LobbyActions
 * @property {(choice: LobbyChoice) => unknown} choose
 * @property {() => unknown} begin
 * @property {(seat: SeatName, name: string) => unknown} handOn the host's rights
 * @property {(first: SeatName, second: SeatName) => unknown} pair two people as partners
 * @property {(deck: Deck) => unknown} letter the letters of the cards
 * @typedef {object} HostsLobby
 * @property {ReturnType<typeof rulesBox>} rules
 * @property {(view: View, lobby: LobbyInfo, styles: SeatStyles) => Children} choices
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
 * @param {(question: null, yes: string) => Promise<boolean>} sure
 * @returns {HostsLobby}
 */
export function hostsLobby(choose, ask, sure) {
  /** @type {LobbyActions} */
  const actions = {
    choose,
    begin: () => ask("begin"),
    handOn: async (seat, name) => {
      if (await sure(null, `${t("lobby-hand-on")} ${name}`)) await ask("hand_host", { seat });
    },
    pair: (first, second) => ask("pair", { first, second }),
    letter: (indices) => ask("set_indices", { indices }),
  };
  return {
    rules: rulesBox(actions),
    choices: (view, lobby, styles) => choices(view, lobby, styles, actions),
    ways: (view, styles, me) => ways(view, styles, me, actions),
    pairing: new Pairing(actions.pair),
  };
}

/** The complete lobby after a choice: other rules have house rules and teams of their own. */
export function prepared(/** @type {View} */ { game, lobby, to_move }, /** @type {LobbyChoice} */ chosen) {
  const first = lobby ? to_move : null;
  const ruleset = chosen.ruleset ?? game.ruleset;
  const isSame = ruleset === game.ruleset;
  const options = chosen.options ?? (isSame ? game.options : {});
  const kept = { players: lobby?.chosen ?? null, computers: lobby?.computers, team_size: null, first };
  const asked = { ...kept, ...(isSame && { team_size: lobby?.team_chosen ?? null }), ...chosen };
  return {
    ruleset,
    options,
    players: allowed(ruleset, asked.players),
    computers: strengthOf(asked.computers),
    team_size: asked.team_size,
    first: asked.first,
  };
}

/** The number of players where a ruleset has it. @type {(ruleset: string, players: number | null) => number | null} */
function allowed(ruleset, players) {
  const counts = known.rulesets?.find(({ name }) => name === ruleset)?.players;
  return players === null || !counts || players in counts ? players : null;
}

/**
 * The request with which the host goes on: the same game again, with other partners, or the lobby for all choices.
 * A game of which a rule was changed comes back in the lobby, where everybody reads it.
 * @type {(view: View, how: "again" | "rotated" | "lobby") => Promise<RequestArguments>}
 */
export async function nextGame(view, how) {
  const own = await get("own-games");
  if (own.ok && own.data.next) {
    const { ruleset, options } = own.data.next;
    await learnRulesets();
    return ["prepare", prepared(view, { ruleset, options: { ...options } })];
  }
  return how === "lobby" ? ["prepare", prepared(view, {})] : ["rematch", { rotate: how === "rotated" }];
}

/** @param {string | null | undefined} text */
function strengthOf(text) {
  return FREE.find((strength) => strength === text) ?? null;
}

/** @param {View} view @param {LobbyInfo} lobby @param {SeatStyles} styles @param {LobbyActions} actions */
function choices(view, lobby, styles, actions) {
  const count = (/** @type {number} */ players) =>
    tile("tile small", `lobby-players-${players}`, players, players === lobby.players, () =>
      actions.choose({ players }),
    );
  const free = { id: "lobby-free", testid: "lobby-free" };
  const size = (/** @type {number} */ team_size) =>
    tile("tile small", `lobby-teams-${team_size}`, teamsWord(team_size), team_size === lobby.team_size, () =>
      actions.choose({ team_size }),
    );
  const people = view.seats.filter(({ taken }) => taken);
  const first = (/** @type {SeatInfo} */ entry) =>
    tile(
      "tile small",
      `lobby-first-${entry.seat}`,
      [pawnIcon(styles.get(entry.seat)), h("span", seatName(entry, styles))],
      entry.seat === view.to_move,
      () => actions.choose({ first: entry.seat }),
    );
  return [
    h("p.label", t("lobby-players")),
    h("div.tiles.lobby-counts", lobby.counts.map(count)),
    lobby.team_sizes.length > 1 && h("p.label", t("lobby-teams")),
    lobby.team_sizes.length > 1 && h("div.tiles", lobby.team_sizes.map(size)),
    people.length > 1 && h("p.label", t("first-player")),
    people.length > 1 && h("div.tiles", people.map(first)),
    h("label", { for: "lobby-free" }, t("lobby-free")),
    choice(free, FREE, strengthOf(lobby.computers), freeWord, (computers) => actions.choose({ computers })),
    deckTiles(view, actions.letter),
  ];
}

/** @param {number} size 1 where everybody plays alone */
function teamsWord(size) {
  return size === 1 ? t("lobby-alone") : t("lobby-teams-of", { size });
}

/** The chosen rules; the others, and house rules, behind a tap. @param {LobbyActions} actions */
function rulesBox(actions) {
  const [title, rows, houseRows] = [h("summary"), h("div.tiles"), h("div.settings")];
  const houseBox = h("details", { testid: "lobby-house" }, h("summary", t("house-rules")), houseRows);
  const which = button("wide", "lobby-which", "", () => open());
  const named = h("details.lobby-rules", { testid: "lobby-rules" }, title, rows, houseBox);
  const box = h("div.lobby-part", which, named);
  const open = whichGameDoor(actions.choose);
  const house = houseRules(houseBox, houseRows, (options) => actions.choose({ options }));
  const drawTitle = drawer(title, rulesLine);
  const drawRows = drawer(rows, (/** @type {View} */ { game }) =>
    (known.rulesets ?? []).map((row) => rulesRow(row, row === chosenRow(game), actions)),
  );
  const show = (/** @type {View} */ view, /** @type {boolean} */ isHost) => {
    box.hidden = !isHost;
    if (isHost) followLink(open);
    const { ruleset, options } = view.game;
    const key = [language(), ruleset, options, known.rulesets];
    which.textContent = t("lobby-which");
    drawTitle(key, view);
    drawRows(key, view);
    house.use(ruleset, options);
  };
  return { box, show };
}

/** @type {(row: RulesetRow, isChosen: boolean, actions: LobbyActions) => HTMLButtonElement} */
function rulesRow({ name, title, line, options }, isChosen, actions) {
  return tile(
    "tile rules-row",
    Object.keys(options).length ? `lobby-own-${say(title)}` : `lobby-rules-${name}`,
    h("span", say(title), h("small", say(line))),
    isChosen,
    () => actions.choose({ ruleset: name, options: { ...options } }),
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
    "div.lobby-equipment",
    h("a", { href: "/host#board", testid: "lobby-own-board" }, t("lobby-own-board")),
    bootstrap.session.simulated &&
      h("a", { href: "/host#phone", testid: "lobby-old-phone" }, t("lobby-old-phone")),
  );
}

/** @param {View} view @param {SeatStyles} styles @param {SeatName | null} me @param {LobbyActions} actions */
function handOn(view, styles, me, actions) {
  const others = view.seats.filter(({ taken, seat }) => taken && seat !== me && seat !== view.host);
  if (!others.length) return null;
  const attributes = { testid: "hand-host", "aria-label": t("lobby-hand-on") };
  return choice(
    attributes,
    [null, ...others],
    null,
    (entry) => (entry ? seatName(entry, styles) : t("lobby-hand-on")),
    (entry) => entry && actions.handOn(entry.seat, seatName(entry, styles)),
  );
}
