// What the stacks of a benchmark did: the overview over commits, the similarity report of one of them, from there the
// flame graph, the run reports of both sides and the diff. Each has its own address.
import { changedCommits, overviewParts, overviewSentence } from "./commits";
import { diffParts } from "./diff";
import { clean, cut, h, name, sentence, unseen } from "./dom";
import type { ExplainedBenchmark, Explanation, Overview, OverviewPoint, Step, Tree } from "./explanation";
import { flameGraph, largestDifferences } from "./flame";
import * as format from "./format";
import { followRow } from "./overview";
import { formatRoute, replaceRoute, type Route, type View } from "./route";
import { runParts } from "./runs";
import { similarityParts, similaritySentence, similarityVerdict } from "./similarity";
import { type Column, table } from "./table";
import { icon, tone } from "./verdict";

interface Context {
  explanation: Explanation;
  benchmark: ExplainedBenchmark;
  route: Route;
}

const diffsOf = (explanation: Explanation, commit: string) => explanation.diffs.filter((each) => each.new === commit);

// A metric that was chosen stays chosen from one report to the next.
const address = ({ benchmark, route }: Context, view: View, more: Partial<Route> = {}) => formatRoute({ benchmark: benchmark.name, view, metric: route.metric, ...more });

const empty = (text: string) => h("p", { class: "empty" }, text);

/** The reports that belong to a commit, as links; the one that is shown is marked. */
function reports(context: Context, step: Step, view: View): HTMLElement {
  const { benchmark, route, explanation } = context;
  const { commit } = step;
  const link = (text: string, to: View, more: Partial<Route>, current: boolean) => h("a", { class: "chip", href: address(context, to, more), "aria-current": current ? "page" : null }, text);
  const of = route.of || commit;
  const bases = step.similarity?.old.map((each) => each.commit).filter((each) => benchmark.steps.get(each)?.runs) ?? [];
  return h(
    "nav",
    { class: "chips", "aria-label": "Reports of this commit" },
    benchmark.overviews.length > 0 && link("All commits", "stacks", {}, false),
    step.similarity && link("Similarity report", "stacks", { commit }, view === "stacks"),
    step.trees.length > 0 && link("Flame graph", "flame", { commit }, view === "flame"),
    ...bases.map((base) => link(`Runs before, ${format.shortCommit(base)}`, "runs", { commit, of: base }, view === "runs" && of === base)),
    step.runs && link(step.similarity ? `Runs now, ${format.shortCommit(commit)}` : `Runs, ${format.shortCommit(commit)}`, "runs", { commit }, view === "runs" && of === commit),
    diffsOf(explanation, commit).length > 0 && link("Diff", "diff", { commit }, view === "diff"),
  );
}

/** The commits before and after along the range. */
function between(context: Context, step: Step, view: View): HTMLElement | null {
  const points = context.benchmark.overviews[0]?.points.filter((point) => context.benchmark.steps.has(point.commit.commit)) ?? [];
  const at = points.findIndex((point) => point.commit.commit === step.commit);
  if (at < 0 || points.length < 2) return null;
  const link = (point: OverviewPoint | undefined, text: string, rel: string) =>
    point ? h("a", { rel, href: address(context, view === "flame" ? "flame" : "stacks", { commit: point.commit.commit }), title: cut(clean(point.commit.subject)) }, text) : h("span", { class: "faint" }, text);
  return h("nav", { class: "steps", "aria-label": "Between commits" }, link(points[at - 1], "← Earlier commit", "prev"), h("span", { class: "faint" }, `${at + 1} of ${points.length}`), link(points[at + 1], "Later commit →", "next"));
}

/** Which commits a flame graph is about. */
function compared({ similarity, runs, commit }: Step): HTMLElement {
  const before = similarity?.old[0]?.commit ?? "";
  const now = similarity?.new.commit ?? commit;
  const code = (id: string) => h("code", { title: id }, format.shortCommit(id));
  return h("p", { class: "faint compared" }, ...(before ? [code(before), " → "] : []), code(now), " ", sentence(cut((similarity?.new ?? runs?.commit)?.subject ?? "", 200)), ", means of a run");
}

