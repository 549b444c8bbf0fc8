// The compiled kernel in a page: one instance of genial.wasm and the memory it works in.
//
// The kernel allocates nothing and keeps nothing: whoever calls it lays tables and states into its memory and hands
// over where they begin. `tools/kernel` compiles it from the same Python that the server plays with; no rule is here.

import { type Address, type Entries, WHOLE, type Whole } from "./entries";

const PAGE = 65_536;
/** The kernel reads words of up to 16 bytes at once, and a cache's line has 64. */
const ALIGNMENT = 64;

type Raw = (...values: (number | bigint)[]) => number | bigint | undefined;

interface Exports {
  memory: WebAssembly.Memory;
  /** Where memory is free from. */
  __heap_base: WebAssembly.Global<"i32">;
  genial_version: () => bigint;
}

export class Kernel {
  /** The entry points by name. Whole numbers are plain numbers here; a seed may be a bigint. */
  readonly entries: Entries;
  /** What it was compiled from; `genial.kernel.library.version()` says the same of the Python beside it. */
  readonly version: bigint;
  readonly #memory: WebAssembly.Memory;
  readonly #begin: Address;
  #end: Address;

  /** A kernel with memory of its own. A module is compiled once and serves any number of them. */
  constructor(module: WebAssembly.Module) {
    const exports = new WebAssembly.Instance(module).exports as unknown as Exports & Record<string, Raw>;
    this.#memory = exports.memory;
    this.#begin = this.#end = aligned(exports.__heap_base.value);
    this.version = exports.genial_version();
    const names = Object.keys(WHOLE) as (keyof Entries)[];
    const found = names.map((name) => [name, plain(exports[`genial_${name}`]!, WHOLE[name])]);
    this.entries = Object.fromEntries(found) as unknown as Entries;
  }

  /** Room for so many bytes, all of them 0, until `clear`. */
  reserve(bytes: number): Address {
    const begin = this.#end;
    this.#end = aligned(begin + bytes);
    const missing = this.#end - this.#memory.buffer.byteLength;
    if (missing > 0) this.#memory.grow(Math.ceil(missing / PAGE));
    this.bytes(begin, bytes).fill(0);
    return begin;
  }

  /** Lay a copy of an array into the memory; where it begins. */
  place(array: ArrayBufferView): Address {
    const begin = this.reserve(array.byteLength);
    this.bytes(begin, array.byteLength).set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
    return begin;
  }

  /** The memory from an address on. It must be asked for anew after `reserve` and `place`, which may move it. */
  bytes(begin: Address, length: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#memory.buffer, begin, length);
  }

  doubles(begin: Address, length: number): Float64Array<ArrayBuffer> {
    return new Float64Array(this.#memory.buffer, begin, length);
  }

  /** Forget everything that was laid down, or what was from an address on. */
  clear(from: Address = this.#begin): void {
    this.#end = from;
  }
}

/** An exported function with whole numbers as numbers. The kernel's results are counts, which a number can hold. */
function plain(raw: Raw, wholes: readonly number[]): (...values: Whole[]) => number | undefined {
  return (...values) => {
    for (const n of wholes) values[n] = BigInt(values[n]!);
    const result = raw(...values);
    return result === undefined ? undefined : Number(result);
  };
}

function aligned(address: Address): Address {
  return Math.ceil(address / ALIGNMENT) * ALIGNMENT;
}
