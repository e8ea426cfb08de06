// A series along the commits: points with their spread, the levels between changes, and the changes.
import type { Change, Commit, Report, Series } from "./document";
import { h, sentence } from "./dom";
import * as format from "./format";
import { type Canvas, line, mark, plot, roomy } from "./plot";
import { stepsOf, unitLabels } from "./scale";
import { changeMark, levels } from "./series";
import { table } from "./table";

/** The two commits of a check among those of the history, where they are. */
interface Marked {
  position: number;
  label: string;
}

function drawLevels(canvas: Canvas, series: Series): void {
  const { x, y, theme } = canvas;
  for (const level of levels(series)) {
    // A level ends between two commits, and beyond the last one.
    const last = !series.changes.some((change) => change.position === level.to) || level.to === level.from;
    const [from, to] = [level.from - 0.5, level.to + (last ? 0.5 : -0.5)];
    line(canvas, [x(from), y(level.value)], [x(to), y(level.value)], theme.new, { width: 2 });
  }
}

function drawChanges(canvas: Canvas, series: Series): void {
  const { ctx, x, box, theme, px } = canvas;
  ctx.font = `${11 * px}px ${theme.font.slice(5)}`;
  let free = [-Infinity, -Infinity];
  for (const change of series.changes) {
    const at = x(change.position - 0.5);
    const colour = change.worse ? theme.worse : theme.better;
    line(canvas, [at, box.top], [at, box.top + box.height], colour, { width: 1.2, dash: [4, 3] });
    const text = `${change.worse ? "▲" : "▼"} ${change.size.estimate === null ? "from 0" : format.change(change.size.estimate)}`;
    const width = ctx.measureText(text).width;
    const left = at + width + 10 * px > box.left + box.width;
    const start = left ? at - width - 5 * px : at + 4 * px;
    const row = free.findIndex((end) => start > end);
    if (row < 0) continue;
    free[row] = start + width + 6 * px;
    ctx.fillStyle = theme.paper;
    ctx.fillRect(start - 2 * px, box.top + row * 15 * px, width + 4 * px, 15 * px);
    ctx.fillStyle = colour;
    ctx.textAlign = "left";
    ctx.fillText(text, start, box.top + (11 + row * 15) * px);
  }
}

function drawSeries(canvas: Canvas, series: Series, marked: Marked[]): void {
  const { ctx, x, y, box, theme, px } = canvas;
  const bottom = box.top + box.height;
  ctx.font = `${11 * px}px ${theme.font.slice(5)}`;
  for (const { position, label } of marked) {
    line(canvas, [x(position), box.top], [x(position), bottom], theme.faint, { dash: [1, 3] });
    ctx.fillStyle = theme.faint;
    const left = label === "old" || x(position) + 30 * px > box.left + box.width;
    ctx.textAlign = left ? "right" : "left";
    ctx.fillText(label, x(position) + (left ? -3 : 3) * px, bottom - (label === "old" ? 5 : 18) * px);
  }
  drawLevels(canvas, series);
  for (const point of series.points) {
    if (point.deviation && canvas.size > 0.6) line(canvas, [x(point.position), y(point.value - point.deviation)], [x(point.position), y(point.value + point.deviation)], theme.old);
    mark(canvas, "dot", x(point.position), y(point.value), theme.old);
  }
  ctx.fillStyle = theme.faint;
  for (const gap of series.gaps) {
    const at = x(gap.position);
    for (const slope of [-1, 1]) line(canvas, [at - 3 * px, bottom - (8 + 3 * slope) * px], [at + 3 * px, bottom - (8 - 3 * slope) * px], theme.faint, { width: 1.3 });
  }
  drawChanges(canvas, series);
}

const sizeText = (change: Change): string =>
  change.size.estimate === null ? "from 0" : `${format.change(change.size.estimate)}${change.size.low !== change.size.high ? ` (${format.changeInterval(change.size.low, change.size.high)})` : ""}`;

