// Where a page's tables run: Python, with the same code that a server runs. Here is what it has around it: a way to speak
// to the client, the browser's store, other tabs, and the kernel. No rule is here.

import { Engine } from "./engine";
import { KernelBeside } from "./kernel";
import { Searching } from "./searching";
import { Tabs } from "./tabs";
import { Vault } from "./vault";

interface Begin {
  type: "begin";
  /** The address under which the site stands. */
  base: string;
}

const say = (message: unknown): void => self.postMessage(message);

self.addEventListener("message", ({ data, ports: [search] }: MessageEvent<Begin>) => {
  const failed = (error: unknown): void => say({ type: "failed", reason: String(error) });
  // Pyodide waits for ever for a file of its own that does not come.
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
    tabs: navigator.locks ? new Tabs(base) : null, // without HTTPS there are none
    search: new Searching(port, kernel),
    kernel: beside,
  };
  const take = await python.pyimport("genial.server.page.shell").begin(shell);
  self.addEventListener("message", ({ data }) => take(data));
  say({ type: "ready" });
}
