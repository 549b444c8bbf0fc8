// All keys of the table. Every key handler looks them up here; the displayed list (keylist) has the same deeds.

export const KEYS = {
  take: ["1", "2", "3", "4", "5", "6"],
  walk: ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"],
  next: ["PageDown", "PageUp"],
  turn: ["r"],
  place: ["Enter", " "],
  putBack: ["Escape"],
  heat: ["h"],
  hint: ["h"],
  end: ["e"],
  swap: ["s"],
  back: ["u"],
  rules: ["F1"],
  keys: ["?"],
} as const;

export type Deed = keyof typeof KEYS;

/** Whether a key stands for a deed; Shift may be held. */
export function asks(event: KeyboardEvent, deed: Deed): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const pressed = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  return (KEYS[deed] as readonly string[]).includes(pressed);
}

/** Whether a typed letter belongs to the focused element. */
export function isTyping(event: KeyboardEvent): boolean {
  const target = event.target as Partial<Element> | null; // the document has no `closest`
  return Boolean(target?.closest?.("input, textarea, select, dialog"));
}
