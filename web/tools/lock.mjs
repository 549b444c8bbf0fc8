// Removes host names from package-lock.json: packages come from whatever registry a machine uses.
import { readFileSync, writeFileSync } from "node:fs";

const file = new URL("../package-lock.json", import.meta.url);
const lock = JSON.parse(readFileSync(file, "utf8"));
for (const found of Object.values(lock.packages)) {
  delete found.resolved;
  delete found.funding;
}
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
