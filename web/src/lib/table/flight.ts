// Where things on the table come from and fly to. Tiles come out of the rack or from whoever laid them, points fly to
// their markers. The elements are found by attributes, and may be missing:
//   data-track-of="1 3" data-colour="2"  the marker of a colour, and the seats whose marker it is
//   data-face-of="1"                     who sits there

type Place = readonly [x: number, y: number];

/** Where the taken tile lies on the viewer's rack. */
export function takenFrom(): Place | null {
  return placeOf('.rack [aria-pressed="true"]');
}

/** Where a tile comes from if nobody saw it being aimed. */
export function comesFrom(seat: number, own: boolean): Place | null {
  return (own ? placeOf(".rack") : null) ?? faceOf(seat);
}

/** Where points of a colour fly to: the marker, or the player's face if that side's track is not shown. */
export function goesTo(colour: number, seat: number): Place | null {
  return placeOf(`[data-track-of~="${seat}"][data-colour="${colour}"]`, stillToGo) ?? faceOf(seat);
}

function faceOf(seat: number): Place | null {
  return placeOf(`[data-face-of="${seat}"]`);
}

/** The centre of the first visible match; null if there is none. `off`: how far it still is from its final position. */
function placeOf(selector: string, off: (found: HTMLElement) => Place = () => [0, 0]): Place | null {
  for (const found of document.querySelectorAll<HTMLElement>(selector)) {
    const { left, top, width, height } = found.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    const isSeen = width > 0 && height > 0 && x > 0 && y > 0 && x < innerWidth && y < innerHeight;
    const [right, down] = off(found);
    if (isSeen) return [x + right, y + down];
  }
  return null;
}

/** A climbing marker is still on its way to the position in its style (see climb). */
function stillToGo(marker: HTMLElement): Place {
  if (!marker.getAnimations().length) return [0, 0];
  const [now, then] = [new DOMMatrix(getComputedStyle(marker).transform), new DOMMatrix(marker.style.transform)];
  return [then.e - now.e, then.f - now.f];
}
