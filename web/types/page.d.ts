// What the page's scripts have between themselves, and what the companion answers besides views.

import type common from "#words/common.json";
import type far from "#words/far.json";
import type boards from "#words/boards.json";
import type maker from "#words/maker.json";
import type camera from "#words/camera.json";
import type machine from "#words/machine.json";
import type ending from "#words/ending.json";
import type evening from "#words/evening.json";
import type ownGames from "#words/own_games.json";
import type practice from "#words/practice.json";
import type programs from "#words/programs.json";
import type voice from "#words/voice.json";
import type club from "#words/club.json";
import type farHost from "#words/far_host.json";
import type guide from "#words/guide.json";
import type {
  BoardDocument,
  BoardHole,
  Fault,
  HintRules,
  HoleId,
  HostView,
  LegalMove,
  LogEvent,
  Refusal,
  SeatName,
  SeatView,
  TableRequest,
  TableView,
  Text,
  View,
  WatchView,
  Gets as Answers,
} from "./api";

export type * from "./api";

// -- The document -----------------------------------------------------------------------------------

/** The code of an installed language. */
export type Lang = string;
export type Catalog = Record<string, string>;
/** The key of words of the page: what `t` is asked for is checked against the catalog, templates and all. */
export type Word =
  | keyof typeof common
  | keyof typeof far
  | keyof typeof boards
  | keyof typeof club
  | keyof typeof farHost
  | keyof typeof camera
  | keyof typeof ending
  | keyof typeof practice
  | keyof typeof evening
  | keyof typeof ownGames
  | keyof typeof guide
  | keyof typeof programs
  | keyof typeof voice
  | keyof typeof machine
  | keyof typeof maker;
/** Families of words whose members the companion names; tests/web/test_words.py knows what it may say. */
export type WordFamily =
  | "card."
  | "club.form."
  | "club.system."
  | "club.why."
  | "color."
  | "event."
  | "rank."
  | "source."
  | "suit."
  | "setup-weak.";
export type Strength = "easy" | "medium" | "strong";
export type Role = "table" | "seat" | "watch" | "host";

/** The view that a role is sent. */
export interface ViewOf {
  table: TableView;
  seat: SeatView;
  watch: WatchView;
  host: HostView;
}

// -- The way to the table ---------------------------------------------------------------------------

/** A stream of events, as far as the page uses one. */
export interface StreamSource {
  addEventListener(name: string, listener: (event: MessageEvent) => void): void;
  close(): void;
}

/** How a page asks its table. */
export interface Line {
  /** Whether this phone is in another home than the table. */
  isRemote: boolean;
  /** Whether its player enters the cards of the hand. */
  entersCards: (view: SeatView) => boolean;
  fetch: (path: string, options?: RequestInit) => Promise<Response>;
  stream: (path: string) => StreamSource;
}

/** What the document of a far phone says about itself. */
export interface FarPage {
  version: string;
  /** Form of the views that this page draws. */
  views: number;
}

declare global {
  /** Set by a page for guests elsewhere. */
  var remoteLine: Line | undefined;
}

// -- Features ---------------------------------------------------------------------------------------

/** Everything that an optional part brings to every page of a table. */
export interface Feature {
  draws: (styles: SeatStyles) => (view: View) => void;
  /** Whether the feature keeps a seat for a person who does not tap here. */
  isReserved: (view: View, seat: SeatName) => boolean;
}

/** Everything that an optional part brings to the host's page. */
export interface HostFeature {
  /** The host's tools appear once what they wait for is drawn, so that nothing moves under a finger. */
  draws: (styles: SeatStyles, waitFor: (drawn: Promise<unknown>) => void) => (view: HostView) => void;
  /** The buttons that a link to the host's page stands for, by the end of its address. */
  doors?: Record<string, string[]>;
}

// -- The board --------------------------------------------------------------------------------------

/** A place of the board, or of its drawing, in millimetres. */
export interface Point {
  x: number;
  y: number;
}

export type Hole = BoardHole;

/** A hole and where it is drawn. */
export interface Place extends Point {
  hole: Hole;
}

export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** The parts of a board file that the page draws. */
export type BoardFile = Pick<BoardDocument, "name" | "zones" | "size" | "holes" | "colors">;

export type Mark = "dot" | "plus" | "square" | "triangle" | "star" | "diamond" | "cross" | "ring";

/** Colour and mark of a seat’s pawns. */
export interface SeatStyle {
  seat: SeatName;
  color: string;
  fill: string;
  /** Colour of the mark. */
  ink: string;
  mark: Mark | undefined;
}

export type SeatStyles = Map<SeatName, SeatStyle>;

/** The parts of a move that are drawn: a legal move, a planned one or a hint. */
export type DrawnMove = Pick<LegalMove, "text" | "targets" | "arrows"> & Partial<LegalMove>;

/** The parts that every view has. */
export type PublicView = Omit<TableView, "role">;

/** The parts of a view that are drawn on the board. */
export type BoardView = Pick<PublicView, "holes" | "seen" | "last_move" | "warning"> & {
  guidance?: PublicView["guidance"];
  question?: PublicView["question"];
  planned?: DrawnMove | null;
  legal_moves?: DrawnMove[];
};

/** A pawn that is moved by hand: a correction. */
export interface Change {
  seat: SeatName;
  from: HoleId;
  to: HoleId;
}

// -- Elements ---------------------------------------------------------------------------------------

export type AttributeValue = string | number | boolean | null | undefined;

/** Attributes of an element; `on…` are listeners, `testid` is short for data-testid. */
export interface Attributes {
  onclick?: ((event: MouseEvent) => unknown) | undefined;
  onchange?: ((event: Event) => unknown) | undefined;
  oninput?: ((event: Event) => unknown) | undefined;
  [name: string]: AttributeValue | ((event: MouseEvent) => unknown) | ((event: Event) => unknown);
}

/** The children of an element; empty ones are not drawn. */
export type Child = Node | string | number | null | undefined | false | "";
export type Children = Child | readonly Children[];
/** The element of `M` that a text like `p.hint-line` names. */
export type Tag<T extends string, M> = (T extends `${infer Name}.${string}` ? Name : T) & keyof M;

// -- Answers ----------------------------------------------------------------------------------------

export type ConnectionState = "connecting" | "live" | "polling" | "lost" | "unseated";

export interface Granted<T> {
  ok: true;
  status: number;
  boot: string | null;
  data: T;
}

/** `status` is 0 when the companion cannot be reached. */
export interface Refused {
  ok: false;
  status: number;
  boot: string | null;
  data: Partial<Refusal & Fault> | null;
}

export type Reply<T> = Granted<T> | Refused;

export type HintLevel = HintRules["most"];
export type OptionValue = boolean | number | string;

/** The parts of a log event that the journal shows, where its kind has them. */
export interface JournalEntry extends LogEvent {
  seat?: SeatName;
  by?: string;
  card?: CardName;
  move?: string;
  text?: string;
  evidence?: { confidence?: number; by?: string };
  message?: Text;
  why?: string;
}

export type RequestKind = TableRequest["kind"];

/** The body of each kind of request. */
export type RequestData = {
  [K in RequestKind]: NonNullable<Extract<TableRequest, { kind: K }>["data"]>;
};

/** A kind of request with its data, which may be left out where all of it is optional. */
export type RequestArguments = {
  [K in RequestKind]: object extends RequestData[K]
    ? [kind: K, data?: RequestData[K]]
    : [kind: K, data: RequestData[K]];
}[RequestKind];

export interface Gets extends Omit<Answers, "journal"> {
  journal: { events: JournalEntry[]; position: string };
}
