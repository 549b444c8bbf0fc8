// Calls of the API, typed from its own structs (api.ts), by whatever way leads to the tables.

import type { Calls, ErrorAnswer, ErrorData } from "../api";
import { where } from "../where";
import { Server } from "./server";
import { type Ears, type Reply, type TableLine, type Transport, Unreachable } from "./transport";

export { Unreachable };

let way: Transport = new Server(where.folder);

/** Go another way to the tables from now on. */
export function goBy(transport: Transport): void {
  way = transport;
}

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

/** The path of a call, with what stands for its {names}. */
export function pathOf(template: string, path: Record<string, string | number> = {}): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = path[name];
    if (value === undefined) throw new Error(`${template} needs ${name}`);
    return encodeURIComponent(value);
  });
}

/** What is asked for: a value that is not there, or is empty, is not asked for. */
export function queryOf(query: Query = {}): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== "") found[name] = String(value);
  }
  return found;
}

/** Ask; throws Refusal or Unreachable. */
export async function call<K extends keyof Calls>(key: K, asked: Asked<K> = {}): Promise<Calls[K]["answer"]> {
  const reply = await ask(key, asked);
  try {
    return JSON.parse(textOf(reply)) as Calls[K]["answer"];
  } catch {
    throw new Unreachable(); // a proxy's page, say
  }
}

/** Ask for a file. */
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
    // See above.
  }
  return new Unreachable();
}

function textOf({ body }: Reply): string {
  return typeof body === "string" ? body : new TextDecoder().decode(body);
}

/** Where the browser itself can fetch an answer, for a link or a picture; null where nobody serves one. */
export function address(template: string, path: Record<string, string | number> = {}, query: Query = {}): string | null {
  return way.address(pathOf(template, path), queryOf(query));
}

/** Open a table's line; whether it can break without a word. */
export function lineTo(path: string, query: Query, ears: Ears): { line: TableLine; breaks: boolean } {
  return { line: way.open(path, queryOf(query), ears), breaks: way.breaks };
}

/** So many random hexadecimal digits; also where the page is not secure, as in a network at home. */
export function randomHex(digits: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(Math.ceil(digits / 2)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0"))
    .join("")
    .slice(0, digits);
}
