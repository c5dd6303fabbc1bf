// "Your board": photographed, found, mended by finger, checked with pawns, and saved under a name.

import { get, post, postSlow, upload } from "../core/api.js";
import { button, h } from "../core/dom.js";
import { Store, drawer } from "../core/store.js";
import { language, onLanguage, t } from "../core/words.js";
import { NO_MAKER, openAsks, reduceMaker } from "./state.js";
import { CheckedPhoto } from "./check_photo.js";
import { granted, sayAfterReload, toast } from "../panels/frame.js";
import { MadePhoto } from "./photo.js";
import { endsGame, endsWarning, whoMoves } from "../panels/who_moves.js";
import { endOnceSure, mayEnd } from "../core/ending.js";
import { stepWords } from "./steps.js";
import { smaller } from "../panels/photo.js";
import { cameraPicture } from "../panels/sources.js";

/** @import { BoardMade, HostView, Reply, SeatName, Session } from "#types" */
/** @import { AskCode, MakerAction, MakerState, Share, Tool } from "./state.js" */

const LOOK_MS = 600;

export class Maker {
  /** @param {HTMLElement} root where the button stands that opens it @param {Session} session */
  constructor(root, session) {
    this.session = session;
    this.photo = new MadePhoto(
      (hole, at) => this.touch(hole, at),
      (at) => this.store.dispatch({ type: "zoomed", at }),
    );
    this.checked = new CheckedPhoto();
    /** @type {HostView | null} */
    this.view = null;
    this.place = "";
    this.camera = h("img", { alt: "", hidden: true, draggable: "false", testid: "maker-camera" });
    const body = h("div.replay-side.maker-side");
    const labelled = { class: "replay guided maker", testid: "maker", "aria-labelledby": "maker-title" };
    this.dialog = h("dialog", labelled, h("div", this.photo.root, this.checked.root, this.camera), body);
    this.opener = button("main", "maker-open", [], () => this.open());
    // Beside the menu, whose sheet has the button: a dialog inside a hidden sheet is not shown.
    root.replaceChildren(this.opener);
    document.body.append(this.dialog);
    this.files = h("input.out-of-sight", { type: "file", accept: "image/*", testid: "maker-file" });
    this.files.setAttribute("aria-hidden", "true");
    this.files.tabIndex = -1;
    this.dialog.append(this.files);
    this.files.addEventListener("change", () => this.chosen());
    this.name = h("input", { maxlength: 60, testid: "maker-name", id: "maker-name" });
    this.draw = drawer(body, (/** @type {MakerState} */ state) => stepWords(this, state));
    /** @type {Store<MakerState, MakerAction>} */
    this.store = new Store(reduceMaker, NO_MAKER, () => this.refresh());
    onLanguage(() => this.refresh());
    cameraPicture(
      this.camera,
      () => "preview",
      () => this.dialog.open && this.showsCamera(),
    );
    this.refresh();
  }

  async open() {
    if (!this.dialog.open) this.dialog.showModal();
    await this.ask(get("board-maker"));
    this.watch();
  }

  close() {
    this.dialog.close();
  }

  /** The live picture, where the camera is about to be used. */
  showsCamera() {
    const { step, made, fromCamera } = this.store.state;
    const isPhotographed = step === "photos" && made?.phase !== "finding" && !made?.photos.length;
    const isChecked = step === "check" && fromCamera && !made?.checked;
    return this.session.camera && (isPhotographed || isChecked);
  }

  refresh() {
    const { state } = this.store;
    this.opener.textContent = t("maker.open");
    this.photo.draw(state);
    this.checked.draw(state);
    this.camera.classList.toggle("put-away", !this.showsCamera());
    this.draw([language(), state, this.session.camera], state);
    const place = [state.step, state.checks, openAsks(state)[0]?.code].join();
    // A new step begins at its top.
    if (place !== this.place) this.dialog.scrollTop = 0;
    this.place = place;
  }

  /** Take in the companion's answer; a refusal is shown and changes nothing. */
  async ask(/** @type {Promise<Reply<BoardMade>>} */ asked) {
    this.store.dispatch({ isBusy: true });
    const answer = await asked;
    if (granted(answer)) this.store.dispatch({ type: "received", made: answer.data });
    else this.store.dispatch({ isBusy: false });
    return answer.ok;
  }

  /** Follow a search until it ends. */
  async watch() {
    while (this.dialog.open && this.store.state.made?.phase === "finding") {
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      const answer = await get("board-maker");
      if (answer.ok) this.store.dispatch({ type: "received", made: answer.data });
    }
  }

