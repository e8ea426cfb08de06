// The run report of a commit: the stacks that did most in total and per call, and the files with most.
import type { FileTotal, MetricReport, RunReport, StackTotal, Use } from "./explanation";
import { clean, h, name } from "./dom";
import * as format from "./format";
import { commitLine, runsText, unfinishedPart } from "./similarity";
import { stackCell, stackList } from "./stack";
import { type Column, table } from "./table";

// Some metrics only count calls.
const hasAmounts = (report: MetricReport) => report.total.amount > 0;

const weight = (use: Use, report: MetricReport) => (hasAmounts(report) ? use.amount / report.total.amount : use.calls / (report.total.calls || 1));

function useColumns<Row extends Use>(report: MetricReport): Column<Row>[] {
  const calls: Column<Row> = { key: "calls", title: "Calls", hint: "Calls of a run", className: "c-number", largestFirst: true, by: (row) => row.calls, cell: (row) => [format.quantity(row.calls, "")] };
  const share: Column<Row> = { key: "share", title: "Share", hint: "Of all that a run does", className: "c-number", largestFirst: true, by: (row) => weight(row, report), cell: (row) => [format.share(weight(row, report))] };
  if (!hasAmounts(report)) return [share, calls];
  return [
    share,
    { key: "amount", title: "A run", className: "c-number", largestFirst: true, by: (row) => row.amount, cell: (row) => [format.quantity(row.amount, report.unit)] },
    calls,
    { key: "percall", title: "A call", className: "c-number", largestFirst: true, by: (row) => row.perCall, cell: (row) => [format.quantity(row.perCall, report.unit)] },
  ];
}

const part = (title: string, id: string, ...content: (Node | null)[]) => h("section", { class: "part", "aria-labelledby": id }, h("h3", { id }, title), ...content);

function stackTable(report: MetricReport, stacks: StackTotal[], caption: string): HTMLElement {
  const columns: Column<StackTotal>[] = [
    ...useColumns<StackTotal>(report),
    { key: "runs", title: "Runs", hint: "Runs in which it did anything", className: "c-number c-runs", by: (row) => row.runs, cell: (row) => [String(row.runs)] },
    { key: "stack", title: "Stack", heading: true, className: "c-stack", cell: (row) => [stackCell(row.stack)] },
  ];
  const made = table(caption, columns, stacks, () => {}, { label: (row) => `Stack ${stacks.indexOf(row) + 1}`, content: (row) => h("div", { class: "row-detail" }, h("div", { class: "row-stack" }, stackList(row.stack))) });
  made.element.classList.add("similarity");
  return h("div", { class: "scroll" }, made.element);
}

function fileTable(report: MetricReport): HTMLElement {
  const columns: Column<FileTotal>[] = [...useColumns<FileTotal>(report), { key: "file", title: "File", heading: true, className: "c-file", by: (row) => row.file, cell: (row) => [name(row.file)] }];
  return h("div", { class: "scroll" }, table("Files with most", columns, report.files).element);
}

/** What all stacks did, and what the kernel counted beside it: a gap is told, never hidden. */
function totalSentence(report: MetricReport): string {
  const calls = `${format.quantity(report.total.calls, "")} calls`;
  const total = hasAmounts(report) ? `${format.quantity(report.total.amount, report.unit)} a run in ${calls}` : `${calls} a run`;
  const gap = report.accounted === null ? null : report.accounted - report.total.amount;
  const kernel = gap === null ? "" : Math.abs(gap) < 0.5 ? "; the kernel counted the same" : `; the kernel counted ${format.quantity(report.accounted, report.unit)}, ${format.quantity(Math.abs(gap), report.unit)} ${gap > 0 ? "more" : "less"} than was seen`;
  return `${total}, by ${format.plural(report.stacks, "stack")}${kernel}.`;
}

function metricParts(report: MetricReport): (HTMLElement | null)[] {
  const metric = clean(report.metric);
  return [
    h("p", { class: "headline" }, h("strong", {}, name(report.metric, "metric")), h("span", {}, totalSentence(report))),
    report.most.length > 0 ? part("Most in total", "most", stackTable(report, report.most, `Stacks with most ${metric} in total`)) : null,
    hasAmounts(report) && report.mostPerCall.length > 0 ? part("Most per call", "most-per-call", stackTable(report, report.mostPerCall, `Stacks with most ${metric} per call`)) : null,
    report.files.length > 0 ? part("Files with most", "files", fileTable(report)) : null,
  ];
}

/** The report with one metric at a time; `link` leads to that of another. */
export function runParts(report: RunReport, wanted: string | null, link: (metric: string) => string): HTMLElement[] {
  const chosen = report.metrics.find((each) => each.metric === wanted) ?? report.metrics.find((each) => each.stacks > 0) ?? report.metrics[0];
  const chips =
    report.metrics.length > 1
      ? h("nav", { class: "chips metrics-nav", "aria-label": "Metrics" }, ...report.metrics.map((each) => h("a", { class: "chip", href: link(each.metric), "aria-current": each === chosen ? "true" : null }, name(each.metric, "metric"))))
      : null;
  return [
    h("section", { class: "summary", "aria-label": "Commit" }, h("dl", { class: "commits" }, commitLine("at", report.commit, runsText(report.runs, report.seconds)))),
    report.lost > 0 ? h("p", { class: "warning" }, `${format.plural(report.lost, "record was", "records were")} lost: amounts are too small.`) : null,
    unfinishedPart(report.unfinished),
    chips,
    ...(chosen ? metricParts(chosen) : [h("p", { class: "empty" }, "Nothing was watched in these runs.")]),
  ].filter((each): each is HTMLElement => each !== null);
}
