// How an option matters along the commits: the mean level of the configurations that have it on, and of those that
// have it off. Where the lines part, a change depends on the option.
import { clean, cut, h } from "./dom";
import * as format from "./format";
import type { HeatRow } from "./heat";
import { chained, relative } from "./levels";
import { type Canvas, line, plot, roomy, takeLane } from "./plot";
import { percentLabels } from "./scale";
import { table } from "./table";
import type { VariantChange, Variants } from "./variants";

interface Effect {
  option: string;
  on: (number | null)[];
  off: (number | null)[];
  /** How many configurations have it on, and off. */
  counts: [on: number, off: number];
  changes: VariantChange[];
}

function effectOf(found: Variants, rows: HeatRow[], option: string): Effect {
  const side = (wanted: boolean) => rows.filter(({ row }) => row.on.has(option) === wanted).map(({ path }) => path);
  const [on, off] = [side(true), side(false)];
  const mean = (all: typeof on) => chained(all, found.columns.length).map(relative);
  return { option, on: mean(on), off: mean(off), counts: [on.length, off.length], changes: found.changes.filter((change) => change.on.includes(option) || change.off.includes(option)) };
}

function drawSteps(canvas: Canvas, values: (number | null)[], colour: string, style: { width: number; dash?: number[] }): void {
  const { ctx, x, y, px } = canvas;
  ctx.save();
  ctx.beginPath();
  values.forEach((value, at) => {
    if (value === null) return;
    if ((values[at - 1] ?? null) === null) ctx.moveTo(x(at - 0.5), y(value));
    else if (values[at - 1] !== value) ctx.lineTo(x(at - 0.5), y(value));
    if (values[at + 1] !== value) ctx.lineTo(x(at + 0.5), y(value));
  });
  ctx.lineWidth = style.width * px;
  ctx.setLineDash((style.dash ?? []).map((each) => each * px));
  ctx.strokeStyle = colour;
  ctx.stroke();
  ctx.restore();
}

function drawEffect(canvas: Canvas, effect: Effect): void {
  const { ctx, x, box, theme, px } = canvas;
  ctx.font = `${11 * px}px ${theme.font.slice(5)}`;
  ctx.textAlign = "left";
  const free = [-Infinity, -Infinity, -Infinity];
  for (const change of effect.changes) {
    const [at, colour] = [x(change.column - 0.5), change.worse ? theme.worse : theme.better];
    line(canvas, [at, box.top], [at, box.top + box.height], colour, { width: 1.2, dash: [4, 3] });
    const text = `${change.worse ? "▲" : "▼"} ${change.number}`;
    const size = ctx.measureText(text).width;
    const start = Math.min(at + 4 * px, box.left + box.width - size);
    const lane = takeLane(free, start, start + size + 5 * px);
    if (lane < 0) continue;
    ctx.fillStyle = colour;
    ctx.fillText(text, start, box.top + (11 + 13 * lane) * px);
  }
  drawSteps(canvas, effect.off, theme.old, { width: 1.6, dash: [5, 3] });
  drawSteps(canvas, effect.on, theme.new, { width: 2 });
}

const sides = ({ on, off }: Effect, at: number) => `on ${format.change(on[at] ?? null)}, off ${format.change(off[at] ?? null)}`;

function effectTable(found: Variants, effect: Effect): HTMLElement {
  return table(
    `Mean change since the first commit with ${cut(clean(effect.option), 80)} on and off`,
    [
      { key: "commit", title: "Commit", heading: true, className: "c-subject", by: (at: number) => at, cell: (at) => [h("code", {}, clean(format.shortCommit(found.columns[at]!.commit))), " ", clean(cut(found.columns[at]!.subject, 200))] },
      { key: "on", title: "On", className: "c-number", by: (at) => effect.on[at] ?? null, cell: (at) => [format.change(effect.on[at] ?? null)] },
      { key: "off", title: "Off", className: "c-number", by: (at) => effect.off[at] ?? null, cell: (at) => [format.change(effect.off[at] ?? null)] },
    ],
    found.columns.map((_, at) => at),
  ).element;
}

const legend = ({ counts: [on, off] }: Effect): HTMLElement =>
  h(
    "p",
    { class: "legend" },
    h("span", { class: "key k-on" }, h("i", { "aria-hidden": "true" }), `on, ${format.plural(on, "configuration")}`),
    h("span", { class: "key k-off" }, h("i", { "aria-hidden": "true" }), `off, ${format.plural(off, "configuration")}`),
  );

function effectPlot(found: Variants, effect: Effect, yRange: [number, number]): HTMLElement {
  const { columns } = found;
  const commitAt = (at: number) => `${format.shortCommit(columns[at]?.commit ?? "")}${columns[at]?.subject ? ` ${cut(columns[at].subject, 120)}` : ""}`;
  return plot({
    title: clean(cut(effect.option, 120)),
    description: `Mean level against the first commit; at the last commit ${sides(effect, columns.length - 1)}. ${effect.changes.map((change) => `Change ${change.number} depends on it.`).join(" ")}`,
    legend: legend(effect),
    xs: columns.map((_, at) => at),
    ys: columns.map((_, at) => effect.on[at] ?? effect.off[at] ?? null),
    xRange: [-0.8, Math.max(0, columns.length - 1) + 0.8],
    yRange,
    xLabels: (splits) => splits.map((at) => clean(format.shortCommit(columns[at]?.commit ?? "").slice(0, 7))),
    yLabels: percentLabels,
    height: 190,
    draw: (canvas) => drawEffect(canvas, effect),
    tell: (at) => `${commitAt(at)}: ${sides(effect, at)}`,
    table: () => effectTable(found, effect),
  });
}

/** The options that changes depend on, then the others, folded. All have one scale. */
export function effectParts(found: Variants, rows: HeatRow[]): HTMLElement[] {
  const named = new Set(found.changes.flatMap((change) => [...change.on, ...change.off]));
  const options = [...new Set(found.options)];
  const matter = options.filter((each) => named.has(each)).map((each) => effectOf(found, rows, each));
  const others = options.filter((each) => !named.has(each));
  const grid = (effects: Effect[], range: [number, number]) => h("div", { class: "two" }, ...effects.map((each) => effectPlot(found, each, range)));
  const rangeOf = (effects: Effect[]) => roomy([-found.threshold, found.threshold, ...effects.flatMap((each) => [...each.on, ...each.off])], 0.12);
  const made: HTMLElement[] = [];
  if (matter.length > 0) made.push(grid(matter, rangeOf(matter)));
  if (others.length > 0) {
    const details = h("details", { class: "alike", toggle: () => details.childElementCount === 1 && fill() }, h("summary", {}, `${format.plural(others.length, "option")} that no change depends on`));
    const fill = () => {
      const effects = others.map((each) => effectOf(found, rows, each));
      details.append(grid(effects, rangeOf([...matter, ...effects])));
    };
    made.push(details);
  }
  return made;
}
