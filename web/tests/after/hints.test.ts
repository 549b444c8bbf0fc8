import { describe, expect, test } from "vitest";
import type { Thought } from "../../src/lib/api";
import { spotFor } from "../../src/lib/after/bubble";
import { hintWords } from "../../src/lib/after/hintwords";

const COLOURS = ["red", "orange", "yellow", "green", "blue", "purple"];
const t = (code: string): string => COLOURS[Number(code.split("-")[1])] ?? code;
const thought = (more: Partial<Thought>): Thought => ({
  move: "PP@e1,e2", value: 0.6, gain: [0, 0, 0, 0, 0, 2], bonus: 0, lead: null, threat: null,
  reason: { before: 4, after: 4, weakest: [5], lifted: [], full: [], rival: { seat: 1, lowest: 3 }, block: null }, ...more,
});
const said = (one: Thought, others: Thought[] = []) =>
  hintWords(one, { thoughts: [one, ...others], nameOf: (seat) => ["You", "Juno"][seat] ?? "", cards: false, t });

describe("a hint in one sentence", () => {
  test("says what the move brings, and what it does for the lowest colour", () => {
    const reason = { before: 3, after: 6, weakest: [1], lifted: [], full: [], rival: { seat: 1, lowest: 3 }, block: null };
    expect(said(thought({ reason }))).toEqual({
      brings: "+2 purple.",
      why: "Your lowest colour climbs from 3 to 6, ahead of Juno with 3.",
    });
    // Somebody already ahead does not get ahead.
    expect(said(thought({ reason: { ...reason, before: 4 } })).why).toBe("Your lowest colour climbs from 4 to 6.");
  });

  test("says whom it hinders, whom it leaves least, and no more than two things", () => {
    const block = { seat: 1, colour: 4, points: 3 };
    const threat = { seat: 1, gain: [0, 0, 0, 1, 0, 0] };
    const reason = { before: 4, after: 5, weakest: [5], lifted: [], full: [3], rival: null, block };
    const worse = thought({ move: "RR@a1,a2", threat: { seat: 1, gain: [3, 0, 0, 0, 0, 0] } });
    expect(said(thought({ gain: [0, 0, 0, 2, 0, 0], reason, threat }), [worse]).why).toBe(
      "Green is as far as it can go, so you get another move. Your lowest colour climbs from 4 to 5.",
    );
    const quiet = { ...reason, after: 4, lifted: [], full: [] };
    expect(said(thought({ reason: quiet, threat }), [worse]).why).toBe(
      "It takes Juno's best space for blue, their lowest colour. It leaves Juno less than the other moves would.",
    );
  });

  test("says so where nothing scores, and what to do at the end of a turn", () => {
    expect(said(thought({ gain: [0, 0, 0, 0, 0, 0] }))).toEqual({ brings: "No points.", why: "Purple stays your lowest, at 4." });
    const lifted = { before: 0, after: 0, weakest: [0, 4], lifted: [5], full: [], rival: null, block: null };
    expect(said(thought({ reason: lifted })).why).toBe("Purple is no longer one of your lowest colours.");
    expect(said(thought({ move: "swap", reason: null })).why).toContain("Swap");
    expect(said(thought({ move: "refill", reason: null })).why).toContain("End your turn");
  });
});

describe("a bubble", () => {
  const room = { width: 1000, height: 800 };
  const size = { width: 300, height: 150 };

  test("stands below what it points to, or above where there is no room", () => {
    expect(spotFor(size, { left: 480, right: 520, top: 300, bottom: 340 }, room)).toEqual({ left: 350, top: 366, tip: { side: "above", at: 150 } });
    expect(spotFor(size, { left: 480, right: 520, top: 700, bottom: 740 }, room)?.top).toBe(700 - 26 - 150);
  });

  test("stays within the window, and its tip on what it points to", () => {
    expect(spotFor(size, { left: 0, right: 40, top: 300, bottom: 340 }, room)).toMatchObject({ left: 8, tip: { at: 28 } });
    expect(spotFor({ width: 300, height: 780 }, { left: 480, right: 520, top: 300, bottom: 340 }, room)).toBeNull();
  });
});
