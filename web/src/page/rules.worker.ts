// Runs a page's tables: Python, with the same code as on a server. This file provides what surrounds it: a connection
// to the client, the browser's storage, other tabs, and the kernel. There are no rules here.

import { Engine } from "./engine";
import { KernelBeside } from "./kernel";
import { Searching } from "./searching";
import { Tabs } from "./tabs";
import { Vault } from "./vault";

interface Begin {
  type: "begin";
  /** The address of the site. */
  base: string;
}

const say = (message: unknown): void => self.postMessage(message);

self.addEventListener("message", ({ data, ports: [search] }: MessageEvent<Begin>) => {
  const failed = (error: unknown): void => say({ type: "failed", reason: String(error) });
  // Pyodide waits forever for a file of its own that does not arrive.
  const unheard = ({ reason }: PromiseRejectionEvent): void => failed(reason);
  self.addEventListener("unhandledrejection", unheard);
  begin(data, search!).then(() => self.removeEventListener("unhandledrejection", unheard), failed);
}, { once: true });

async function begin({ base }: Begin, port: MessagePort): Promise<void> {
  const engine = await Engine.at(base, (loaded, total) => say({ type: "progress", loaded, total }));
  const [python, kernel] = await Promise.all([engine.python(), engine.kernel()]);
  const beside = new KernelBeside(kernel);
  if (String(beside.version) !== engine.kernelVersion) throw new Error("the kernel is not of this version");
  const shell = {
    send: say,
    vault: new Vault(base),
    tabs: navigator.locks ? new Tabs(base) : null, // unavailable without HTTPS
    search: new Searching(port, kernel),
    kernel: beside,
  };
  const take = await python.pyimport("genial.server.page.shell").begin(shell);
  self.addEventListener("message", ({ data }) => take(data));
  say({ type: "ready" });
}
