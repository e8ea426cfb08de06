// One benchmark: its metrics, pairs, history, functions, tree of calls, prediction and logs.
import { type Benchmark, type ChangedFunction, functionsOf, logOf, type Metric, metricsOf, type Report, treeOf } from "./document";
import { cleanLog, clean, cut, h, name, s, sentence } from "./dom";
import { flameGraph, largestDifferences } from "./flame";
import * as format from "./format";
import { historyPlot } from "./history";
import { commonScale, intervalBar } from "./interval";
import { pairsOf, ratioPlot, valuePlot } from "./pairs";
import { formatRoute, replaceRoute, type Route } from "./route";
import { table } from "./table";
import { badge, tone } from "./verdict";

const section = (title: string, id: string, ...content: (Node | null)[]): HTMLElement =>
  h("section", { class: "part", "aria-labelledby": id }, h("h3", { id }, title), ...content);

function metricTable(metrics: Metric[], chosen: Metric, choose: (metric: Metric) => void): HTMLElement {
  const scale = commonScale(metrics);
  const buttons: [Metric, HTMLElement][] = [];
  const pick = (metric: Metric) => {
    const button = h("button", { type: "button", class: "pick", "aria-pressed": String(metric === chosen), click: () => {
      for (const [each, other] of buttons) other.setAttribute("aria-pressed", String(each === metric));
      choose(metric);
    } }, name(metric.metric, "metric"));
    buttons.push([metric, button]);
    return button;
  };
  const side = (metric: Metric, which: "old" | "new") => [
    format.quantity(metric[which].median, metric.unit),
    metric[which].low !== null && metric[which].low !== metric[which].high ? h("span", { class: "faint range" }, `${format.quantity(metric[which].low, metric.unit)} to ${format.quantity(metric[which].high, metric.unit)}`) : null,
  ];
  const rows = table(
    "Metrics of this benchmark",
    [
      { key: "metric", title: "Metric", heading: true, className: "c-metric", cell: (row: Metric) => [metrics.length > 1 ? pick(row) : name(row.metric, "metric"), row.method ? h("span", { class: "faint source" }, row.method) : null] },
      { key: "verdict", title: "Verdict", className: "c-verdict", cell: (row) => [badge(row.verdict)] },
      { key: "change", title: "Change", className: "c-change", cell: (row) => row.change ? [h("span", { class: "estimate" }, row.verdict === "unchanged" ? `~ ${format.change(row.change.estimate)}` : format.change(row.change.estimate)), h("span", { class: "range faint" }, row.change.exact ? "exact" : format.changeInterval(row.change.low, row.change.high))] : [format.none] },
      { key: "interval", title: format.span(scale), className: "c-interval", cell: (row) => [intervalBar(row, scale)] },
      { key: "old", title: "Old", className: "c-number", cell: (row) => side(row, "old") },
      { key: "new", title: "New", className: "c-number", cell: (row) => side(row, "new") },
      { key: "pairs", title: "Pairs", className: "c-number c-pairs", cell: (row) => [String(row.pairs || format.none)] },
      { key: "p", title: "p", hint: "p-value of no change, valid at any time", className: "c-number", cell: (row) => [row.change && !row.change.exact ? format.pValue(row.change.pValue) : format.none] },
      { key: "rule", title: "Rule", className: "c-reason", cell: (row) => [sentence(row.rule)] },
    ],
    metrics,
  );
  rows.element.classList.add("metrics");
  return h("div", { class: "scroll" }, rows.element);
}

function shareBars(row: ChangedFunction, most: number): SVGElement {
  const width = (share: number | null) => Math.max(0, Math.min(1, (share ?? 0) / most)) * 110;
  return s(
    "svg",
    { class: "shares", viewBox: "0 0 110 16", width: 110, height: 16, "aria-hidden": "true" },
    s("rect", { class: "old", y: 1.5, width: width(row.old.share), height: 6 }),
    s("rect", { class: "new", y: 8.5, width: width(row.new.share), height: 6 }),
  );
}

const fromTo = (before: number | null, after: number | null) => `${format.quantity(before, "")} → ${format.quantity(after, "")}`;

