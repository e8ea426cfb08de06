// Reports made from a seed: the checks of a small key-value store, as docs/json.md describes the document.
import type { Verdict } from "../src/document";

/** Numbers in [0, 1) that are the same for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

class Source {
  readonly next: () => number;
  constructor(seed: number) {
    this.next = randomFrom(seed);
  }
  between = (low: number, high: number) => low + this.next() * (high - low);
  normal = () => Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next());
  id = () => Array.from({ length: 40 }, () => Math.floor(this.next() * 16).toString(16)).join("");
}

const madeMs = Date.UTC(2026, 10, 15, 21, 40);
const machine = { key: "m1", host: "anvil", processor: "AMD EPYC 7282", cores: 16, memory_bytes: 68719476736, kernel: "6.1.0-30-amd64" };
const heading = { document: "report", version: 1, dragnet: "0.1.0", project: "larder", machine, made_ms: madeMs };

const subjects = [
  "Read records as views", "Name the unknown option", "One search for a slot", "Compare by common prefix", "Test long keys", "Count what is stored",
  "Spread the hash", "Say what the log holds", "Choose the separator", "Test the separator", "Describe the separator", "Install the headers",
  "Merge the separator", "Write batches by bytes", "Offer choices", "Finish before leaving", "Finish the store", "Scan by views", "Compress in blocks",
  "Look at four places", "Raise the version", "Describe flushing", "Hash eight bytes at a time", "Keep the index sorted", "Probe linearly",
];

interface Plan {
  name: string;
  verdict: Verdict;
  effect: number;
  pairs: number;
  level: number;
  treatment?: string;
  probability?: number;
  reasons?: string[];
  why?: string[];
}

const median = (values: number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? null;

function side(samples: number[]) {
  const middle = median(samples);
  return { median: middle, low: middle === null ? null : middle * 0.994, high: middle === null ? null : middle * 1.006, samples };
}

const rules: Record<Verdict, string> = {
  regressed: "slower by more than 2 %, and confirmed by fresh pairs",
  failed: "a run of the new side did not finish",
  inconclusive: "the interval holds both no change and more than 2 %",
  "not measured": "nothing was measured",
  exonerated: "numbers moved, but nothing that the commit changed is executed",
  improved: "faster by more than 2 %",
  unchanged: "the interval lies within 2 %",
};

function metric(source: Source, plan: Plan, kind: "wall" | "instructions" | "memory") {
  const noise = { wall: 0.012, instructions: 0, memory: 0.003 }[kind];
  const level = { wall: plan.level, instructions: plan.level * 3.1e9, memory: 4.1e7 }[kind];
  const effect = kind === "memory" ? 0 : kind === "instructions" ? plan.effect * 0.8 : plan.effect;
  const count = kind === "instructions" ? Math.min(2, plan.pairs) : plan.pairs;
  const value = (by: number) => {
    const one = level * (1 + by) * (1 + noise * source.normal());
    return kind === "wall" ? one : Math.round(one);
  };
  const before = Array.from({ length: count }, () => value(0));
  const after = Array.from({ length: count }, () => value(effect));
  const verdict: Verdict = kind === "memory" || Math.abs(effect) < 0.02 ? (plan.verdict === "failed" ? "failed" : kind === "wall" ? plan.verdict : "unchanged") : plan.verdict;
  const half = kind === "instructions" ? 0 : (kind === "wall" ? 0.05 : 0.012) / Math.sqrt(Math.max(1, count)) + (plan.verdict === "inconclusive" ? 0.02 : 0);
  const estimate = count ? (median(after) ?? 0) / (median(before) ?? 1) - 1 : 0;
  return {
    metric: kind,
    unit: { wall: "s", instructions: "", memory: "B" }[kind],
    better: "lower",
    method: kind === "instructions" ? "counted" : "timed",
    verdict,
    rule: rules[verdict],
    smallest_effect: 0.02,
    pairs: count,
    old: side(before),
    new: side(after),
    ...(count > 0 && { change: { estimate, low: estimate - half, high: estimate + half, exact: half === 0, p_value: Math.abs(effect) > 0.02 ? 1e-6 : 0.4 } }),
    confirmed: verdict === "regressed" && kind === "wall" ? Math.floor(count * 0.7) : null,
  };
}

const functions = [
  { function: "_ZNK6larder5Index4findESt17basic_string_viewIcE", demangled: "larder::Index::find(std::basic_string_view<char>) const", change: "changed", before: 0.212, now: 0.297, explains: 0.104, inlined: ["larder::hash_key"], file: "src/index.cpp", line: 48 },
  { function: "_ZN6larder8hash_keyESt17basic_string_viewIcE", demangled: "larder::hash_key(std::basic_string_view<char>)", change: "changed", before: 0.087, now: 0.121, explains: 0.046, inlined: [], file: "src/keys.cpp", line: 17 },
  { function: "_ZN6larder3Log6appendERKNS_6RecordE", demangled: "larder::Log::append(larder::Record const&)", change: "none", before: 0.154, now: 0.131, explains: -0.004, inlined: [], file: "src/log.cpp", line: 91 },
  { function: "_ZN6larder8compressERSt6vectorIhE", demangled: "larder::compress(std::vector<unsigned char>&)", change: "none", before: 0.182, now: 0.163, explains: 0, inlined: [], file: "src/compress.cpp", line: 30 },
  { function: "_ZN6larder9next_slotEmm", demangled: "larder::next_slot(unsigned long, unsigned long)", change: "new", before: 0, now: 0.018, explains: 0.021, inlined: [], file: "src/index.cpp", line: 33 },
  { function: "_ZN6larder10probe_slotEmm", demangled: "larder::probe_slot(unsigned long, unsigned long)", change: "deleted", before: 0.009, now: 0, explains: -0.009, inlined: [], file: null, line: null },
];

function changedFunctions(total: number, effect: number) {
  return functions.map(({ before, now, ...one }) => ({
    ...one,
    binary: "larder",
    old: { calls: Math.round(before * 4.1e6), instructions: Math.round(before * total), share: before },
    new: { calls: Math.round(before * 4.1e6 || now * 4.1e6), instructions: Math.round(now * total * (1 + effect)), share: now },
  }));
}

interface Call {
  name: string;
  old: number;
  new: number;
  callees: Call[];
}

function tree(total: number, effect: number): Call {
  const call = (name: string, before: number, now: number, callees: Call[] = []): Call => ({ name, old: Math.round(before * total), new: Math.round(now * total), callees });
  const extra = effect;
  return call("main", 1, 1 + extra, [
    call("run_script", 0.96, 0.96 + extra, [
      call("Store::put", 0.5, 0.5 + extra * 0.6, [
        call("Index::insert", 0.2, 0.2 + extra * 0.62, [call("Index::find", 0.13, 0.13 + extra * 0.6, [call("hash_key", 0.05, 0.05 + extra * 0.25), call("next_slot", 0, extra * 0.2), call("probe_slot", 0.02, 0)]), call("Index::grow", 0.03, 0.03)]),
        call("Log::append", 0.22, 0.22, [call("checksum", 0.09, 0.09), call("compress", 0.1, 0.096, [call("match_length", 0.06, 0.056)])]),
        call("operator new", 0.02, 0.02),
      ]),
      call("Store::get", 0.32, 0.32 + extra * 0.42, [call("Index::find", 0.17, 0.17 + extra * 0.4, [call("hash_key", 0.07, 0.07 + extra * 0.2), call("equal_keys", 0.05, 0.055)]), call("Record::decode", 0.1, 0.098, [call("checksum", 0.05, 0.05)])]),
      call("Store::scan", 0.11, 0.106, [call("Index::next", 0.05, 0.05), call("Record::view", 0.03, 0.024)]),
    ]),
    call("parse_options", 0.01, 0.01),
    call("generate", 0.02, 0.02, [call("random_key", 0.012, 0.012)]),
  ]);
}

const failedLog = "larder: scan: reading 40000 records\nlarder: \u001b[31merror\u001b[0m: record 31877 has checksum 8f2c11d0, expected 8f2c11d4\nAborted (core dumped)\n";
const buildLog = (commit: string) =>
  `-- The CXX compiler identification is GNU 12.2.0\n-- Configuring done\n-- Generating done\n[ 10%] Building CXX object CMakeFiles/larder.dir/src/index.cpp.o\n[ 60%] Building CXX object CMakeFiles/larder.dir/src/log.cpp.o\n[100%] Linking CXX executable larder\n[100%] Built target larder (${commit.slice(0, 10)})\n`;

function benchmark(source: Source, plan: Plan) {
  const measured = plan.pairs > 0;
  const explained = plan.verdict === "regressed" || plan.verdict === "improved";
  return {
    benchmark: plan.name,
    verdict: plan.verdict,
    treatment: plan.treatment ?? (measured ? "measured" : "dismissed"),
    prediction: { probability: plan.probability ?? source.between(0.05, 0.6), basis: "learned", reasons: plan.reasons ?? ["the functions that changed make 0.3 % of its instructions"] },
    metrics: measured || plan.verdict === "failed" ? [metric(source, plan, "wall"), metric(source, plan, "instructions"), metric(source, plan, "memory")] : [],
    why: plan.why ?? [],
    functions: explained ? changedFunctions(plan.level * 3.1e9, plan.effect) : [],
    tree: explained ? tree(plan.level * 3.1e9, plan.effect) : null,
    log: plan.verdict === "failed" ? failedLog : "",
  };
}

function commitsOf(source: Source, count: number) {
  const authors = ["Ada Winter", "Jo Lindqvist", "Mirek Sulik"];
  return Array.from({ length: count }, (_, at) => ({
    commit: source.id(),
    subject: subjects[at % subjects.length]!,
    author: authors[Math.floor(source.next() * 3)]!,
    time: madeMs / 1000 - (count - at) * 86400 * 0.8,
  }));
}

type Commits = ReturnType<typeof commitsOf>;

/** A series with steps at the given positions. */
function series(source: Source, commits: Commits, plan: { benchmark: string; metric: string; unit: string; level: number; steps: [number, number][]; gaps?: number[] }) {
  const exact = plan.metric === "instructions";
  const noise = exact ? 0 : 0.008;
  const levelAt = (position: number) => plan.steps.reduce((level, [at, size]) => (position >= at ? level * (1 + size) : level), plan.level);
  const gaps = plan.gaps ?? [];
  return {
    benchmark: plan.benchmark,
    metric: plan.metric,
    unit: plan.unit,
    better: "lower",
    source: exact ? "counted" : "timed",
    exact,
    smallest_effect: 0.02,
    points: commits.flatMap(({ commit }, position) =>
      gaps.includes(position) ? [] : [{ position, commit, value: levelAt(position) * (1 + noise * source.normal()), runs: exact ? 1 : 5, deviation: levelAt(position) * noise * source.between(0.6, 1.4) }],
    ),
    gaps: gaps.map((position) => ({ position, commit: commits[position]?.commit, why: "the benchmark failed: larder: cannot open the log" })),
    changes: plan.steps.map(([position, size]) => {
      const before = levelAt(position - 1);
      return {
        position,
        commit: commits[position]?.commit,
        subject: commits[position]?.subject,
        before,
        after: levelAt(position),
        size: { estimate: size, low: exact ? size : size - 0.008, high: exact ? size : size + 0.008 },
        p_value: 1e-7,
        worse: size > 0,
        equally: exact ? [commits[position]?.commit] : [commits[position]?.commit, commits[position + 1]?.commit],
      };
    }),
  };
}

