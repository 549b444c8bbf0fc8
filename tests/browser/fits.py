"""Checks that a page fits: nothing too wide, no control too small for a finger, no text cut off."""

from __future__ import annotations

from playwright.sync_api import Page
from tests.browser.conftest import PHONE

ACROSS = (844, 390)
"""The size of a phone held sideways."""
SMALL_DESKTOP = (1024, 700)
FINGER = 44
"""The smallest side of a control, in pixels."""

_CUT_OFF = r"""
() => {
  const clips = (style, axis) => ['hidden', 'clip'].includes(style[`overflow${axis}`]);
  const scrolls = (style, axis) => ['auto', 'scroll'].includes(style[`overflow${axis}`]);
  const squeezed = (text) => text.replace(/\s+/g, ' ').trim();
  const found = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = squeezed(node.data), own = node.parentElement;
    if (!text || !own.checkVisibility({visibilityProperty: true, opacityProperty: true})) continue;
    if (own.closest('svg, option, script, style')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    if (!box.width) continue;
    let free = {X: false, Y: false};
    let leaves = '';
    for (let one = own; one && one !== document.documentElement; one = one.parentElement) {
      const style = getComputedStyle(one), room = one.getBoundingClientRect();
      // Said to screen readers only.
      if (room.width <= 1 || (room.height <= 1 && clips(style, 'Y'))) {
        leaves = '';
        free = {X: true, Y: true};
        break;
      }
      const told = [one, one.closest('button, a')].some((said) => said && ['title', 'aria-label'].some(
        (name) => squeezed(said.getAttribute(name) ?? '').includes(text)));
      if (style.textOverflow === 'ellipsis' && told) break;
      if (!free.X && clips(style, 'X') && (box.right > room.right + 1 || box.left < room.left - 1))
        leaves ||= `by ${Math.round(Math.max(box.right - room.right, room.left - box.left))} in width`;
      if (!free.Y && clips(style, 'Y') && (box.bottom > room.bottom + 4 || box.top < room.top - 4))
        leaves ||= `by ${Math.round(Math.max(box.bottom - room.bottom, room.top - box.top))} in height`;
      free = {X: free.X || scrolls(style, 'X'), Y: free.Y || scrolls(style, 'Y')};
      if (style.position === 'fixed') break;
    }
    if (!leaves && !free.X && (box.right > innerWidth + 1 || box.left < -1)) leaves = 'by leaving the page';
    if (leaves) found.add(`"${text.slice(0, 60)}" is cut off ${leaves}`);
  }
  return [...found];
}
"""
"""Finds text that can't be read to its end, because it overflows a box that hides its overflow. An ellipsis
is fine where a title or a label has the whole text."""


def misfits(page: Page) -> list[str]:
    """What doesn't fit a phone held upright: a page that is too wide, controls too small for a finger."""
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    found = (
        [] if page.evaluate("document.documentElement.scrollWidth") <= PHONE[0] else ["the page is too wide"]
    )
    for role in ("button", "combobox", "textbox"):
        found += page.get_by_role(role).evaluate_all(
            "(all, least) => all.map((one) => [one, one.getBoundingClientRect()])"
            ".filter(([, box]) => box.width && Math.min(box.width, box.height) < least)"
            ".map(([one, box]) => `${one.ariaLabel ?? one.innerText}: ${box.width} by ${box.height}`)",
            FINGER,
        )
    return found


def cut_off(page: Page, size: tuple[int, int]) -> list[str]:
    """Text that a window of this size cuts off."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.evaluate("document.fonts.ready.then(() => new Promise((drawn) => requestAnimationFrame(drawn)))")
    found: list[str] = page.evaluate(_CUT_OFF)
    return found