function functionTable(functions: ChangedFunction[]): HTMLElement {
  const most = Math.max(1e-9, ...functions.flatMap((row) => [row.old.share ?? 0, row.new.share ?? 0]));
  const words: Record<string, string> = { none: "code unchanged", changed: "code changed", new: "new", deleted: "deleted", renamed: "renamed", data: "data changed" };
  const rows = table(
    "Functions whose cost or code differs, the most telling first",
    [
      {
        key: "function",
        title: "Function",
        heading: true,
        className: "c-function",
        by: (row: ChangedFunction) => row.demangled,
        cell: (row) => [
          h("span", { class: "clamp", title: cut(clean(row.demangled)) }, name(row.demangled)),
          h("span", { class: "faint where" }, row.file && h("bdi", {}, clean(row.file) + (row.line !== null ? `:${row.line}` : "")), row.binary && h("bdi", {}, clean(row.binary))),
          row.inlined.length > 0 ? h("span", { class: "faint clamp" }, "inlined code changed: ", ...row.inlined.slice(0, 8).map((each) => name(each)), row.inlined.length > 8 ? ` and ${row.inlined.length - 8} more` : null) : null,
        ],
      },
      { key: "code", title: "Code", className: "c-code", by: (row) => row.change, cell: (row) => [h("span", { class: `tag t-${row.change}` }, words[row.change] ?? row.change)] },
      { key: "explains", title: "Explains", hint: "What it costs more, with what it calls more, as a share of the run before", className: "c-number", largestFirst: true, by: (row) => row.explains, cell: (row) => [h("span", { class: "estimate" }, format.change(row.explains))] },
      { key: "share", title: "Share, old and new", className: "c-share", largestFirst: true, by: (row) => row.new.share, cell: (row) => [shareBars(row, most), h("span", {}, `${format.share(row.old.share)} → ${format.share(row.new.share)}`)] },
      { key: "instructions", title: "Instructions in itself", className: "c-number", largestFirst: true, by: (row) => row.new.instructions, cell: (row) => [fromTo(row.old.instructions, row.new.instructions)] },
      { key: "calls", title: "Calls", className: "c-number", largestFirst: true, by: (row) => row.new.calls, cell: (row) => [fromTo(row.old.calls, row.new.calls)] },
    ],
    functions,
  );
  rows.element.classList.add("functions");
  return h("div", { class: "scroll" }, rows.element);
}

const bullets = (lines: string[], className: string) => h("ul", { class: className }, ...lines.map((each) => h("li", {}, sentence(each))));

function prediction(benchmark: Benchmark): HTMLElement {
  const treatments: Record<string, string> = {
    measured: "measured",
    audited: "dismissed, but measured as a test of the prediction",
    dismissed: "dismissed, not measured",
    "not reached": "to be measured, but the budget was spent before",
  };
  const bases: Record<string, string> = { rule: "by a rule", learned: "learned from earlier outcomes", untrained: "without training", counted: "by counting both sides" };
  const pair = (title: string, value: string) => h("div", {}, h("dt", {}, title), h("dd", {}, value));
  return h(
    "div",
    {},
    h("dl", { class: "pairs" }, pair("Probability of a change", format.probability(benchmark.probability)), pair("Basis", bases[benchmark.basis] ?? (benchmark.basis || format.none)), pair("Treatment", treatments[benchmark.treatment] ?? (benchmark.treatment || format.none))),
    benchmark.reasons.length > 0 ? bullets(benchmark.reasons, "reasons") : h("p", { class: "faint" }, "No reasons are known."),
  );
}

function logBlock(title: string, log: string, open: boolean): HTMLElement | null {
  if (!log) return null;
  const text = cleanLog(log);
  const lines = text.replace(/\n$/, "").split("\n").length;
  return h("details", { class: "log", open }, h("summary", {}, title, h("span", { class: "faint" }, ` ${format.plural(lines, "line")}`)), h("pre", { tabindex: 0, "aria-label": title }, text));
}

function logs(report: Report, benchmark: Benchmark, metrics: Metric[]): HTMLElement | null {
  const check = report.check;
  const own = logOf(benchmark);
  const blocks = [
    logBlock("Run that did not finish", own, benchmark.verdict === "failed"),
    ...metrics.map((metric) => (metric.log !== own ? logBlock(`Run that did not finish, ${metric.metric}`, metric.log, false) : null)),
    check && logBlock(`Build of old, ${format.shortCommit(check.old.commit)}`, check.old.log, false),
    check && logBlock(`Build of new, ${format.shortCommit(check.new.commit)}`, check.new.log, false),
  ].filter((each): each is HTMLElement => each !== null);
  return blocks.length > 0 ? section("Logs", "logs", ...blocks) : null;
}

