// The pairs of a comparison: their ratios with the interval of the change, and the values of both sides.
import type { Metric } from "./document";
import { h } from "./dom";
import * as format from "./format";
import { type Canvas, line, mark, plot, roomy } from "./plot";
import { percentLabels, stepsOf, unitLabels } from "./scale";
import { table } from "./table";
import { tone } from "./verdict";

interface Pair {
  number: number;
  old: number;
  new: number;
  ratio: number | null;
  confirms: boolean;
}

export function pairsOf(metric: Metric): Pair[] {
  const pairs: Pair[] = [];
  const count = Math.min(metric.old.samples.length, metric.new.samples.length);
  for (let i = 0; i < count; ++i) {
    const [before, after] = [metric.old.samples[i] ?? null, metric.new.samples[i] ?? null];
    if (before === null || after === null) continue;
    const ratio = before !== 0 ? after / before - 1 : null;
    pairs.push({ number: i + 1, old: before, new: after, ratio, confirms: metric.confirmed !== null && i >= metric.confirmed });
  }
  return pairs;
}

const key = (className: string, text: string) => h("span", { class: `key ${className}` }, h("i", { "aria-hidden": "true" }), text);

function ratioLegend(metric: Metric, confirming: boolean): HTMLElement {
  return h(
    "p",
    { class: "legend" },
    key("k-dot", "pair"),
    confirming && key("k-diamond", "confirming pair"),
    metric.change && key(`k-interval ${tone(metric.verdict)}`, "change and interval"),
    key("k-band", `smallest effect ±${format.share(metric.smallestEffect)}`),
  );
}

function drawRatios(canvas: Canvas, metric: Metric, pairs: Pair[]): void {
  const { ctx, x, y, box, theme, px } = canvas;
  const effect = metric.smallestEffect;
  const right = box.left + box.width;
  ctx.fillStyle = theme.band;
  ctx.fillRect(box.left, y(effect), box.width, y(-effect) - y(effect));
  line(canvas, [box.left, y(0)], [right, y(0)], theme.faint);
  const change = metric.change;
  if (change && change.estimate !== null) {
    const colour = theme.verdicts[metric.verdict];
    if (change.low !== null && change.high !== null) {
      ctx.globalAlpha = 0.16;
      ctx.fillStyle = colour;
      ctx.fillRect(box.left, y(change.high), box.width, Math.max(1, y(change.low) - y(change.high)));
      ctx.globalAlpha = 1;
    }
    line(canvas, [box.left, y(change.estimate)], [right, y(change.estimate)], colour, { width: 1.5 });
  }
  const first = pairs.find((pair) => pair.confirms);
  if (first) {
    const at = x(first.number - 0.5);
    line(canvas, [at, box.top], [at, box.top + box.height], theme.faint, { dash: [3, 3] });
    ctx.fillStyle = theme.faint;
    ctx.font = `${11 * px}px ${theme.font.slice(5)}`;
    const label = "confirming";
    const fits = at + ctx.measureText(label).width + 8 * px < right;
    ctx.textAlign = fits ? "left" : "right";
    ctx.fillText(label, at + (fits ? 5 : -5) * px, box.top + 12 * px);
  }
  for (const pair of pairs) if (pair.ratio !== null) mark(canvas, pair.confirms ? "diamond" : "dot", x(pair.number), y(pair.ratio), pair.confirms ? theme.text : theme.new);
}

const tellPair = (metric: Metric, pair: Pair | undefined): string =>
  pair
    ? `pair ${pair.number}${pair.confirms ? " (confirming)" : ""}: ${format.named(pair.old, metric.unit, metric.metric)} → ${format.named(pair.new, metric.unit, metric.metric)}, ${format.change(pair.ratio)}`
    : "";