function allSeries(source: Source, commits: Commits) {
  const last = commits.length - 1;
  const make = (benchmark: string, level: number, steps: [number, number][], gaps: number[] = []) => [
    series(source, commits, { benchmark, metric: "wall", unit: "s", level, steps, gaps }),
    series(source, commits, { benchmark, metric: "instructions", unit: "", level: level * 3.1e9, steps: steps.map(([at, size]) => [at, size * 0.9]), gaps }),
  ];
  return [
    ...make("load", 0.3683, [[9, -0.07], [last, 0.119]]),
    ...make("get/hot", 0.2126, [[last, 0.074]]),
    ...make("get/cold", 0.7411, [[14, 0.031]]),
    ...make("scan", 1.2304, [[6, 0.045], [18, -0.113]], [11, 12]),
    ...make("log/append", 0.0913, []),
    ...make("compact", 2.4188, [[18, -0.061]], [3]),
    ...make("long-keys", 0.4402, [[4, 0.083], [9, -0.052], [20, 0.027]]),
  ];
}

const plans: Plan[] = [
  { name: "load", verdict: "regressed", effect: 0.119, pairs: 41, level: 0.3683, probability: 0.97, reasons: ["Index::find, which changed, makes 21 % of its instructions (limit 1 %)", "hash_key, which changed, is called 1.2 million times"], why: ["Index::find executes 40 % more instructions for as many calls, which explains +10.4 % of +11.9 %", "hash_key reads keys byte by byte since this commit (src/keys.cpp:17)", "next_slot is new"] },
  { name: "get/hot", verdict: "regressed", effect: 0.074, pairs: 58, level: 0.2126, probability: 0.93, reasons: ["Index::find, which changed, makes 17 % of its instructions (limit 1 %)"], why: ["Index::find executes 40 % more instructions for as many calls"] },
  { name: "scan", verdict: "failed", effect: 0, pairs: 3, level: 1.09, probability: 0.41, why: ["the new side ended with signal 6 in pair 4"] },
  { name: "get/cold", verdict: "inconclusive", effect: 0.018, pairs: 64, level: 0.7641, probability: 0.71, reasons: ["Index::find, which changed, makes 4 % of its instructions (limit 1 %)"], why: ["the budget was spent before the interval was narrow enough"] },
  { name: "mixed/zipf-0.99", verdict: "not measured", effect: 0, pairs: 0, level: 1, treatment: "not reached", probability: 0.22, why: ["the budget was spent before"] },
  { name: "log/replay", verdict: "exonerated", effect: 0.031, pairs: 36, level: 0.1502, treatment: "audited", probability: 0.04, reasons: ["executes nothing that changed"], why: ["numbers moved by +3.1 %, but it executes nothing that the commit changed; the layout of the binary did change"] },
  { name: "compact", verdict: "improved", effect: -0.061, pairs: 33, level: 2.4188, probability: 0.66, why: ["compress executes 8 % fewer instructions"] },
  { name: "log/append", verdict: "unchanged", effect: 0.001, pairs: 24, level: 0.0913, probability: 0.18 },
  { name: "long-keys", verdict: "unchanged", effect: -0.003, pairs: 28, level: 0.4402, probability: 0.35 },
  { name: "large-values", verdict: "unchanged", effect: 0.002, pairs: 22, level: 0.8804, treatment: "audited", probability: 0.03, reasons: ["the functions that changed make 0.02 % of its instructions (limit 1 %)"] },
  { name: "options/parse", verdict: "unchanged", effect: 0, pairs: 0, level: 1, probability: 0, reasons: ["executes nothing that changed"] },
  { name: "checksum", verdict: "unchanged", effect: 0, pairs: 0, level: 1, probability: 0, reasons: ["executes nothing that changed"] },
];

