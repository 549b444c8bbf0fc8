// What the server tells anew is mostly what it told before. Parts that are the same stay the very same objects, so that
// whoever draws them can see at a glance that nothing has to be drawn.

type Parts = Record<string, unknown>;

/** `after`, with every part that is as it was in `before` taken from there; `before` itself where all of it is.
 *
 * For what JSON can hold. `after` is altered: it must be nobody else's.
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
