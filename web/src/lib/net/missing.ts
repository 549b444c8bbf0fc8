// Parts of the client are loaded when they are needed. Why one of them did not come.

import { where } from "../where";

/** No answer; another build is served now, so that parts of this one are gone; or neither. */
export type Missing = "unreachable" | "renewed" | "broken";

/** The script that a page begins with: it has another name in each build. */
export function scriptOf(page: string): string | null {
  return /<script\b[^>]*\bsrc="([^"]+)"/.exec(page)?.[1] ?? null;
}

/** Compare the page that is served now with the one that runs here. */
export async function whyMissing(running: string | null): Promise<Missing> {
  try {
    // Past the service worker, which would answer without a connection, too.
    const answer = await fetch(where.folder, { cache: "no-store" });
    if (!answer.ok) return "unreachable";
    return scriptOf(await answer.text()) === running ? "broken" : "renewed";
  } catch {
    return "unreachable";
  }
}
