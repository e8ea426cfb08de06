// Documents "explanation" made from a seed: what the stacks of a small key-value store did, as docs/json.md describes it.
import { exampleReport, hostileNames, randomFrom } from "./fixtures";

interface Frame {
  function: string;
  demangled: string;
  binary: string;
  file: string | null;
  line: number | null;
  inlined: boolean;
}

const places: Record<string, [file: string, line: number]> = {
  main: ["src/main.cpp", 42], run_script: ["src/script.cpp", 88], "larder::Store::put": ["src/store.cpp", 131], "larder::Log::append": ["src/log.cpp", 91], "larder::Log::flush": ["src/log.cpp", 117],
  "larder::Store::get": ["src/store.cpp", 160], "larder::Index::save": ["src/index.cpp", 205], "larder::Index::write_table": ["src/index.cpp", 221], "larder::Index::store_table": ["src/index.cpp", 219], "larder::compact": ["src/compact.cpp", 30], "larder::TemporaryFile::write": ["src/temporary.cpp", 55], "larder::Store::open": ["src/store.cpp", 24], "larder::report_progress": ["src/main.cpp", 71],
};

function frame(short: string): Frame {
  const [file, line]: [string, number] | [null, null] = places[short] ?? [null, null];
  const system = ["write", "__libc_start_main", "fsync", "fwrite"].includes(short);
  const parameters = short === "larder::Log::append" ? "(larder::Record const&)" : short.startsWith("larder::") ? "()" : "";
  return { function: `_Z${short.length}${short}`, demangled: short + parameters, binary: system ? "/lib/x86_64-linux-gnu/libc.so.6" : "larder", file, line, inlined: short === "larder::Store::put" };
}

const stack = (path: string) => ["__libc_start_main", ...path.split(" ")].map(frame);

const use = (amount: number, calls: number) => ({ amount, calls, per_call: calls > 0 ? amount / calls : 0 });

interface Did {
  amount: number;
  calls: number;
}

interface RowPlan {
  metric: string;
  path: string;
  oldPath?: string | null;
  match?: string;
  before: Did;
  now: Did;
  finding?: boolean;
  cause?: number;
  similarity?: number;
  files?: string[];
  p?: number;
}

const unitOf = (metric: string) => (metric === "fsync" ? "" : "B");

function row(plan: RowPlan, totals: Record<string, Did>, runs = 5) {
  const { before, now, metric } = plan;
  const total = totals[metric]!;
  const fresh = plan.oldPath === null;
  const gone = now.calls === 0;
  const [perOld, perNew] = [before.calls ? before.amount / before.calls : 0, now.calls ? now.amount / now.calls : 0];
  const change = (one: number, other: number, share: number) => ({ old: one, new: other, share, p_value: plan.p ?? 0, exact: plan.p === undefined, counts: plan.finding === true && Math.abs(share) >= 0.001 });
  const impact = fresh ? perNew : perNew - perOld;
  return {
    metric,
    unit: unitOf(metric),
    similarity: plan.similarity ?? (plan.finding ? 0 : 1),
    finding: plan.finding === true,
    calls: now.calls,
    calls_difference: now.calls - before.calls,
    impact,
    total_impact: impact * now.calls,
    range: fresh ? null : { low: perOld * 0.99, high: perOld * 1.01 },
    published_similarity: plan.finding ? 0 : 1,
    runs: gone ? 0 : runs,
    of_runs: runs,
    old: use(before.amount, before.calls),
    new: use(now.amount, now.calls),
    changes: {
      amount: change(before.amount, now.amount, total.amount ? (now.amount - before.amount) / total.amount : 0),
      calls: change(before.calls, now.calls, (now.calls - before.calls) / total.calls),
      per_call: change(perOld, perNew, total.amount ? ((perNew - perOld) * Math.min(before.calls, now.calls)) / total.amount : 0),
    },
    effect: 0.5,
    cause: plan.cause ?? null,
    match: plan.match ?? (fresh || gone ? "none" : "same"),
    stack: stack(plan.path),
    old_stack: fresh ? [] : stack(plan.oldPath ?? plan.path),
    files: (plan.files ?? []).map((file) => ({ file, old: before.amount, new: now.amount })),
  };
}

