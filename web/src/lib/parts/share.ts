// The picture of a game that is over, made here when it is asked for, and given to whoever shares it.

import type { BoardInfo, TableView } from "../api";
import { save } from "../save";
import type { Translate } from "../table/types";
import { m } from "../../paraglide/messages.js";

interface Given {
  table: TableView;
  board: BoardInfo | null;
  t: Translate;
  /** Where the game can be looked at by everybody. */
  link: string | null;
}

/** Share it, or save it where nothing can be shared; what is to be said about it. */
export async function sharePicture({ table, board, t, link }: Given): Promise<string> {
  let file: File;
  try {
    const { pictureOf } = await import("../table/picture");
    file = new File([await pictureOf(table, board, t)], "genial.png", { type: "image/png" });
  } catch {
    return m.picture_failed();
  }
  const shared = { files: [file], ...(link ? { url: link } : {}) };
  if (navigator.canShare?.(shared)) {
    try {
      await navigator.share(shared);
      return "";
    } catch (error) {
      // Who changes their mind wants no file either.
      if (error instanceof DOMException && error.name === "AbortError") return "";
    }
  }
  save(file);
  return m.picture_saved();
}
