// The look: themes and palettes are attributes of the root element, colours are CSS (colours.css).

import palette from "./palette.json";

export type ThemeChoice = "system" | "light" | "dark";
export type PaletteName = keyof typeof palette.palettes;

export const THEMES: readonly ThemeChoice[] = ["system", "light", "dark"];
export const PALETTES = Object.keys(palette.palettes) as PaletteName[];

/** Apply a look. Without a choice the system's preferences count. */
export function wear(root: HTMLElement, theme: ThemeChoice, name: PaletteName | null): void {
  if (theme === "system") delete root.dataset.theme;
  else root.dataset.theme = theme;
  if (name === null) delete root.dataset.palette;
  else root.dataset.palette = name;
}