const flushing: RowPlan[] = [
  { metric: "written", path: "main run_script larder::Store::put larder::Log::append larder::Log::flush write", before: { amount: 4194304, calls: 64 }, now: { amount: 4194304, calls: 40000 }, finding: true, cause: 0, files: ["/tmp/larder/log"] },
  { metric: "fsync", path: "main run_script larder::Store::put larder::Log::append larder::Log::flush fsync", before: { amount: 0, calls: 4 }, now: { amount: 0, calls: 40000 }, finding: true, cause: 0, files: ["/tmp/larder/log"] },
  { metric: "written", path: "main larder::compact larder::TemporaryFile::write write", oldPath: null, before: { amount: 0, calls: 0 }, now: { amount: 2621440, calls: 40 }, finding: true, cause: 1, files: ["/tmp/larder/compact.1", "/tmp/larder/compact.2"] },
  { metric: "written", path: "main larder::Index::save larder::Index::write_table write", oldPath: "main larder::Index::save larder::Index::store_table write", match: "similar", before: { amount: 1048576, calls: 16 }, now: { amount: 1310720, calls: 16 }, finding: true, cause: 2, similarity: 0.45, p: 0.0004, files: ["/tmp/larder/index"] },
  { metric: "written", path: "main larder::report_progress write", before: { amount: 90000, calls: 300 }, now: { amount: 0, calls: 0 }, finding: true, similarity: 0, files: ["/dev/stderr"] },
];

const quiet: RowPlan[] = [
  { metric: "written", path: "main run_script larder::Store::open write", before: { amount: 8192, calls: 2 }, now: { amount: 8192, calls: 2 } },
  { metric: "written", path: "main larder::Index::save write", oldPath: "main larder::Store::open larder::Index::save write", match: "wrapped", before: { amount: 4096, calls: 1 }, now: { amount: 4096, calls: 1 } },
  { metric: "fsync", path: "main larder::Index::save fsync", before: { amount: 0, calls: 1 }, now: { amount: 0, calls: 1 } },
];

function totalsOf(plans: RowPlan[]): Record<string, { before: Did; now: Did; larger: Did }> {
  const sums: Record<string, { before: Did; now: Did; larger: Did }> = {};
  for (const { metric, before, now } of plans) {
    const sum = (sums[metric] ??= { before: { amount: 0, calls: 0 }, now: { amount: 0, calls: 0 }, larger: { amount: 0, calls: 0 } });
    for (const key of ["amount", "calls"] as const) {
      sum.before[key] += before[key];
      sum.now[key] += now[key];
      sum.larger[key] = Math.max(sum.before[key], sum.now[key]);
    }
  }
  return sums;
}

const cause = (short: string, rows: number[], codeChanged: boolean) => ({ ...frame(short), code_changed: codeChanged, similarity: 1, effect: 1.2, rows });

export const crashLog = "larder: opened /tmp/larder, 40000 records\nlarder: \u001b[31merror\u001b[0m: cannot append: No space left on device\n";

type Commit = { commit: string; subject: string; time: number };

