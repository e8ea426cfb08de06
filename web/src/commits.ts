// One metric along the commits: the total of each with the range of its runs. Points lead to what changed there.
import type { Overview, OverviewPoint } from "./explanation";
import { clean, cut, h, sentence } from "./dom";
import * as format from "./format";
import { type Canvas, line, mark, plot, roomy } from "./plot";
import { stepsOf, unitLabels } from "./scale";
import { doesMore } from "./similarity";
import { stackCell, stackShort } from "./stack";
import { type Column, table } from "./table";
import { icon, tone } from "./verdict";

/** What the graph is drawn of. */
interface Drawn {
  quantity: Quantity;
  /** The quantities that there are. */
  choices: Quantity[];
  points: OverviewPoint[];
  unit: string;
  metric: string;
  value: (point: OverviewPoint) => number;
  band: boolean;
}

type Quantity = "amount" | "calls";

/** Whether values differ by less than a hundredth. */
const isFlat = (values: number[]) => Math.max(...values) - Math.min(...values) <= 0.01 * Math.max(...values);

/** Amounts where there are any and nothing else is asked for; but calls where only they differ. */
function drawnOf(overview: Overview, wanted: string): Drawn {
  const known = overview.points.filter(watched);
  const amounts = known.some((point) => point.mean.amount > 0);
  const usual = amounts && !(isFlat(known.map((point) => point.mean.amount)) && !isFlat(known.map((point) => point.mean.calls))) ? "amount" : "calls";
  const choices: Quantity[] = amounts ? ["amount", "calls"] : ["calls"];
  const quantity = choices.find((each) => each === wanted) ?? usual;
  const byAmount = quantity === "amount";
  return {
    quantity,
    choices,
    points: overview.points,
    unit: byAmount ? overview.unit : "",
    metric: byAmount ? overview.metric : `calls, ${overview.metric}`,
    value: (point) => (byAmount ? point.mean.amount : point.mean.calls),
    band: byAmount,
  };
}

const watched = (point: OverviewPoint) => point.runs > 0;
const pointTone = (point: OverviewPoint) => (point.first && !doesMore(point.first) ? "improved" : "regressed");

function drawBand({ ctx, x, y, theme }: Canvas, points: { at: number; point: OverviewPoint }[]): void {
  ctx.beginPath();
  for (const { at, point } of points) ctx.lineTo(x(at), y(point.high));
  for (const { at, point } of [...points].reverse()) ctx.lineTo(x(at), y(point.low));
  ctx.closePath();
  ctx.save();
  ctx.globalAlpha = 0.22;
  ctx.fillStyle = theme.new;
  ctx.fill();
  ctx.restore();
}

function drawPoints(canvas: Canvas, drawn: Drawn): void {
  const { ctx, x, y, box, theme, px } = canvas;
  const known = drawn.points.map((point, at) => ({ at, point })).filter(({ point }) => watched(point));
  if (drawn.band) drawBand(canvas, known);
  known.slice(1).forEach(({ at, point }, index) => {
    const before = known[index]!;
    line(canvas, [x(before.at), y(drawn.value(before.point))], [x(at), y(drawn.value(point))], theme.new, { width: 1.5 });
  });
  const bottom = box.top + box.height;
  drawn.points.forEach((point, at) => {
    if (!watched(point)) {
      for (const slope of [-1, 1]) line(canvas, [x(at) - 3 * px, bottom - (8 + 3 * slope) * px], [x(at) + 3 * px, bottom - (8 - 3 * slope) * px], theme.faint, { width: 1.3 });
      return;
    }
    const colour = point.findings > 0 ? (pointTone(point) === "regressed" ? theme.worse : theme.better) : theme.new;
    mark(canvas, point.findings > 0 ? "diamond" : "dot", x(at), y(drawn.value(point)), colour);
    if (point.unfinished > 0) {
      ctx.font = `${13 * px}px ${theme.font.slice(5)}`;
      ctx.fillStyle = theme.verdicts.failed;
      ctx.textAlign = "center";
      ctx.fillText("!", x(at), y(drawn.value(point)) - 8 * px);
    }
  });
}

