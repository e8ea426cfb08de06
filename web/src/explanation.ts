// The document "explanation" of docs/json.md, read forgivingly. What only one view needs is read when it is asked for.
import { type CallNode, callTree, type Commit, commit, type Fields, fields, lazily, list, number, text, texts } from "./read";

/** What a stack, or all of them, did: means per run. */
export interface Use {
  amount: number;
  calls: number;
  perCall: number;
}

export interface Frame {
  function: string;
  demangled: string;
  binary: string;
  file: string;
  line: number | null;
  inlined: boolean;
}

/** One quantity of a stack on both sides. */
export interface Shift {
  old: number;
  new: number;
  share: number;
  pValue: number | null;
  exact: boolean;
  counts: boolean;
}

export interface Row {
  /** In the report, from 0. */
  position: number;
  metric: string;
  unit: string;
  similarity: number | null;
  finding: boolean;
  calls: number | null;
  callsDifference: number | null;
  impact: number | null;
  totalImpact: number | null;
  range: { low: number; high: number } | null;
  runs: number;
  ofRuns: number;
  old: Use;
  new: Use;
  changes: Record<"amount" | "calls" | "perCall", Shift>;
  cause: number | null;
  match: string;
  stack: Frame[];
  oldStack: Frame[];
  files: { file: string; old: number; new: number }[];
}

export interface Cause {
  function: string;
  demangled: string;
  binary: string;
  file: string;
  line: number | null;
  codeChanged: boolean;
  /** Positions of its findings. */
  rows: number[];
}

export interface Unfinished {
  commit: string;
  run: number | null;
  outcome: string;
  status: number | null;
  seconds: number | null;
  log: string;
}

export interface Similarity {
  method: string;
  old: Commit[];
  new: Commit;
  oldRuns: number;
  newRuns: number;
  oldSeconds: number | null;
  newSeconds: number | null;
  findings: number;
  /** False where there are too few runs to tell. */
  conclusive: boolean;
  rowsInAll: number;
  totals: { metric: string; unit: string; old: Use; new: Use }[];
  causes: Cause[];
  unfinished: Unfinished[];
  notes: string[];
  rows: Row[];
}

export interface StackTotal extends Use {
  runs: number;
  stack: Frame[];
}

export interface FileTotal extends Use {
  file: string;
}

export interface MetricReport {
  metric: string;
  unit: string;
  total: Use;
  accounted: number | null;
  stacks: number;
  most: StackTotal[];
  mostPerCall: StackTotal[];
  files: FileTotal[];
}

export interface RunReport {
  commit: Commit;
  runs: number;
  seconds: number | null;
  lost: number;
  unfinished: Unfinished[];
  metrics: MetricReport[];
}

export interface OverviewPoint {
  commit: Commit;
  /** 0: not watched. */
  runs: number;
  mean: Use;
  low: number;
  high: number;
  unfinished: number;
  comparedWith: string[];
  findings: number;
  first: Row | null;
}

export interface Overview {
  metric: string;
  unit: string;
  points: OverviewPoint[];
}

export interface Hunk {
  function: string;
  binary: string;
  text: string;
}

export interface Tree {
  metric: string;
  quantity: "amount" | "calls";
  unit: string;
  root: CallNode | null;
}

/** All that is known about one commit of a benchmark. */
export interface Step {
  commit: string;
  similarity: Similarity | null;
  runs: RunReport | null;
  hunks: Hunk[];
  trees: Tree[];
}

export interface Diff {
  old: string;
  new: string;
  text: string;
  leftOut: number;
}

export interface ExplainedBenchmark {
  name: string;
  /** One for each metric, all of the same commits. */
  overviews: Overview[];
  /** By commit, the one that was asked about first. */
  steps: Map<string, Step>;
  /** The comparison, or else the runs, that were asked for; null where only a range was. */
  main: Step | null;
}

export interface Explanation {
  notes: string[];
  benchmarks: ExplainedBenchmark[];
  diffs: Diff[];
}

const amount = (value: unknown): number => number(value) ?? 0;

function use(value: unknown): Use {
  const from = fields(value);
  return { amount: amount(from.amount), calls: amount(from.calls), perCall: amount(from.per_call) };
}