function checkOf(source: Source, commits: Commits, benchmarks: Plan[]) {
  const build = (at: number, seconds: number) => ({ ...commits[at], build: `b${at}`, build_seconds: seconds, log: buildLog(commits[at]?.commit ?? "") });
  return {
    document: "check",
    version: 1,
    dragnet: "0.1.0",
    project: "larder",
    machine,
    old: build(commits.length - 2, 21.4),
    new: build(commits.length - 1, 19.8),
    status: 1,
    sentence: "2 of 12 benchmarks regressed: load +11.9 % (wall), get/hot +7.4 % (wall).",
    budget_seconds: 300,
    seconds: { building: 41.2, predicting: 0.8, measuring: 271.5, explaining: 18.9, total: 334.1 },
    pairs_measured: 281,
    pairs_remembered: 28,
    complete: true,
    notes: ["1 benchmark was not reached within the budget; the next check begins with it.", "The machine scales its frequency: `dragnet doctor` tells how to calm it."],
    predictions: { trained: true, hit: { rate: 0.956, low: 0.891, high: 0.988, cases: 91 }, dismiss: { rate: 0.713, low: 0.668, high: 0.755, cases: 422 }, audits: 47, audits_missed: 1 },
    benchmarks: benchmarks.map((plan) => benchmark(source, plan)),
  };
}

