// Before the game: seats, number of players and rules; the host chooses, and begins.

import { pawnIcon } from "../board/shapes.js";
import { bootstrap } from "../core/bootstrap.js";
import { h } from "../core/dom.js";
import { drawer } from "../core/store.js";
import { language, t } from "../core/words.js";
import { isHost, partnersOf } from "../state/me.js";
import { freeWord, known, learnRulesets, rulesLine } from "./lobby_rules.js";
import { colorName, seatName } from "./seats.js";

/** @import { Children, LobbyInfo, SeatStyles, SeatInfo, SeatName, View } from "#types" */
/** @import { HostsLobby } from "./lobby_choices.js" */
/** @import { Pairing } from "./pairing.js" */

/**
 * @param {HTMLElement} root
 * @param {SeatStyles} styles
 * @param {HostsLobby | null} hosting given where the host may be looking
 */
export function lobbyPanel(root, styles, hosting) {
  const [above, below] = [h("div.lobby-part"), h("div.lobby-part")];
  root.replaceChildren(above, ...(hosting ? [hosting.rules.box] : []), below);
  const drawAbove = drawer(above, (/** @type {View} */ view, /** @type {SeatName | null} */ me) =>
    view.lobby ? who(view, view.lobby, styles, me, isHost(view) ? hosting : null) : [],
  );
  const drawBelow = drawer(below, (/** @type {View} */ view, /** @type {SeatName | null} */ me) =>
    view.lobby ? ways(view, styles, me, isHost(view) ? hosting : null) : [],
  );
  /** @type {View | null} */
  let newest = null;
  const show = () => {
    if (!newest) return;
    const { role, lobby, seats, host, game, indices } = newest;
    const me = role === "seat" ? newest.seat : null;
    root.hidden = !lobby;
    document.body.classList.toggle("in-lobby", Boolean(lobby));
    if (!lobby) return;
    const key = [
      language(),
      role,
      me,
      lobby,
      host,
      seats,
      indices,
      newest.to_move,
      hosting?.pairing.first,
      game.ruleset,
      game.options,
      known.rulesets,
    ];
    drawAbove(key, newest, me);
    drawBelow(key, newest, me);
    hosting?.rules.show(newest, isHost(newest));
  };
  if (hosting) hosting.pairing.changed = show;
  return (/** @type {View} */ view) => {
    newest = view;
    if (view.lobby && !known.rulesets) learnRulesets().then(show);
    show();
  };
}

/**
 * @param {View} view
 * @param {LobbyInfo} lobby
 * @param {SeatStyles} styles
 * @param {SeatName | null} me
 * @param {HostsLobby | null} hosting
 * @returns {Children}
 */
function who(view, lobby, styles, me, hosting) {
  const pairing = hosting?.pairing.isOpen(view) ? hosting.pairing : null;
  return [
    h("h2", t("lobby-title")),
    h("p.lobby-host", { testid: "lobby-host" }, hostSentence(view)),
    h(
      "ul.lobby-seats",
      view.seats.map((entry) => seatRow(entry, view, lobby, styles, me, pairing)),
    ),
    pairing?.line(view),
    hosting ? hosting.choices(view, lobby, styles) : summary(view, lobby),
  ];
}

/**
 * The way in for others, and on to the game.
 * @type {(view: View, styles: SeatStyles, me: SeatName | null, hosting: HostsLobby | null) => Children}
 */
function ways(view, styles, me, hosting) {
  return [me && bootstrap.session.url && h("div.lobby-code", code()), hosting?.ways(view, styles, me)];
}

/** @param {View} view */
function hostSentence(view) {
  if (isHost(view)) return t("lobby-you-host");
  const host = view.seats.find(({ seat }) => seat === view.host);
  if (host) return t("lobby-host", { name: host.name });
  return t(view.seats.some(({ taken }) => taken) ? "lobby-other-host" : "lobby-no-host");
}

/**
 * @param {SeatInfo} entry
 * @param {View} view
 * @param {LobbyInfo} lobby
 * @param {SeatStyles} styles
 * @param {SeatName | null} me
 * @param {Pairing | null} pairing
 */
function seatRow(entry, view, lobby, styles, me, pairing) {
  const mates = partnersOf(view, entry.seat);
  const nobody = t(lobby.computers ? "computer" : "seat-free");
  const notes = [
    entry.seat === me && t("you"),
    entry.taken && entry.seat === view.host && t("lobby-is-host"),
    ...mates.map((mate) => t("lobby-partner", { name: seatName(mate, styles) })),
  ].filter(Boolean);
  const row = [
    pawnIcon(styles.get(entry.seat)),
    h("b", entry.taken ? entry.name : nobody),
    h("span.lobby-note", notes.length ? `(${notes.join(", ")})` : colorName(entry.seat, styles)),
  ];
  return h(
    "li",
    { class: entry.taken ? null : "free", testid: `lobby-seat-${entry.seat}` },
    pairing && entry.taken ? pairing.button(entry.seat, row) : row,
  );
}

/** The text for people who do not choose. @type {(view: View, lobby: LobbyInfo) => HTMLParagraphElement[]} */
function summary(view, lobby) {
  return [
    h("p", t("lobby-players"), " ", h("b", lobby.players)),
    h("p", t("lobby-free"), t("colon"), freeWord(lobby.computers)),
    h("p.lobby-line", rulesLine(view)),
  ];
}

/** The way in for the others, as large as a phone held up needs it. */
function code() {
  return [
    h("img", { src: "/api/v1/qr.svg", alt: "", width: 150, height: 150 }),
    h("p", t("lobby-invite"), " ", h("b", bootstrap.session.url)),
    bootstrap.session.simulated && h("p", h("a", { href: "/sim" }, t("lobby-sim"))),
  ];
}
