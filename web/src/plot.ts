// A plot on a canvas: uPlot gives the scales, axes and the cursor; what is drawn is up to the caller. The arrow keys
// move the cursor, and what is under it is told as text.
import uPlot from "uplot";
import { clean, fresh, h } from "./dom";
import { onThemeChange, theme, type Theme } from "./theme";

/** What a drawing has at hand: a canvas in device pixels, the scales, and the size of a CSS pixel. */
export interface Canvas {
  ctx: CanvasRenderingContext2D;
  x: (value: number) => number;
  y: (value: number) => number;
  box: { left: number; top: number; width: number; height: number };
  px: number;
  /** The size of marks: 1, or less where points stand close together. */
  size: number;
  theme: Theme;
}

export interface PlotSpec {
  title: string;
  /** What the plot shows, for those who cannot see it. */
  description: string;
  legend?: Node;
  xs: number[];
  /** Values that the cursor stops at, one per x. */
  ys: (number | null)[];
  xRange: [number, number];
  yRange: [number, number];
  xLabels: (splits: number[]) => string[];
  yLabels: (splits: number[], step: number) => string[];
  /** Between which values lines may be drawn; decimal ones where nothing is said. */
  ySteps?: number[];
  height: number;
  draw: (canvas: Canvas) => void;
  /** What is at the n-th x, in words. */
  tell: (index: number) => string;
  /** Goes where the n-th point leads, on a click or Enter. */
  follow?: (index: number) => void;
  /** The same as a table, made when it is opened. */
  table?: () => HTMLElement;
}

export const printWidth = 820;
const alive = new Set<() => void>();

/** Calls when the view is left. */
export const whenForgotten = (end: () => void): void => void alive.add(end);

/** Ends all plots of the view that is left. */
export function forgetPlots(): void {
  for (const end of alive) end();
  alive.clear();
}

function canvasOf(plot: uPlot, points: number): Canvas {
  const { left, top, width, height } = plot.bbox;
  const room = width / devicePixelRatio / Math.max(1, points);
  return {
    ctx: plot.ctx,
    x: (value) => plot.valToPos(value, "x", true),
    y: (value) => plot.valToPos(value, "y", true),
    box: { left, top, width, height },
    px: devicePixelRatio,
    size: Math.max(0.45, Math.min(1, room / 7)),
    theme: theme(),
  };
}

function draw(plot: uPlot, spec: PlotSpec): void {
  const canvas = canvasOf(plot, spec.xs.length);
  const { ctx, box } = canvas;
  ctx.save();
  ctx.beginPath();
  ctx.rect(box.left, box.top, box.width, box.height);
  ctx.clip();
  spec.draw(canvas);
  ctx.restore();
}

function options(spec: PlotSpec, width: number, told: (index: number | null) => void): uPlot.Options {
  const axis = { stroke: () => theme().faint, font: theme().font, ticks: { stroke: () => theme().grid, width: 1, size: 4 }, grid: { stroke: () => theme().grid, width: 1 } };
  return {
    width,
    height: spec.height,
    padding: [8, 10, 0, 0],
    legend: { show: false },
    scales: { x: { time: false, range: () => spec.xRange }, y: { range: () => spec.yRange } },
    axes: [
      { ...axis, size: 26, space: 76, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 100000], grid: { show: false }, values: (_, splits) => spec.xLabels(splits) },
      { ...axis, size: 70, space: 30, ...(spec.ySteps && { incrs: spec.ySteps }), values: (_, splits, __, ___, step) => spec.yLabels(splits, step) },
    ],
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 11, width: 1.5, fill: "transparent", stroke: () => theme().text } },
    series: [{}, { paths: () => null, points: { show: false }, stroke: "transparent" }],
    hooks: { draw: [(plot) => draw(plot, spec)], setCursor: [(plot) => told(plot.cursor.idx ?? null)] },
  };
}

/** The keys that move the cursor from point to point. */
function step(key: string, at: number | null, count: number): number | null {
  switch (key) {
    case "ArrowRight":
      return at === null ? 0 : Math.min(count - 1, at + 1);
    case "ArrowLeft":
      return at === null ? count - 1 : Math.max(0, at - 1);
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return null;
  }
}

export function lazyTable(make: () => HTMLElement): HTMLElement {
  const details = h("details", { class: "values", toggle: () => details.childElementCount === 1 && details.append(h("div", { class: "scroll" }, make())) }, h("summary", {}, "As a table"));
  return details;
}

