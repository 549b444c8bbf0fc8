// Export and import of everything this device keeps, as one file. Only the tables in this browser answer these calls
// (genial.server.page.export); they are not in the server's OpenAPI document.

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

/** Save everything to a file. */
export async function saveAll(): Promise<void> {
  const text = await file("GET /api/me/export");
  save(new File([await packed(text)], `${text.name}.gz`, { type: "application/gzip" }));
}

/** Import a file saved by this or another browser; null if it cannot be read. */
export async function takeIn(chosen: File): Promise<Imported | null> {
  const text = await unpacked(chosen).catch(() => null);
  return text === null ? null : call("POST /api/me/import", { body: { file: text } });
}
