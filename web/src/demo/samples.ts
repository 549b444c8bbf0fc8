import type { BoardInfo, Catalogue, Explained, TableView, Variants } from "../lib/api";

/** What scripts/samples.py writes. */
export interface Samples {
  variants: Variants;
  messages: Record<string, Catalogue["messages"]>;
  samples: { name: string; table: TableView; board: BoardInfo; explained: Record<string, Explained> }[];
}
