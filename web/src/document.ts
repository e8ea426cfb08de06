// The document "report" of docs/json.md, read forgivingly. Benchmarks are read shallowly for the table; samples, series
// and what else only the detail view needs are read when they are asked for.
import { type Explanation, explanation } from "./explanation";
import { type CallNode, callTree, type Commit, commit, type Fields, fields, lazily, list, number, text, texts } from "./read";
import { type Variants, variants } from "./variants";

export type { CallNode, Commit };

export const verdicts = [
  "regressed",
  "failed",
  "inconclusive",
  "not measured",
  "exonerated",
  "improved",
  "unchanged",
] as const;
export type Verdict = (typeof verdicts)[number];

export interface BuiltCommit extends Commit {
  buildSeconds: number | null;
  log: string;
}

export interface Rate {
  rate: number | null;
  low: number | null;
  high: number | null;
  cases: number;
}

export interface Interval {
  estimate: number | null;
  low: number | null;
  high: number | null;
}

export interface Side {
  median: number | null;
  low: number | null;
  high: number | null;
  samples: (number | null)[];
}

export interface Metric {
  metric: string;
  unit: string;
  higherIsBetter: boolean;
  method: string;
  verdict: Verdict;
  rule: string;
  smallestEffect: number;
  pairs: number;
  old: Side;
  new: Side;
  change: (Interval & { exact: boolean; pValue: number | null }) | null;
  /** Index of the first pair that confirms, from 0. */
  confirmed: number | null;
  log: string;
}

export interface Cost {
  calls: number | null;
  instructions: number | null;
  share: number | null;
}

export interface ChangedFunction {
  function: string;
  demangled: string;
  binary: string;
  change: string;
  old: Cost;
  new: Cost;
  explains: number | null;
  inlined: string[];
  file: string;
  line: number | null;
}

export interface Benchmark {
  name: string;
  verdict: Verdict;
  treatment: string;
  probability: number | null;
  basis: string;
  reasons: string[];
  why: string[];
  /** The weightiest metric, or null when there is none. */
  main: Metric | null;
  metricCount: number;
  raw: Fields;
}

export interface Check {
  old: BuiltCommit;
  new: BuiltCommit;
  status: number | null;
  sentence: string;
  budgetSeconds: number | null;
  seconds: Record<"building" | "predicting" | "measuring" | "explaining" | "total", number | null>;
  pairsMeasured: number;
  pairsRemembered: number;
  complete: boolean;
  notes: string[];
  trained: boolean;
  hit: Rate;
  dismiss: Rate;
  audits: number;
  auditsMissed: number;
  benchmarks: Benchmark[];
}

export interface Point {
  position: number;
  commit: string;
  value: number;
  runs: number | null;
  deviation: number | null;
}

export interface Change {
  position: number;
  commit: string;
  subject: string;
  before: number | null;
  after: number | null;
  size: Interval;
  pValue: number | null;
  worse: boolean;
  equally: string[];
}

export interface Series {
  benchmark: string;
  metric: string;
  unit: string;
  higherIsBetter: boolean;
  source: string;
  exact: boolean;
  points: Point[];
  gaps: { position: number; commit: string; why: string }[];
  changes: Change[];
}

export interface Report {
  project: string;
  dragnet: string;
  machine: { host: string; processor: string; cores: number | null; memory: number | null; kernel: string };
  madeMs: number | null;
  check: Check | null;
  explanation: Explanation | null;
  variants: Variants | null;
  commits: Commit[];
  seriesCount: number;
  series: Series[];
}

const verdict = (value: unknown): Verdict => (verdicts.includes(value as Verdict) ? (value as Verdict) : "not measured");

// Few pairs give an interval without a bound, which reaches the limit of all ratios, a million.
const nearlyUnbounded = 1e5;

function interval(value: unknown): Interval {
  const from = fields(value);
  const [low, high] = [number(from.low), number(from.high)];
  const unbounded = (low !== null && (low + 1) * nearlyUnbounded <= 1) || (high !== null && high >= nearlyUnbounded);
  return { estimate: number(from.estimate), low: unbounded ? null : low, high: unbounded ? null : high };
}

function rate(value: unknown): Rate {
  const from = fields(value);
  return { rate: number(from.rate), low: number(from.low), high: number(from.high), cases: number(from.cases) ?? 0 };
}

function builtCommit(value: unknown): BuiltCommit {
  const from = fields(value);
  return { ...commit(value), buildSeconds: number(from.build_seconds), log: text(from.log) };
}

function side(value: unknown): Side {
  const from = fields(value);
  return Object.assign(
    lazily({ samples: () => list(from.samples).map(number) }),
    { median: number(from.median), low: number(from.low), high: number(from.high) },
  );
}

function metric(value: unknown): Metric {
  const from = fields(value);
  const change = fields(from.change);
  const before = side(from.old);
  const after = side(from.new);
  return {
    metric: text(from.metric),
    unit: text(from.unit),
    higherIsBetter: from.better === "higher",
    method: text(from.method),
    verdict: verdict(from.verdict),
    rule: text(from.rule),
    smallestEffect: number(from.smallest_effect) ?? 0,
    pairs: number(from.pairs) ?? Math.min(list(fields(from.old).samples).length, list(fields(from.new).samples).length),
    old: before,
    new: after,
    change:
      number(change.estimate) === null
        ? null
        : { ...interval(change), exact: change.exact === true, pValue: number(change.p_value) },
    confirmed: number(from.confirmed),
    log: text(from.log),
  };
}