function histories(report: Report, benchmark: string, metric: string | null): HTMLElement | null {
  const own = report.series.filter((each) => each.benchmark === benchmark);
  const wanted = metric !== null && own.some((each) => each.metric === metric) ? own.filter((each) => each.metric === metric) : own;
  if (wanted.length === 0) return null;
  return section("History", "history", ...wanted.filter((each) => each.points.length > 0).map((each) => historyPlot(report, each)));
}

function headline(benchmark: Benchmark, metric: Metric | null): HTMLElement {
  const change = metric?.change;
  return h(
    "p",
    { class: `headline ${tone(benchmark.verdict)}` },
    badge(benchmark.verdict),
    metric && change ? h("span", { class: "estimate" }, benchmark.verdict === "unchanged" ? `~ ${format.change(change.estimate)}` : format.change(change.estimate)) : null,
    metric && change ? h("span", {}, `${metric.metric}, ${format.quantity(metric.old.median, metric.unit)} → ${format.quantity(metric.new.median, metric.unit)}, ${change.exact ? "exactly, " : change.low !== null && change.high !== null ? `interval ${format.changeInterval(change.low, change.high)}, ` : ""}${format.plural(metric.pairs, "pair")}`) : null,
  );
}

/** What depends on the chosen metric: the plots of its pairs and its history. */
function metricParts(report: Report, benchmark: Benchmark, metric: Metric | null): (HTMLElement | null)[] {
  const measured = metric !== null && pairsOf(metric).length > 0;
  return [
    measured ? section(`Pairs of ${clean(metric.metric)}`, "pairs", h("div", { class: "two" }, ratioPlot(metric), valuePlot(metric))) : null,
    histories(report, benchmark.name, metric?.metric ?? null),
  ];
}

export function checkedDetail(report: Report, benchmark: Benchmark, route: Route, clearPlots: () => void): HTMLElement[] {
  const metrics = metricsOf(benchmark);
  let chosen = metrics.find((each) => each.metric === route.metric) ?? metrics[0] ?? null;
  const plots = h("div", {}, ...metricParts(report, benchmark, chosen).filter((each) => each !== null));
  const choose = (metric: Metric) => {
    chosen = metric;
    clearPlots();
    plots.replaceChildren(...metricParts(report, benchmark, metric).filter((each) => each !== null));
    replaceRoute({ benchmark: benchmark.name, metric: metric.metric });
  };
  const functions = functionsOf(benchmark);
  const tree = treeOf(benchmark);
  return [
    headline(benchmark, metrics[0] ?? null),
    benchmark.why.length > 0 ? section("Why", "why", bullets(benchmark.why, "why")) : null,
    chosen ? section("Metrics", "metrics", metricTable(metrics, chosen, choose)) : null,
    plots,
    functions.length > 0 ? section("Functions", "functions", functionTable(functions)) : null,
    tree && (tree.old > 0 || tree.new > 0) ? section("Calls", "calls", largestDifferences(tree), flameGraph(tree)) : null,
    section("Prediction", "prediction", prediction(benchmark)),
    logs(report, benchmark, metrics),
  ].filter((each): each is HTMLElement => each !== null);
}

/** A benchmark that only its series tell of. */
export function seriesDetail(report: Report, benchmark: string, route: Route): HTMLElement[] {
  const own = report.series.filter((each) => each.benchmark === benchmark);
  const metrics = [...new Set(own.map((each) => each.metric))];
  const shown = histories(report, benchmark, metrics.includes(route.metric ?? "") ? route.metric : null);
  const links =
    metrics.length > 1
      ? h(
          "nav",
          { class: "chips", "aria-label": "Metrics" },
          ...[null, ...metrics].map((metric) => h("a", { class: "chip", href: formatRoute({ benchmark, metric }), "aria-current": (route.metric ?? null) === metric ? "true" : null }, metric === null ? "all metrics" : name(metric, "metric"))),
        )
      : null;
  return [links, shown].filter((each): each is HTMLElement => each !== null);
}
