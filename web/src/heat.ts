// The heat map of a search: commits from left to right, configurations from top to bottom. Colours tell the level
// against the first one that was measured in the same row; what was measured has a dot, what is concluded is pale.
import { clean, cut, fresh, h, name } from "./dom";
import * as format from "./format";
import { baseOf, type Level, levelsOf, logRatio, type Path, pathOf, relative } from "./levels";
import { lazyTable, line, mark, printWidth, takeLane, whenForgotten } from "./plot";
import { table } from "./table";
import { onThemeChange, theme, type Theme } from "./theme";
import { affects, type Row, type VariantChange, type Variants } from "./variants";

/** A row of the map with what is known of it. */
export interface HeatRow {
  row: Row;
  levels: (Level | null)[];
  path: Path;
  base: number;
}

interface Heat {
  found: Variants;
  rows: HeatRow[];
  /** The logarithm at the ends of the colour scale. */
  reach: number;
}

const mostRows = 100;
const above = 32; // where the numbers of changes stand
const below = 22; // where commits are named

/** The logarithm of a level against the first one of its row. */
const logAt = ({ levels, base }: HeatRow, column: number): number | null => {
  const level = levels[column];
  return level ? logRatio(level.value, base) : null;
};

/** Rows that the same changes affect stand together, the affected ones first. */
function ordered(rows: HeatRow[], changes: VariantChange[]): HeatRow[] {
  const rank = ({ row }: HeatRow) => changes.map((change) => (affects(change, row) ? "0" : "1")).join("");
  const keyed = rows.map((each) => ({ each, rank: rank(each) }));
  keyed.sort((a, b) => (a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : a.each.row.on.size - b.each.row.on.size));
  return keyed.map(({ each }) => each);
}

/** All rows with their levels. */
export const heatRows = (found: Variants): HeatRow[] =>
  found.rows.map((row) => {
    const levels = levelsOf(row, found.columns.length, found.changes, found.threshold);
    return { row, levels, path: pathOf(levels), base: baseOf(levels) };
  });

function heatOf(found: Variants, all: HeatRow[]): Heat {
  const rows = ordered([...all].sort((a, b) => b.row.cells.size - a.row.cells.size).slice(0, mostRows), found.changes);
  const sizes = rows.flatMap((each) => [...each.row.cells.keys()].map((at) => Math.abs(logAt(each, at) ?? 0))).sort((a, b) => a - b);
  // One configuration that became ten times as slow would leave the others without colours.
  const most = Math.min(Math.LN2, sizes[Math.floor((sizes.length - 1) * 0.98)] ?? 0);
  return { found, rows, reach: Math.max(Math.log1p(found.threshold), most) };
}

/** The options that are on, those that some change depends on first. */
export function optionsOn(found: Variants, row: Row): { matter: string[]; others: string[] } {
  const named = new Set(found.changes.flatMap((change) => [...change.on, ...change.off]));
  const on = [...row.on];
  return { matter: on.filter((each) => named.has(each)), others: on.filter((each) => !named.has(each)) };
}

export function configurationText(found: Variants, row: Row): string {
  const { matter, others } = optionsOn(found, row);
  return clean([...matter, ...others].join(", ")) || "no option";
}

function label(found: Variants, row: Row): HTMLElement {
  const { matter, others } = optionsOn(found, row);
  const text = configurationText(found, row);
  const rest = others.length > 0 && h("span", { class: "faint" }, `${matter.length > 0 ? ", " : ""}${clean(cut(others.join(", "), 200))}`);
  return h("li", { title: cut(text) }, matter.length > 0 && name(cut(matter.join(", "), 200)), rest, row.on.size === 0 && h("span", { class: "faint" }, "no option"));
}

const parts = (colour: string) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));

/** The colour of a logarithm: towards one end for better, towards the other for worse. */
function colourer({ reach, found }: Heat, { better, same, worse }: Theme["heat"]): (log: number) => string {
  const [middle, more, less] = [same, ...(found.higherIsBetter ? [better, worse] : [worse, better])].map(parts);
  return (log) => {
    const by = Math.min(1, Math.abs(log) / reach);
    const end = log > 0 ? more! : less!;
    return `rgb(${middle!.map((each, at) => Math.round(each + (end[at]! - each) * by)).join(" ")})`;
  };
}

