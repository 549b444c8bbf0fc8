// Made from the server's structs: genial.server.http.openapi --typescript. Do not edit.

/** What is spoken on a table's socket: its subprotocol. */
export const CONVERSATION = "genial.3";

/** The game waits for somebody who is away; the others may choose what happens to it (LEAVING). */
export interface AbsentView {
  place: number;
  end_in: number | null;
  choices: ChoiceView[];
}

/** A deed with no news: it was done before, as entry `seq`, or there was nothing to do. */
export interface Ack {
  type: "ack";
  move_id: string;
  seq: number | null;
}

/** Do something in the game. */
export interface Act {
  type: "act";
  move_id: string;
  place: number;
  seq: number;
  action: string;
  then?: "refill" | "swap" | null;
}

/** Do something in the game. */
export interface ActBody {
  move_id: string;
  place: number;
  seq: number;
  action: string;
  then?: "refill" | "swap" | null;
}

/** Opinions on all moves of a game, as far as they are ready. */
export interface Analysis {
  id: string;
  bot: string;
  unit: string | null;
  state: "done" | "running";
  done: number;
  of: number;
  moves: Judged[];
}

/** Say yes or no to what was asked. */
export interface Answer {
  type: "answer";
  move_id: string;
  place: number;
  yes: boolean;
}

/** Say yes or no to what was asked. */
export interface AnswerBody {
  move_id: string;
  place: number;
  yes: boolean;
}

/** Ask everybody to let the game return to an earlier entry. */
export interface Ask {
  type: "ask";
  move_id: string;
  place: number;
  to: number;
}

/** Ask everybody to let the game return to where it stood after entry `to`. */
export interface AskBody {
  move_id: string;
  place: number;
  to: number;
}

/** Somebody asks the others to let the game return to an earlier entry. */
export interface AskedView {
  place: number;
  to: number;
  agreed: number[];
}

/** Take back the last placement of the current turn. */
export interface Back {
  type: "back";
  move_id: string;
  place: number;
  seq: number;
}

/** Take back the last placement of the current turn. */
export interface BackBody {
  move_id: string;
  place: number;
  seq: number;
}

/** The caller's random bits for the next deal, sent once its commitment has been seen (DEAL). */
export interface BitsBody {
  bits: string;
}

/** The move covers a space where one of an opponent's weakest colours could have scored its most. */
export interface Block {
  seat: number;
  colour: number;
  points: number;
}

/** What a client needs to draw a board and to read legal moves. */
export interface BoardInfo {
  radius: number;
  cells: [number, number][];
  names: string[];
  pairs: [number, number][];
  start: Record<string, number>;
  loose: boolean;
}

/** A bot's token, shown only this once. The server keeps only its hash. */
export interface BotAccount {
  token: string;
  id: string;
  name: string;
}

/** A name for a new bot. */
export interface BotAccountBody {
  name: string;
}

/** A bot that can be invited to a table: a house bot by its name, or a listening one by its id. */
export interface BotInfo {
  name: string;
  house: boolean;
  id?: string | null;
  study?: boolean;
  level?: number | null;
  seconds?: number;
  width?: number;
  nodes?: number;
}

/** Accept an invitation to a table, or join by code. */
export interface BotJoinBody {
  table?: string | null;
  code?: string | null;
  place?: number | null;
  bits?: string | null;
}

/** The house bots, and those that listen on the bot API. */
export interface Bots {
  bots: BotInfo[];
  usual: string;
}

/** What a card would score, with its symbols in the order written. */
export interface CardPoints {
  tile: string;
  gain: number[];
  bonus: number;
}

/** All messages of one language. A message is a text with {parameters}, or two: singular and plural. */
export interface Catalogue {
  language: string;
  messages: Record<string, unknown>;
}

/** Say something. */
export interface Chat {
  type: "chat";
  move_id: string;
  place?: number | null;
  text?: string;
  phrase?: string;
  name?: string | null;
}

