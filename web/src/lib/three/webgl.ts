// Whether this browser can draw in space.

let known: boolean | null = null;

export function hasWebGL(): boolean {
  if (known === null) {
    try {
      const context = document.createElement("canvas").getContext("webgl2");
      known = context !== null;
      context?.getExtension("WEBGL_lose_context")?.loseContext();
    } catch {
      known = false;
    }
  }
  return known;
}