/** Where things stand on the canvas, in CSS pixels. */
interface Layout {
  width: number;
  cell: number;
  row: number;
  height: number;
}

function layoutOf(heat: Heat, width: number): Layout {
  const row = heat.rows.length <= 40 ? 20 : 14;
  return { width, cell: width / Math.max(1, heat.found.columns.length), row, height: above + row * heat.rows.length + below };
}

function drawCells(ctx: CanvasRenderingContext2D, heat: Heat, layout: Layout, colours: Theme): void {
  const { cell, row } = layout;
  const gap = cell >= 6 ? 1 : 0;
  const canvas = { ctx, px: 1, size: 0.62, theme: colours };
  const colourOf = colourer(heat, colours.heat);
  heat.rows.forEach((each, at) => {
    const { levels } = each;
    for (let column = 0, next = 0; column < levels.length; column = next) {
      const level = levels[column];
      next = column + 1;
      if (!level) continue;
      // Neighbours that are too narrow for a gap are one rectangle.
      while (gap === 0 && levels[next] === level) ++next;
      ctx.globalAlpha = level.measured ? 1 : 0.42;
      ctx.fillStyle = colourOf(logAt(each, column) ?? 0);
      ctx.fillRect(column * cell, above + at * row + 1, Math.max(1, (next - column) * cell - gap), row - 1);
      ctx.globalAlpha = 1;
      if (level.measured && cell >= 6) mark(canvas, "dot", column * cell + (cell - gap) / 2, above + (at + 0.5) * row + 0.5, colours.text);
    }
  });
}

/** A change is a line before its commit: strong where it shows, dotted elsewhere. */
function drawChanges(ctx: CanvasRenderingContext2D, heat: Heat, { width, cell, row }: Layout, colours: Theme): void {
  const free = [-Infinity, -Infinity];
  ctx.font = colours.font;
  ctx.textAlign = "left";
  for (const change of heat.found.changes) {
    const x = Math.max(1, change.column * cell - (cell >= 6 ? 0.5 : 0));
    const colour = change.worse ? colours.worse : colours.better;
    const bottom = above + heat.rows.length * row;
    line({ ctx, px: 1 }, [x, above - 4], [x, bottom], colour, { dash: [1, 3] });
    heat.rows.forEach((each, at) => {
      if (affects(change, each.row)) line({ ctx, px: 1 }, [x, above + at * row], [x, above + (at + 1) * row], colour, { width: 2 });
    });
    const text = `${change.worse ? "▲" : "▼"} ${change.number}`;
    const size = ctx.measureText(text).width;
    const start = Math.min(x - 3, width - size);
    const lane = takeLane(free, start, start + size + 5);
    if (lane < 0) continue;
    ctx.fillStyle = colour;
    ctx.fillText(text, start, above - 8 - lane * 13);
  }
}

function drawCommits(ctx: CanvasRenderingContext2D, heat: Heat, { width, cell, height }: Layout, colours: Theme): void {
  const { columns } = heat.found;
  const every = Math.max(1, Math.ceil(74 / cell));
  ctx.font = colours.font;
  ctx.fillStyle = colours.faint;
  ctx.textAlign = "left";
  for (let at = 0; at < columns.length && at * cell + 60 <= Math.max(width, 61); at += every) {
    line({ ctx, px: 1 }, [at * cell + 0.5, height - below + 2], [at * cell + 0.5, height - below + 6], colours.faint);
    ctx.fillText(clean(format.shortCommit(columns[at]!.commit).slice(0, 7)), at * cell, height - 5);
  }
}

function draw(canvas: HTMLCanvasElement, heat: Heat, layout: Layout): void {
  const ctx = canvas.getContext("2d");
  if (!ctx) return;
  canvas.width = Math.round(layout.width * devicePixelRatio);
  canvas.height = Math.round(layout.height * devicePixelRatio);
  canvas.style.width = `${layout.width}px`;
  canvas.style.height = `${layout.height}px`;
  ctx.scale(devicePixelRatio, devicePixelRatio);
  const colours = theme();
  drawCells(ctx, heat, layout, colours);
  drawChanges(ctx, heat, layout, colours);
  drawCommits(ctx, heat, layout, colours);
}

