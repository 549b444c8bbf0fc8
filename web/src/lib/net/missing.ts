// Finds out why a lazily loaded part of the client is missing.

import { where } from "../where";

/** No answer; a newer build is served, so parts of this one are gone; or neither. */
export type Missing = "unreachable" | "renewed" | "broken";

/** A page's entry script, which has a different name in every build. */
export function scriptOf(page: string): string | null {
  return /<script\b[^>]*\bsrc="([^"]+)"/.exec(page)?.[1] ?? null;
}

/** Compare the page that is served now with the running one. */
export async function whyMissing(running: string | null): Promise<Missing> {
  try {
    // Bypasses the service worker, which would answer even without a connection.
    const answer = await fetch(where.folder, { cache: "no-store" });
    if (!answer.ok) return "unreachable";
    return scriptOf(await answer.text()) === running ? "broken" : "renewed";
  } catch {
    return "unreachable";
  }
}
