// A verdict as an icon and its word: never told by colour alone.
import type { Verdict } from "./document";
import { h, s } from "./dom";

const shapes: Record<Verdict, [path: string, filled: boolean]> = {
  regressed: ["M6 1.5 11 10.5H1Z", true],
  failed: ["M2 2 10 10M10 2 2 10", false],
  inconclusive: ["M3.6 4.2a2.4 2.4 0 1 1 3.4 2.2c-.7.3-1 .7-1 1.4M6 10.2v.5", false],
  "not measured": ["M2 6h1.6M5.2 6h1.6M8.4 6H10", false],
  exonerated: ["M1.5 6.5 4.7 9.7 10.5 2.8", false],
  improved: ["M6 10.5 1 1.5H11Z", true],
  unchanged: ["M1.2 7.2C2.6 3.8 4.4 4.2 6 6s3.4 2.2 4.8-1.2", false],
};

const className = (verdict: Verdict) => verdict.replace(" ", "-");

export function icon(verdict: Verdict): SVGElement {
  const [path, filled] = shapes[verdict];
  return s("svg", { class: "icon", viewBox: "0 0 12 12", "aria-hidden": "true" }, s("path", { d: path, class: filled ? "filled" : "drawn" }));
}

export const badge = (verdict: Verdict): HTMLElement => h("span", { class: `verdict is-${className(verdict)}` }, icon(verdict), h("span", {}, verdict));

/** The class that gives its descendants the colour of a verdict. */
export const tone = (verdict: Verdict): string => `is-${className(verdict)}`;