function tellPoint(drawn: Drawn, point: OverviewPoint): string {
  const range = drawn.band && point.low !== point.high ? ` (${format.quantity(point.low, drawn.unit)} to ${format.quantity(point.high, drawn.unit)})` : "";
  const calls = `${format.quantity(point.mean.calls, "")} calls, ${format.plural(point.runs, "run")}`;
  const did = !watched(point) ? "not watched" : drawn.band ? `${format.quantity(drawn.value(point), drawn.unit)}${range}, ${calls}` : calls;
  const changed = point.findings > 0 ? `; ${format.plural(point.findings, "stack")} changed${point.first ? `, first ${stackShort(point.first.stack)}` : ""}` : "";
  const failed = point.unfinished > 0 ? `; ${format.plural(point.unfinished, "run")} did not finish` : "";
  return `${format.shortCommit(point.commit.commit)} ${cut(point.commit.subject, 120)}: ${did}${changed}${failed}`;
}

const key = (className: string, text: string, sign = "") => h("span", { class: `key ${className}` }, h("i", { "aria-hidden": "true" }, sign), text);

function legend(drawn: Drawn): HTMLElement {
  const unwatched = drawn.points.filter((point) => !watched(point)).length;
  const failed = drawn.points.filter((point) => point.unfinished > 0).length;
  return h(
    "p",
    { class: "legend" },
    key("k-dot", "mean of a commit's runs"),
    drawn.band && key("k-area", "lowest to highest run"),
    key("k-diamond k-changed", "stacks changed"),
    unwatched > 0 && key("k-gap", `not watched (${unwatched})`, "×"),
    failed > 0 && key("k-gap k-failed", `runs did not finish (${failed})`, "!"),
  );
}

/** What a commit changed, for the table. */
function changesCell(point: OverviewPoint): (Node | string | null)[] {
  const parts: (Node | null)[] = [];
  if (!watched(point)) parts.push(h("span", { class: "faint" }, "not watched"));
  else if (point.findings === 0) parts.push(h("span", { class: "faint" }, point.comparedWith.length > 0 ? "~" : "the first"));
  if (point.findings > 0) parts.push(h("span", { class: `verdict ${tone(pointTone(point))}` }, icon(pointTone(point)), h("span", {}, `${format.plural(point.findings, "stack")} changed`)), point.first ? stackCell(point.first.stack) : null);
  if (point.unfinished > 0) parts.push(h("span", { class: `verdict ${tone("failed")}` }, icon("failed"), h("span", {}, `${format.plural(point.unfinished, "run")} did not finish`)));
  return parts;
}

function commitTable({ metric, unit }: Overview, drawn: Drawn, link: (point: OverviewPoint) => string | null): HTMLElement {
  const commitCell = (point: OverviewPoint) => {
    const code = h("code", { title: point.commit.commit }, format.shortCommit(point.commit.commit));
    const href = link(point);
    return [href ? h("a", { href }, code, " ", sentence(cut(point.commit.subject, 200))) : h("span", {}, code, " ", sentence(cut(point.commit.subject, 200)))];
  };
  const amounts: Column<OverviewPoint>[] = [
    { key: "mean", title: clean(metric), className: "c-number", largestFirst: true, by: (row) => (watched(row) ? row.mean.amount : null), cell: (row) => [watched(row) ? format.quantity(row.mean.amount, unit) : format.none] },
    { key: "range", title: "Lowest to highest", className: "c-number c-range", cell: (row) => [watched(row) ? `${format.quantity(row.low, unit)} to ${format.quantity(row.high, unit)}` : format.none] },
  ];
  const columns: Column<OverviewPoint>[] = [
    { key: "commit", title: "Commit", heading: true, className: "c-subject", by: (row) => drawn.points.indexOf(row), cell: commitCell },
    ...(drawn.choices.includes("amount") ? amounts : []),
    { key: "calls", title: "Calls", className: "c-number", largestFirst: true, by: (row) => (watched(row) ? row.mean.calls : null), cell: (row) => [watched(row) ? format.quantity(row.mean.calls, "") : format.none] },
    { key: "runs", title: "Runs", className: "c-number c-runs", by: (row) => row.runs, cell: (row) => [String(row.runs)] },
    { key: "changes", title: "Changes", className: "c-changed", largestFirst: true, by: (row) => row.findings, cell: changesCell },
  ];
  const made = table("Commits, oldest first", columns, drawn.points);
  made.element.classList.add("points");
  return h("div", { class: "scroll" }, made.element);
}

