// Whether this browser can draw in 3D, and whether it should do so by default.

interface Able {
  can: boolean;
  /** Rendered in software. */
  soft: boolean;
}

const SOFT = /swiftshader|llvmpipe|softpipe|software|basic render/i;
let known: Able | null = null;

function able(): Able {
  if (known) return known;
  known = { can: false, soft: true };
  try {
    const context = document.createElement("canvas").getContext("webgl2");
    if (context) {
      const told = context.getExtension("WEBGL_debug_renderer_info");
      const name: unknown = told ? context.getParameter(told.UNMASKED_RENDERER_WEBGL) : "";
      known = { can: true, soft: SOFT.test(String(name)) };
      context.getExtension("WEBGL_lose_context")?.loseContext();
    }
  } catch {
    // Then it cannot.
  }
  return known;
}

export function hasWebGL(): boolean {
  return able().can;
}

/** Whether a title that is built upwards opens in 3D: not if that would be slow, or waste data on a metered connection.
    */
export function opensInSpace(): boolean {
  const { connection, deviceMemory = 8 } = navigator as { connection?: { saveData?: boolean }; deviceMemory?: number };
  return able().can && !able().soft && !connection?.saveData && deviceMemory >= 2;
}
