// Tables on a server, reached by fetch and WebSocket.

import { CONVERSATION } from "../api";
import { type Ears, type Question, type Reply, type TableLine, type Transport, Unreachable, joined } from "./transport";

export class Server implements Transport {
  readonly breaks = true;
  readonly #root: string;

  /** `folder`: where the server has its API. */
  constructor(folder: string) {
    this.#root = folder.replace(/\/$/, "");
  }

  address(path: string, query: Record<string, string>): string {
    return this.#root + joined(path, query);
  }

  async ask({ method, path, query, body, signal }: Question): Promise<Reply> {
    const headers: Record<string, string> = { accept: `application/json; profile=${CONVERSATION}` };
    if (body !== null) headers["content-type"] = "application/json";
    try {
      const answer = await fetch(this.address(path, query), {
        method,
        headers,
        body,
        credentials: "same-origin",
        signal: signal ?? null,
      });
      const kind = answer.headers.get("content-type") ?? "";
      return { status: answer.status, kind, name: null, body: await answer.text() };
    } catch {
      throw new Unreachable();
    }
  }

  open(path: string, query: Record<string, string>, ears: Ears): TableLine {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}${this.address(path, query)}`, CONVERSATION);
    let dropped = false;
    socket.onopen = () => {
      if (!dropped) ears.opened();
    };
    socket.onmessage = (event) => {
      if (!dropped) ears.told(String(event.data)); // it may have arrived before the line was dropped
    };
    socket.onclose = () => {
      if (!dropped) ears.closed();
    };
    return {
      send: (text) => {
        if (socket.readyState === WebSocket.OPEN) socket.send(text);
      },
      close: () => {
        dropped = true;
        socket.close();
      },
    };
  }
}