  /** Open the phone's camera or its pictures; browsers allow it only in response to a tap. */
  pick() {
    this.files.click();
  }

  async chosen() {
    const file = this.files.files?.[0];
    this.files.value = "";
    if (!file) return;
    const path = this.store.state.step === "check" ? "board-maker/check" : "board-maker/photo";
    this.store.dispatch({ type: "pictured", fromCamera: false });
    this.store.dispatch({ isBusy: true });
    const photo = await smaller(file);
    await this.ask(upload(path, photo));
  }

  /** Take the camera's present picture. */
  shoot() {
    const path = this.store.state.step === "check" ? "board-maker/check-frame" : "board-maker/frame";
    this.store.dispatch({ type: "pictured", fromCamera: true });
    this.ask(postSlow(path));
  }

  async find() {
    const { step, starts, middle } = this.store.state;
    await this.ask(post("board-maker/find", step === "starts" ? { starts, middle } : {}));
    this.watch();
  }

  /** Begin with the start holes alone, for a board that no search finds. */
  redraw() {
    this.ask(post("board-maker/draw", { starts: this.store.state.starts }));
  }

  clear() {
    this.ask(endOnceSure("board-maker/clear", {}, t("maker.clear")));
  }

  /**
   * Answer a question; after some a finger has to mend something, and its tool is taken up.
   * @type {(code: AskCode, yes: boolean, tool: Tool | null) => Promise<void>}
   */
  async answer(code, yes, tool) {
    const isDone = await this.ask(post("board-maker/answer", { code, yes }));
    if (isDone && tool) this.store.dispatch({ tool });
  }

  /**
   * Say whose colour a seat has, and ask for the next one's.
   * @type {(seat: SeatName, color: string) => Promise<void>}
   */
  async colorSeat(seat, color) {
    const { made, coloring } = this.store.state;
    if (made?.board?.colors[seat] !== color) {
      if (!(await this.ask(post("board-maker/edit", { kind: "own", hole: `${seat}-C1`, color })))) return;
    }
    this.store.dispatch({ type: "seatColored" });
    if (coloring + 1 === made?.board?.zones) await this.answer("discover/ask_colors", true, null);
  }

  undo() {
    this.ask(post("board-maker/undo"));
  }

  /** @param {string | null} hole the one that was touched, if any @param {Share} at */
  touch(hole, at) {
    const { step, tool, photo, color, everywhere } = this.store.state;
    if (step === "starts") {
      this.store.dispatch({ type: "touched", at });
      return;
    }
    if (tool === "add") {
      this.ask(post("board-maker/edit", { kind: "add", photo, at, everywhere }));
    } else if (!hole) {
      toast(t("maker.no-hole"));
    } else if (tool === "move" || tool === "remove") {
      this.ask(post("board-maker/edit", { kind: tool, hole, photo, at, everywhere }));
    } else {
      this.ask(post("board-maker/edit", { kind: tool, hole, color }));
    }
  }

  /** Save the board and put it to use, once the host knows that this ends the game. */
  async play() {
    const moved = await this.whoMoves();
    const asks = endsGame(this.view) || moved.length > 0;
    if (asks && !(await mayEnd(endsWarning(this.view, moved), t("boards.choose-sure")))) return;
    const key = await this.save();
    if (!key || !granted(await endOnceSure("boards/choose", { key }, null))) return;
    // The companion lays the board now: every page comes back by itself.
    sayAfterReload(t("maker.kept-laid", { name: this.name.value.trim() }));
    toast(t("boards.laying"), "good");
    this.close();
    await endOnceSure("board-maker/clear", {}, null);
  }

  async whoMoves() {
    const board = this.store.state.made?.board;
    const answer = await get("boards");
    const rows = answer.ok ? answer.data.boards : [];
    const alike = rows.find(({ key }) => key === `standard-${board?.zones}`);
    return alike && board && this.view ? whoMoves(this.view, alike.places, board.colors) : [];
  }

  /** Save the board for later; the game goes on. */
  async keep() {
    if (!(await this.save())) return;
    toast(t("maker.kept", { name: this.name.value.trim() }), "good");
    this.close();
    await this.ask(endOnceSure("board-maker/clear", {}, null));
  }

  /** Save the board; the answer is its key. */
  async save() {
    this.store.dispatch({ isBusy: true });
    const answer = await postSlow("board-maker/save", { name: this.name.value.trim() });
    this.store.dispatch({ isBusy: false });
    return granted(answer) ? answer.data.key : null;
  }
}