/** A check of twelve benchmarks with every verdict, and its history. */
export function exampleReport() {
  const source = new Source(20261115);
  const commits = commitsOf(source, 25);
  return { ...heading, check: checkOf(source, commits, plans), commits, series: allSeries(source, commits) };
}

/** What `dragnet report` shows: no check, only series. */
export function historyReport() {
  return { ...exampleReport(), check: null };
}

/** Many benchmarks with many pairs each. */
export function largeReport(count = 500, pairs = 100) {
  const source = new Source(500100);
  const commits = commitsOf(source, 60);
  const kinds = ["load", "get", "scan", "log", "compact"];
  const many = Array.from({ length: count }, (_, at): Plan => {
    const verdict: Verdict = at < 12 ? "regressed" : at < 20 ? "inconclusive" : at < 40 ? "improved" : "unchanged";
    const effect = verdict === "regressed" ? source.between(0.03, 0.3) : verdict === "improved" ? -source.between(0.03, 0.2) : source.normal() * 0.003;
    return { name: `${kinds[at % 5]}/${1 << at % 12}k-keys/${at}`, verdict, effect, pairs, level: source.between(0.05, 3), why: verdict === "unchanged" ? [] : ["Index::find executes more instructions for as many calls"] };
  });
  const own = many.map(({ name, level }, at) => series(source, commits, { benchmark: name, metric: "wall", unit: "s", level, steps: at % 7 === 0 ? [[30, 0.06]] : [] }));
  return { ...heading, check: checkOf(source, commits, many), commits, series: own };
}

