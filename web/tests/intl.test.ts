import { expect, test } from "vitest";
import { capital, day, figure, listed, percent, signed } from "../src/lib/intl";
import { m } from "../src/paraglide/messages.js";

test("a list ends in and, or in or", () => {
  const colours = ["red", "green", "blue"];
  expect(listed(colours, "and", "en")).toBe("red, green and blue");
  expect(listed(["Rot", "Blau"], "and", "de")).toBe("Rot und Blau");
  expect(listed(["rood", "groen", "blauw"], "and", "nl")).toBe("rood, groen en blauw");
  expect(listed(["2", "3"], "or", "de")).toBe("2 oder 3");
  expect([listed(["red"]), listed([])]).toEqual(["red", ""]);
});

test("figures are written as the language does", () => {
  expect([figure(1.25, "en"), figure(1.25, "de"), figure(-3, "nl")]).toEqual(["1.3", "1,3", "−3"]);
  expect([signed(2), signed(-2), signed(0)]).toEqual(["+2", "−2", "0"]);
  expect(percent(0.084, "de")).toBe("8,4\u00a0%");
  expect([0, 0.5, 1].map((share) => percent(share, "en"))).toEqual(["0%", "50%", "100%"]);
});

test("a day has its year only where that is another one", () => {
  const [then, now] = [Date.UTC(2026, 10, 17, 12), Date.UTC(2026, 11, 30, 12)];
  expect([day(then, "en", now), day(then, "de", now), day(then, "nl", now)]).toEqual(["17 Nov", "17. Nov.", "17 nov"]);
  const later = Date.UTC(2027, 0, 2, 12);
  expect([day(then, "en", later), day(then, "de", later), day(then, "nl", later)]).toEqual(["17 Nov 2026", "17. Nov. 2026", "17 nov 2026"]);
});

test("ranks are counted as the language does", () => {
  const ranks = (locale: "en" | "de" | "nl"): string[] => [1, 2, 3, 4].map((count) => m.rank({ count }, { locale }));
  expect(ranks("en")).toEqual(["1st", "2nd", "3rd", "4th"]);
  expect(ranks("de")).toEqual(["1.", "2.", "3.", "4."]);
  expect(ranks("nl")).toEqual(["1e", "2e", "3e", "4e"]);
});

test("a sentence begins with a capital", () => {
  expect(capital("rood en blauw worden tegengehouden", "nl")).toBe("Rood en blauw worden tegengehouden");
  expect(capital("", "en")).toBe("");
});