/** Say something: free text, or one of the phrases and reactions from GET /api/phrases. */
export interface ChatBody {
  move_id: string;
  place?: number | null;
  text?: string;
  phrase?: string;
  name?: string | null;
}

/** What one of the people waiting would like. */
export interface ChoiceView {
  place: number;
  choice: "bot" | "end" | "wait";
}

/** Choose what should happen to a game that waits for somebody who is away. */
export interface Choose {
  type: "choose";
  move_id: string;
  place: number;
  absent: number;
  choice: "bot" | "end" | "wait";
}

/** Choose what should happen to a game that waits for somebody who is away (LEAVING). */
export interface ChooseBody {
  move_id: string;
  place: number;
  absent: number;
  choice: "bot" | "end" | "wait";
}

/** Thinking time: per turn, or in total with an increment after each turn, or both. */
export interface Clock {
  move?: number | null;
  total?: number | null;
  increment?: number;
}

/** Thinking time in milliseconds. */
export interface ClockView {
  left: number[];
  mover: number | null;
  since: number;
  deadline: number | null;
  now: number;
}

/** What a symbol of one colour scores on each pair of cells: on the first cell, and on the second. */
export interface ColourPoints {
  on_first: number[];
  on_second: number[];
}

/** Play on after this many placements, plays and swaps, with a new bag order and whoever sits down now. */
export interface ContinueBody {
  settings: TableSettings;
  places: PlaceChoice[];
  name: string;
  bits?: string | null;
  ply: number;
}

/** The same, from an uploaded record. */
export interface ContinueRecordBody {
  settings: TableSettings;
  places: PlaceChoice[];
  name: string;
  bits?: string | null;
  ply: number;
  record: unknown;
}

/** How a game that is over went. */
export interface CourseView {
  figures: number[][];
  turned: TurnedView | null;
}

/** It is stored, as entry `seq`; None if there was nothing to do. */
export interface Done {
  seq: number | null;
}

/** The content of an entry, by its kind; what the viewer may not know is left out.

    created: variant, seats. committed: number, commitment. seated: place, kind, name, bot, away. mixed:
    place. started: number, first, commitment, bits, places, events. acted: place, action, events, bot.
    taken-back: place, to, across_draw. asked: place, to. answered: place, yes. offered: place. lapsed:
    place. declined: place. missed: place, patience. unmissed: place. chose: place, absent, choice.
    chatted: place, name, text, phrase, mark, or hidden. muted: mark, muted. removed: mark. resumed:
    charged. revealed: number, secret. closed: reason. */
export interface EntryData {
  absent?: number;
  across_draw?: boolean;
  action?: string;
  away?: boolean;
  bits?: string[];
  bot?: string | null;
  charged?: number;
  choice?: string;
  commitment?: string;
  events?: EventData[];
  first?: number;
  hidden?: boolean;
  kind?: string;
  mark?: string;
  muted?: boolean;
  name?: string;
  number?: number;
  patience?: number;
  phrase?: string;
  place?: number | null;
  places?: number[];
  reason?: string;
  seats?: number;
  secret?: string;
  seq?: number;
  text?: string;
  to?: number;
  variant?: string;
  yes?: boolean;
}

/** One entry for one viewer. */
export interface EntryView {
  seq: number;
  time: number;
  kind: string;
  data: EntryData;
}

/** The message was refused. */
export interface Error {
  type: "error";
  move_id: string | null;
  error: ErrorData;
}

/** Every answer with a status of 400 or above. */
export interface ErrorAnswer {
  error: ErrorData;
}

/** What was wrong: a code from the catalogue with its parameters, and the words for it. */
export interface ErrorData {
  code: string;
  params: Record<string, unknown>;
  ruling: string | null;
  text: string;
}

/** An event of a record (docs/notation.md). A tile that the viewer may not see is `??`. */
export interface EventData {
  by?: number;
  cells?: number[][];
  gain?: number[];
  level?: number;
  ranks?: number[];
  reason?: string;
  seat?: number;
  tile?: string;
  tiles?: string[];
  tracks?: number[][];
  type: string;
}

