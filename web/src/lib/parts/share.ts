// A picture of a finished game, made here on request, to be shared.

import type { BoardInfo, TableView } from "../api";
import { save } from "../save";
import type { Translate } from "../table/types";
import { m } from "../../paraglide/messages.js";

interface Given {
  table: TableView;
  board: BoardInfo | null;
  t: Translate;
  /** The public address of the replay. */
  link: string | null;
}

/** Share the picture, or save it if the device cannot share. Returns what to tell the player. */
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
      // Anyone who changes their mind does not want a file either.
      if (error instanceof DOMException && error.name === "AbortError") return "";
    }
  }
  save(file);
  return m.picture_saved();
}
