// The compiled kernel in a page: one instance of genial.wasm and its memory.
//
// The kernel allocates nothing and keeps nothing: callers copy tables and states into its memory and pass their
// addresses. `tools/kernel` compiles it from the same Python code that the server runs; there are no rules here.

import { type Address, type Entries, WHOLE, type Whole } from "./entries";

const PAGE = 65_536;
/** The kernel reads up to 16 bytes at a time, and a cache line has 64. */
const ALIGNMENT = 64;

type Raw = (...values: (number | bigint)[]) => number | bigint | undefined;

interface Exports {
  memory: WebAssembly.Memory;
  /** The first free address. */
  __heap_base: WebAssembly.Global<"i32">;
  genial_version: () => bigint;
}

export class Kernel {
  /** The entry points by name. Whole numbers are plain numbers here; a seed may be a bigint. */
  readonly entries: Entries;
  /** Identifies the source it was compiled from; must equal `genial.kernel.library.version()` of the Python beside it.
      */
  readonly version: bigint;
  readonly #memory: WebAssembly.Memory;
  readonly #begin: Address;
  #end: Address;

  /** A kernel with its own memory. A module is compiled once and can serve any number of kernels. */
  constructor(module: WebAssembly.Module) {
    const exports = new WebAssembly.Instance(module).exports as unknown as Exports & Record<string, Raw>;
    this.#memory = exports.memory;
    this.#begin = this.#end = aligned(exports.__heap_base.value);
    this.version = exports.genial_version();
    const names = Object.keys(WHOLE) as (keyof Entries)[];
    const found = names.map((name) => [name, plain(exports[`genial_${name}`]!, WHOLE[name])]);
    this.entries = Object.fromEntries(found) as unknown as Entries;
  }

  /** Reserve zeroed memory until `clear`. */
  reserve(bytes: number): Address {
    const begin = this.#end;
    this.#end = aligned(begin + bytes);
    const missing = this.#end - this.#memory.buffer.byteLength;
    if (missing > 0) this.#memory.grow(Math.ceil(missing / PAGE));
    this.bytes(begin, bytes).fill(0);
    return begin;
  }

  /** Copy an array into the memory. Returns its address. */
  place(array: ArrayBufferView): Address {
    const begin = this.reserve(array.byteLength);
    this.bytes(begin, array.byteLength).set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
    return begin;
  }

  /** A view of the memory. Get a new one after `reserve` and `place`, which may move the memory. */
  bytes(begin: Address, length: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#memory.buffer, begin, length);
  }

  doubles(begin: Address, length: number): Float64Array<ArrayBuffer> {
    return new Float64Array(this.#memory.buffer, begin, length);
  }

  /** Free everything that was reserved, or everything from an address on. */
  clear(from: Address = this.#begin): void {
    this.#end = from;
  }
}

/** Wraps an exported function so that it takes plain numbers. The kernel returns counts, which a number can hold. */
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
