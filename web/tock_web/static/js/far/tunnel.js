// The tunnel to the home: one connection after another, in each a session of its own, and the calls and views in it.

import { RoomRefusedError, connect } from "./broker.js";
import { Calls } from "./calls.js";
import { Views } from "./changes.js";
import { newHello, welcomed } from "./greeting.js";
import { Pulse, Retries, onWaking } from "./link_timeouts.js";
import { FORM, kindOf } from "./session.js";

/** @import { BrokerLine } from "./broker.js" */
/** @import { FarSource } from "./source.js" */
/** @import { Ending, Greeter, Hello } from "./greeting.js" */
/** @import { Bytes, Session } from "./session.js" */
/** @import { LineKind, LineState } from "./state.js" */
/** @typedef {Greeter & { url: string, table: string }} FarPlace `url` of the relay's broker */

const HELLO_MS = 5_000;
/** A slow line may answer an older hello. */
const HELLOS_KEPT = 3;

export class Tunnel {
  constructor(/** @type {FarPlace} */ place, /** @type {(state: LineState) => void} */ changed) {
    this.place = place;
    this.changed = changed;
    /** @type {LineState} */
    this.state = { kind: "connecting", since: performance.now() };
    this.calls = new Calls(
      (call) => this.send({ call }),
      () => this.session !== null,
    );
    /** @type {BrokerLine | null} */
    this.line = null;
    /** @type {Session | null} */
    this.session = null;
    /** @type {FarSource | null} */
    this.source = null;
    this.views = new Views();
    /** @type {Hello[]} */
    this.hellos = [];
    this.retries = new Retries();
    this.pulse = new Pulse();
    this.inbox = Promise.resolve();
    this.outbox = Promise.resolve();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.hasEnded = false;
    this.wasWelcomed = false;
    this.isConnecting = false;
  }

  start() {
    setInterval(
      () => this.session && (this.pulse.isDead ? this.lost() : this.pulse.isDue && this.ping()),
      1_000,
    );
    onWaking(this);
    void this.connect();
  }

  /** @param {LineKind} kind */
  tell(kind) {
    if (this.hasEnded || this.state.kind === kind) return;
    const isChange = kind === "live" || this.state.kind === "live";
    this.state = { kind, since: isChange ? performance.now() : this.state.since };
    this.changed(this.state);
  }

  /** Stop for good. @param {Ending} kind */
  end(kind) {
    this.tell(kind);
    this.hasEnded = true;
    clearTimeout(this.timer);
    this.hangUp();
  }

  hangUp() {
    const { line } = this;
    this.line = null;
    this.session = null;
    line?.close();
  }

  async connect() {
    if (this.hasEnded || this.isConnecting) return;
    this.isConnecting = true;
    try {
      const line = await connect(this.place.url, this.place, {
        frame: (frame) => {
          this.inbox = this.inbox.then(() => this.take(frame)).catch(() => this.lost());
        },
        home: (isHere) => this.home(isHere),
        // After the frames before it: the last one may say why the home has ended the line.
        closed: () => {
          this.inbox = this.inbox.then(() => this.lost());
        },
      });
      this.line = line;
      this.isConnecting = false;
      this.retries.begun();
      if (this.state.kind === "connecting") this.tell("greeting");
      await this.greet();
    } catch (fault) {
      this.isConnecting = false;
      this.retry(fault instanceof RoomRefusedError);
    }
  }

  /** @param {boolean} isRefused */
  retry(isRefused) {
    if (this.hasEnded) return;
    const pauseMs = this.retries.pauseMs(isRefused);
    if (this.retries.isRefused) this.tell("refused");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.connect(), pauseMs);
  }

  /** The connection, or the session in it, is of no more use. */
  lost() {
    const wasLive = this.session !== null;
    this.hangUp();
    if (wasLive) this.cut();
    this.retry(false);
  }

  cut() {
    this.session = null;
    this.calls.cut();
    this.tell("cut");
    this.source?.fail();
  }

  /** The phone was away for a while: try at once, without the pause. */
  wake() {
    this.retries.hurry();
    if (!this.line) void this.connect();
    if (this.session) this.ping();
    this.pulse.doubted();
  }

  /** @param {boolean} isHere */
  home(isHere) {
    if (!isHere) {
      if (this.session) this.cut();
      this.tell("away");
    } else if (!this.session && this.line) void this.greet();
  }

  /** Say hello, again and again until the home answers. */
  async greet() {
    clearTimeout(this.timer);
    const { line, place } = this;
    if (!line) return;
    const hello = await newHello(place);
    if (this.line !== line || this.session) return;
    this.hellos = [...this.hellos, hello].slice(-HELLOS_KEPT);
    line.send(hello.frame);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (!["away", "older", "newer"].includes(this.state.kind)) this.tell("silent");
      void this.greet();
    }, HELLO_MS);
  }

  /** @param {Bytes} frame */
  async take(frame) {
    const kind = kindOf(frame);
    if (kind === "data") await this.takeData(frame);
    else if (kind === "welcome") await this.takeWelcome(frame);
    // Nobody has sealed it: it changes a sentence, and only before the home has proven that it has the link.
    else if (kind === "plain" && !this.wasWelcomed) this.tell(frame[2] > FORM ? "older" : "newer");
  }

  /** @param {Bytes} frame */
  async takeWelcome(frame) {
    const found = this.session ? null : await welcomed(this.place, this.hellos, frame);
    if (typeof found === "string") this.end(found);
    else if (found) this.begin(found);
  }

  /** @param {Session} session */
  begin(session) {
    clearTimeout(this.timer);
    this.session = session;
    this.wasWelcomed = true;
    this.hellos = [];
    this.retries.hurry();
    this.pulse.received();
    // The home keeps an older session until it has a frame of this one.
    this.ping();
    this.calls.resend();
    if (this.source) this.look(this.source);
    this.tell("live");
  }

  /** @param {Bytes} frame */
  async takeData(frame) {
    const { session } = this;
    const message = await session?.open(frame);
    if (!message || session !== this.session) return;
    this.pulse.received();
    if (message !== "gap") this.hear(message);
    else {
      this.cut();
      await this.greet();
    }
  }

  /** @param {Record<string, any>} message */
  hear({ answer, boot, pong, end, ...other }) {
    if (answer) this.calls.take(answer);
    const view = this.views.take(other);
    if (view) {
      this.calls.boot = boot;
      this.source?.tell("view", view, `${boot}.${view.revision}`);
    }
    this.pulse.answered(pong);
    if (pong !== undefined) this.source?.tell("hb", null);
    if (end) this.end(end);
  }

  /** @param {unknown} message */
  send(message) {
    const { session, line } = this;
    if (!session || !line) return;
    this.outbox = this.outbox.then(async () => {
      if (session === this.session) line.send(await session.seal(message));
    });
  }

  ping() {
    this.send({ ping: this.pulse.next() });
  }

  /** @param {FarSource} source */
  look(source) {
    this.source = source;
    this.send({ look: { tab: source.tab } });
  }

  /** @param {FarSource} source that is of no more use */
  unlook(source) {
    if (this.source === source) this.source = null;
  }
}