function frame(value: unknown): Frame {
  const from = fields(value);
  return {
    function: text(from.function),
    demangled: text(from.demangled) || text(from.function),
    binary: text(from.binary),
    file: text(from.file),
    line: number(from.line),
    inlined: from.inlined === true,
  };
}

/** A stack has its frames, or their numbers among those of the document. */
const frames = (value: unknown, known: Frame[]): Frame[] => list(value).map((each) => (typeof each === "number" ? known[each] : undefined) ?? frame(each));

function shift(value: unknown): Shift {
  const from = fields(value);
  return { old: amount(from.old), new: amount(from.new), share: amount(from.share), pValue: number(from.p_value), exact: from.exact === true, counts: from.counts === true };
}

function range(value: unknown): { low: number; high: number } | null {
  const [low, high] = [number(fields(value).low), number(fields(value).high)];
  return low === null || high === null ? null : { low, high };
}

function row(value: unknown, position: number, known: Frame[]): Row {
  const from = fields(value);
  const changes = fields(from.changes);
  return {
    position,
    metric: text(from.metric),
    unit: text(from.unit),
    similarity: number(from.similarity),
    finding: from.finding === true,
    calls: number(from.calls),
    callsDifference: number(from.calls_difference),
    impact: number(from.impact),
    totalImpact: number(from.total_impact),
    range: range(from.range),
    runs: amount(from.runs),
    ofRuns: amount(from.of_runs),
    old: use(from.old),
    new: use(from.new),
    changes: { amount: shift(changes.amount), calls: shift(changes.calls), perCall: shift(changes.per_call) },
    cause: number(from.cause),
    match: text(from.match),
    stack: frames(from.stack, known),
    oldStack: frames(from.old_stack, known),
    files: list(from.files).map((each) => ({ file: text(fields(each).file), old: amount(fields(each).old), new: amount(fields(each).new) })),
  };
}

function cause(value: unknown): Cause {
  const from = fields(value);
  const { function: mangled, demangled, binary, file, line } = frame(value);
  return { function: mangled, demangled, binary, file, line, codeChanged: from.code_changed === true, rows: list(from.rows).flatMap((each) => number(each) ?? []) };
}

function unfinished(value: unknown): Unfinished[] {
  return list(value).map((each) => {
    const from = fields(each);
    return { commit: text(from.commit), run: number(from.run), outcome: text(from.outcome), status: number(from.status), seconds: number(from.seconds), log: text(from.log) };
  });
}

function similarity(value: unknown, known: Frame[]): Similarity | null {
  if (typeof value !== "object" || value === null) return null;
  const from = fields(value);
  const rows = list(from.rows);
  const rest = {
    method: text(from.method),
    old: list(from.old).map(commit),
    new: commit(from.new),
    oldRuns: amount(from.old_runs),
    newRuns: amount(from.new_runs),
    oldSeconds: number(from.old_seconds),
    newSeconds: number(from.new_seconds),
    findings: rows.filter((each) => fields(each).finding === true).length,
    conclusive: from.conclusive !== false,
    rowsInAll: Math.max(rows.length, amount(from.rows_in_all)),
    totals: list(from.totals).map((each) => ({ metric: text(fields(each).metric), unit: text(fields(each).unit), old: use(fields(each).old), new: use(fields(each).new) })),
    causes: list(from.causes).map(cause),
    unfinished: unfinished(from.unfinished),
    notes: texts(from.notes),
  };
  return Object.assign(lazily({ rows: () => rows.map((each, at) => row(each, at, known)) }), rest);
}

const stackTotals = (value: unknown, known: Frame[]): StackTotal[] => list(value).map((each) => ({ ...use(each), runs: amount(fields(each).runs), stack: frames(fields(each).stack, known) }));

function metricReport(value: unknown, known: Frame[]): MetricReport {
  const from = fields(value);
  return {
    metric: text(from.metric),
    unit: text(from.unit),
    total: use(from.total),
    accounted: number(from.accounted),
    stacks: amount(from.stacks),
    most: stackTotals(from.most, known),
    mostPerCall: stackTotals(from.most_per_call, known),
    files: list(from.files).map((each) => ({ ...use(each), file: text(fields(each).file) })),
  };
}