export const hostileNames = [
  "<script>document.title='owned'</script>",
  "</script><img src=x onerror=\"document.title='owned'\">",
  "<!-- --><svg onload=alert(1)>",
  "x".repeat(10000),
  "safe\u202egnp.exe",
  "🦊🔥 \u0645\u0631\u062d\u0628\u0627 emoji and right-to-left",
  "line\nbreak\u0000\u001b[31mred",
  "#benchmark=a&b=c%20d?/\\'\"",
  "\ud800 lone surrogate",
  "__proto__",
  "",
];

/** Names and texts that try to break out, in every place where text is shown. */
export function hostileReport() {
  const source = new Source(666);
  const evil = hostileNames[1]!;
  const commits = commitsOf(source, 25).map((commit) => ({ ...commit, subject: evil, author: hostileNames[4]! }));
  const check = checkOf(source, commits, hostileNames.map((name, at) => ({ name, verdict: at % 2 ? "regressed" : "unchanged", effect: at % 2 ? 0.1 : 0, pairs: 12, level: 0.3, reasons: [evil], why: [evil, "x".repeat(10000)] })));
  for (const one of check.benchmarks) {
    one.log = `${evil}\n${"y".repeat(10000)}\u202e`;
    for (const each of one.functions) [each.demangled, each.file, each.inlined] = [evil + "z".repeat(5000), evil, [evil]];
    if (one.tree) [one.tree.name, one.tree.callees[0]!.name] = [evil, "w".repeat(10000)];
  }
  const own = hostileNames.map((benchmark) => series(source, commits, { benchmark, metric: evil, unit: evil, level: 1, steps: [[5, 0.1]] }));
  return { ...heading, project: evil, machine: { ...machine, host: evil }, check: { ...check, sentence: evil, notes: [evil, hostileNames[3]!] }, commits, series: own };
}