function similarity(old: Commit, now: Commit, plans: RowPlan[]) {
  const all = [...plans, ...quiet];
  const sums = totalsOf(all);
  const totals = Object.fromEntries(Object.entries(sums).map(([metric, sum]) => [metric, sum.larger]));
  return {
    method: "tested",
    old: [old],
    new: now,
    old_runs: 5,
    new_runs: plans.length > 0 ? 4 : 5,
    old_seconds: 0.412,
    new_seconds: plans.length > 0 ? 1.93 : 0.415,
    findings: plans.length,
    rows_in_all: all.length + 12,
    totals: Object.entries(sums).map(([metric, sum]) => ({ metric, unit: unitOf(metric), old: use(sum.before.amount, sum.before.calls), new: use(sum.now.amount, sum.now.calls) })),
    causes: plans.length > 0 ? [cause("larder::Log::flush", [0, 1], true), cause("larder::compact", [2], true), cause("larder::Index::write_table", [3], false)] : [],
    rows: all.map((plan) => row(plan, totals)),
    unfinished: plans.length > 0 ? [{ commit: now.commit, run: 3, outcome: "crashed", status: 6, seconds: 0.21, log: crashLog }, { commit: old.commit, run: 1, outcome: "failed", status: 2, seconds: 0.05, log: "" }] : [],
    notes: plans.length > 0 ? ["3 records were lost: amounts are too small."] : [],
  };
}

function runReport(at: Commit, plans: RowPlan[], side: "before" | "now") {
  const all = [...plans, ...quiet].filter((plan) => plan[side].calls > 0);
  const metrics = [...new Set(all.map((plan) => plan.metric))].map((metric) => {
    const own = all.filter((plan) => plan.metric === metric);
    const total = own.reduce((sum, plan) => ({ amount: sum.amount + plan[side].amount, calls: sum.calls + plan[side].calls }), { amount: 0, calls: 0 });
    const stacks = own.map((plan) => ({ ...use(plan[side].amount, plan[side].calls), runs: 5, stack: stack(side === "before" ? (plan.oldPath ?? plan.path) : plan.path) }));
    const files = own.filter((plan) => plan.files).map((plan) => ({ ...use(plan[side].amount, plan[side].calls), file: plan.files![0]! }));
    return {
      metric,
      unit: unitOf(metric),
      total: use(total.amount, total.calls),
      accounted: metric === "written" ? total.amount + (side === "now" ? 4096 : 0) : null,
      stacks: stacks.length,
      most: [...stacks].sort((a, b) => b.amount - a.amount || b.calls - a.calls),
      most_per_call: [...stacks].sort((a, b) => b.per_call - a.per_call),
      files,
    };
  });
  return { ...at, runs: 5, seconds: side === "before" ? 0.412 : 1.93, lost: side === "now" ? 3 : 0, unfinished: side === "now" ? [{ commit: at.commit, run: 3, outcome: "crashed", status: 6, seconds: 0.21, log: crashLog }] : [], metrics };
}

interface Call {
  name: string;
  old: number;
  new: number;
  callees: Call[];
}

function trees(plans: RowPlan[]) {
  const all = [...plans, ...quiet];
  const tree = (metric: string, quantity: "amount" | "calls"): Call => {
    const root: Call = { name: "all", old: 0, new: 0, callees: [] };
    for (const plan of all.filter((each) => each.metric === metric))
      for (const side of ["before", "now"] as const) {
        let at = root;
        const grow = (node: Call) => (node[side === "before" ? "old" : "new"] += plan[side][quantity]);
        grow(at);
        for (const name of (side === "before" ? (plan.oldPath ?? plan.path) : plan.path).split(" ")) {
          let next = at.callees.find((each) => each.name === name);
          if (!next) at.callees.push((next = { name, old: 0, new: 0, callees: [] }));
          grow((at = next));
        }
      }
    return root;
  };
  return [...new Set(all.map((plan) => plan.metric))].flatMap((metric) =>
    (["amount", "calls"] as const).map((quantity) => ({ metric, quantity, unit: quantity === "amount" ? unitOf(metric) : "", tree: tree(metric, quantity) })).filter((each) => each.tree.old + each.tree.new > 0),
  );
}

