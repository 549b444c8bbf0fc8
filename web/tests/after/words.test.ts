import { describe, expect, test } from "vitest";
import type { Judged } from "../../src/lib/api";
import { amountWords, valueWords, verdictWords } from "../../src/lib/after/opinion";

const judged = (verdict: Judged["verdict"], move = "RB@a1,a2"): Judged => ({ verdict, move, given_away: 0.084 }) as Judged;

describe("an opinion", () => {
  test("says what a move cost, in a person's words", () => {
    expect(verdictWords(judged("mistake"), "share", "en")).toBe("A mistake. It cost 8.4% winning chance.");
    expect(verdictWords(judged("best"), "share", "en")).toBe("The best move.");
    expect(verdictWords(judged("slip", "refill"), "share", "en")).toContain("That cost 8.4%");
  });

  test("has a unit: winning chance, points in the lowest colour, or points", () => {
    expect(amountWords(0.084, "share", "en")).toBe("8.4% winning chance");
    expect(amountWords(1.25, "lowest", "en")).toBe("1.3 points in the lowest colour");
    expect(amountWords(2, "points", "en")).toBe("2 points");
    expect(valueWords(18.34, "lowest", "en")).toBe("18.3");
  });

  test("is about one point where one is read", () => {
    expect([1, 1.04, 0.96, 1.2].map((amount) => amountWords(amount, "points", "en"))).toEqual([
      "1 point",
      "1 point",
      "1 point",
      "1.2 points",
    ]);
  });
});
