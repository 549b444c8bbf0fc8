// A server that is away, and the tables of this browser meanwhile.

import { where } from "../where";

/** Whether the server answers, past everything that was kept. */
export async function serverIsThere(): Promise<boolean> {
  try {
    return (await fetch(`${where.folder}api/options`, { cache: "no-store" })).ok;
  } catch {
    return false;
  }
}
