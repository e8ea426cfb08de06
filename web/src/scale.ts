// Labels of axes: one unit for all, and as many digits as tell neighbours apart.

const steps: Record<string, [number, string][]> = {
  s: [[1e-9, "ns"], [1e-6, "µs"], [1e-3, "ms"], [1, "s"]],
  B: [[1, "B"], [1024, "KiB"], [1048576, "MiB"], [1073741824, "GiB"]],
  "": [[1, ""], [1e3, "k"], [1e6, "M"], [1e9, "G"], [1e12, "T"]],
};

const digitsFor = (step: number) => Math.max(0, Math.min(6, Math.ceil(-Math.log10(step) - 1e-9)));

export function unitLabels(splits: number[], step: number, unit: string): string[] {
  const largest = Math.max(...splits.map(Math.abs));
  const [size, name] = [...(steps[unit] ?? steps[""]!)].reverse().find((each) => largest >= each[0]) ?? [1, unit];
  const digits = digitsFor(step / size);
  return splits.map((value) => `${(value / size).toFixed(digits)}${name ? ` ${name}` : ""}`);
}

export function percentLabels(splits: number[], step: number): string[] {
  const digits = digitsFor(step * 100);
  return splits.map((value) => `${value > step / 2 ? "+" : ""}${(Math.abs(value) < step / 2 ? 0 : value * 100).toFixed(digits).replace("-", "\u2212")} %`);
}