/** The move to explain. */
export interface ExplainQuery {
  move: string;
  place?: number | null;
  language?: string | null;
}

/** The lines and consequences of one placement or card. */
export interface Explained {
  gain: number[];
  markers: number[];
  bonus: number;
  halves: Half[];
}

/** A finished game at one of this device's tables. */
export interface FinishedGame {
  table: string;
  number: number;
  variant: string;
  name: string;
  updated: number;
  reason: string;
  places: FinishedPlace[];
}

/** Finished games, the most recently played first. */
export interface FinishedGames {
  games: FinishedGame[];
  next: string | null;
}

/** Who held a place in a finished game, and how they did. */
export interface FinishedPlace {
  name: string;
  bot: string | null;
  yours: boolean;
  rank: number;
  figure: number;
}

/** How many tables to cover, and where the page begins: `next` of the page before. */
export interface FinishedQuery {
  tables?: number;
  before?: string | null;
  language?: string | null;
}

/** One moment: after an act and the draws that followed it. */
export interface Frame {
  move: string | null;
  act: EventData | null;
  game: GameView;
  lowest: number[];
  sums: number[];
}

/** The current game, as this viewer may know it. */
export interface GameView {
  number: number;
  seq: number;
  first: number;
  commitment: string;
  places: number[];
  view: ViewData;
  told: number;
  mover: number | null;
  now: string;
  now_params: Record<string, unknown>;
  sides: SideView[];
  leaving: (number | null)[];
  result: ResultView | null;
  course: CourseView | null;
}

/** A rule that people look up during a game. */
export interface Glance {
  topic: "bonus" | "lowest" | "score" | "swap";
  text: string;
}

/** A move, as far as it has been made. */
export interface GuideQuery {
  tile?: string | null;
  cell?: string | null;
  direction?: number | null;
  place?: number | null;
  language?: string | null;
}

/** The verdict on a half-made move, and what may be picked next. */
export interface Guided {
  status: string;
  code: string;
  params: Record<string, unknown>;
  ruling: string | null;
  tiles: string[];
  cells: [number, number][];
  directions: number[];
}

/** What one symbol of a tile or card scores. */
export interface Half {
  colour: number;
  points: number;
  moved: number;
  cell: [number, number] | null;
  rays: Ray[];
  matches: [number, number][];
}

/** About the place where the tables are kept, which now knows this device. */
export interface Hello {
  version: string;
  languages: string[];
  bot: string | null;
  can: ("api" | "http-bots" | "keeps-here" | "links" | "lobby" | "proof" | "spectators")[];
}

/** The moves that the adviser would consider now, best first. */
export interface Hint {
  bot: string;
  unit: string;
  seq: number;
  thoughts: Thought[];
  shares: number[];
}

/** The host invites a listening bot from the list of GET /api/bots. */
export interface InviteBody {
  bot: string;
  place?: number | null;
}

/** The bot has been told. */
export interface Invited {
  bot: string;
  name: string;
}

/** Find a table by its code; with a name, sit down at it. */
export interface JoinBody {
  code: string;
  name?: string | null;
  bits?: string | null;
  place?: number | null;
}

/** A move that was made, compared with the best one. */
export interface Judged {
  ply: number;
  seat: number;
  move: string;
  value: number;
  best: Thought;
  given_away: number;
  verdict: "best" | "fine" | "mistake" | "slip";
  shares: number[];
  threat: Threat | null;
}

/** What the mover may do. Pairs of cells are numbered as in `GET /api/boards/{variant}/{seats}`. */
export interface LegalMoves {
  phase: string;
  pairs: number[];
  limited: boolean;
  points: Record<string, ColourPoints>;
  tiles: TileResults[];
  cards: CardPoints[];
  swap: boolean;
}

/** What the learner has done so far, the newest last: moves in notation, and `next` after each step. */
export interface LessonBody {
  moves: string[];
}

