// Most of what the server sends is the same as before. Unchanged parts keep their object identity, so that the
// components that draw them can tell at once that there is nothing to redraw.

type Parts = Record<string, unknown>;

/** `after`, with every unchanged part taken from `before`; `before` itself if nothing has changed.
 *
 * For JSON values. `after` is modified, so nobody else may hold it.
 */
export function shared<T>(before: unknown, after: T): T {
  if (before === after || !isParts(before) || !isParts(after)) return after;
  if (Array.isArray(before) !== Array.isArray(after)) return after;
  const parts: Parts = after;
  const keys = Object.keys(parts);
  let isSame = keys.length === Object.keys(before).length;
  for (const key of keys) {
    const [old, now] = [before[key], parts[key]];
    if (old === now) continue;
    const kept = shared(old, now);
    if (kept === old) parts[key] = old;
    else isSame = false;
  }
  return isSame ? (before as T) : after;
}

function isParts(value: unknown): value is Parts {
  return typeof value === "object" && value !== null;
}