function runReport(value: unknown, known: Frame[]): RunReport | null {
  if (typeof value !== "object" || value === null) return null;
  const from = fields(value);
  return {
    commit: commit(value),
    runs: amount(from.runs),
    seconds: number(from.seconds),
    lost: amount(from.lost),
    unfinished: unfinished(from.unfinished),
    metrics: list(from.metrics).map((each) => metricReport(each, known)),
  };
}

function overview(value: unknown, known: Frame[]): Overview | null {
  if (typeof value !== "object" || value === null) return null;
  const from = fields(value);
  return { metric: text(from.metric), unit: text(from.unit), points: list(from.points).map((each) => point(each, known)) };
}

function point(value: unknown, known: Frame[]): OverviewPoint {
  const from = fields(value);
  const mean = use(from.mean);
  return {
    commit: commit(value),
    runs: amount(from.runs),
    mean,
    low: number(from.low) ?? mean.amount,
    high: number(from.high) ?? mean.amount,
    unfinished: amount(from.unfinished),
    comparedWith: texts(from.compared_with),
    findings: amount(from.findings),
    first: typeof from.first === "object" && from.first !== null ? row(from.first, 0, known) : null,
  };
}

function tree(value: unknown): Tree {
  const from = fields(value);
  return Object.assign(
    lazily({ root: () => callTree(from.tree) }),
    { metric: text(from.metric), quantity: from.quantity === "calls" ? ("calls" as const) : ("amount" as const), unit: text(from.unit) },
  );
}

const hunk = (value: unknown): Hunk => ({ function: text(fields(value).function), binary: text(fields(value).binary), text: text(fields(value).text) });

/** A step from what the document says about a commit in one place or in two. */
function step(id: string, places: Fields[], known: Frame[]): Step {
  const first = <Value>(read: (from: Fields) => Value | null): Value | null => places.reduce<Value | null>((found, from) => found ?? read(from), null);
  const most = <Value>(read: (from: Fields) => Value[]): Value[] => places.map(read).find((found) => found.length > 0) ?? [];
  return Object.assign(
    lazily({
      similarity: () => first((from) => similarity(from.similarity, known)),
      runs: () => first((from) => (text(fields(from.runs).commit) === id ? runReport(from.runs, known) : null)),
      hunks: () => most((from) => list(from.hunks).map(hunk)),
      trees: () => most((from) => list(from.trees).map(tree)),
    }),
    { commit: id },
  );
}

/** A benchmark from its entries: one for each metric that has an overview, otherwise one alone. */
function explained(benchmark: string, entries: Fields[], known: Frame[]): ExplainedBenchmark {
  const places = new Map<string, Fields[]>();
  const put = (id: string, place: Fields) => id && places.set(id, [...(places.get(id) ?? []), place]);
  let main = "";
  for (const from of entries) {
    const [compared, run] = [text(fields(fields(from.similarity).new).commit), text(fields(from.runs).commit)];
    const asked = compared || run;
    main ||= asked;
    put(asked, from);
    if (run !== asked) put(run, { runs: from.runs });
    for (const each of list(from.steps)) put(text(fields(each).commit), fields(each));
  }
  const steps = new Map([...places].map(([id, found]) => [id, step(id, found, known)]));
  return Object.assign(
    lazily({ overviews: () => entries.flatMap((from) => overview(from.overview, known) ?? []) }),
    { name: benchmark, steps, main: steps.get(main) ?? null },
  );
}

function benchmarks(value: unknown, known: Frame[]): ExplainedBenchmark[] {
  const entries = new Map<string, Fields[]>();
  for (const each of list(value).map(fields)) {
    const benchmark = text(each.benchmark);
    entries.set(benchmark, [...(entries.get(benchmark) ?? []), each]);
  }
  return [...entries].map(([benchmark, found]) => explained(benchmark, found, known));
}

const diff = (value: unknown): Diff => ({ old: text(fields(value).old), new: text(fields(value).new), text: text(fields(value).text), leftOut: amount(fields(value).left_out) });

export function explanation(value: unknown): Explanation | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const from = fields(value);
  return { notes: texts(from.notes), benchmarks: benchmarks(from.benchmarks, list(from.frames).map(frame)), diffs: list(from.diffs).map(diff) };
}
