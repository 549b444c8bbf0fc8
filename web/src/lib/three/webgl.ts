// Whether this browser can draw in space, and whether it should without being asked.

interface Able {
  can: boolean;
  /** Drawn by the processor alone. */
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

/** Whether a title that is built upwards opens in space: not where that would be slow, or cost what is to be saved. */
export function opensInSpace(): boolean {
  const { connection, deviceMemory = 8 } = navigator as { connection?: { saveData?: boolean }; deviceMemory?: number };
  return able().can && !able().soft && !connection?.saveData && deviceMemory >= 2;
}