/** All metrics of a benchmark, the weightiest first, otherwise as they came. */
export function metricsOf(benchmark: Benchmark): Metric[] {
  const weight = (one: Metric) => verdicts.indexOf(one.verdict);
  return list(benchmark.raw.metrics)
    .map(metric)
    .sort((a, b) => weight(a) - weight(b));
}

// The weightiest metric without reading the samples of the others.
function mainMetric(rows: unknown[]): Metric | null {
  let best: unknown = null;
  let weight = Infinity;
  for (const row of rows) {
    const own = verdicts.indexOf(verdict(fields(row).verdict));
    if (own < weight) [best, weight] = [row, own];
  }
  return best === null ? null : metric(best);
}

function benchmark(value: unknown): Benchmark {
  const raw = fields(value);
  const prediction = fields(raw.prediction);
  const rows = list(raw.metrics);
  return {
    name: text(raw.benchmark),
    verdict: verdict(raw.verdict),
    treatment: text(raw.treatment),
    probability: number(prediction.probability),
    basis: text(prediction.basis),
    reasons: texts(prediction.reasons),
    why: texts(raw.why),
    main: mainMetric(rows),
    metricCount: rows.length,
    raw,
  };
}

function cost(value: unknown): Cost {
  const from = fields(value);
  return { calls: number(from.calls), instructions: number(from.instructions), share: number(from.share) };
}

export function functionsOf(benchmark: Benchmark): ChangedFunction[] {
  return list(benchmark.raw.functions).map((value) => {
    const from = fields(value);
    return {
      function: text(from.function),
      demangled: text(from.demangled) || text(from.function),
      binary: text(from.binary),
      change: text(from.change) || "none",
      old: cost(from.old),
      new: cost(from.new),
      explains: number(from.explains),
      inlined: texts(from.inlined),
      file: text(from.file),
      line: number(from.line),
    };
  });
}

export const treeOf = (benchmark: Benchmark): CallNode | null => callTree(benchmark.raw.tree);

export const logOf = (benchmark: Benchmark): string => text(benchmark.raw.log);

function check(value: unknown): Check | null {
  if (typeof value !== "object" || value === null) return null;
  const from = fields(value);
  const seconds = fields(from.seconds);
  const predictions = fields(from.predictions);
  return {
    old: builtCommit(from.old),
    new: builtCommit(from.new),
    status: number(from.status),
    sentence: text(from.sentence),
    budgetSeconds: number(from.budget_seconds),
    seconds: {
      building: number(seconds.building),
      predicting: number(seconds.predicting),
      measuring: number(seconds.measuring),
      explaining: number(seconds.explaining),
      total: number(seconds.total),
    },
    pairsMeasured: number(from.pairs_measured) ?? 0,
    pairsRemembered: number(from.pairs_remembered) ?? 0,
    complete: from.complete !== false,
    notes: texts(from.notes),
    trained: predictions.trained === true,
    hit: rate(predictions.hit),
    dismiss: rate(predictions.dismiss),
    audits: number(predictions.audits) ?? 0,
    auditsMissed: number(predictions.audits_missed) ?? 0,
    benchmarks: list(from.benchmarks).map(benchmark),
  };
}

function change(value: unknown): Change {
  const from = fields(value);
  return {
    position: number(from.position) ?? 0,
    commit: text(from.commit),
    subject: text(from.subject),
    before: number(from.before),
    after: number(from.after),
    size: interval(from.size),
    pValue: number(from.p_value),
    worse: from.worse === true,
    equally: texts(from.equally),
  };
}

function series(value: unknown): Series {
  const from = fields(value);
  const points: Point[] = [];
  for (const each of list(from.points)) {
    const one = fields(each);
    const [position, measured] = [number(one.position), number(one.value)];
    if (position === null || measured === null) continue;
    points.push({ position, value: measured, commit: text(one.commit), runs: number(one.runs), deviation: number(one.deviation) });
  }
  return {
    benchmark: text(from.benchmark),
    metric: text(from.metric),
    unit: text(from.unit),
    higherIsBetter: from.better === "higher",
    source: text(from.source),
    exact: from.exact === true,
    points: points.sort((a, b) => a.position - b.position),
    gaps: list(from.gaps).map((gap) => ({
      position: number(fields(gap).position) ?? 0,
      commit: text(fields(gap).commit),
      why: text(fields(gap).why),
    })),
    changes: list(from.changes)
      .map(change)
      .sort((a, b) => a.position - b.position),
  };
}

/** The report in a JSON text, or null when there is none. */
export function readReport(json: string): Report | null {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return null;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const from = fields(value);
  const machine = fields(from.machine);
  const known = {
    project: text(from.project),
    dragnet: text(from.dragnet),
    machine: {
      host: text(machine.host),
      processor: text(machine.processor),
      cores: number(machine.cores),
      memory: number(machine.memory_bytes),
      kernel: text(machine.kernel),
    },
    madeMs: number(from.made_ms),
    check: check(from.check),
    explanation: explanation(from.explanation),
    variants: variants(from.variants),
    commits: list(from.commits).map(commit),
    seriesCount: list(from.series).length,
  };
  return Object.assign(lazily({ series: () => list(from.series).map(series) }), known);
}
