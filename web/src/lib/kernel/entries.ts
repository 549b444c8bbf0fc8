// Made from the kernel's own lists by `python -m tools.kernel.client`.

/** Where an array begins in the kernel's memory. */
export type Address = number;
/** A whole number; a bigint where a number cannot hold all of its 64 bits. */
export type Whole = number | bigint;

/** The entry points (src/genial/kernel/entries.py). */
export interface Entries {
  new: (rules: Address, fresh: Address, state: Address, seed: Whole) => void;
  step: (rules: Address, state: Address, action: Whole) => number;
  follow: (rules: Address, state: Address, action: Whole, dealt: Address) => number;
  mask: (rules: Address, state: Address, out: Address) => number;
  points: (rules: Address, state: Address, action: Whole, out: Address) => void;
  legal: (rules: Address, state: Address, mask: Address, numbers: Address, points: Address) => number;
  best: (rules: Address, state: Address) => number;
  scan: (rules: Address, state: Address, times: Whole) => number;
  playout: (rules: Address, state: Address, policy: Whole) => number;
  play_many: (rules: Address, fresh: Address, state: Address, policy: Whole, games: Whole) => number;
  ranks: (rules: Address, state: Address, out: Address) => void;
  redeal: (rules: Address, state: Address, viewers: Whole, seed: Whole) => void;
  observe: (rules: Address, state: Address, seat: Whole, out: Address) => void;
  features: (rules: Address, state: Address, seat: Whole, other: Whole, out: Address) => void;
  deal_many: (rules: Address, fresh: Address, states: Address, seed: Whole, low: Whole, high: Whole) => void;
  step_many: (rules: Address, fresh: Address, states: Address, actions: Address, over: Address, ranks: Address, low: Whole, high: Whole) => number;
  turn_many: (rules: Address, fresh: Address, states: Address, actions: Address, over: Address, ranks: Address, tracks: Address, viewers: Address, lasts: Address, seats: Address, masks: Address, seen: Address, views: Whole, low: Whole, high: Whole) => number;
  choose_where: (rules: Address, states: Address, asked: Address, actions: Address, policy: Whole, worth: Address, scratch: Address, low: Whole, high: Whole) => number;
  balanced_size: (rules: Address) => number;
  choose_many: (rules: Address, states: Address, actions: Address, low: Whole, high: Whole) => void;
  mask_many: (rules: Address, states: Address, masks: Address, low: Whole, high: Whole) => void;
  observe_many: (rules: Address, states: Address, out: Address, low: Whole, high: Whole) => void;
  spread_many: (rules: Address, masks: Address, out: Address, low: Whole, high: Whole) => void;
  clear: (rules: Address, state: Address) => void;
  rebuild: (rules: Address, state: Address) => void;
  note_racks: (rules: Address, state: Address) => void;
  choice_size: (rules: Address, settings: Address) => number;
  choice_begin: (rules: Address, settings: Address, worth: Address, weights: Address, worlds: Address, wanted: Address, space: Address, seed: Whole) => number;
  choice_step: (rules: Address, worth: Address, weights: Address, worlds: Address, space: Address, budget: Whole, hurry: Whole) => number;
  choice_result: (space: Address, rows: Address) => number;
}

/** Of each entry: which of its parameters, counted from 0, are whole numbers of 64 bits. */
export const WHOLE: Record<keyof Entries, readonly number[]> = {
  new: [3],
  step: [2],
  follow: [2],
  mask: [],
  points: [2],
  legal: [],
  best: [],
  scan: [2],
  playout: [2],
  play_many: [3, 4],
  ranks: [],
  redeal: [2, 3],
  observe: [2],
  features: [2, 3],
  deal_many: [3, 4, 5],
  step_many: [6, 7],
  turn_many: [12, 13, 14],
  choose_where: [4, 7, 8],
  balanced_size: [],
  choose_many: [3, 4],
  mask_many: [3, 4],
  observe_many: [3, 4],
  spread_many: [3, 4],
  clear: [],
  rebuild: [],
  note_racks: [],
  choice_size: [],
  choice_begin: [7],
  choice_step: [5, 6],
  choice_result: [],
};

/** What to spend on one step of a choice, so that it ends within 10 ms. */
export const BUDGET = 8;

/** How playouts play. */
export const POLICIES = {
  RANDOM: 0,
  GREEDY: 1,
} as const;

/** Where things stand in a state (src/genial/kernel/state.py). */
export const STATE = {
  PHASE: 0,
  SEAT: 1,
  RNG: 8,
  OVER: 2,
} as const;

/** What a search is told (src/genial/kernel/settings.py). */
export const SETTINGS = {
  NODES: 0,
  WIDTH: 1,
  WANTED: 2,
  WORLDS: 3,
  REDEALING: 4,
  ENDGAME: 5,
  LEARNED: 6,
  LEAD_WEIGHT: 7,
  LEAD_SCALE: 8,
  COUNT: 16,
} as const;

/** What a search tells of a candidate (src/genial/kernel/totals.py). */
export const TOTALS = {
  ACTION: 0,
  STAGE: 1,
  NODES: 2,
  SCORE: 3,
  SQUARES: 4,
  LEAD: 5,
  FEAR: 6,
  WINS: 12,
  WIDTH: 16,
} as const;
