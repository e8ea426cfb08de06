// A change with its interval drawn small, against no change and the smallest effect; one scale for all rows.
import type { Metric } from "./document";
import { s } from "./dom";
import { tone } from "./verdict";

const width = 128;
const height = 18;

/** The change at the edge of the drawing: all fit, or most do and the few large ones are cut off with an arrow. */
export function commonScale(metrics: Metric[]): number {
  const reach = metrics
    .flatMap((metric) => (metric.change ? [Math.max(Math.abs(metric.change.low ?? 0), Math.abs(metric.change.high ?? 0))] : []))
    .sort((a, b) => a - b);
  const largest = reach[reach.length - 1] ?? 0;
  const most = largest <= 0.3 ? largest : (reach[Math.floor((reach.length - 1) * 0.95)] ?? 0);
  const nice = [0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1];
  return nice.find((each) => each >= most) ?? 1;
}

export function intervalBar(metric: Metric, scale: number): SVGElement | null {
  const change = metric.change;
  if (!change || change.estimate === null) return null;
  const x = (value: number) => width / 2 + (Math.max(-1, Math.min(1, value / scale)) * (width - 12)) / 2;
  const effect = metric.smallestEffect;
  const [low, high] = [change.low ?? change.estimate, change.high ?? change.estimate];
  const middle = height / 2;
  const arrow = (at: number, towards: number) => s("path", { class: "arrow", d: `M${at + 5 * towards} ${middle}l${-4 * towards} -3.5v7z` });
  return s(
    "svg",
    { class: `interval ${tone(metric.verdict)}`, viewBox: `0 0 ${width} ${height}`, width, height, "aria-hidden": "true" },
    s("rect", { class: "effect", x: x(-effect), width: Math.max(1, x(effect) - x(-effect)), y: 1, height: height - 2 }),
    s("line", { class: "zero", x1: width / 2, x2: width / 2, y1: 0, y2: height }),
    s("line", { class: "range", x1: x(low), x2: Math.max(x(high), x(low) + 1), y1: middle, y2: middle }),
    low < -scale && arrow(x(low), -1),
    high > scale && arrow(x(high), 1),
    Math.abs(change.estimate) <= scale && s("circle", { class: "estimate", cx: x(change.estimate), cy: middle, r: 3 }),
  );
}
