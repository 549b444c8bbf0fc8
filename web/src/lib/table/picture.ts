// A picture of the end of a game, for sharing: the final board and the result. It shows only what everybody at the
// table sees, and is loaded on demand.

import type { BoardInfo, StandingView, TableView } from "../api";
import { figure } from "../intl";
import { faceOf } from "../look/faces";
import { RIM, RADIUS, SIDE, bodyPath, cellPath, corners, polar, rounded, wellOf } from "../look/geometry";
import { SYMBOL_PATHS, coloursOf } from "../look/symbols";
import { isOnlyHere } from "../reach";
import { decisive, headline, sideNames, telling } from "./outcome";
import { parseBoard, parseCards } from "./parse";
import { planOf } from "./plan";
import { bodies } from "./scene";
import { namesOf } from "./seating";
import type { Translate } from "./types";

const WIDTH = 1200;
const HEIGHT = 630;
/** The width of the board's part of the picture. */
const LEFT = 560;
const COS = Math.cos(Math.PI / 6);

type Pen = CanvasRenderingContext2D;

/** The colours of the current theme, by token. */
function inks(): (token: string) => string {
  const style = getComputedStyle(document.documentElement);
  return (token) => style.getPropertyValue(`--${token}`).trim() || "#000";
}

/** The picture as a PNG. */
export async function pictureOf(table: TableView, board: BoardInfo | null, t: Translate): Promise<Blob> {
  const { game } = table;
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [WIDTH, HEIGHT];
  const pen = canvas.getContext("2d");
  if (!pen || !game?.result) throw new Error("nothing to draw, or nothing to draw with");
  await document.fonts.load('800 60px "Baloo 2"');
  const ink = inks();
  const ground = pen.createRadialGradient(LEFT * 0.5, HEIGHT * 0.42, 40, LEFT * 0.6, HEIGHT / 2, WIDTH * 0.8);
  ground.addColorStop(0, ink("cloth-hi"));
  ground.addColorStop(0.6, ink("cloth"));
  ground.addColorStop(1, ink("cloth-lo"));
  pen.fillStyle = ground;
  pen.fillRect(0, 0, WIDTH, HEIGHT);
  if (board) drawBoard(pen, ink, board, game.view.table);
  else drawCards(pen, ink, parseCards(game.view.table));

  const names = namesOf(game.places, table.places);
  // The picture is for others: nobody in it is "you".
  const nobody = new Set<number>();
  const { result } = game;
  const x = LEFT + 40;
  const wide = WIDTH - x - 50;
  pen.textBaseline = "alphabetic";
  pen.fillStyle = ink("text");
  let y = 150;
  y = written(pen, headline(result, nobody, names), x, y, wide, 76, '"Baloo 2"', 800) + 44;
  pen.fillStyle = ink("quiet");
  y = written(pen, decisive(result, nobody, names, t), x, y, wide, 22, "system-ui", 400) + 72;
  const bots = game.places.map((place) => table.places[place]?.bot ?? null);
  const step = Math.min(96, (HEIGHT - 70 - y) / Math.max(1, result.standings.length));
  result.standings.forEach((side, n) => drawSide(pen, ink, side, names, bots, [x, y + n * step], step));
  pen.fillStyle = ink("text");
  pen.font = '800 26px "Baloo 2", system-ui';
  pen.fillText("Genial", x, HEIGHT - 34);
  pen.fillStyle = ink("quiet");
  pen.font = "400 18px system-ui";
  pen.textAlign = "right";
  if (!isOnlyHere(location.hostname)) pen.fillText(location.host, WIDTH - 50, HEIGHT - 36);
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png"));
}

/** Write text in lines that fit, smaller if a word does not. Returns the height of its last line. */
function written(pen: Pen, text: string, x: number, y: number, wide: number, size: number, face: string, weight: number): number {
  let fit = size;
  const fonts = (at: number): string => `${weight} ${at}px ${face}, system-ui, sans-serif`;
  pen.font = fonts(fit);
  while (fit > size / 2 && text.split(" ").some((word) => pen.measureText(word).width > wide)) pen.font = fonts((fit -= 4));
  let line = "";
  let at = y;
  for (const word of text.split(" ")) {
    const longer = line ? `${line} ${word}` : word;
    if (line && pen.measureText(longer).width > wide) {
      pen.fillText(line, x, at);
      at += fit * 1.1;
      line = word;
    } else line = longer;
  }
  pen.fillText(line, x, at);
  return at;
}

