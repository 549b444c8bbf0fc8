// Chooses faces: each of the house's bots has its own, a person's follows from the name. None of the six colours is
// used, so that nobody looks like a colour of the game.

export interface FaceKit {
  ground: string;
  skin: string;
  hair: string;
  /** Hair or headwear, as a path around (0, 0); the head is a circle of radius 15. */
  top: string;
  /** Beards and the like, in the colour of the hair. */
  more?: string;
  /** Glasses and the like, as lines. */
  lines?: string;
}

const BUN = "M-17 2C-20 -22 20 -22 17 2C15 -6 11 -10 6 -11C0 -8 -11 -8 -13 -3zM-5.5 -18A5.5 5.5 0 1 1 5.5 -18A5.5 5.5 0 1 1 -5.5 -18z";
const FRINGE = "M-15 -4C-16 -20 16 -20 15 -4C10 -10 2 -8 -3 -12C-6 -7 -11 -7 -15 -4z";
const CAP = "M-15 -6C-14 -18 14 -18 15 -6L18 -5L-18 -5z";
const POINT = "M-14 -8L0 -25L14 -8C8 -12 -8 -12 -14 -8z";
const CURLS =
  "M-16 -3C-20 -8 -17 -13 -13 -13C-12 -18 -6 -20 -2 -18C2 -21 8 -19 9 -15C14 -16 18 -11 16 -7C18 -4 17 -2 15 -2C12 -9 -10 -9 -14 -1z";
const LONG = "M-17 14C-20 -24 20 -24 17 14L12 14C15 0 11 -8 4 -11C-2 -7 -10 -6 -13 -3C-14 4 -13 10 -12 14z";
const BALD = "M-15 -2C-16 -6 -15 -9 -13 -10C-13 -6 -14 -4 -14 -1zM15 -2C16 -6 15 -9 13 -10C13 -6 14 -4 14 -1z";
const GLASSES = "M-9.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0M.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0";
const MOUSTACHE = "M-9 8C-6 4 6 4 9 8C5 10 -5 10 -9 8z";
const BEARD = "M-14 3C-12 20 12 20 14 3C10 8 5 5 0 6C-5 5 -10 8 -14 3z";

const BOTS: Record<string, FaceKit> = {
  "level-1": { ground: "#59616F", skin: "#F7E3C8", hair: "#2D3440", top: POINT },
  "level-2": { ground: "#8A7B5C", skin: "#C98F63", hair: "#2A2320", top: CAP, more: MOUSTACHE },
  "level-3": { ground: "#7A5A4A", skin: "#E6B98F", hair: "#EFE6DA", top: BUN },
  "level-4": { ground: "#4F6B66", skin: "#8D5B3F", hair: "#1F1A18", top: CURLS },
  "level-5": { ground: "#6B5B73", skin: "#F0CFA8", hair: "#5B4A3C", top: BALD, more: BEARD },
  "level-6": { ground: "#3E4B5E", skin: "#D9A47A", hair: "#B9BEC4", top: LONG, lines: GLASSES },
};

const GROUNDS = ["#0E5F63", "#7A4B3A", "#4A5A3C", "#5A4A6B", "#3F5575", "#6B5A34"];
/** Used behind dark skin, so that the face stands out. */
const LIGHT_GROUNDS = ["#CBDDD3", "#E8D9BF", "#CFD9E6", "#DDD2E4", "#D9E0C8", "#EAD3CA"];
const SKINS = ["#F2D9B8", "#E6B98F", "#C98F63", "#8D5B3F", "#7A4E36"];
/** Skins from this index on are dark. */
const DARK = 3;
const HAIRS = ["#3B2A22", "#1F1A18", "#8A5A33", "#D9B873", "#B9BEC4"];
const TOPS = [FRINGE, CURLS, LONG, CAP, BUN, BALD];

/** The face of one of the house's bots, or one that is always the same for a given name. */
export function faceOf(name: string, bot: string | null = null): FaceKit {
  const own = bot === null ? undefined : BOTS[bot];
  if (own) return own;
  let seed = 7;
  // A bot keeps its face in every language, whatever its name there; several of the same kind are numbered.
  for (const letter of bot === null ? name : bot + (/\d+$/.exec(name)?.[0] ?? "")) seed = (seed * 31 + (letter.codePointAt(0) ?? 0)) % 9973;
  const pick = <T>(from: readonly T[], step: number): T => from[Math.floor(seed / step) % from.length] as T;
  const skin = pick(SKINS, 6);
  const ground = pick(SKINS.indexOf(skin) < DARK ? GROUNDS : LIGHT_GROUNDS, 1);
  return { ground, skin, hair: pick(HAIRS, 30), top: pick(TOPS, 150) };
}
