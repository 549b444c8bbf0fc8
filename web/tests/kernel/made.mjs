// What the kernel's tests need from this machine: the compiled file, and games as Python plays them.

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";

const ROOT = resolve(import.meta.dirname, "../../..");
const WASM = join(ROOT, "src/genial/kernel/library/genial.wasm");
/** The Python that runs these tests (hatch_build.py). */
const PYTHON = process.env["GENIAL_PYTHON"];

/** Plays a few games of every variant and seat count, and prints the version of its kernel. */
const SAMPLE = `
import sys
from pathlib import Path
from genial.kernel.engine import engine
from genial.kernel.library import version
from tools.kernel import expectations
expectations.NODES = 4  # in a second or two
expectations.write(Path(sys.argv[1]), expectations.expected(engine(), games=3, searches=2))
print(version())
`;

/** Why there is nothing to test; empty where there is.
 * @returns {string} */
export function missing() {
  if (!existsSync(WASM)) return "genial.wasm is missing; make it with: make kernel";
  return PYTHON ? "" : "no Python to compare with; run: make web-test";
}

/** The kernel as it is delivered.
 * @returns {Uint8Array<ArrayBuffer>} */
export function wasm() {
  return new Uint8Array(readFileSync(WASM));
}

/** What Python's kernel plays (tools/kernel/expectations.py), and the version of its source.
 * @returns {{ file: ArrayBuffer, version: bigint }} */
export function sample() {
  const folder = mkdtempSync(join(tmpdir(), "genial-"));
  try {
    const path = join(folder, "sample.bin");
    const env = { ...process.env, PYTHONPATH: join(ROOT, "src") };
    const version = execFileSync(PYTHON, ["-c", SAMPLE, path], { cwd: ROOT, env, encoding: "utf8" });
    return { file: new Uint8Array(readFileSync(path)).buffer, version: BigInt(version) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** How many bytes are sent for some, compressed.
 * @param {Uint8Array} bytes
 * @returns {number} */
export function compressed(bytes) {
  return gzipSync(bytes, { level: 9 }).length;
}
