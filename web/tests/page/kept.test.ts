import { expect, test } from "vitest";
import { packed, unpacked } from "../../src/page/kept";

const FILE = `{"kind":"genial-kept","version":1,"made":1}\n{"kind":"table","id":"t","log":[]} ä ☆ 🎲\n`.repeat(5000);

test("a file comes back as it was, and is smaller meanwhile", async () => {
  const file = await packed(FILE);
  expect(file.size).toBeLessThan(FILE.length / 20);
  expect(file.type).toBe("application/gzip");
  expect(await unpacked(file)).toBe(FILE);
});

test("a file that somebody has unpacked is taken too", async () => {
  expect(await unpacked(new Blob([FILE]))).toBe(FILE);
  expect(await unpacked(new Blob([]))).toBe("");
});

test("a damaged file is no endless wait", async () => {
  const file = await packed(FILE);
  await expect(unpacked(file.slice(0, file.size / 2))).rejects.toThrow(TypeError);
});

test("a small file cannot fill the memory", async () => {
  const zeros = new Blob([new Uint8Array(1 << 24)]);
  const large = await packed(new Blob(Array.from({ length: 17 }, () => zeros)));
  expect(large.size).toBeLessThan(1 << 20);
  await expect(unpacked(large)).rejects.toThrow();
}, 120_000);