/** The lesson of a title. */
export interface LessonInfo {
  variant: string;
  steps: number;
}

/** How far a learner has come. The texts are in the requested language. */
export interface LessonView {
  variant: string;
  step: number;
  steps: number;
  title: string | null;
  text: string | null;
  hint: string | null;
  done: boolean;
  move: string | null;
  gain: number[];
  lit: Lit[];
  moves: string[];
  table: TableView;
}

/** Every lesson, starting with the first to take. */
export interface Lessons {
  lessons: LessonInfo[];
}

/** What a step is about: highlighted on the learner's screen, while the rest is dimmed. */
export type Lit = "board" | "gained" | "lowest" | "rack" | "result" | "spot" | "tile" | "tracks" | "turn";

/** Public tables, newest first: those that are waiting for players, and those that can be watched. */
export interface Lobby {
  tables: LobbyTable[];
  running: WatchTable[];
}

/** A public table that is waiting for players. */
export interface LobbyTable {
  id: string;
  code: string;
  variant: string;
  seats: number;
  open_places: number;
  name: string;
  created: number;
}

/** The person whom the host mutes, or lets speak again. */
export interface MuteBody {
  mark: string;
  muted?: boolean;
}

/** A table at which this device has sat down. */
export interface MyTable {
  id: string;
  variant: string;
  seats: number;
  status: string;
  name: string;
  created: number;
  updated: number;
  places: PlaceView[];
  mover: number | null;
  table: string;
  figures: number[];
}

/** The tables of this device, the most recently used first. */
export interface MyTables {
  tables: MyTable[];
}

/** Set up a table. */
export interface NewTable {
  settings: TableSettings;
  places: PlaceChoice[];
  name: string;
  bits?: string | null;
}

/** No parameters except the language. */
export interface NoQuery {
  language?: string | null;
}

/** Somebody offers the next game: a rematch, or the next of a series. */
export interface OfferView {
  place: number;
  ready: number[];
  waits: number[];
}

/** What can be said without typing. */
export interface Phrases {
  phrases: string[];
  reactions: string[];
  team: string[];
}

/** Answered by a pong with the same number. */
export interface Ping {
  type: "ping";
  n?: number;
}

/** Which of the caller's places; may be left out if there is only one. */
export interface PlaceBody {
  place?: number | null;
}

/** Who should hold a place: the host, a bot, or whoever comes. */
export interface PlaceChoice {
  kind: "bot" | "me" | "open";
  bot?: string | null;
  name?: string | null;
}

/** Which of the caller's places to look from; may be left out if there is only one. */
export interface PlaceQuery {
  place?: number | null;
  language?: string | null;
}

/** Who holds a place, as everybody may know it. */
export interface PlaceView {
  kind: string;
  name: string;
  bot: string | null;
  away: boolean;
  yours: boolean;
  host: boolean;
  seat: number | null;
  mark: string;
  shares: number[];
  covered: number;
}

/** The answer to a ping. */
export interface Pong {
  type: "pong";
  n: number;
}

/** The places whose people are connected, and the number of spectators. */
export interface Presence {
  type: "presence";
  places: number[];
  watching: number;
}

/** The page to link to; the code always leads to this server. */
export interface QrQuery {
  path: string;
  language?: string | null;
}

/** Matching symbols in one straight line from a half, the nearest first. */
export interface Ray {
  direction: number;
  cells: [number, number][];
}

/** What a move changes besides its points. */
export interface Reason {
  before: number;
  after: number;
  weakest: number[];
  lifted: number[];
  full: number[];
  rival: Rival | null;
  block: Block | null;
}

/** A record in the format genial-record/1. */
export interface RecordBody {
  record: unknown;
}

/** Offer or accept the next game, with fresh bits for its deal; or decline. */
export interface RematchBody {
  bits?: string | null;
  yes?: boolean;
  number?: number | null;
}

/** The person whom the host removes. */
export interface RemoveBody {
  mark: string;
}

