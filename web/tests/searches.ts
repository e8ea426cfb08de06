// Documents "variants" made from a seed: searches over the commits and options of a small key-value store, as
// docs/json.md describes them.
import { exampleReport, hostileNames, randomFrom } from "./fixtures";

interface PlannedChange {
  position: number;
  on: string[];
  off?: string[];
  size: number;
  probability?: number;
}

export interface SearchPlan {
  commits: number;
  options: string[];
  /** The options that are on, for each configuration. */
  configurations: string[][];
  changes: PlannedChange[];
  /** Whether a configuration is measured at a commit. */
  measured: (configuration: number, position: number) => boolean;
  noise?: number;
  metric?: string;
  unit?: string;
  better?: string;
}

const subjects = ["begin", "read records as views", "choose the longest of four matches", "name the unknown option", "spread the hash", "keep the index sorted", "check before each write", "write batches by bytes"];

const holds = (change: PlannedChange, on: string[]) => change.on.every((each) => on.includes(each)) && !(change.off ?? []).some((each) => on.includes(each));

/** What is measured of a plan, and the answer that fits it. */
export function searchOf(plan: SearchPlan) {
  const random = randomFrom(8);
  const commitAt = (position: number) => ({ position, commit: ((position + 3) * 0x9e3779b1).toString(16).padEnd(40, "7c0ffee15"), subject: subjects[position % subjects.length]! });
  const valueOf = (on: string[], position: number) => plan.changes.reduce((value, change) => (position >= change.position && holds(change, on) ? value * (1 + change.size) : value), 0.2 + 0.05 * on.length) * (1 + (plan.noise ?? 0) * (random() - 0.5));
  const positions = Array.from({ length: plan.commits }, (_, at) => at);
  const cells = plan.configurations.flatMap((on, configuration) => positions.filter((position) => plan.measured(configuration, position)).map((position) => ({ configuration, position, value: valueOf(on, position), runs: 1 + (position % 2) })));
  const visited = [...new Set(cells.map((cell) => cell.position))].sort((a, b) => a - b);
  const worse = (change: PlannedChange) => change.size > 0 === (plan.better !== "higher");
  const bad = plan.changes.filter(worse).length;
  return {
    document: "variants",
    version: 1,
    dragnet: "0.1.0",
    project: "larder",
    benchmark: "load-checksum",
    metric: plan.metric ?? "wall",
    unit: plan.unit ?? "s",
    better: plan.better ?? "lower",
    measured: true,
    status: bad > 0 ? 1 : 0,
    sentence: plan.changes.length > 0 ? `${plan.changes.length} changes, ${bad} for the worse; the probability that there is no other one is 96.1 %.` : "No change of 10 % or more was found; the probability that there is none is 96.1 %.",
    advice: "",
    threshold: 0.1,
    commits: plan.commits,
    options: plan.options,
    done_probability: 0.961,
    noise: plan.noise ?? 0.002,
    effort: { measurements: cells.reduce((sum, cell) => sum + cell.runs, 0), cells: cells.length, configurations: plan.configurations.length, builds: visited.length, seconds: 412.5, budget_spent: false },
    changes: plan.changes.map((change) => ({
      commits: [commitAt(change.position)],
      condition: [...change.on, ...(change.off ?? []).map((each) => `not ${each}`)].join(" and ") || "all",
      on: change.on,
      off: change.off ?? [],
      change: { estimate: change.size, low: change.size - 0.012, high: change.size + 0.012 },
      worse: worse(change),
      shown_by: change.on,
      probability: change.probability ?? 0.997,
      commit_probability: 0.999,
      condition_probability: 0.998,
      options: change.on.map((option) => ({ option, on: true, probability: 0.998 })),
    })),
    disagreements: [] as { sentence: string; kind: string; constraint: string; example: string; configurations: number; said: string }[],
    not_built: [] as ReturnType<typeof commitAt>[],
    notes: [] as string[],
    configurations: plan.configurations,
    visited: visited.map(commitAt),
    cells,
  };
}

const options = ["compress", "checksum", "cache", "fsync", "verify", "mmap"];

/** Five configurations looked at along 36 commits, and others around three changes. */
export function exampleSearch() {
  const configurations = [options, [], ["compress"], ["checksum", "verify"], ["compress", "checksum"], ["cache"], ["compress", "cache", "mmap"], ["checksum"], ["fsync", "cache"], ["compress", "checksum", "fsync"], ["mmap"], ["checksum", "cache", "verify", "mmap"]];
  const changes: PlannedChange[] = [
    { position: 9, on: ["compress"], size: 0.86 },
    { position: 20, on: ["checksum"], off: ["cache"], size: 0.31, probability: 0.942 },
    { position: 28, on: [], size: -0.18 },
  ];
  const near = (position: number) => changes.some((change) => Math.abs(change.position - 0.5 - position) < 1);
  const made = searchOf({
    commits: 36,
    options,
    configurations,
    changes,
    noise: 0.006,
    measured: (configuration, position) => (configuration < 5 ? position % 4 === 0 || position === 35 || near(position) : configuration < 9 ? position === 0 || position === 35 || near(position) : near(position) && (configuration + position) % 3 > 0),
  });
  made.changes[1]!.commits.unshift({ ...made.visited.find((each) => each.position === 19)! });
  made.disagreements = [
    { sentence: "The program refuses all 3 configurations with verify and not checksum, which the constraints allow (verify needs checksum).", kind: "refused", constraint: "verify and not checksum", example: "verify", configurations: 3, said: "verify needs checksum" },
    { sentence: "The program accepts what 'mmap implies cache' forbids, as in 1 of its configurations: mmap.", kind: "accepted", constraint: "mmap implies cache", example: "mmap", configurations: 1, said: "" },
  ];
  made.not_built = [{ position: 14, commit: "14aa".padEnd(40, "0"), subject: "half of a change" }];
  made.notes = ["one commit was tried in vain"];
  return made;
}

/** A report that holds a search alone. */
export const searched = (variants: unknown) => ({ ...exampleReport(), check: null, commits: [], series: [], variants });

/** A search that went through many configurations and commits. */
export function largeSearch(configurations = 400, commits = 10_000) {
  const many = Array.from({ length: 64 }, (_, at) => `option-${at}`);
  const random = randomFrom(64);
  return searchOf({
    commits,
    options: many,
    configurations: Array.from({ length: configurations }, () => many.filter(() => random() < 0.5)),
    changes: Array.from({ length: 12 }, (_, at) => ({ position: 700 * (at + 1), on: [many[at * 5]!], size: at % 3 ? 0.3 : -0.2 })),
    measured: (configuration, position) => (position * 7 + configuration * 131) % 997 === 0,
  });
}

/** Names and texts that try to break out, in every place where text is shown. */
export function hostileSearch() {
  const names = hostileNames.filter((each) => each !== "");
  const evil = hostileNames[1]!;
  const made = searchOf({ commits: 12, options: names, configurations: [names, [], ...names.map((each) => [each])], changes: names.map((each, at) => ({ position: 1 + at, on: [each], size: 0.2 })), metric: evil, unit: evil, measured: () => true });
  return {
    ...made,
    benchmark: hostileNames[3],
    sentence: evil,
    advice: evil,
    notes: [evil, hostileNames[3]],
    visited: made.visited.map((each) => ({ ...each, commit: evil, subject: hostileNames[3] })),
    disagreements: [{ sentence: evil + hostileNames[3] }],
    not_built: [{ position: 3, commit: evil, subject: evil }],
  };
}