function drawSide(
  pen: Pen,
  ink: (token: string) => string,
  side: StandingView,
  names: readonly string[],
  bots: readonly (string | null)[],
  [x, y]: readonly [number, number],
  step: number,
): void {
  const size = Math.min(36, step * 0.42);
  side.seats.forEach((seat, n) => drawFace(pen, faceOf(names[seat] ?? "", bots[seat] ?? null), x + size + n * size * 1.5, y, size));
  const after = x + size * 2 + (side.seats.length - 1) * size * 1.5 + 18;
  pen.fillStyle = ink("text");
  pen.font = `800 ${Math.round(size * 1.5)}px "Baloo 2", system-ui`;
  const points = figure(side.figures[0] ?? 0);
  pen.fillText(points, after, y + size * 0.55);
  let next = after + pen.measureText(points).width + 16;
  for (const colour of telling(side)) {
    pen.fillStyle = ink("tile");
    pen.beginPath();
    pen.roundRect(next, y - 15, 30, 30, 8);
    pen.fill();
    drawSymbol(pen, ink, colour, next + 15, y, 0.75);
    next += 36;
  }
  pen.fillStyle = ink("quiet");
  pen.font = "400 20px system-ui";
  pen.fillText(sideNames(side, names), next + 8, y + 7, WIDTH - next - 58);
}

function drawFace(pen: Pen, kit: ReturnType<typeof faceOf>, x: number, y: number, size: number): void {
  pen.save();
  pen.translate(x, y);
  pen.scale(size / 30, size / 30);
  const hexagon = new Path2D(rounded(corners(30), 7));
  pen.fillStyle = kit.ground;
  pen.fill(hexagon);
  pen.clip(hexagon);
  pen.fillStyle = "#ffffff38";
  pen.fill(new Path2D("M-22 34C-20 14 20 14 22 34z"));
  pen.fillStyle = kit.skin;
  pen.fill(new Path2D("M15 0A15 15 0 1 1 -15 0A15 15 0 1 1 15 0z"));
  pen.fillStyle = kit.hair;
  pen.fill(new Path2D(kit.top));
  if (kit.more) pen.fill(new Path2D(kit.more));
  pen.fillStyle = pen.strokeStyle = "#2a2320";
  pen.fill(new Path2D("M-3.1 0A1.9 1.9 0 1 1 -6.9 0A1.9 1.9 0 1 1 -3.1 0zM6.9 0A1.9 1.9 0 1 1 3.1 0A1.9 1.9 0 1 1 6.9 0z"));
  pen.lineWidth = 1.8;
  pen.lineCap = "round";
  pen.stroke(new Path2D("M-4.5 6.5C-2 9.5 2 9.5 4.5 6.5"));
  if (kit.lines) pen.stroke(new Path2D(kit.lines));
  pen.restore();
}

function drawSymbol(pen: Pen, ink: (token: string) => string, colour: number, x: number, y: number, scale = 1, edge = ""): void {
  pen.save();
  pen.translate(x, y);
  pen.scale(scale, scale);
  const path = new Path2D(SYMBOL_PATHS[colour] ?? "");
  pen.fillStyle = ink(`symbol-${colour}`);
  pen.fill(path);
  if (edge) {
    pen.strokeStyle = edge;
    pen.lineWidth = 1.3;
    pen.stroke(path);
  }
  pen.restore();
}