/** A game from its deal to its end. Frame n comes after n placements, plays and swaps. */
export interface Replay {
  variant: string;
  seats: number;
  names: string[];
  bots: (string | null)[];
  own: number[];
  finished: boolean;
  frames: Frame[];
}

/** How a game ended, and the comparison that decided it. */
export interface ResultView {
  standings: StandingView[];
  lowest: number;
  total: number;
  index: number | null;
  code: string | null;
  params: Record<string, unknown>;
}

/** The solo title whose results are wanted; all of them if None. */
export interface ResultsQuery {
  variant?: string | null;
  language?: string | null;
}

/** Send the whole state: the client has noticed a gap. */
export interface Resync {
  type: "resync";
}

/** The opponent whose lowest marker is highest. */
export interface Rival {
  seat: number;
  lowest: number;
}

/** Where to read the rules of a title. */
export interface Rules {
  page: string | null;
  short: string[];
  glance: Glance[];
}

/** A moment of a game, to show what a title looks like. */
export interface Sample {
  seats: number;
  table: string;
}

/** The notes so far, by place (SERIES). */
export interface SeriesView {
  games: number;
  played: number;
  notes: number[][];
  totals: number[];
  ranks: number[];
}

/** One track, and the seats whose markers stand on it. */
export interface SideView {
  seats: number[];
  eye: number;
  markers: number[];
  weakest: number[];
  locked: number[];
  blocked: number[][];
  shut: number[][];
}

/** Take an open place: this one, or the first one. */
export interface SitBody {
  name: string;
  bits: string;
  code?: string | null;
  place?: number | null;
}

/** Where to follow a table from, and since when. */
export interface SocketQuery {
  place?: number | null;
  after?: number | null;
  watch?: string | null;
  language?: string | null;
}

/** A solo result of this device. */
export interface SoloResult {
  variant: string;
  table: string;
  number: number;
  lowest: number;
  total: number;
  time: number;
}

/** The best first, variant by variant. */
export interface SoloResults {
  results: SoloResult[];
}

/** A side in a result. */
export interface StandingView {
  seats: number[];
  rank: number;
  markers: [number, number][];
  figures: number[];
}

/** Fresh bits for the deal; every game needs some from somebody. */
export interface StartBody {
  bits?: string | null;
}

/** The stream is open. */
export interface StreamHello {
  type: "hello";
  name: string;
  id: string;
}

/** A host invites this bot to a table; POST /api/bot/join accepts. */
export interface StreamInvited {
  type: "invited";
  table: string;
  variant: string;
  seats: number;
  place: number | null;
}

/** One of this bot's games is over, or its table is closed. */
export interface StreamOver {
  type: "over";
  table: string;
  place: number | null;
  reason: "closed" | "over";
  state: TableView;
}

/** It is this bot's turn. `state` is all it may know; `state.legal` is what it may do. */
export interface StreamTurn {
  type: "turn";
  table: string;
  place: number;
  seq: number;
  state: TableView;
}

/** The minimum and maximum of every number, and every choice, in `TableSettings` and in a join code. */
export interface TableOptions {
  name: [number, number];
  code: [number, number];
  games: [number, number];
  move: [number, number];
  total: [number, number];
  increment: [number, number];
  chat: string[];
  start: string[];
}

/** Where to look at a table from. */
export interface TableQuery {
  place?: number | null;
  code?: string | null;
  watch?: string | null;
  language?: string | null;
}

/** How a table is played. Fixed from the start of its first game. */
export interface TableSettings {
  variant: string;
  seats: number;
  name?: string | null;
  public?: boolean;
  spectators?: boolean;
  chat?: "off" | "open" | "phrases";
  open_talk?: boolean;
  practice?: boolean;
  hints?: boolean;
  clock?: Clock | null;
  games?: number;
  first?: number | "lot";
  start?: "full" | "host";
}

