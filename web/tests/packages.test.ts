import { describe, expect, test } from "vitest";
import { licenceAmong, packageOf } from "../tools/packages";

const WEB = "/house/web";

describe("packages of others in the build", () => {
  test("a module belongs to the package that it was installed with", () => {
    const module = `${WEB}/node_modules/svelte/src/internal/client/index.js`;
    expect(packageOf(module, WEB)).toEqual({ name: "svelte", folder: `${WEB}/node_modules/svelte/` });
    expect(packageOf("/elsewhere/node_modules/@x/y/z.js", WEB)?.name).toBe("@x/y");
  });

  test("where a package brings another, it belongs to the inner one", () => {
    expect(packageOf("/a/node_modules/outer/node_modules/inner/index.js", WEB)?.name).toBe("inner");
  });

  test("what the compiler of messages wrote is the compiler's too", () => {
    expect(packageOf(`${WEB}/src/paraglide/runtime.js`, WEB)?.name).toBe("@inlang/paraglide-js");
  });

  test("our own modules belong to none", () => {
    expect(packageOf(`${WEB}/src/main.ts`, WEB)).toBeNull();
    expect(packageOf("\0rolldown/runtime.js", WEB)).toBeNull();
  });

  test("a package without a licence has no place in it", () => {
    expect(licenceAmong(["index.js", "LICENSE.md"], "part")).toBe("LICENSE.md");
    expect(() => licenceAmong(["index.js"], "part")).toThrow("part is in the build and has no licence");
  });
});