/** The flame graph of one metric and quantity; the controls choose another. */
function flameParts(context: Context, step: Step): HTMLElement[] {
  const { route } = context;
  const { trees } = step;
  const metrics = [...new Set(trees.map((each) => each.metric))];
  const find = (metric: string | null, quantity: string) => trees.find((each) => each.metric === metric && each.quantity === quantity) ?? trees.find((each) => each.metric === metric);
  let chosen: Tree | undefined = find(route.metric, route.quantity) ?? trees[0];
  const place = h("section", { class: "part", "aria-labelledby": "flame" });
  const choose = (next: Tree | undefined, focus: "metric" | "quantity") => {
    chosen = next ?? chosen;
    if (chosen) replaceRoute({ benchmark: context.benchmark.name, view: "flame", commit: step.commit, metric: chosen.metric, quantity: chosen.quantity });
    draw();
    place.querySelector<HTMLElement>(focus === "metric" ? "select" : "input:checked")?.focus();
  };
  function controls(tree: Tree): HTMLElement {
    const select = h("select", { "aria-label": "Metric", change: () => choose(find(metrics[select.selectedIndex] ?? null, tree.quantity), "metric") }, ...metrics.map((each) => h("option", { selected: each === tree.metric }, clean(each) || "(no name)")));
    const radio = (quantity: Tree["quantity"], text: string) =>
      h("label", { class: "toggle" }, h("input", { type: "radio", name: "quantity", value: quantity, checked: quantity === tree.quantity, disabled: !trees.some((each) => each.metric === tree.metric && each.quantity === quantity), change: () => choose(find(tree.metric, quantity), "quantity") }), text);
    return h("div", { class: "bar choosers" }, h("label", { class: "toggle" }, "Metric", select), h("fieldset", { class: "choices" }, h("legend", {}, "Frames by"), radio("amount", "amount"), radio("calls", "calls")));
  }
  function draw(): void {
    const root = chosen?.root;
    if (!chosen || !root || (root.old <= 0 && root.new <= 0)) {
      place.replaceChildren(empty("There is no tree of calls for this."));
      return;
    }
    const noun = chosen.quantity === "calls" ? `calls, ${chosen.metric}` : chosen.metric;
    const title = chosen.quantity === "calls" ? ["Calls that count as ", name(chosen.metric, "metric")] : ["Amount of ", name(chosen.metric, "metric")];
    const most = largestDifferences(root);
    place.replaceChildren(h("h3", { id: "flame" }, ...title, step.similarity ? ", before and now" : ", by stack"), compared(step), controls(chosen), ...(most ? [most] : []), flameGraph(root, { unit: chosen.unit, noun, alone: !step.similarity }));
  }
  draw();
  return [place];
}

function runView(context: Context, step: Step): HTMLElement[] {
  const { benchmark, route } = context;
  const runs = (route.of ? benchmark.steps.get(route.of) : step)?.runs;
  if (!runs) return [empty("This report has no runs of that commit.")];
  return runParts(runs, route.metric, (metric) => address(context, "runs", { commit: step.commit, of: route.of, metric }));
}

function similarityView(context: Context, step: Step): HTMLElement[] {
  if (!step.similarity) return step.runs ? runParts(step.runs, context.route.metric, (metric) => address(context, "runs", { commit: step.commit, metric })) : [empty("This commit was not compared with another.")];
  const wanted = /^\d+$/.test(context.route.row) ? Number(context.route.row) - 1 : null;
  return similarityParts(step, step.similarity, wanted, (row) => replaceRoute({ benchmark: context.benchmark.name, view: "stacks", commit: step.commit, metric: context.route.metric, row: String(row.position + 1) }));
}

function stepParts(context: Context, step: Step): HTMLElement[] {
  const view: View = context.route.view || (step.similarity ? "stacks" : "runs");
  const shown: Record<View, () => HTMLElement[]> = {
    stacks: () => similarityView(context, step),
    flame: () => flameParts(context, step),
    runs: () => runView(context, step),
    diff: () => {
      const diffs = diffsOf(context.explanation, step.commit);
      return diffs.length > 0 ? diffParts(diffs) : [empty("This report has no diff of that commit.")];
    },
  };
  const way = h("div", { class: "reports" }, reports(context, step, view), between(context, step, view));
  return [way, ...shown[view]()];
}

/** Where a point of the overview leads: to what changed there, or else to its runs. */
function pointAddress(context: Context, point: OverviewPoint): string | null {
  const step = context.benchmark.steps.get(point.commit.commit);
  if (!step || (!step.similarity && !step.runs)) return null;
  return address(context, step.similarity ? "stacks" : "runs", { commit: step.commit });
}

/** The metric that was chosen, else the first one by which stacks changed, else one that there is anything of. */
function chosenOverview({ benchmark, route }: Context): Overview | undefined {
  const { overviews } = benchmark;
  const some = (each: Overview) => each.points.some((point) => point.mean.amount > 0 || point.mean.calls > 0);
  return overviews.find((each) => each.metric === route.metric) ?? overviews.find((each) => changedCommits([each]) > 0) ?? overviews.find(some) ?? overviews[0];
}

/** The metrics that can be drawn along the commits, and in how many commits each changed. */
function overviewChips(context: Context, chosen: Overview): HTMLElement | null {
  const { overviews } = context.benchmark;
  if (overviews.length < 2) return null;
  const chip = (each: Overview) => {
    const changed = changedCommits([each]);
    const count = changed > 0 ? [" ", h("span", { class: "count" }, String(changed)), unseen(` ${changed === 1 ? "commit" : "commits"} changed`)] : [];
    return h("a", { class: "chip", href: address(context, "stacks", { metric: each.metric }), "aria-current": each === chosen ? "true" : null }, name(each.metric, "metric"), ...count);
  };
  return h("nav", { class: "chips metrics-nav", "aria-label": "Metrics" }, ...overviews.map(chip));
}

