// What is known of configurations between the commits at which they were measured, against the level at which each
// began, and the mean of many of them.
import { affects, type Row, type VariantChange } from "./variants";

/** The level of a configuration at a commit; `measured` where it is no conclusion from its neighbours. */
export interface Level {
  value: number;
  measured: boolean;
}

/** The logarithm of a ratio; null where there is none. */
export const logRatio = (value: number, base: number): number | null => (value === base ? 0 : value > 0 && base > 0 ? Math.log(value / base) : null);

/** A logarithm as a relative change. */
export const relative = (log: number | null): number | null => (log === null ? null : Math.expm1(log));

const alike = (a: number, b: number, threshold: number) => Math.abs(logRatio(b, a) ?? Infinity) < Math.log1p(threshold);

/**
 * The levels of a configuration, by column. Between two measured commits the level is known where both are alike, and
 * where one change that was found lies between them; elsewhere it is null.
 */
export function levelsOf(row: Row, columns: number, changes: VariantChange[], threshold: number): (Level | null)[] {
  const levels: (Level | null)[] = Array.from({ length: columns }, () => null);
  const measured = [...row.cells.keys()].sort((a, b) => a - b);
  for (const at of measured) levels[at] = { value: row.cells.get(at)!.value, measured: true };
  measured.slice(1).forEach((to, index) => {
    const from = measured[index]!;
    const [before, after] = [row.cells.get(from)!.value, row.cells.get(to)!.value];
    const inside = changes.filter((change) => change.column > from && change.column <= to && affects(change, row));
    const step = inside.length === 1 ? inside[0]!.column : alike(before, after, threshold) ? to : null;
    if (step === null) return;
    const [left, right] = [before, after].map((value): Level => ({ value, measured: false }));
    for (let at = from + 1; at < to; ++at) levels[at] = at < step ? left! : right!;
  });
  return levels;
}

/** The first measured level, which others are held against. */
export const baseOf = (levels: (Level | null)[]): number => levels.find((each) => each !== null)?.value ?? NaN;

/** Where a configuration is known, from the first commit to the last, and its steps between them as logarithms. */
export interface Path {
  first: number;
  last: number;
  steps: [at: number, size: number][];
}

/** A step that was not followed closer is put where it was first seen. */
export function pathOf(levels: (Level | null)[]): Path {
  const path: Path = { first: -1, last: -1, steps: [] };
  let before: Level | null = null;
  levels.forEach((level, at) => {
    if (level === null) return;
    if (before === null) path.first = at;
    else if (level.value !== before.value) path.steps.push([at, logRatio(level.value, before.value) ?? 0]);
    [before, path.last] = [level, at];
  });
  return path;
}

/**
 * The mean level of several configurations as logarithms against the first commit: the mean of their steps from one
 * commit to the next, added up, since not all of them are known everywhere. Null where none is known.
 */
export function chained(paths: Path[], columns: number): (number | null)[] {
  const sum = new Float64Array(columns);
  const joins = new Float64Array(columns + 1); // how many more are known on both sides of a step than one commit before
  let start = columns;
  for (const { first, last, steps } of paths) {
    if (first < 0) continue;
    start = Math.min(start, first);
    joins[first + 1]! += 1;
    joins[last + 1]! -= 1;
    for (const [at, size] of steps) sum[at]! += size;
  }
  let [level, known] = [0, 0];
  return Array.from({ length: columns }, (_, at) => {
    known += joins[at]!;
    if (at === start) return level;
    if (known === 0) return null;
    return (level += sum[at]! / known);
  });
}
