import { expect, test } from "vitest";
import { isOnlyHere } from "../src/lib/reach";

test("names that lead to the device itself", () => {
  for (const name of ["localhost", "genial.localhost", "127.0.0.1", "127.8.0.1", "[::1]"]) expect(isOnlyHere(name)).toBe(true);
});

test("names that others can follow", () => {
  for (const name of ["192.168.1.5", "play.example.org", "127.0.0.1.example.org", "mylocalhost", "[2001:db8::1]"])
    expect(isOnlyHere(name)).toBe(false);
});
