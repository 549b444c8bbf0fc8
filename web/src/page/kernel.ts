// The kernel beside Python, for short calls: turning positions into states, and dealing worlds. Python's arrays are
// copied into the kernel's memory and back; the tables of a variant stay there.

import type { PyBuffer } from "pyodide/ffi";
import type { Address, Entries, Whole } from "../lib/kernel/entries";
import { Kernel } from "../lib/kernel/kernel";

export class KernelBeside {
  readonly #kernel: Kernel;
  readonly #tables = new Map<string, Address>();
  #free: Address;

  constructor(module: WebAssembly.Module) {
    this.#kernel = new Kernel(module);
    this.#free = this.#kernel.reserve(0);
  }

  get version(): bigint {
    return this.#kernel.version;
  }

  /** Call an entry with whole numbers and Python arrays; the arrays receive the kernel's changes. If the first argument
      is the tables of a variant, `tables` is the name Python knows them by. */
  call(entry: keyof Entries, tables: string | undefined, ...values: (Whole | PyBuffer)[]): number | undefined {
    this.#kernel.clear(this.#free);
    const views = values.map((value) => (typeof value === "object" ? value.getBuffer() : null));
    const arrays: [Address, Uint8Array][] = [];
    try {
      const placed = values.map((value, n) => {
        const view = views[n];
        if (!view) return value as Whole;
        const { buffer, byteOffset, byteLength } = view.data as Uint8Array;
        const bytes = new Uint8Array(buffer, byteOffset, byteLength);
        if (n === 0 && tables) return this.#place(tables, bytes);
        const address = this.#kernel.place(bytes);
        arrays.push([address, bytes]);
        return address;
      });
      const result = (this.#kernel.entries[entry] as (...values: Whole[]) => number | undefined)(...placed);
      for (const [address, bytes] of arrays) bytes.set(this.#kernel.bytes(address, bytes.length));
      return result;
    } finally {
      for (const view of views) view?.release();
    }
  }

  #place(tables: string, bytes: Uint8Array): Address {
    const known = this.#tables.get(tables);
    if (known !== undefined) return known;
    const address = this.#kernel.place(bytes);
    this.#free = this.#kernel.reserve(0);
    this.#tables.set(tables, address);
    return address;
  }
}
