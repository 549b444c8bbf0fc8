import { describe, expect, test } from "vitest";
import type { Judged } from "../../src/lib/api";
import { amountWords, percent, valueWords, verdictWords } from "../../src/lib/after/opinion";

const judged = (verdict: Judged["verdict"], move = "RB@a1,a2"): Judged => ({ verdict, move, given_away: 0.084 }) as Judged;

describe("an opinion", () => {
  test("says what was given away, in a person's words", () => {
    expect(verdictWords(judged("mistake"), "share", "en")).toBe("A mistake: this move gave away 8.4% of the win.");
    expect(verdictWords(judged("best"), "share", "en")).toBe("The best move.");
    expect(verdictWords(judged("slip", "refill"), "share", "en")).toContain("Not swapping gave away 8.4%");
  });

  test("has a unit: shares, places of the lowest marker, or points", () => {
    expect(amountWords(0.084, "share", "en")).toBe("8.4% of the win");
    expect(amountWords(1.25, "lowest", "en")).toContain("1.3");
    expect(amountWords(2, "points", "en")).toBe("2 points");
    expect(valueWords(18.34, "lowest", "en")).toBe("18.3");
  });

  test("writes figures as the language does", () => {
    expect(percent(0.084, "de")).toBe("8,4\u00a0%");
    expect([0, 0.5, 1].map((share) => percent(share, "en"))).toEqual(["0%", "50%", "100%"]);
  });
});
