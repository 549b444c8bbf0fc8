import { afterEach, expect, test, vi } from "vitest";
import { scriptOf, whyMissing } from "../src/lib/net/missing";

const page = (script: string): string => `<!doctype html><head><script type="module" crossorigin src="${script}"></script></head>`;
const serve = (answer: () => Promise<Response>): void => void vi.stubGlobal("fetch", vi.fn(answer));

afterEach(() => vi.unstubAllGlobals());

test("a page is known by the script that it begins with", () => {
  expect(scriptOf(page("/assets/index-1.js"))).toBe("/assets/index-1.js");
  expect(scriptOf("<p>Bad gateway</p>")).toBeNull();
});

test("a part is missing because the server is away, another build is served, or something else broke", async () => {
  serve(() => Promise.reject(new TypeError("offline")));
  expect(await whyMissing("/assets/index-1.js")).toBe("unreachable");
  serve(() => Promise.resolve(new Response("", { status: 502 })));
  expect(await whyMissing("/assets/index-1.js")).toBe("unreachable");
  serve(() => Promise.resolve(new Response(page("/assets/index-2.js"))));
  expect(await whyMissing("/assets/index-1.js")).toBe("renewed");
  serve(() => Promise.resolve(new Response(page("/assets/index-1.js"))));
  expect(await whyMissing("/assets/index-1.js")).toBe("broken");
});