const hunkText = "@@ -112,7 +112,8 @@ void Log::flush()\n {\n-  if (pending_.size() < block)\n-    return;\n+  // Each record must be on the disk before the next one.\n   write_all(file_, pending_);\n+  ::fsync(file_);\n   pending_.clear();\n }\n";
const hunks = [{ function: frame("larder::Log::flush").function, binary: "larder", text: hunkText }];

export const diffText = `diff --git a/src/log.cpp b/src/log.cpp
index 3f2a1c0..8d11e9b 100644
--- a/src/log.cpp
+++ b/src/log.cpp
${hunkText}diff --git a/src/compact.cpp b/src/compact.cpp
index 1111111..2222222 100644
--- a/src/compact.cpp
+++ b/src/compact.cpp
@@ -28,3 +28,4 @@ void compact(Store& store)
   for (const Record& record : store)
-    keep(record);
+    file.write(record);
+  file.close();
 }
`;

const heading = { document: "explanation", version: 1, dragnet: "0.1.0", project: "larder" };

function commitsOf(count: number): Commit[] {
  const random = randomFrom(60);
  const subjects = ["Read records as views", "Name the unknown option", "One search for a slot", "Count what is stored", "Flush after each record", "Say what the log holds", "Write batches by bytes", "Finish before leaving"];
  return Array.from({ length: count }, (_, at) => ({ commit: Array.from({ length: 40 }, () => Math.floor(random() * 16).toString(16)).join(""), subject: subjects[at % subjects.length]!, time: 1794690000 + at * 70000 }));
}

const [base, next] = commitsOf(2) as [Commit, Commit];
export const [oldCommit, newCommit] = [base.commit, next.commit];

/** `dragnet explain BASE NEW`: two benchmarks, one of which flushes after each record. */
export function comparedExplanation() {
  const now = { ...next, subject: "Flush after each record" };
  const changed = { benchmark: "load", similarity: similarity(base, now, flushing), runs: null, overview: null, hunks, trees: trees(flushing), steps: [{ commit: base.commit, similarity: null, runs: runReport(base, flushing, "before"), hunks: [], trees: [] }, { commit: now.commit, similarity: null, runs: runReport(now, flushing, "now"), hunks: [], trees: [] }] };
  const same = { benchmark: "log/append", similarity: similarity(base, now, []), runs: null, overview: null, hunks: [], trees: trees([]), steps: [] };
  return { ...heading, notes: ["The base was never watched: the commit before it was taken."], benchmarks: [changed, same], diffs: [{ old: base.commit, new: now.commit, text: diffText, left_out: 0 }] };
}

export const rangeCommits = commitsOf(12);
export const flushingCommit = rangeCommits[4]!.commit;

/** `dragnet explain RANGE`: twelve commits, of which the fifth flushes and the eighth is not watched. */
export function rangeExplanation() {
  const random = randomFrom(12);
  const level = (at: number) => 5.3e6 * (at >= 4 ? 1.55 : 1);
  const points = rangeCommits.map((commit, at) => {
    const watched = at !== 7;
    const mean = watched ? level(at) * (1 + 0.01 * (random() - 0.5)) : 0;
    const changed = at === 4;
    return {
      ...commit,
      runs: watched ? 5 : 0,
      mean: use(mean, watched ? (at >= 4 ? 40400 : 388) : 0),
      low: mean * 0.98,
      high: mean * 1.03,
      unfinished: at === 4 ? 1 : 0,
      compared_with: at === 0 || !watched ? [] : [rangeCommits[at === 8 ? 6 : at - 1]!.commit],
      findings: changed ? flushing.length : 0,
      first: changed ? row(flushing[0]!, { written: { amount: 8e6, calls: 40400 } }) : null,
    };
  });
  const steps = rangeCommits.flatMap((commit, at) => {
    if (at === 7) return [];
    const changed = at === 4;
    const before = rangeCommits[at === 8 ? 6 : at - 1];
    return [{ commit: commit.commit, similarity: before ? similarity(before, commit, changed ? flushing : []) : null, runs: runReport(commit, flushing, at >= 4 ? "now" : "before"), hunks: changed ? hunks : [], trees: before ? trees(changed ? flushing : []) : [] }];
  });
  const benchmark = { benchmark: "load", similarity: null, runs: null, overview: { metric: "written", unit: "B", method: "tested", points }, hunks: [], trees: [], steps };
  return { ...heading, notes: [], benchmarks: [benchmark], diffs: [{ old: rangeCommits[3]!.commit, new: flushingCommit, text: diffText, left_out: 1500 }, { old: rangeCommits[4]!.commit, new: rangeCommits[5]!.commit, text: "", left_out: 0 }] };
}