/** A figure with the plot, drawn as soon as it has a width and again whenever that or the colours change. */
export function plot(spec: PlotSpec): HTMLElement {
  const told = h("output", { class: "told faint", "aria-live": "polite" });
  const about = fresh("about");
  const host = h("div", { class: "plot", tabindex: 0, role: "group", "aria-roledescription": "plot", "aria-label": spec.title, "aria-describedby": about });
  host.style.height = `${spec.height}px`;
  let drawn: uPlot | null = null;
  let at: number | null = null;
  const tell = (index: number | null) => {
    at = index;
    told.textContent = index === null ? "" : clean(spec.tell(index));
  };
  const resize = (width: number) => {
    if (width <= 0) return;
    if (drawn) drawn.setSize({ width, height: spec.height });
    else drawn = new uPlot(options(spec, width, tell), [spec.xs, spec.ys], host);
  };
  const observer = new ResizeObserver(() => resize(host.clientWidth));
  observer.observe(host);
  const stop = onThemeChange((printing) => {
    resize(printing ? Math.min(host.clientWidth, printWidth) : host.clientWidth);
    drawn?.redraw(false, true);
  });
  alive.add(() => {
    observer.disconnect();
    stop();
    drawn?.destroy();
  });
  const { follow } = spec;
  if (follow) {
    host.classList.add("leads");
    host.addEventListener("click", () => at !== null && follow(at));
  }
  host.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && follow && at !== null) follow(at);
    const next = step(event.key, at, spec.xs.length);
    if (next === null || !drawn) return;
    event.preventDefault();
    drawn.setCursor({ left: drawn.valToPos(spec.xs[next]!, "x"), top: drawn.valToPos(spec.ys[next] ?? spec.yRange[0], "y") });
  });
  return h(
    "figure",
    { class: "figure" },
    h("figcaption", {}, h("h4", {}, spec.title), spec.legend ?? null),
    h("p", { id: about, class: "unseen" }, `${spec.description} The arrow keys move from point to point${spec.follow ? ", Enter opens what the point leads to" : ""}.`),
    host,
    told,
    spec.table ? lazyTable(spec.table) : null,
  );
}

/** A range with some room around the values; never empty. */
export function roomy(values: (number | null)[], room = 0.08): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) if (value !== null && Number.isFinite(value)) [low, high] = [Math.min(low, value), Math.max(high, value)];
  if (low > high) return [0, 1];
  const spare = high > low ? (high - low) * room : Math.abs(high) * 0.05 || 1;
  return [low - spare, high + spare];
}

/** The first lane in which a label has room, which it then takes; -1 where none has. Labels come from left to right. */
export function takeLane(ends: number[], start: number, end: number): number {
  const lane = ends.findIndex((each) => start > each);
  if (lane >= 0) ends[lane] = end;
  return lane;
}

export type Shape = "dot" | "ring" | "diamond";

/** A mark of a point that is told apart by its shape as well. */
export function mark(canvas: Pick<Canvas, "ctx" | "px" | "size" | "theme">, shape: Shape, x: number, y: number, colour: string): void {
  const { ctx, px } = canvas;
  const size = (shape === "diamond" ? 4.6 : 3.2) * canvas.size * px;
  ctx.beginPath();
  if (shape === "diamond") {
    ctx.moveTo(x, y - size);
    ctx.lineTo(x + size, y);
    ctx.lineTo(x, y + size);
    ctx.lineTo(x - size, y);
    ctx.closePath();
  } else ctx.arc(x, y, size, 0, 2 * Math.PI);
  ctx.lineWidth = 1.4 * canvas.size * px;
  ctx.strokeStyle = shape === "ring" ? colour : canvas.theme.paper;
  ctx.fillStyle = shape === "ring" ? canvas.theme.paper : colour;
  ctx.fill();
  ctx.stroke();
}

export function line(canvas: Pick<Canvas, "ctx" | "px">, from: [number, number], to: [number, number], colour: string, style: { width?: number; dash?: number[] } = {}): void {
  const { ctx, px } = canvas;
  ctx.save();
  ctx.beginPath();
  ctx.moveTo(...from);
  ctx.lineTo(...to);
  ctx.lineWidth = (style.width ?? 1) * px;
  ctx.setLineDash((style.dash ?? []).map((each) => each * px));
  ctx.strokeStyle = colour;
  ctx.stroke();
  ctx.restore();
}
