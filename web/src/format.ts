// Quantities as people read them, as src/base/units.cpp writes them.

const times: [number, string][] = [[1e-9, "ns"], [1e-6, "µs"], [1e-3, "ms"], [1, "s"]];
const sizes: [number, string][] = [[1, "B"], [1024, "KiB"], [1048576, "MiB"], [1073741824, "GiB"]];
const counts: [number, string][] = [[1, ""], [1e3, "k"], [1e6, "M"], [1e9, "G"], [1e12, "T"]];

export const none = "–";

// Binding blanks keep a number and its unit on one line.
const blank = "\u00a0";
const minus = "\u2212";

// At least three digits, and at most one behind the point where there are more before it.
function digits(value: number): string {
  const size = Math.abs(value);
  return value.toFixed(size >= 1000 ? 0 : size >= 10 ? 1 : 2);
}

function step(value: number, steps: [number, string][]): [number, string] {
  let chosen = steps[0]!;
  // What would be shown as 1000 belongs to the next unit.
  for (const each of steps) if (Math.abs(value) >= each[0] * 0.99995) chosen = each;
  return chosen;
}

/** A value with its unit: "412.3 ms", "3.40 MiB", "1.20 G". */
export function quantity(value: number | null, unit: string): string {
  if (value === null) return none;
  if (unit === "s" || unit === "B") {
    if (value === 0) return `0${blank}${unit}`;
    const [size, name] = step(value, unit === "s" ? times : sizes);
    const scaled = value / size;
    return (name === "B" ? scaled.toFixed(0) : digits(scaled)) + blank + name;
  }
  const suffix = unit === "" ? "" : `${blank}${unit}`;
  if (Math.abs(value) < 1000) return (Number.isInteger(value) ? String(value) : value.toPrecision(3)) + suffix;
  const [size, name] = step(value, counts);
  return `${digits(value / size)}${blank}${name}${suffix}`;
}

/** A value named by its metric where the unit does not say what is counted: "1.20 G instructions". */
export function named(value: number | null, unit: string, metric: string): string {
  const shown = quantity(value, unit);
  return unit === "" && value !== null ? `${shown} ${metric}` : shown;
}

const signed = (text: string) => (text.startsWith("-") ? minus + text.slice(1) : text);

/** A relative change with its sign: 0.0512 becomes "+5.1 %". */
export function change(value: number | null): string {
  if (value === null) return none;
  const percent = value * 100;
  const size = Math.abs(percent);
  if (size >= 1000) return `×${blank}${(value + 1).toFixed(1)}`;
  const text = percent.toFixed(size >= 99.95 ? 0 : size >= 0.095 || size < 0.0005 ? 1 : 3);
  if (Number(text) === 0) return `${text.replace("-", "")}${blank}%`;
  return `${percent > 0 ? "+" : ""}${signed(text)}${blank}%`;
}

/** A difference as a share of something else, which it may exceed many times: "+5.1 %", "+25,500 %". */
export function shareChange(value: number): string {
  if (Math.abs(value) < 10) return change(value);
  return `${value > 0 ? "+" : minus}${Math.round(Math.abs(value) * 100).toLocaleString("en")}${blank}%`;
}

/** The ends of a scale around no change: "−15 … +15 %". */
export const span = (reach: number): string => `${minus}${Math.round(reach * 100)} … +${Math.round(reach * 100)}${blank}%`;

/** An interval of a change: "+3.1 to +7.0 %". */
export function changeInterval(low: number | null, high: number | null): string {
  if (low === null || high === null) return "";
  return `${change(low).replace(`${blank}%`, "")} to ${change(high)}`;
}

/** A share: 0.124 becomes "12.4 %". */
export function share(value: number | null): string {
  if (value === null) return none;
  const percent = value * 100;
  const size = Math.abs(percent);
  return `${signed(percent.toFixed(size >= 99.95 || size === 0 ? 0 : size >= 0.095 ? 1 : 2))}${blank}%`;
}

/** A probability in two digits, never rounded to certainty: "0.93", "> 0.99". */
export function probability(value: number | null): string {
  if (value === null) return none;
  if (value > 0.99 && value < 1) return `>${blank}0.99`;
  if (value < 0.01 && value > 0) return `<${blank}0.01`;
  return value.toFixed(2);
}

/** A p-value: "0.003", "< 0.001". */
export function pValue(value: number | null): string {
  if (value === null) return none;
  return value < 0.001 ? `<${blank}0.001` : value.toFixed(3);
}

/** A duration: "412.3 ms", "3.10 s", "2 min 5 s", "1 h 4 min". */
export function duration(seconds: number | null): string {
  if (seconds === null) return none;
  if (seconds < 60) {
    const [size, name] = step(seconds, times);
    return seconds === 0 ? `0${blank}s` : `${Number((seconds / size).toPrecision(3))}${blank}${name}`;
  }
  const whole = Math.round(seconds);
  const [unit, small, rest] = whole < 3600 ? ["min", "s", whole % 60] : ["h", "min", Math.floor((whole % 3600) / 60)];
  const large = Math.floor(whole / (whole < 3600 ? 60 : 3600));
  return `${large}${blank}${unit}` + (rest ? ` ${rest}${blank}${small}` : "");
}

const two = (value: number) => String(value).padStart(2, "0");

/** A moment in the reader's time zone: "2026-11-15 22:14". */
export function moment(ms: number | null): string {
  if (ms === null) return "";
  const at = new Date(ms);
  if (Number.isNaN(at.getTime())) return "";
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`;
}

export const shortCommit = (commit: string): string => commit.slice(0, 10);

/** "1 pair", "2 pairs". */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString("en")}${blank}${count === 1 ? one : many}`;

/** A difference with its sign and unit: "+3.96 KiB". */
export function difference(value: number | null, unit: string): string {
  const shown = quantity(value, unit);
  return value !== null && value > 0 ? `+${shown}` : signed(shown);
}

/** Before and now: "10 B → 12 B", or "10 B, as before". */
export const fromTo = (before: number, now: number, unit: string): string =>
  before === now ? `${quantity(now, unit)}, as before` : `${quantity(before, unit)} → ${quantity(now, unit)}`;
