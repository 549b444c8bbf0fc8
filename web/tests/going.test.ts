import { expect, test } from "vitest";
import type { MyTable } from "../src/lib/api";
import { goingOf } from "../src/lib/going";

const place = (name: string, more = {}) => ({ kind: "person", name, bot: null, away: false, yours: false, host: false, seat: 0, mark: name, shares: [], covered: 0, ...more });
const ME = place("Ada", { yours: true });
const table = (id: string, more: Partial<MyTable>): MyTable =>
  ({ id, variant: "classic", seats: 2, status: "running", name: "", created: 0, updated: 0, places: [], mover: null, table: "", figures: [], ...more });

test("games that wait for oneself come first, with the names of the others", () => {
  const found = goingOf(
    [
      table("theirs", { places: [ME, place("Bo")], mover: 1 }),
      table("over", { status: "over" }),
      table("mine", { places: [place("Cy"), ME], mover: 1 }),
      table("open", { status: "open", places: [ME, place("", { kind: "open" })] }),
    ],
    6,
  );
  expect(found.map(({ table, others, isMine, mover }) => [table.id, others, isMine, mover])).toEqual([
    ["mine", ["Cy"], true, null],
    ["theirs", ["Bo"], false, "Bo"],
    ["open", [], false, null],
  ]);
});

test("a bot that plays for oneself is no call to play", () => {
  const [found] = goingOf([table("away", { places: [{ ...ME, away: true }, place("Bo")], mover: 0 })], 6);
  expect(found?.isMine).toBe(false);
});

test("where the server does not tell, nobody is named", () => {
  const [found] = goingOf([table("old", { mover: null })], 6);
  expect(found).toMatchObject({ others: [], isMine: false, mover: null });
});

test("how it stands: oneself against the best of the others", () => {
  const standing = (more: Partial<MyTable>) => goingOf([table("t", more)], 6)[0]?.standing;
  const places = [place("Bo"), ME, place("Cy")];
  expect(standing({ places, figures: [3, 4, 5] })).toEqual({ mine: 4, theirs: 5 });
  expect(standing({ places: [ME], figures: [4] })).toBeNull();
  expect(standing({ places: [ME, { ...ME, name: "Bo" }], figures: [4, 3] })).toBeNull();
  expect(standing({ places })).toBeNull();
});
