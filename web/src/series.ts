// All series of a report: a table with a small drawing of each.
import type { Change, Report, Series } from "./document";
import { clean, cut, h, name, s, sentence } from "./dom";
import * as format from "./format";
import { followRow } from "./overview";
import { formatRoute, replaceRoute, type Route } from "./route";
import { type Column, table } from "./table";
import { icon, tone } from "./verdict";

const width = 300;
const height = 34;

/** The levels of a series as steps: from a position, to a position, at a value. */
export function levels(series: Series): { from: number; to: number; value: number }[] {
  const first = series.points[0];
  const last = series.points[series.points.length - 1];
  if (!first || !last) return [];
  if (series.changes.length === 0) {
    const sorted = series.points.map((point) => point.value).sort((a, b) => a - b);
    return [{ from: first.position, to: last.position, value: sorted[sorted.length >> 1]! }];
  }
  const steps = series.changes.map((change, index) => ({
    from: index === 0 ? first.position : series.changes[index - 1]!.position,
    to: change.position,
    value: change.before,
  }));
  const end = series.changes[series.changes.length - 1]!;
  steps.push({ from: end.position, to: last.position, value: end.after });
  return steps.flatMap((each) => (each.value === null ? [] : [{ from: each.from, to: each.to, value: each.value }]));
}

function sparkline(series: Series, last: number): SVGElement {
  const steps = levels(series);
  const all = [...series.points.map((point) => point.value), ...steps.map((each) => each.value)];
  let [low, high] = [Infinity, -Infinity];
  for (const value of all) [low, high] = [Math.min(low, value), Math.max(high, value)];
  // A quiet series stays flat: at least 2 % of its level fill the height.
  const spare = Math.max(Math.abs(high) * 0.02 - (high - low), 0) / 2;
  [low, high] = [low - spare, high + spare];
  const x = (position: number) => (3 + (position / Math.max(1, last)) * (width - 6)).toFixed(1);
  const y = (value: number) => (high > low ? height - 4 - ((value - low) / (high - low)) * (height - 8) : height / 2).toFixed(1);
  const path = steps.map((each, index) => `${index ? "V" : `M${x(each.from)} `}${y(each.value)}H${x(each.to)}`).join("");
  return s(
    "svg",
    { class: "spark", viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", height, "aria-hidden": "true" },
    s("path", { class: "dots", d: series.points.map((point) => `M${x(point.position)} ${y(point.value)}h0`).join("") }),
    path && s("path", { class: "level", d: path }),
    ...series.changes.map((change) => s("line", { class: change.worse ? tone("regressed") : tone("improved"), x1: x(change.position), x2: x(change.position), y1: 1, y2: height - 1 })),
  );
}

const weight = (series: Series): number => {
  const last = series.changes[series.changes.length - 1];
  return last ? (last.worse ? 2 : 1) + Math.min(0.99, Math.abs(last.size.estimate ?? 0)) : 0;
};

/** A change in words, with the icon of its direction. */
export function changeMark(change: Change): HTMLElement {
  const verdict = change.worse ? "regressed" : "improved";
  return h("span", { class: `verdict ${tone(verdict)}` }, icon(verdict), h("span", {}, change.size.estimate === null ? "from 0" : format.change(change.size.estimate)));
}

function lastChange(series: Series): (Node | null)[] {
  const change = series.changes[series.changes.length - 1];
  if (!change) return [h("span", { class: "faint" }, "~")];
  return [changeMark(change), h("span", { class: "clamp where" }, h("code", {}, format.shortCommit(change.commit)), " ", sentence(cut(change.subject)))];
}

function columns(last: number): Column<Series>[] {
  return [
    {
      key: "benchmark",
      title: "Benchmark",
      className: "c-name",
      heading: true,
      by: (row) => row.benchmark,
      cell: (row) => [h("a", { href: formatRoute({ benchmark: row.benchmark, metric: row.metric }), title: cut(clean(row.benchmark)) }, name(row.benchmark))],
    },
    { key: "metric", title: "Metric", className: "c-metric", by: (row) => row.metric, cell: (row) => [name(row.metric, "metric"), row.source ? h("span", { class: "faint source" }, row.source) : null] },
    { key: "trend", title: "Along the commits", className: "c-trend", cell: (row) => [sparkline(row, last)] },
    { key: "latest", title: "Latest", className: "c-number c-latest", cell: (row) => [format.quantity(row.points[row.points.length - 1]?.value ?? null, row.unit)] },
    { key: "changes", title: "Changes", className: "c-number c-changes", largestFirst: true, by: (row) => row.changes.length, cell: (row) => [String(row.changes.length)] },
    { key: "weight", title: "Latest change", className: "c-last", largestFirst: true, by: weight, cell: lastChange },
  ];
}

/** The table of all series, those that last became worse first. */
export function seriesList(report: Report, route: Route, remember: (route: Route) => void = replaceRoute): HTMLElement {
  if (report.series.length === 0) return h("section", { "aria-label": "Histories" }, h("p", { class: "empty" }, "Nothing was measured along these commits yet."));
  const state = { ...route };
  const last = Math.max(report.commits.length - 1, ...report.series.map((each) => each.points[each.points.length - 1]?.position ?? 0));
  const ordered = [...report.series].sort((a, b) => weight(b) - weight(a));
  const rows = table("Series, those that last became worse first", columns(last), ordered, (order) => {
    state.sort = order;
    remember(state);
  });
  const count = h("output", { class: "faint count", "aria-live": "polite" });
  const nothing = h("p", { class: "empty", hidden: true }, "No series matches.");
  const only = h("input", { type: "checkbox", change: () => update(), checked: state.verdict === "changed" });
  const search = h("input", { type: "search", placeholder: "Filter by text", "aria-label": "Filter series by text", value: state.text, input: () => update() });

  function apply(): void {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const known = (row: Series) => `${row.benchmark}\n${row.metric}\n${row.source}`.toLowerCase();
    const shown = rows.filter((row) => (!only.checked || row.changes.length > 0) && words.every((word) => known(row).includes(word)));
    count.textContent = shown === ordered.length ? "" : `${shown} of ${format.plural(ordered.length, "series", "series")}`;
    rows.element.hidden = shown === 0;
    nothing.hidden = shown > 0;
  }
  function update(): void {
    state.text = search.value;
    state.verdict = only.checked ? "changed" : "";
    apply();
    remember(state);
  }

  rows.element.classList.add("histories");
  rows.element.addEventListener("click", followRow);
  rows.sort(state.sort);
  apply();
  return h(
    "section",
    { class: "list", "aria-labelledby": "histories" },
    h("div", { class: "bar" }, h("h2", { id: "histories" }, "Histories", h("span", { class: "kind" }, format.plural(ordered.length, "series", "series"))), h("label", { class: "toggle" }, only, "only with changes"), search, count),
    h("div", { class: "scroll" }, rows.element),
    nothing,
  );
}
