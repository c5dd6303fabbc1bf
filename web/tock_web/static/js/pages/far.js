// The far phone: the link, the line to the table, the door, and then the player's page, which is the same as at home.

import { stayAwake } from "../camera/awake.js";
import { bootstrap, part, partOf, recall, remember } from "../core/bootstrap.js";
import { Store } from "../core/store.js";
import { language, onLanguage, switchLanguage } from "../core/words.js";
import { door } from "../far/door.js";
import { readLink } from "../far/link.js";
import { deviceSecret, forgetLink, newestLink } from "../far/memory.js";
import { roomKeys } from "../far/session.js";
import { FarSource } from "../far/source.js";
import { standingStrip } from "../far/standing.js";
import { markTapped } from "../far/tapped.js";
import { Tunnel } from "../far/tunnel.js";
import { ON_THE_WAY, isOver, reduceFar } from "../far/state.js";

/** @import { FarLink } from "../far/link.js" */
/** @import { Bootstrap, FarPage } from "#types" */
/** @import { FarAction, FarState } from "../far/state.js" */

const CLOCK_MS = 1_000;
const AGAIN_MS = 1_500;
/** A home that no longer takes this link in. */
const OPENS_NOTHING = ["revoked", "over", "seat", "board"];
/** The page behind the door, as it is at home: the player's, or that of spectators. */
const BEHIND = document.body.dataset.page === "watch" ? "watch" : "seat";
const PAGE = new URL(`./${BEHIND}.js`, import.meta.url);
/** Documents of the relay. */
const PATHS = { seat: "/far", watch: "/far/watch" };

const strip = standingStrip(part("far-line"), () => void sitAgain());
const drawDoor = door((name) => void join(name));
const doorsLanguage = new AbortController();
/** @type {Store<FarState, FarAction>} */
const store = new Store(reduceFar, ON_THE_WAY, draw);
/** @type {{ tunnel: Tunnel | null }} */
const own = { tunnel: null };

/** @param {FarState} state */
function draw(state) {
  strip(state);
  // What this link no longer plays is still there to be read.
  for (const node of document.querySelectorAll(".columns")) node.toggleAttribute("inert", isOver(state));
  if (state.stage !== "seated") drawDoor(state);
}

async function begin() {
  document.documentElement.dataset.size = recall("size", "1");
  const hash = newestLink(location.hash);
  const link = await readLink(hash);
  if (typeof link === "string") store.dispatch({ type: "faulty", fault: link });
  else await open(link);
}

/** @param {FarLink} link */
async function open({ table, secret }) {
  const keys = await roomKeys(table, secret);
  const { version, views } = /** @type {Bootstrap & { far: FarPage }} */ (bootstrap).far;
  const url = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/mqtt`;
  const place = { url, table, keys, device: deviceSecret(keys.room), version, views };
  const tunnel = new Tunnel(place, (line) => {
    store.dispatch({ type: "line", line });
    if (OPENS_NOTHING.includes(line.kind)) forgetLink();
    if (line.kind === "live" && store.state.stage === "link") void arrive();
  });
  own.tunnel = tunnel;
  tunnel.calls.changed = () => store.dispatch({ type: "waiting", since: tunnel.calls.waitingSince() });
  globalThis.remoteLine = {
    isRemote: true,
    entersCards: ({ far, seat }) => far?.seats[seat]?.cards === "real",
    fetch: (path, options) => tunnel.calls.fetch(path, options),
    stream: (path) =>
      new FarSource(
        path,
        (source) => tunnel.look(source),
        (source) => tunnel.unlook(source),
        isOurs,
      ),
  };
  onlyTab(keys.room, tunnel);
  tunnel.start();
}

/** A phone that has lost its seat is sent the spectators' view, which this page does not draw. */
function isOurs(/** @type {{ role: string }} */ { role }) {
  store.dispatch({ type: "lost", lost: role === BEHIND ? "" : "out" });
  return role === BEHIND;
}

/**
 * Two tabs of one phone would take the line from each other: the newest has it.
 * @type {(room: string, tunnel: Tunnel) => void}
 */
function onlyTab(room, tunnel) {
  if (!("BroadcastChannel" in window)) return;
  const channel = new BroadcastChannel("tock.far");
  channel.onmessage = ({ data }) => data === room && tunnel.end("tab");
  channel.postMessage(room);
}

/** @param {string} path @param {object} [body] makes it a change */
async function ask(path, body) {
  const options = body ? { method: "POST", body: JSON.stringify(body) } : {};
  try {
    const answer = await own.tunnel?.calls.fetch(`/api/v1/${path}`, options);
    const found = await answer?.json();
    // The link of a board, tapped on a phone: it is entered at the page of that board's own table.
    if (found?.board === true) own.tunnel?.end("board");
    return answer?.ok ? found : null;
  } catch {
    return null;
  }
}

/** There is a line: who is this phone at the table? */
async function arrive() {
  const [session, board] = await Promise.all([ask("session"), ask("board")]);
  if (own.tunnel?.hasEnded) return;
  if (!session || !board) {
    setTimeout(() => store.state.stage === "link" && arrive(), AGAIN_MS);
    return;
  }
  const { by = "", name = "", watches = false, has_come: hasCome = false } = session.invited ?? {};
  const path = PATHS[watches ? "watch" : "seat"];
  if (location.pathname !== path) {
    // What she has typed meanwhile stands on the other page too.
    const typed = partOf(HTMLInputElement, "far-name").value.trim();
    if (typed) remember("name", typed);
    location.replace(path + location.hash);
  } else if (session.seat || hasCome) await sit(session, board);
  else store.dispatch({ type: "invited", invited: { by, name, watches } });
}

/** A computer has played here meanwhile. */
async function sitAgain() {
  const name = recall("name", "");
  if (await ask("join", { name, lang: language() })) location.reload();
  else store.dispatch({ type: "lost", lost: "taken" });
}

/** @param {string} name */
async function join(name) {
  store.dispatch({ type: "joining" });
  const joined = await ask("join", { name, lang: language() });
  const [session, board] = joined ? await Promise.all([ask("session"), ask("board")]) : [null, null];
  if (board && (session?.seat || session?.invited?.has_come)) await sit(session, board);
  else store.dispatch({ type: "refused" });
}

/**
 * Give the player's page what its document would have brought, and load it.
 * @type {(session: Bootstrap["session"], board: Bootstrap["board"]) => Promise<void>}
 */
async function sit(session, board) {
  // There is no camera here that could read cards, no table of its own, and no network to invite others into.
  const here = { ...session, host: false, simulated: false, camera: false, photos: false, url: "" };
  const view = await ask(`view?role=${BEHIND}`);
  /** @type {Bootstrap} */
  const data = { words: bootstrap.words, board, session: here };
  if (view) Object.assign(data, { view, boot: own.tunnel?.calls.boot ?? "" });
  part("bootstrap").textContent = JSON.stringify(data);
  doorsLanguage.abort();
  document.body.classList.add("seated");
  part("far-door").remove();
  store.dispatch({ type: "seated" });
  await import(PAGE.href);
  markTapped(own.tunnel);
  stayAwake(() => {});
}

document
  .querySelector("[data-testid=language]")
  ?.addEventListener("click", () => switchLanguage(), { signal: doorsLanguage.signal });
// The player's page has words of its own, and its button for the language from then on.
new MutationObserver(() => {
  if (document.documentElement.lang !== language()) void switchLanguage();
}).observe(document.documentElement, { attributeFilter: ["lang"] });
onLanguage(() => draw(store.state));
setInterval(() => draw(store.state), CLOCK_MS);
draw(store.state);
void begin();
