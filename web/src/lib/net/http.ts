// API calls, typed from the server's own structs (api.ts), over whichever transport reaches the tables.

import type { Calls, ErrorAnswer, ErrorData } from "../api";
import { where } from "../where";
import { Server } from "./server";
import { type Ears, type Reply, type TableLine, type Transport, Unreachable } from "./transport";

export { Unreachable };

let way: Transport = new Server(where.folder);

/** Use another transport from now on. */
export function goBy(transport: Transport): void {
  way = transport;
}

type Query = Record<string, string | number | boolean | null | undefined>;

export interface Asked<K extends keyof Calls> {
  /** The values for the {names} in the path. */
  path?: Record<string, string | number>;
  query?: Query;
  body?: Calls[K]["body"];
  /** Aborts the request; it then counts as unreachable. */
  signal?: AbortSignal;
}

/** The server refused: an error code of the catalogue with its parameters. */
export class Refusal extends Error {
  constructor(
    readonly data: ErrorData,
    readonly status = 0,
  ) {
    super(data.text);
    this.name = "Refusal";
  }
}

/** The path of a call, with its {names} filled in. */
export function pathOf(template: string, path: Record<string, string | number> = {}): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = path[name];
    if (value === undefined) throw new Error(`${template} needs ${name}`);
    return encodeURIComponent(value);
  });
}

/** The query without missing or empty values. */
export function queryOf(query: Query = {}): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== "") found[name] = String(value);
  }
  return found;
}

/** Make a call; throws Refusal or Unreachable. */
export async function call<K extends keyof Calls>(key: K, asked: Asked<K> = {}): Promise<Calls[K]["answer"]> {
  const reply = await ask(key, asked);
  try {
    return JSON.parse(textOf(reply)) as Calls[K]["answer"];
  } catch {
    throw new Unreachable(); // a proxy's page, for example
  }
}

/** Fetch a file. */
export async function file<K extends keyof Calls>(key: K, asked: Asked<K> = {}): Promise<File> {
  const { body, kind, name } = await ask(key, asked);
  return new File([body], name ?? "genial", { type: kind });
}

async function ask<K extends keyof Calls>(key: K, { path, query, body, signal }: Asked<K>): Promise<Reply> {
  const [method, template] = key.split(" ") as [string, string];
  const sent = method === "GET" ? null : JSON.stringify(body ?? {});
  const reply = await way.ask({ method, path: pathOf(template, path), query: queryOf(query), body: sent, signal });
  if (reply.status >= 200 && reply.status < 300) return reply;
  throw refusalOf(reply);
}

function refusalOf(reply: Reply): Error {
  try {
    const { error } = JSON.parse(textOf(reply)) as ErrorAnswer;
    if (error) return new Refusal(error, reply.status);
  } catch {
    // Not an answer of ours: a proxy's page, for example.
  }
  return new Unreachable();
}

function textOf({ body }: Reply): string {
  return typeof body === "string" ? body : new TextDecoder().decode(body);
}

/** The address from which the browser itself can fetch an answer, for a link or an image; null if nothing serves it. */
export function address(template: string, path: Record<string, string | number> = {}, query: Query = {}): string | null {
  return way.address(pathOf(template, path), queryOf(query));
}

/** Open a table's line. `breaks`: whether it can fail silently. */
export function lineTo(path: string, query: Query, ears: Ears): { line: TableLine; breaks: boolean } {
  return { line: way.open(path, queryOf(query), ears), breaks: way.breaks };
}

/** Random hexadecimal digits. Works on insecure pages too, as on a home network. */
export function randomHex(digits: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(Math.ceil(digits / 2)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0"))
    .join("")
    .slice(0, digits);
}