/** How many commits changed what stacks do, by any of the metrics. */
export const changedCommits = (overviews: Overview[]): number => new Set(overviews.flatMap((each) => each.points.filter((point) => point.findings > 0).map((point) => point.commit.commit))).size;

/** The outcome of a range in one sentence. */
export function overviewSentence(overviews: Overview[]): string {
  const changed = changedCommits(overviews);
  const commits = format.plural(overviews[0]?.points.length ?? 0, "commit");
  return changed === 0 ? `No stack changed in ${commits}.` : `${changed} of ${commits} changed what stacks do.`;
}

/** Where views of a range lead. */
export interface Links {
  point: (point: OverviewPoint) => string | null;
  quantity: (quantity: string) => string;
}

const quantityChips = (drawn: Drawn, links: Links): HTMLElement | null =>
  drawn.choices.length > 1 ? h("nav", { class: "chips", "aria-label": "Drawn by" }, ...drawn.choices.map((each) => h("a", { class: "chip", href: links.quantity(each), "aria-current": each === drawn.quantity ? "true" : null }, each))) : null;

export function overviewParts(overview: Overview, wanted: string, links: Links): HTMLElement[] {
  const drawn = drawnOf(overview, wanted);
  const { points } = drawn;
  const values = points.filter(watched).flatMap((point) => (drawn.band ? [point.low, point.high, point.mean.amount] : [drawn.value(point)]));
  const changed = points.filter((point) => point.findings > 0);
  const verdict = changed.length === 0 ? "unchanged" : pointTone(changed[changed.length - 1]!);
  const figure = plot({
    title: `${clean(drawn.metric)}, total of a run`,
    description: `${overviewSentence([overview])} ${changed.map((point) => tellPoint(drawn, point)).slice(0, 10).join(". ")}`,
    legend: legend(drawn),
    xs: points.map((_, at) => at),
    ys: points.map((point) => (watched(point) ? drawn.value(point) : null)),
    xRange: [-0.8, Math.max(0, points.length - 1) + 0.8],
    yRange: roomy(values, 0.16),
    xLabels: (splits) => splits.map((at) => format.shortCommit(points[at]?.commit.commit ?? "").slice(0, 7)),
    yLabels: (splits, step) => unitLabels(splits, step, drawn.unit),
    ...stepsOf(drawn.unit),
    height: 260,
    draw: (canvas) => drawPoints(canvas, drawn),
    tell: (index) => (points[index] ? tellPoint(drawn, points[index]) : ""),
    follow: (index) => {
      const href = points[index] && links.point(points[index]);
      if (href) location.hash = href;
    },
  });
  return [
    h("p", { class: `headline ${tone(verdict)}` }, icon(verdict), h("span", {}, overviewSentence([overview]))),
    h("section", { class: "part", "aria-labelledby": "along" }, h("h3", { id: "along" }, "Along the commits"), quantityChips(drawn, links), figure, h("p", { class: "faint" }, "A click on a point, or Enter, opens what changed there.")),
    h("section", { class: "part", "aria-labelledby": "commits" }, h("h3", { id: "commits" }, "Commits"), commitTable(overview, drawn, links.point)),
  ];
}
