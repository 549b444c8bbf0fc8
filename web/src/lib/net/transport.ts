// How the client reaches its tables: a server over the network (server.ts), or a worker of this browser in which the
// same tables run (port.ts). Everything that is asked or told goes one of these ways; nothing else knows which.

/** What is asked, as HTTP puts it. */
export interface Question {
  method: string;
  path: string;
  query: Record<string, string>;
  /** As JSON. */
  body: string | null;
  /** Ends the question before it is answered; then it counts as unreachable. */
  signal?: AbortSignal | undefined;
}

export interface Reply {
  status: number;
  /** The content's type. */
  kind: string;
  /** What it is called as a file. */
  name: string | null;
  body: string | Uint8Array<ArrayBuffer>;
}

/** What comes over a table's line. `closed` is not called for a line that was closed from here. */
export interface Ears {
  opened(): void;
  told(text: string): void;
  closed(): void;
}

/** A table's line. What is sent while it is not open is lost. */
export interface TableLine {
  send(text: string): void;
  close(): void;
}

export interface Transport {
  /** Whether it can break without a word, as a network does, so that silence has to be asked about. */
  readonly breaks: boolean;
  /** Throws Unreachable where no answer came. */
  ask(question: Question): Promise<Reply>;
  open(path: string, query: Record<string, string>, ears: Ears): TableLine;
  /** Where the browser itself can fetch an answer, for a link or a picture; null where nobody serves one. */
  address(path: string, query: Record<string, string>): string | null;
}

/** No answer came: nobody knows whether the thing was done. */
export class Unreachable extends Error {
  constructor() {
    super("unreachable");
    this.name = "Unreachable";
  }
}

/** A path with its query. */
export function joined(path: string, query: Record<string, string>): string {
  const asked = new URLSearchParams(query);
  return asked.size ? `${path}?${asked}` : path;
}