/** A whole table, for one viewer. */
export interface TableView {
  id: string;
  seq: number;
  status: string;
  settings: TableSettings;
  closed: string | null;
  places: PlaceView[];
  viewer: number[];
  host: boolean;
  code: string | null;
  watch: string | null;
  commitment: string | null;
  game: GameView | null;
  series: SeriesView | null;
  clock: ClockView | null;
  asked: AskedView | null;
  offer: OfferView | null;
  declined: number | null;
  absent: AbsentView[];
  on_leave: "bot" | "ends" | "waits";
  on_resign: "bot" | "ends" | "waits";
  back: boolean;
  ask_to: number | null;
  continued: boolean;
  chat: EntryData[];
  muted: string[];
  talk: string;
  talk_later: boolean;
  phrases: string[];
  legal: LegalMoves | null;
}

/** One move, and what the adviser thinks of it. */
export interface Thought {
  move: string;
  value: number;
  gain: number[];
  bonus: number;
  lead: number | null;
  threat: Threat | null;
  reason: Reason | null;
}

/** What the next opponent is expected to do after a move. */
export interface Threat {
  seat: number;
  gain: number[];
}

/** One kind of tile on the rack. It may lie on any of the pairs, either way round. */
export interface TileResults {
  tile: string;
  results: [number, number, number, number, number][];
}

/** A move that the learner is considering, and the moves made before it. */
export interface TryBody {
  move: string;
  moves: string[];
}

/** The move from which the winner stayed ahead until the end. */
export interface TurnedView {
  move: number;
  seat: number;
  tile: string;
  before: number;
  after: number;
}

/** What every viewer gets after each stored batch, and first of all on a new connection. */
export interface Update {
  type: "update";
  entries: EntryView[];
  state: TableView | null;
  done?: string;
}

/** A title, as the lobby shows it. */
export interface VariantInfo {
  variant: string;
  names: Record<string, string>;
  seats: number[];
  tiles: number[];
  turns: number[];
  rack: number;
  solo: boolean;
  sides: string;
  board: boolean;
  stacking: boolean;
  track: [number, number];
  bonus_steps: number[];
  line_steps: number[];
  swaps: boolean;
  reconstructed: boolean;
  ours: boolean;
  lesson: string | null;
  page: string | null;
  sample: Sample;
}

/** Every title, and the letters of the colours in their order. */
export interface Variants {
  colours: string;
  variants: VariantInfo[];
}

/** A position as some seats may know it. */
export interface ViewData {
  bonus: number;
  discarded: number;
  events: EventData[];
  last_turns: number | null;
  phase: string;
  racks: string[][];
  result: EventData | null;
  seat: number;
  seats: number;
  supply: number;
  table: string;
  tracks: number[][];
  turn: number;
  variant: string;
  viewer: number[];
}

/** A bot has to wait until others have thought. The game's next update ends this. */
export interface Waiting {
  type: "waiting";
  place: number;
  seq: number;
  line: number;
}

/** Hot-seat: look from another of the device's places; None draws the curtain. */
export interface WatchPlace {
  type: "watch-place";
  place?: number | null;
}

/** The spectators' code, for callers who don't sit here. */
export interface WatchQuery {
  watch?: string | null;
  language?: string | null;
}

/** A public table with a game that everybody may watch. */
export interface WatchTable {
  id: string;
  variant: string;
  seats: number;
  name: string;
  people: string[];
  updated: number;
}

export type ClientMessage = Act | Back | Ask | Answer | Choose | Chat | Resync | Ping | WatchPlace;

export type ServerMessage = Update | Ack | Error | Presence | Waiting | Pong;

