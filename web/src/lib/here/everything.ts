// Everything that this device keeps, as one file and back: the calls that only its own tables answer
// (genial.server.page.export), which no server's document has.

import type { ImportBody, Imported } from "../../page/kept";
import { packed, unpacked } from "../../page/kept";
import { call, file } from "../net/http";
import { save } from "../save";

declare module "../api" {
  interface Calls {
    "GET /api/me/export": { body: never; answer: string };
    "POST /api/me/import": { body: ImportBody; answer: Imported };
  }
}

/** Save it. */
export async function saveAll(): Promise<void> {
  const text = await file("GET /api/me/export");
  save(new File([await packed(text)], `${text.name}.gz`, { type: "application/gzip" }));
}

/** Take in what another browser, or this one at another time, has saved; null for a file that cannot be read. */
export async function takeIn(chosen: File): Promise<Imported | null> {
  const text = await unpacked(chosen).catch(() => null);
  return text === null ? null : call("POST /api/me/import", { body: { file: text } });
}