interface Place {
  row: number;
  column: number;
}

/** What is known of a cell, in words. */
function tell({ found, rows }: Heat, { row, column }: Place): string {
  const [each, commit] = [rows[row], found.columns[column]];
  if (!each || !commit) return "";
  const where = `${format.shortCommit(commit.commit)}${commit.subject ? ` ${cut(commit.subject, 120)}` : ""} (commit ${commit.position + 1} of ${found.commits}), ${cut(configurationText(found, each.row), 300)}`;
  const level = each.levels[column];
  const change = format.change(relative(logAt(each, column)));
  const cell = each.row.cells.get(column);
  const here = found.changes.filter((one) => one.column === column && affects(one, each.row)).map((one) => `; change ${one.number} shows here`).join("");
  if (cell) return `${where}: ${format.named(cell.value, found.unit, found.metric)}${cell.runs !== null ? `, ${format.plural(cell.runs, "run")}` : ""}, ${change} against its first level${here}`;
  return level ? `${where}: not measured; by the commits around it ${format.named(level.value, found.unit, found.metric)}, ${change} against its first level${here}` : `${where}: not measured`;
}

/** Where a key leads from a place; with Shift, to the next measured cell of the row. */
function stepTo({ found, rows }: Heat, from: Place | null, event: KeyboardEvent): Place | null {
  const last = { row: rows.length - 1, column: found.columns.length - 1 };
  const at = from ?? { row: 0, column: event.key === "ArrowLeft" ? last.column + 1 : -1 };
  const across = (by: number): Place => {
    let column = at.column + by;
    while (event.shiftKey && column > 0 && column < last.column && !rows[at.row]!.row.cells.has(column)) column += by;
    return { ...at, column: Math.max(0, Math.min(last.column, column)) };
  };
  const down = (by: number): Place => ({ column: Math.max(0, at.column), row: Math.max(0, Math.min(last.row, at.row + by)) });
  switch (event.key) {
    case "ArrowRight":
      return across(1);
    case "ArrowLeft":
      return across(-1);
    case "ArrowDown":
      return down(from ? 1 : 0);
    case "ArrowUp":
      return down(-1);
    case "Home":
      return { ...at, column: 0 };
    case "End":
      return { ...at, column: last.column };
    default:
      return null;
  }
}

const key = (className: string, text: string, sign = "") => h("span", { class: `key ${className}` }, h("i", { "aria-hidden": "true" }, sign), text);

function legend({ found, reach }: Heat): HTMLElement {
  const [less, more] = [format.change(relative(-reach)), format.change(relative(reach))];
  const [better, worse] = found.higherIsBetter ? [more, less] : [less, more];
  return h(
    "p",
    { class: "legend" },
    h("span", { class: "key k-heat" }, `better, ${better} or more`, h("i", { "aria-hidden": "true" }), `${worse} or more, worse`),
    key("k-measured", "measured"),
    key("k-pale", "not measured, by the commits around it"),
    key("k-nothing", "not known"),
    found.changes.length > 0 && key("k-gap", "a change, with its number in the table", "▲"),
  );
}

interface Measured {
  each: HeatRow;
  column: number;
}

/** Everything that was measured, one line for each cell. */
function cellTable(found: Variants, rows: HeatRow[]): HTMLElement {
  const cells = ordered(rows, found.changes).flatMap((each) => [...each.row.cells.keys()].sort((a, b) => a - b).map((column): Measured => ({ each, column })));
  const cell = (one: Measured) => one.each.row.cells.get(one.column)!;
  return table(
    "Measured cells",
    [
      { key: "configuration", title: "Configuration", heading: true, className: "c-subject", by: (one: Measured) => configurationText(found, one.each.row), cell: (one) => [cut(configurationText(found, one.each.row))] },
      { key: "commit", title: "Commit", className: "c-subject", by: (one) => one.column, cell: (one) => [h("code", {}, clean(format.shortCommit(found.columns[one.column]!.commit))), " ", clean(cut(found.columns[one.column]!.subject, 200))] },
      { key: "value", title: clean(cut(found.metric, 80)) || "Value", className: "c-number", largestFirst: true, by: (one) => cell(one).value, cell: (one) => [format.quantity(cell(one).value, found.unit)] },
      { key: "change", title: "Against its first level", className: "c-number", largestFirst: true, by: (one) => logAt(one.each, one.column), cell: (one) => [format.change(relative(logAt(one.each, one.column)))] },
      { key: "runs", title: "Runs", className: "c-number", by: (one) => cell(one).runs, cell: (one) => [cell(one).runs === null ? format.none : String(cell(one).runs)] },
    ],
    cells,
  ).element;
}

