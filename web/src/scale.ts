// Labels of axes: one unit for all, and as many digits as tell neighbours apart.

const steps: Record<string, [number, string][]> = {
  s: [[1e-9, "ns"], [1e-6, "µs"], [1e-3, "ms"], [1, "s"]],
  B: [[1, "B"], [1024, "KiB"], [1048576, "MiB"], [1073741824, "GiB"]],
  "": [[1, ""], [1e3, "k"], [1e6, "M"], [1e9, "G"], [1e12, "T"]],
};

// As many digits as write the step in full: 2.5 needs one.
function digitsFor(step: number): number {
  for (let digits = 0; digits < 6; ++digits) {
    const scaled = step * 10 ** digits;
    if (scaled >= 0.999 && Math.abs(scaled - Math.round(scaled)) < 1e-6 * scaled) return digits;
  }
  return 6;
}

export function unitLabels(splits: number[], step: number, unit: string): string[] {
  const largest = Math.max(...splits.map(Math.abs));
  const [size, name] = [...(steps[unit] ?? steps[""]!)].reverse().find((each) => largest >= each[0]) ?? [1, unit];
  const digits = digitsFor(step / size);
  return splits.map((value) => `${(value / size).toFixed(digits)}${name ? ` ${name}` : ""}`);
}

/** Steps that unitLabels can write in few digits: powers of two for bytes, and none in particular for others. */
export const stepsOf = (unit: string): { ySteps?: number[] } => (unit === "B" ? { ySteps: Array.from({ length: 60 }, (_, power) => 2 ** power) } : {});

export function percentLabels(splits: number[], step: number): string[] {
  const digits = digitsFor(step * 100);
  return splits.map((value) => `${value > step / 2 ? "+" : ""}${(Math.abs(value) < step / 2 ? 0 : value * 100).toFixed(digits).replace("-", "\u2212")} %`);
}