const notesPart = (notes: string[]) => (notes.length > 0 ? h("ul", { class: "notes loose", "aria-label": "Notes" }, ...notes.map((note) => h("li", {}, sentence(note)))) : null);

/** What the address asks for about the stacks of a benchmark. */
export function explainedParts(explanation: Explanation, benchmark: ExplainedBenchmark, route: Route): HTMLElement[] {
  const context: Context = { explanation, benchmark, route };
  const notes = notesPart(explanation.notes);
  if (route.commit) {
    const step = benchmark.steps.get(route.commit);
    return step ? stepParts(context, step) : [empty("This report tells nothing about that commit.")];
  }
  const parts: (HTMLElement | null)[] = [notes];
  const overview = chosenOverview(context);
  if (overview && (route.view === "" || route.view === "stacks")) parts.push(overviewChips(context, overview), ...overviewParts(overview, route.quantity, { point: (point) => pointAddress(context, point), quantity: (quantity) => address(context, "stacks", { metric: overview.metric, quantity }) }));
  if (benchmark.main) parts.push(...stepParts(context, benchmark.main));
  if (!overview && !benchmark.main) parts.push(empty("Nothing is known about the stacks of this benchmark."));
  return parts.filter((each): each is HTMLElement => each !== null);
}

/** What came out, for a line of a list. */
function outcomeOf(benchmark: ExplainedBenchmark): { verdict: "regressed" | "improved" | "unchanged" | "inconclusive" | "failed"; text: string } {
  const similarity = benchmark.main?.similarity;
  if (similarity) return { verdict: similarity.unfinished.length > 0 && similarity.findings === 0 ? "failed" : similarityVerdict(similarity), text: similaritySentence(similarity) };
  const { overviews } = benchmark;
  if (overviews.length > 0) return { verdict: changedCommits(overviews) > 0 ? "regressed" : "unchanged", text: overviewSentence(overviews) };
  const runs = benchmark.main?.runs;
  return { verdict: runs && runs.unfinished.length > 0 ? "failed" : "unchanged", text: runs ? `${format.plural(runs.runs, "run")} at ${format.shortCommit(runs.commit.commit)}.` : "Nothing is known." };
}

/** All explained benchmarks. */
export function explainedList(explanation: Explanation): HTMLElement {
  const outcomes = new Map(explanation.benchmarks.map((each) => [each, outcomeOf(each)]));
  const columns: Column<ExplainedBenchmark>[] = [
    { key: "benchmark", title: "Benchmark", heading: true, className: "c-name", by: (row) => row.name, cell: (row) => [h("a", { href: formatRoute({ benchmark: row.name, view: "stacks" }), title: cut(clean(row.name)) }, name(row.name))] },
    { key: "outcome", title: "What its stacks did", className: "c-outcome", by: (row) => outcomes.get(row)?.text ?? null, cell: (row) => outcomeCell(outcomes.get(row)!) },
  ];
  const made = table("What the stacks of benchmarks did", columns, explanation.benchmarks);
  made.element.classList.add("explained");
  made.element.addEventListener("click", followRow);
  return h("section", { class: "list", "aria-labelledby": "explained" }, h("div", { class: "bar" }, h("h2", { id: "explained" }, "Stacks", h("span", { class: "kind" }, format.plural(explanation.benchmarks.length, "benchmark")))), notesPart(explanation.notes), h("div", { class: "scroll" }, made.element));
}

const outcomeCell = ({ verdict, text }: ReturnType<typeof outcomeOf>) => [h("span", { class: `verdict ${tone(verdict)}` }, icon(verdict)), " ", h("span", { class: "clamp" }, cut(text))];

/** A short answer with a link, for the page of a benchmark's measurements. */
export function explainedNote(benchmark: ExplainedBenchmark): HTMLElement {
  const outcome = outcomeOf(benchmark);
  return h(
    "section",
    { class: "part", "aria-labelledby": "stacks-note" },
    h("h3", { id: "stacks-note" }, "Stacks"),
    h("p", { class: `headline ${tone(outcome.verdict)}` }, icon(outcome.verdict), h("span", {}, cut(outcome.text)), h("a", { href: formatRoute({ benchmark: benchmark.name, view: "stacks" }) }, "What its stacks did")),
  );
}

/** The title of a view, for the browser's window. */
export const viewTitle = (route: Route): string => {
  const names: Record<View, string> = { stacks: "stacks", flame: "flame graph", runs: "runs", diff: "diff" };
  return `${route.view ? names[route.view] : ""}${route.commit ? ` ${format.shortCommit(clean(route.commit))}` : ""}`.trim();
};
