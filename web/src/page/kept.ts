// What is kept in this browser, as far as a screen deals with it: the file of all games, and how much room there is.
//
// A page answers `GET /api/me/export` with the text of the file and takes it back with `POST /api/me/import`
// (genial.server.page.export); on the disk it is compressed. The types are Python's: a test compares them.

import type { ErrorData } from "../lib/api";

/** A file made by `GET /api/me/export`. */
export interface ImportBody {
  file: string;
}

/** The outcome for a file. Importing the same file again finds everything known. */
export interface Imported {
  new: number;
  further: number;
  known: number;
  results: number;
  left_out: number;
  problems: LeftOut[];
}

/** A line that was left out, and why. */
export interface LeftOut {
  line: number;
  error: ErrorData;
}

/** What a file may unpack to, in bytes; a small file could else fill the memory. */
const LARGEST = 1 << 28;

export class TooLarge extends Error {}

/** The text of the file as it goes to the disk. */
export function packed(text: BlobPart): Promise<Blob> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Response(stream, { headers: { "content-type": "application/gzip" } }).blob();
}

/** The text of a file from the disk, compressed or not. Throws TooLarge, or a TypeError for a damaged one. */
export async function unpacked(file: Blob): Promise<string> {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const isPacked = first === 0x1f && second === 0x8b;
  const stream = isPacked ? file.stream().pipeThrough(new DecompressionStream("gzip")) : file.stream();
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.length;
    if (size > LARGEST) {
      await reader.cancel();
      throw new TooLarge();
    }
    text += decoder.decode(next.value, { stream: true });
  }
  return text + decoder.decode();
}

/** Bytes. */
export interface Room {
  used: number;
  free: number;
}

/** How much the browser lets this site keep, as it estimates; null where it does not say. */
export async function room(): Promise<Room | null> {
  const { usage, quota } = (await navigator.storage?.estimate?.()) ?? {};
  return usage === undefined || quota === undefined ? null : { used: usage, free: Math.max(0, quota - usage) };
}
