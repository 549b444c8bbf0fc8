// Fetches what runs Python in a page: the files made by web/tools/engine.mjs, and our own Python beside them
// (genial.server.page.engine). Large ones are compressed, because a plain host sends them as they are.

import type { loadPyodide } from "pyodide";

export interface Part {
  path: string;
  /** How many bytes are fetched for it. */
  bytes: number;
}

/** The contents of engine.json. */
interface List extends Record<string, Part | Info> {
  /** Pyodide's own description of itself, which it expects along with any packages. */
  info: Info;
  /** Pyodide's scripts: its loader, and the glue code around the interpreter. */
  pyodide: Part;
  python: Part;
  /** CPython in WebAssembly, its library, and the one package needed. */
  machine: Part;
  library: Part;
  msgspec: Part;
  /** The Python code of the package that built the site. */
  genial: Part;
  /** The compiled kernel, and the version it must report. */
  kernel: Part & { version: string };
}

type Info = Extract<NonNullable<Parameters<typeof loadPyodide>[0]>["lockFileContents"], { info: unknown }>["info"];
export type Pyodide = Awaited<ReturnType<typeof loadPyodide>>;

const SITE_PACKAGES = "/lib/python3.14/site-packages";

export class Engine {
  #loaded = 0;
  readonly #total: number;

  private constructor(
    private readonly folder: URL,
    private readonly list: List,
    private readonly tell: (loaded: number, total: number) => void,
  ) {
    this.#total = Object.values(list).reduce((sum, part) => sum + ("bytes" in part ? part.bytes : 0), 0);
  }

  /** Find out what there is. `tell` is called with the bytes loaded so far and the total. */
  static async at(base: string, tell: (loaded: number, total: number) => void): Promise<Engine> {
    const folder = new URL("engine/", base);
    const answer = await fetch(new URL("engine.json", folder));
    if (!answer.ok) throw new Error(`engine.json: ${answer.status}`);
    return new Engine(folder, (await answer.json()) as List, tell);
  }

  /** The version that the kernel must report. */
  get kernelVersion(): string {
    return this.list.kernel.version;
  }

  /** The kernel, ready to run. */
  async kernel(): Promise<WebAssembly.Module> {
    return WebAssembly.compileStreaming(this.#unpacked(this.list.kernel, "application/wasm"));
  }

  /** Python with our own modules in it. */
  async python(): Promise<Pyodide> {
    const { info, msgspec, genial, machine, library } = this.list;
    const archives = [msgspec, genial].map(async (part) => (await this.#unpacked(part)).arrayBuffer());
    const own = { "pyodide.asm.wasm": this.#unpacked(machine, "application/wasm"), "library.zip": this.#unpacked(library) };
    const [{ loadPyodide: load }, { default: createPyodideModule }] = await Promise.all([
      this.#script(this.list.pyodide) as Promise<{ loadPyodide: typeof loadPyodide }>,
      this.#script(this.list.python) as Promise<{ default: never }>,
    ]);
    const indexURL = this.folder.href;
    const python = await fetchingOwn(indexURL, own, () =>
      load({
        indexURL,
        packageBaseUrl: indexURL,
        stdLibURL: `${indexURL}library.zip`,
        lockFileContents: { info, packages: {} },
        createPyodideModule,
        convertNullToNone: true,
      }),
    );
    for (const archive of archives) python.unpackArchive(await archive, "zip", { extractDir: SITE_PACKAGES });
    return python;
  }

  async #script(part: Part): Promise<unknown> {
    const module: unknown = await import(/* @vite-ignore */ new URL(part.path, this.folder).href);
    this.#count(part.bytes);
    return module;
  }

  /** A file, decompressed on the fly, with its progress reported. */
  async #unpacked(part: Part, kind = "application/octet-stream"): Promise<Response> {
    const answer = await fetch(new URL(part.path, this.folder));
    if (!answer.ok || !answer.body) throw new Error(`${part.path}: ${answer.status}`);
    const counted = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform: (bytes, out) => {
        this.#count(bytes.length);
        out.enqueue(bytes);
      },
    });
    const body = answer.body.pipeThrough(counted).pipeThrough(new DecompressionStream("gzip"));
    return new Response(body, { headers: { "content-type": kind } });
  }

  #count(bytes: number): void {
    this.#loaded += bytes;
    this.tell(this.#loaded, this.#total);
  }
}

/** Pyodide fetches its files itself, under its own names and uncompressed; while it starts, it is given ours instead.
    */
async function fetchingOwn<T>(folder: string, own: Record<string, Promise<Response>>, begin: () => Promise<T>): Promise<T> {
  const usual = self.fetch;
  self.fetch = (asked, options) => own[String(asked).replace(folder, "")] ?? usual(asked, options);
  try {
    return await begin();
  } finally {
    self.fetch = usual;
  }
}