/** The map itself: it is drawn again whenever its width or the colours change. */
function drawing(heat: Heat, about: string, told: (text: string) => void): HTMLElement {
  const canvas = h("canvas", { "aria-hidden": "true" });
  const cursor = h("div", { class: "heat-cursor", hidden: true });
  const host = h("div", { class: "heat-map", tabindex: 0, role: "group", "aria-roledescription": "heat map", "aria-label": "Commits and configurations", "aria-describedby": about }, canvas, cursor);
  let layout = layoutOf(heat, 0);
  let place: Place | null = null;
  const choose = (next: Place | null) => {
    place = next;
    cursor.hidden = !next;
    if (next) Object.assign(cursor.style, { left: `${next.column * layout.cell}px`, top: `${above + next.row * layout.row}px`, width: `${Math.max(3, layout.cell)}px`, height: `${layout.row}px` });
    told(next ? tell(heat, next) : "");
  };
  const resize = (width: number) => {
    if (width <= 0) return;
    layout = layoutOf(heat, width);
    draw(canvas, heat, layout);
    choose(place);
  };
  const observer = new ResizeObserver(() => resize(host.clientWidth));
  observer.observe(host);
  const stop = onThemeChange((printing) => resize(printing ? Math.min(host.clientWidth, printWidth) : host.clientWidth));
  whenForgotten(() => {
    observer.disconnect();
    stop();
  });
  host.style.height = `${layout.height}px`;
  host.addEventListener("pointermove", (event) => {
    const box = canvas.getBoundingClientRect();
    const next = { column: Math.floor((event.clientX - box.left) / layout.cell), row: Math.floor((event.clientY - box.top - above) / layout.row) };
    if (!heat.rows[next.row] || !heat.found.columns[next.column]) return;
    if (next.row !== place?.row || next.column !== place.column) choose(next);
  });
  host.addEventListener("keydown", (event) => {
    const next = stepTo(heat, place, event);
    if (!next) return;
    event.preventDefault();
    choose(next);
  });
  return host;
}

/** The heat map with its legend, what is under the cursor, and the same as a table. */
export function heatMap(found: Variants, all: HeatRow[]): HTMLElement {
  const heat = heatOf(found, all);
  const told = h("output", { class: "told faint", "aria-live": "polite" });
  const about = fresh("about");
  const labels = h("ul", { class: "heat-labels", "aria-hidden": "true" }, ...heat.rows.map(({ row }) => label(found, row)));
  labels.style.paddingTop = `${above}px`;
  const row = layoutOf(heat, 0).row;
  for (const each of labels.children) (each as HTMLElement).style.height = (each as HTMLElement).style.lineHeight = `${row}px`;
  const cells = all.reduce((sum, each) => sum + each.row.cells.size, 0);
  const size = `${format.plural(all.length, "configuration")} at ${found.columns.length.toLocaleString("en")} of ${format.plural(found.commits, "commit")}, ${format.plural(cells, "cell")} measured.`;
  const left = all.length - heat.rows.length;
  return h(
    "figure",
    { class: "figure" },
    h("figcaption", {}, h("h4", {}, size), legend(heat)),
    h("p", { id: about, class: "unseen" }, `${size} The arrow keys move from cell to cell; with Shift, left and right go to the next measured one. The table below holds the same.`),
    h("div", { class: "heat" }, labels, drawing(heat, about, (text) => (told.textContent = clean(text)))),
    told,
    left > 0 && h("p", { class: "faint" }, `The ${heat.rows.length} configurations with most cells are shown; the table has the other ${left.toLocaleString("en")}, too.`),
    lazyTable(() => cellTable(found, all)),
  );
}
