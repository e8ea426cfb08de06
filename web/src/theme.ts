// The colours of drawings, taken from the style sheet, and those who want to know when they change.
import type { Verdict } from "./document";

export interface Theme {
  text: string;
  faint: string;
  grid: string;
  band: string;
  old: string;
  new: string;
  worse: string;
  better: string;
  paper: string;
  /** The ends and the middle of the scale of a heat map. */
  heat: { better: string; same: string; worse: string };
  font: string;
  verdicts: Record<Verdict, string>;
}

export function theme(): Theme {
  const style = getComputedStyle(document.documentElement);
  const read = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    text: read("text"),
    faint: read("faint"),
    grid: read("grid"),
    band: read("band"),
    old: read("old"),
    new: read("new"),
    worse: read("regressed"),
    better: read("improved"),
    paper: read("paper"),
    heat: { better: read("heat-better"), same: read("heat-same"), worse: read("heat-worse") },
    font: `11px ${read("sans")}`,
    verdicts: {
      regressed: read("regressed"),
      improved: read("improved"),
      failed: read("failed"),
      inconclusive: read("inconclusive"),
      exonerated: read("quiet"),
      "not measured": read("quiet"),
      unchanged: read("quiet"),
    },
  };
}

const print = matchMedia("print");
const listeners = new Set<(printing: boolean) => void>();
const tell = (printing: boolean) => listeners.forEach((listener) => listener(printing));

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => tell(print.matches));
print.addEventListener("change", () => tell(print.matches));
addEventListener("beforeprint", () => tell(true));
addEventListener("afterprint", () => tell(false));

/** Calls when colours changed or printing begins or ends; returns what stops it. */
export function onThemeChange(listener: (printing: boolean) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