/** The same with an overview of three metrics, one of which nothing does. */
export function metricsExplanation() {
  const { benchmarks, ...rest } = rangeExplanation();
  const written = benchmarks[0]!;
  const overview = (metric: string, unit: string, change: Partial<(typeof written)["overview"]["points"][number]>) => ({ metric, unit, method: "tested", points: written.overview.points.map((point) => ({ ...point, findings: 0, first: null, ...change })) });
  const other = (one: ReturnType<typeof overview>) => ({ ...written, overview: one, steps: [] });
  const none = overview("network", "B", { mean: use(0, 0), low: 0, high: 0 });
  const synced = overview("fsync", "", { mean: use(0, 40), low: 0, high: 0 });
  synced.points[4]!.findings = 1;
  return { ...rest, benchmarks: [{ ...written, overview: none }, other(written.overview), other(synced)] };
}

/** `dragnet explain --run COMMIT`: both sides of its trees are the same. */
export function runExplanation() {
  const alone = (node: Call): Call => ({ name: node.name, old: node.new, new: node.new, callees: node.callees.filter((each) => each.new > 0).map(alone) });
  const own = trees(flushing).map((each) => ({ ...each, tree: alone(each.tree) })).filter((each) => each.tree.new > 0);
  return { ...heading, notes: [], benchmarks: [{ benchmark: "load", similarity: null, runs: runReport(next, flushing, "now"), overview: null, hunks: [], trees: own, steps: [] }], diffs: [] };
}

/** A report that holds nothing but an explanation. */
export const explained = (explanation: unknown) => ({ ...exampleReport(), check: null, commits: [], series: [], explanation });

/** Everywhere where an explanation has text, text that tries to break out. */
export function hostileExplanation() {
  const evil = hostileNames[1]!;
  const keep = new Set(["document", "quantity", "match", "method", "outcome", "commit", "old", "new", "compared_with"]);
  let count = 0;
  const spoil = (value: unknown, key: string): unknown => {
    if (typeof value === "string") return keep.has(key) ? value : key === "function" ? value + evil : `${hostileNames[count++ % hostileNames.length]}${key === "text" ? `\n+${evil}\n-${hostileNames[4]}` : ""}`;
    if (Array.isArray(value)) return value.map((each) => spoil(each, key));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, spoil(each, name)]));
  };
  const { benchmarks: ranges, diffs } = rangeExplanation();
  const { benchmarks: pairs } = comparedExplanation();
  const made = spoil({ ...heading, notes: ["note", "note"], benchmarks: [...ranges, ...pairs], diffs }, "") as ReturnType<typeof comparedExplanation>;
  made.benchmarks.forEach((each, at) => (each.benchmark = hostileNames[at]!));
  return made;
}

/** An explanation of many benchmarks with many rows each. */
export function largeExplanation(count = 40, rows = 300) {
  const { benchmarks, ...rest } = comparedExplanation();
  const [one] = benchmarks;
  const similar = { ...one!.similarity, rows: [...one!.similarity.rows, ...Array.from({ length: rows }, () => one!.similarity.rows[5]!)] };
  return { ...rest, benchmarks: Array.from({ length: count }, (_, at) => ({ ...one!, benchmark: `load/${at}`, similarity: similar })) };
}