function drawBoard(pen: Pen, ink: (token: string) => string, board: BoardInfo, text: string): void {
  const plan = planOf(board);
  const seen = parseBoard(text, board);
  const well = wellOf(board.radius);
  const edge = well + RIM;
  const scale = Math.min((LEFT - 20) / ((2 * edge) / COS), (HEIGHT - 60) / (2 * edge + SIDE));
  const hexagon = (apothem: number, corner: number): Path2D =>
    new Path2D(rounded([0, 60, 120, 180, 240, 300].map((angle) => polar(angle, apothem / COS)), corner));
  pen.save();
  pen.translate(LEFT / 2 + 14, HEIGHT / 2 - 6);
  pen.scale(scale, scale);
  const fill = (path: Path2D, colour: string, y = 0): void => {
    pen.translate(0, y);
    pen.fillStyle = colour;
    pen.fill(path);
    pen.translate(0, -y);
  };
  const rim = hexagon(edge, 50);
  pen.shadowColor = "#0006";
  pen.shadowBlur = 40;
  pen.shadowOffsetY = 24;
  fill(rim, ink("rim-side"), SIDE);
  pen.shadowColor = "transparent";
  const wood = pen.createLinearGradient(0, -edge, 0, edge);
  wood.addColorStop(0, ink("rim-hi"));
  wood.addColorStop(1, ink("rim"));
  pen.fillStyle = wood;
  pen.fill(rim);
  fill(hexagon(well + 2, 21), ink("rim-edge"));
  fill(hexagon(well, 20), ink("floor"));

  const at = (n: number): readonly [number, number] => plan.points[n] ?? [0, 0];
  const there = (n: number, draw: () => void): void => {
    const [x, y] = at(n);
    pen.save();
    pen.translate(x, y);
    draw();
    pen.restore();
  };
  const face = new Path2D(cellPath(1.3));
  const print = new Path2D(cellPath(3.6));
  for (const cell of seen)
    there(cell.n, () => {
      fill(face, ink("cell-lip"), 1.2);
      fill(face, ink("cell"));
      if (cell.height && cell.half < 0) {
        fill(face, ink(`symbol-${cell.colour}`));
        fill(print, ink("print"));
      }
    });
  for (const body of bodies(seen, plan.around))
    there(body.from, () => {
      const path = new Path2D(bodyPath(body.direction));
      fill(path, "#00000033", 4.6);
      fill(path, ink("tile-side"), 2.2);
      fill(path, body.level ? ink(`level-${Math.min(body.level, 3) - 1}`) : ink("tile"));
      pen.strokeStyle = ink("tile-edge");
      pen.lineWidth = 1;
      pen.stroke(path);
      pen.strokeStyle = "#ffffff24";
      pen.lineWidth = 1.3;
      pen.stroke(new Path2D(bodyPath(body.direction, 2.6)));
    });
  for (const cell of seen) if (cell.height) drawSymbol(pen, ink, cell.colour, ...at(cell.n), 1, cell.half < 0 ? ink("board-edge") : "");
  pen.restore();
}

/** Everybody's open cards, row by row. */
function drawCards(pen: Pen, ink: (token: string) => string, rows: readonly (readonly string[])[]): void {
  const shown = rows.map((row) => row.slice(-5));
  const tall = Math.min(150, (HEIGHT - 120) / Math.max(1, shown.length) - 16);
  const wide = (tall * 2) / 3;
  shown.forEach((row, line) => {
    const y = HEIGHT / 2 + (line - (shown.length - 1) / 2) * (tall + 16);
    row.forEach((card, n) => {
      pen.save();
      pen.translate(LEFT / 2 + 20 + (n - (row.length - 1) / 2) * (wide + 12), y);
      pen.rotate((((n * 7 + line * 5) % 5) - 2) * 0.012);
      pen.fillStyle = ink("tile-side");
      pen.beginPath();
      pen.roundRect(-wide / 2, -tall / 2 + 4, wide, tall, 12);
      pen.fill();
      pen.fillStyle = ink("tile");
      pen.beginPath();
      pen.roundRect(-wide / 2, -tall / 2, wide, tall, 12);
      pen.fill();
      const colours = coloursOf(card) ?? [];
      colours.forEach((colour, half) => drawSymbol(pen, ink, colour, 0, (half - 0.5) * tall * 0.44, (tall * 0.2) / (RADIUS * 0.66)));
      pen.restore();
    });
  });
}
