// How the client reaches its tables: a server over the network (server.ts), or a worker of this browser that runs the
// same tables (port.ts). All communication goes through one of these; nothing else knows which.

/** A request, in HTTP terms. */
export interface Question {
  method: string;
  path: string;
  query: Record<string, string>;
  /** As JSON. */
  body: string | null;
  /** Aborts the request; it then counts as unreachable. */
  signal?: AbortSignal | undefined;
}

export interface Reply {
  status: number;
  /** The content type. */
  kind: string;
  /** The file name, for files. */
  name: string | null;
  body: string | Uint8Array<ArrayBuffer>;
}

/** Callbacks of a table's line. `closed` is not called for a line closed by this side. */
export interface Ears {
  opened(): void;
  told(text: string): void;
  closed(): void;
}

/** A table's line. Anything sent while it is not open is lost. */
export interface TableLine {
  send(text: string): void;
  close(): void;
}

export interface Transport {
  /** Whether it can fail silently, as a network does, so that silence must be probed. */
  readonly breaks: boolean;
  /** Throws Unreachable if no answer came. */
  ask(question: Question): Promise<Reply>;
  open(path: string, query: Record<string, string>, ears: Ears): TableLine;
  /** The address from which the browser itself can fetch an answer, for a link or an image; null if nothing serves it.
      */
  address(path: string, query: Record<string, string>): string | null;
}

/** No answer came, so nobody knows whether the action was done. */
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
