// Using the tables of this browser while the server is unreachable.

import { where } from "../where";

/** Whether the server answers, bypassing all caches. */
export async function serverIsThere(): Promise<boolean> {
  try {
    return (await fetch(`${where.folder}api/options`, { cache: "no-store" })).ok;
  } catch {
    return false;
  }
}
