// Calls of the server's HTTP API, typed from its own structs (api.ts).

import type { Calls, ErrorAnswer, ErrorData } from "../api";

type Query = Record<string, string | number | boolean | null | undefined>;

export interface Asked<K extends keyof Calls> {
  /** What stands for the {names} in the path. */
  path?: Record<string, string | number>;
  query?: Query;
  body?: Calls[K]["body"];
  /** Ends the question before it is answered; then it counts as unreachable. */
  signal?: AbortSignal;
}

/** The server said no: a code of the catalogue with its parameters. */
export class Refusal extends Error {
  constructor(
    readonly data: ErrorData,
    readonly status = 0,
  ) {
    super(data.text);
    this.name = "Refusal";
  }
}

/** No answer came: nobody knows whether the thing was done. */
export class Unreachable extends Error {
  constructor() {
    super("unreachable");
    this.name = "Unreachable";
  }
}

/** The address of a call. */
export function address(template: string, path: Record<string, string | number> = {}, query: Query = {}): string {
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = path[name];
    if (value === undefined) throw new Error(`${template} needs ${name}`);
    return encodeURIComponent(value);
  });
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== "") asked.set(name, String(value));
  }
  return asked.size ? `${filled}?${asked}` : filled;
}

/** Ask the server; throws Refusal or Unreachable. */
export async function call<K extends keyof Calls>(key: K, asked: Asked<K> = {}): Promise<Calls[K]["answer"]> {
  const [method, template] = key.split(" ") as [string, string];
  const headers: Record<string, string> = { accept: "application/json" };
  const init: RequestInit = { method, headers, credentials: "same-origin", signal: asked.signal ?? null };
  if (method !== "GET") {
    headers["content-type"] = "application/json";
    init.body = JSON.stringify(asked.body ?? {});
  }
  let answer: Response;
  try {
    answer = await fetch(address(template, asked.path, asked.query), init);
  } catch {
    throw new Unreachable();
  }
  const found: unknown = await answer.json().catch(() => null);
  if (answer.ok) return found as Calls[K]["answer"];
  const error = (found as ErrorAnswer | null)?.error;
  if (!error) throw new Unreachable(); // a proxy's page, say
  throw new Refusal(error, answer.status);
}

/** So many random hexadecimal digits; also where the page is not secure, as in a network at home. */
export function randomHex(digits: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(Math.ceil(digits / 2)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0"))
    .join("")
    .slice(0, digits);
}
