// The keys of a table in words, for the list of keys.

import { m } from "../../paraglide/messages.js";
import type { Deed } from "./keys";

export interface Listed {
  deed: Deed;
  keys: string;
  does: string;
}

/** The keys that apply at a table: the card game has no board, and hints are not always allowed. */
export function listed({ board, rack, hints }: { board: boolean; rack: number; hints: boolean }): Listed[] {
  const line = (deed: Deed, keys: string, does: string): Listed => ({ deed, keys, does });
  const take = rack > 1 ? `1 – ${rack}` : "1";
  return [
    line("take", take, board ? m.table_key_take() : m.table_key_take_card()),
    ...(board
      ? [
          line("walk", `← → ↑ ↓ ${m.key_home()} ${m.key_end()}`, m.table_key_move()),
          line("next", `${m.key_page_down()}, ${m.key_page_up()}`, m.table_key_next()),
          line("turn", "R, Shift+R", m.table_key_turn()),
        ]
      : [line("turn", "R", m.table_key_order())]),
    line("place", "Enter", m.table_key_place()),
    line("putBack", "Esc", m.table_key_escape()),
    ...(board ? [line("heat", "H", m.table_key_heat())] : []),
    ...(hints ? [line("hint", board ? "Shift+H" : "H", board ? m.table_key_hint_shift() : m.table_key_hint())] : []),
    line("end", "E", m.table_key_end()),
    line("swap", "S", m.table_key_swap()),
    line("back", "U", m.table_key_back()),
    line("rules", "F1", m.table_key_rules()),
    line("keys", "?", m.table_key_keys()),
  ];
}