function pairTable(metric: Metric, pairs: Pair[]): HTMLElement {
  return table(
    "Pairs",
    [
      { key: "pair", title: "Pair", className: "c-number", heading: true, by: (pair: Pair) => pair.number, cell: (pair) => [String(pair.number)] },
      { key: "old", title: "Old", className: "c-number", by: (pair) => pair.old, cell: (pair) => [format.quantity(pair.old, metric.unit)] },
      { key: "new", title: "New", className: "c-number", by: (pair) => pair.new, cell: (pair) => [format.quantity(pair.new, metric.unit)] },
      { key: "change", title: "Change", className: "c-number", by: (pair) => pair.ratio, cell: (pair) => [format.change(pair.ratio)] },
      { key: "confirms", title: "", cell: (pair) => [pair.confirms ? "confirming" : ""] },
    ],
    pairs,
  ).element;
}

const numbers = (splits: number[]) => splits.map((value) => (Number.isInteger(value) && value > 0 ? String(value) : ""));

/** The ratio of each pair, with the interval of the change and the smallest effect. */
export function ratioPlot(metric: Metric): HTMLElement {
  const pairs = pairsOf(metric);
  const ratios = pairs.map((pair) => pair.ratio);
  const change = metric.change;
  const range = roomy([...ratios, 0, metric.smallestEffect, -metric.smallestEffect, change?.low ?? null, change?.high ?? null]);
  const confirming = pairs.some((pair) => pair.confirms);
  return plot({
    title: "Each pair: new / old",
    description:
      `${format.plural(pairs.length, "pair")} of ${metric.metric}. ` +
      (change ? `The change is ${format.change(change.estimate)}${change.exact ? ", exactly" : change.low !== null && change.high !== null ? `, interval ${format.changeInterval(change.low, change.high)}` : ""}; ` : "") +
      `the smallest effect is ${format.share(metric.smallestEffect)}.`,
    legend: ratioLegend(metric, confirming),
    xs: pairs.map((pair) => pair.number),
    ys: ratios,
    xRange: [0.3, (pairs[pairs.length - 1]?.number ?? 1) + 0.7],
    yRange: range,
    xLabels: numbers,
    yLabels: percentLabels,
    height: 230,
    draw: (canvas) => drawRatios(canvas, metric, pairs),
    tell: (index) => tellPair(metric, pairs[index]),
    table: () => pairTable(metric, pairs),
  });
}

function drawValues(canvas: Canvas, pairs: Pair[], metric: Metric): void {
  const { x, y, box, theme } = canvas;
  const right = box.left + box.width;
  for (const [median, colour] of [[metric.old.median, theme.old], [metric.new.median, theme.new]] as const)
    if (median !== null) line(canvas, [box.left, y(median)], [right, y(median)], colour, { dash: [5, 4] });
  for (const pair of pairs) line(canvas, [x(pair.number), y(pair.old)], [x(pair.number), y(pair.new)], theme.grid, { width: 1.5 });
  for (const pair of pairs) {
    mark(canvas, "ring", x(pair.number), y(pair.old), theme.old);
    mark(canvas, "dot", x(pair.number), y(pair.new), theme.new);
  }
}

/** The values of both sides, pair by pair. */
export function valuePlot(metric: Metric): HTMLElement {
  const pairs = pairsOf(metric);
  const show = (value: number | null) => format.named(value, metric.unit, metric.metric);
  return plot({
    title: "Values of both sides",
    description: `The median of old is ${show(metric.old.median)}, that of new ${show(metric.new.median)}.`,
    legend: h("p", { class: "legend" }, key("k-ring", `old, median ${show(metric.old.median)}`), key("k-dot", `new, median ${show(metric.new.median)}`)),
    xs: pairs.map((pair) => pair.number),
    ys: pairs.map((pair) => pair.new),
    xRange: [0.3, (pairs[pairs.length - 1]?.number ?? 1) + 0.7],
    yRange: roomy(pairs.flatMap((pair) => [pair.old, pair.new])),
    xLabels: numbers,
    yLabels: (splits, step) => unitLabels(splits, step, metric.unit),
    ...stepsOf(metric.unit),
    height: 230,
    draw: (canvas) => drawValues(canvas, pairs, metric),
    tell: (index) => tellPair(metric, pairs[index]),
  });
}
