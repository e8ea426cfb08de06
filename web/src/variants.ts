// The document "variants" of docs/json.md, read forgivingly: which commits changed which configurations, and all that
// was measured for it. The columns of what is drawn are the commits at which anything was measured.
import { type Commit, fields, list, number, text, texts } from "./read";

export interface Visited extends Pick<Commit, "commit" | "subject"> {
  /** Among all commits of the range, from 0. */
  position: number;
}

export interface VariantChange {
  /** From 1, in the order of the table. */
  number: number;
  /** More than one where some could not be measured; the change is known to be there with the last. */
  commits: Visited[];
  /** The first column behind it. */
  column: number;
  condition: string;
  on: string[];
  off: string[];
  estimate: number | null;
  low: number | null;
  high: number | null;
  worse: boolean;
  shownBy: string[];
  probability: number | null;
}

export interface Cell {
  value: number;
  runs: number | null;
}

/** A configuration with its measured cells, by column. */
export interface Row {
  on: Set<string>;
  cells: Map<number, Cell>;
}

export interface Variants {
  benchmark: string;
  metric: string;
  unit: string;
  higherIsBetter: boolean;
  measured: boolean;
  status: number | null;
  sentence: string;
  threshold: number;
  commits: number;
  options: string[];
  done: number | null;
  noise: number | null;
  effort: Record<"measurements" | "cells" | "configurations" | "builds" | "seconds", number | null>;
  columns: Visited[];
  rows: Row[];
  changes: VariantChange[];
  disagreements: string[];
  notes: string[];
}

function visited(value: unknown): Visited {
  const from = fields(value);
  return { position: number(from.position) ?? 0, commit: text(from.commit), subject: text(from.subject) };
}

/** The commits at which something was measured, oldest first, each once. */
function columnsOf(value: unknown): Visited[] {
  const all = new Map(list(value).map(visited).map((each) => [each.position, each]));
  return [...all.values()].sort((a, b) => a.position - b.position);
}

function rowsOf(configurations: unknown, cells: unknown, columns: Visited[]): Row[] {
  const rows = list(configurations).map((each): Row => ({ on: new Set(texts(each)), cells: new Map() }));
  const columnAt = new Map(columns.map((each, at) => [each.position, at]));
  for (const each of list(cells)) {
    const one = fields(each);
    const [row, column, value] = [rows[number(one.configuration) ?? -1], columnAt.get(number(one.position) ?? -1), number(one.value)];
    if (row && column !== undefined && value !== null) row.cells.set(column, { value, runs: number(one.runs) });
  }
  return rows.filter((row) => row.cells.size > 0);
}

function changeOf(value: unknown, at: number, columns: Visited[]): VariantChange {
  const from = fields(value);
  const size = fields(from.change);
  const commits = list(from.commits).map(visited);
  const position = commits[commits.length - 1]?.position ?? Infinity;
  const column = columns.findIndex((each) => each.position >= position);
  return {
    number: at + 1,
    commits,
    column: column < 0 ? columns.length : column,
    condition: text(from.condition),
    on: texts(from.on),
    off: texts(from.off),
    estimate: number(size.estimate),
    low: number(size.low),
    high: number(size.high),
    worse: from.worse === true,
    shownBy: texts(from.shown_by),
    probability: number(from.probability),
  };
}

const ended = (line: string) => (/[.!?]$/.test(line) ? line : `${line}.`);

function notesOf(value: unknown): string[] {
  const from = fields(value);
  const broken = list(from.not_built).map(visited);
  const name = ({ commit, subject }: Visited) => commit.slice(0, 10) + (subject ? ` (${subject})` : "");
  const gone = broken.length > 0 ? [`Does not build: ${broken.slice(0, 10).map(name).join(", ")}${broken.length > 10 ? ` and ${broken.length - 10} more` : ""}; older commits were measured in its place`] : [];
  return [...gone, ...texts(from.notes), ...texts([from.advice])].map(ended);
}

/** Whether a change shows in a configuration. */
export const affects = (change: VariantChange, row: Row): boolean => change.on.every((each) => row.on.has(each)) && !change.off.some((each) => row.on.has(each));

/** The search in a value, or null where there is none. */
export function variants(value: unknown): Variants | null {
  if (typeof value !== "object" || value === null) return null;
  const from = fields(value);
  const effort = fields(from.effort);
  const columns = columnsOf(from.visited);
  return {
    benchmark: text(from.benchmark),
    metric: text(from.metric),
    unit: text(from.unit),
    higherIsBetter: from.better === "higher",
    measured: from.measured !== false,
    status: number(from.status),
    sentence: text(from.sentence),
    threshold: Math.min(10, Math.max(1e-6, number(from.threshold) ?? 0.1)),
    commits: number(from.commits) ?? columns.length,
    options: texts(from.options),
    done: number(from.done_probability),
    noise: number(from.noise),
    effort: { measurements: number(effort.measurements), cells: number(effort.cells), configurations: number(effort.configurations), builds: number(effort.builds), seconds: number(effort.seconds) },
    columns,
    rows: rowsOf(from.configurations, from.cells, columns),
    changes: list(from.changes).map((each, at) => changeOf(each, at, columns)),
    disagreements: list(from.disagreements).map((each) => text(fields(each).sentence)).filter(Boolean),
    notes: notesOf(value),
  };
}