/** Every call of the API. */
export interface Calls {
  "GET /api/variants": { body: undefined; answer: Variants };
  "GET /api/rules/{variant}/{code}": { body: undefined; answer: Rules };
  "GET /api/boards/{variant}/{seats}": { body: undefined; answer: BoardInfo };
  "GET /api/bots": { body: undefined; answer: Bots };
  "GET /api/options": { body: undefined; answer: TableOptions };
  "GET /api/messages/{code}": { body: undefined; answer: Catalogue };
  "GET /api/phrases": { body: undefined; answer: Phrases };
  "GET /api/qr": { body: undefined; answer: string };
  "POST /api/hello": { body: undefined; answer: Hello };
  "GET /api/tables": { body: undefined; answer: Lobby };
  "POST /api/tables": { body: NewTable; answer: TableView };
  "POST /api/join": { body: JoinBody; answer: TableView };
  "GET /api/tables/{table}": { body: undefined; answer: TableView };
  "POST /api/tables/{table}/sit": { body: SitBody; answer: TableView };
  "POST /api/tables/{table}/places/{place}": { body: PlaceChoice; answer: Done };
  "POST /api/tables/{table}/invite": { body: InviteBody; answer: Invited };
  "POST /api/tables/{table}/bits": { body: BitsBody; answer: Done };
  "POST /api/tables/{table}/start": { body: StartBody; answer: Done };
  "POST /api/tables/{table}/rematch": { body: RematchBody; answer: Done };
  "POST /api/tables/{table}/leave": { body: PlaceBody; answer: Done };
  "POST /api/tables/{table}/return": { body: PlaceBody; answer: Done };
  "POST /api/tables/{table}/mute": { body: MuteBody; answer: Done };
  "POST /api/tables/{table}/remove": { body: RemoveBody; answer: Done };
  "POST /api/tables/{table}/close": { body: undefined; answer: Done };
  "POST /api/tables/{table}/act": { body: ActBody; answer: Done };
  "POST /api/tables/{table}/back": { body: BackBody; answer: Done };
  "POST /api/tables/{table}/ask": { body: AskBody; answer: Done };
  "POST /api/tables/{table}/answer": { body: AnswerBody; answer: Done };
  "POST /api/tables/{table}/choose": { body: ChooseBody; answer: Done };
  "POST /api/tables/{table}/chat": { body: ChatBody; answer: Done };
  "POST /api/tables/{table}/resign": { body: PlaceBody; answer: Done };
  "GET /api/tables/{table}/explain": { body: undefined; answer: Explained };
  "GET /api/tables/{table}/guide": { body: undefined; answer: Guided };
  "GET /api/tables/{table}/games/{game}/record": { body: undefined; answer: Record<string, unknown> };
  "GET /api/me/games": { body: undefined; answer: MyTables };
  "GET /api/me/finished": { body: undefined; answer: FinishedGames };
  "GET /api/me/results": { body: undefined; answer: SoloResults };
  "GET /api/tables/{table}/games/{game}/replay": { body: undefined; answer: Replay };
  "POST /api/records/replay": { body: RecordBody; answer: Replay };
  "POST /api/tables/{table}/games/{game}/analysis": { body: undefined; answer: Analysis };
  "POST /api/records/analysis": { body: RecordBody; answer: Analysis };
  "GET /api/analyses/{analysis}": { body: undefined; answer: Analysis };
  "GET /api/tables/{table}/hint": { body: undefined; answer: Hint };
  "POST /api/tables/{table}/games/{game}/continue": { body: ContinueBody; answer: TableView };
  "POST /api/records/continue": { body: ContinueRecordBody; answer: TableView };
  "GET /api/lessons": { body: undefined; answer: Lessons };
  "POST /api/lessons/{variant}": { body: LessonBody; answer: LessonView };
  "POST /api/lessons/{variant}/explain": { body: TryBody; answer: Explained };
  "POST /api/bot/account": { body: BotAccountBody; answer: BotAccount };
  "GET /api/bot/stream": { body: undefined; answer: StreamHello | StreamInvited | StreamTurn | StreamOver };
  "POST /api/bot/join": { body: BotJoinBody; answer: TableView };
  "POST /api/bot/tables/{table}/act": { body: ActBody; answer: Done };
  "GET /api/openapi.json": { body: undefined; answer: Record<string, unknown> };
}