/** The changes of a series as a table: when, how much, and which commits could equally be it. */
export function changeTable(series: Series): HTMLElement {
  return table(
    `Changes of ${series.metric}`,
    [
      { key: "size", title: "Change", className: "c-change", by: (row: Change) => row.size.estimate, cell: (row) => [changeMark(row), h("span", { class: "range faint" }, series.exact ? "exact" : format.changeInterval(row.size.low, row.size.high))] },
      { key: "commit", title: "Commit", heading: true, className: "c-subject", by: (row) => row.position, cell: (row) => [h("code", { title: row.commit }, format.shortCommit(row.commit)), " ", sentence(row.subject)] },
      { key: "before", title: "Before", className: "c-number", by: (row) => row.before, cell: (row) => [format.quantity(row.before, series.unit)] },
      { key: "after", title: "After", className: "c-number", by: (row) => row.after, cell: (row) => [format.quantity(row.after, series.unit)] },
      { key: "equally", title: "Could equally be", className: "c-equally", cell: (row) => [row.equally.filter((each) => each !== row.commit).slice(0, 6).map(format.shortCommit).join(" ") + (row.equally.length > 7 ? ` and ${row.equally.length - 7} more` : "") || format.none] },
      { key: "p", title: "p", className: "c-number", by: (row) => row.pValue, cell: (row) => [series.exact ? format.none : format.pValue(row.pValue)] },
    ],
    series.changes,
  ).element;
}

function tellPoint(series: Series, commits: Commit[], index: number): string {
  const point = series.points[index];
  if (!point) return "";
  const commit = commits[point.position];
  const change = series.changes.find((each) => each.position === point.position);
  const spread = point.deviation ? ` ± ${format.quantity(point.deviation, series.unit)}` : "";
  return (
    `${format.shortCommit(point.commit || commit?.commit || "")} ${commit?.subject ?? ""}: ${format.named(point.value, series.unit, series.metric)}${spread}` +
    (point.runs !== null ? `, ${format.plural(point.runs, "run")}` : "") +
    (change ? `; here it ${change.worse ? "became worse" : "improved"}, ${sizeText(change)}` : "")
  );
}

function marksOf(report: Report): Marked[] {
  if (!report.check) return [];
  const find = (id: string) => (id ? report.commits.findIndex((each) => each.commit === id) : -1);
  return [
    { position: find(report.check.old.commit), label: "old" },
    { position: find(report.check.new.commit), label: "new" },
  ].filter((each) => each.position >= 0);
}

/** A series with its changes, as a plot and as a table. */
export function historyPlot(report: Report, series: Series): HTMLElement {
  const { points, changes } = series;
  const last = Math.max(report.commits.length - 1, points[points.length - 1]?.position ?? 0);
  const figure = plot({
    title: series.metric + (series.source ? `, ${series.source}` : ""),
    description: `${format.plural(points.length, "point")} over ${format.plural(report.commits.length, "commit")}. ` + (changes.length ? `Changes: ${changes.map((each) => `${sizeText(each)} at ${format.shortCommit(each.commit)}`).join("; ")}.` : "No change was found."),
    legend: h(
      "p",
      { class: "legend" },
      h("span", { class: "key k-point" }, h("i", { "aria-hidden": "true" }), "commit, with the spread of its runs"),
      h("span", { class: "key k-level" }, h("i", { "aria-hidden": "true" }), "level"),
      series.gaps.length > 0 && h("span", { class: "key k-gap" }, h("i", { "aria-hidden": "true" }, "×"), `no value (${series.gaps.length})`),
    ),
    xs: points.map((point) => point.position),
    ys: points.map((point) => point.value),
    xRange: [-0.8, last + 0.8],
    yRange: roomy([...points.flatMap((point) => [Math.max(0, point.value - (point.deviation ?? 0)), point.value + (point.deviation ?? 0)]), ...levels(series).map((each) => each.value)], 0.16),
    xLabels: (splits) => splits.map((at) => format.shortCommit(report.commits[at]?.commit ?? "").slice(0, 7)),
    yLabels: (splits, step) => unitLabels(splits, step, series.unit),
    ...stepsOf(series.unit),
    height: 240,
    draw: (canvas) => drawSeries(canvas, series, marksOf(report)),
    tell: (index) => tellPoint(series, report.commits, index),
  });
  if (changes.length > 0) figure.append(h("div", { class: "scroll" }, changeTable(series)));
  return figure;
}
