// The similarity report: which stacks of a commit do more or less than before, where that arises, and what limits the
// answer. A row opens to its stack.
import { type Cause, type Hunk, type Row, type Shift, type Similarity, type Step, type Unfinished, type Use } from "./explanation";
import { type Commit } from "./read";
import { clean, cleanLog, h, name, sentence, unseen } from "./dom";
import * as format from "./format";
import { placeText, shortName, stackCell, stackList, stacksBeside } from "./stack";
import { type Column, type Table, table } from "./table";
import { icon, tone } from "./verdict";

const signals: Record<number, string> = { 4: "SIGILL", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE", 9: "SIGKILL", 11: "SIGSEGV", 13: "SIGPIPE", 14: "SIGALRM", 15: "SIGTERM", 24: "SIGXCPU", 25: "SIGXFSZ" };

function endOf(run: Unfinished): string {
  const status = run.status ?? NaN;
  if (Number.isNaN(status)) return "";
  return run.outcome === "crashed" ? ` (signal ${status}${signals[status] ? `, ${signals[status]}` : ""})` : ` (exit status ${status})`;
}

/** Runs that did not finish, each with the end of its log. */
export function unfinishedPart(runs: Unfinished[]): HTMLElement | null {
  if (runs.length === 0) return null;
  const block = (run: Unfinished) => {
    const told = h("span", {}, `Run ${run.run ?? "?"} of `, h("code", { title: run.commit }, format.shortCommit(run.commit)), ` ${clean(run.outcome) || "did not finish"}${endOf(run)} after ${format.duration(run.seconds)}`);
    if (!run.log.trim()) return h("p", { class: "crash" }, icon("failed"), told, h("span", { class: "faint" }, "It printed nothing."));
    return h("details", { class: "log crash", open: true }, h("summary", {}, icon("failed"), told), h("pre", { tabindex: 0, "aria-label": `End of the log of run ${run.run ?? ""}` }, cleanLog(run.log)));
  };
  return h("section", { class: `part crashes ${tone("failed")}`, "aria-labelledby": "crashes" }, h("h3", { id: "crashes" }, `${format.plural(runs.length, "run")} did not finish`), ...runs.map(block));
}

/** The quantity of a row that changed most, of those that count. */
function largestShift(row: Row): { of: "amount" | "calls" | "perCall"; shift: Shift } | null {
  const counting = (["amount", "calls", "perCall"] as const).map((of) => ({ of, shift: row.changes[of] })).filter((each) => each.shift.counts);
  return counting.sort((a, b) => Math.abs(b.shift.share) - Math.abs(a.shift.share))[0] ?? null;
}

/** Whether a finding does more than before, rather than less. */
export function doesMore(row: Row): boolean {
  const largest = largestShift(row);
  return largest ? largest.shift.share > 0 : row.new.amount === row.old.amount ? row.new.calls >= row.old.calls : row.new.amount > row.old.amount;
}

const rowTone = (row: Row) => (row.finding ? tone(doesMore(row) ? "regressed" : "improved") : tone("unchanged"));

/** What a finding does more or less, in words: "written +990 calls a run, +97.1 % of the run's calls". */
export function shiftWords(row: Row): string {
  const largest = largestShift(row);
  const metric = clean(row.metric);
  if (!largest) return `${metric} ${format.fromTo(row.old.amount, row.new.amount, row.unit)} a run`;
  const { of, shift } = largest;
  const difference = shift.new - shift.old;
  const share = format.change(shift.share);
  if (of === "calls") return `${metric} ${format.difference(difference, "")} calls a run, ${share} of the run's calls`;
  return `${metric} ${format.difference(difference, row.unit)} a ${of === "amount" ? "run" : "call"}, ${share} of all that is ${metric}`;
}

function shareCell(row: Row): (Node | string)[] {
  const largest = row.finding ? largestShift(row) : null;
  if (!largest) return [h("span", { class: "faint" }, row.finding ? format.none : "~", row.finding ? null : unseen(" as before"))];
  return [h("span", { class: `estimate ${rowTone(row)}` }, format.change(largest.shift.share)), h("span", { class: "faint" }, largest.of === "calls" ? " of calls" : "")];
}

function columns(similarity: Similarity): Column<Row>[] {
  const several = new Set(similarity.totals.map((each) => each.metric)).size > 1 || new Set(similarity.rows.map((each) => each.metric)).size > 1;
  const wanted: (Column<Row> | null)[] = [
    { key: "number", title: "#", className: "c-number c-position", by: (row) => row.position, cell: (row) => [String(row.position + 1)] },
    { key: "sc", title: "SC", hint: "Similarity: 1 as before, 0 in no run as before", className: "c-number", by: (row) => row.similarity, cell: (row) => [row.similarity === null ? format.none : row.similarity.toFixed(2)] },
    { key: "calls", title: "Calls", hint: "Calls of a run", className: "c-number", largestFirst: true, by: (row) => row.calls, cell: (row) => [format.quantity(row.calls, "")] },
    { key: "callsdiff", title: "Calls diff", hint: "Calls of a run, against before", className: "c-number", largestFirst: true, by: (row) => row.callsDifference, cell: (row) => [format.difference(row.callsDifference, "")] },
    { key: "impact", title: "Impact", hint: "How far a call lies outside of what calls did before", className: "c-number", largestFirst: true, by: (row) => row.impact, cell: (row) => [format.difference(row.impact, row.unit)] },
    { key: "total", title: "Total impact", hint: "Impact times calls", className: "c-number", largestFirst: true, by: (row) => row.totalImpact, cell: (row) => [format.difference(row.totalImpact, row.unit)] },
    { key: "range", title: "Range diff", hint: "How far apart calls were before", className: "c-number c-range", largestFirst: true, by: (row) => (row.range ? row.range.high - row.range.low : null), cell: (row) => [row.range ? format.quantity(row.range.high - row.range.low, row.unit) : format.none] },
    { key: "runs", title: "Runs", hint: "Runs in which the stack did anything, of all", className: "c-number c-runs", by: (row) => row.runs, cell: (row) => [`${row.runs}/${row.ofRuns}`] },
    similarity.method === "published" ? null : { key: "share", title: "Of the run", hint: "What it does more or less, as a share of all that a run does", className: "c-number c-of", largestFirst: true, by: (row) => Math.abs(largestShift(row)?.shift.share ?? 0), cell: shareCell },
    several ? { key: "metric", title: "Metric", className: "c-metric", by: (row) => row.metric, cell: (row) => [name(row.metric, "metric")] } : null,
    { key: "stack", title: "Stack", className: "c-stack", heading: true, cell: (row) => [stackCell(row.stack)] },
  ];
  return wanted.filter((each) => each !== null);
}

function quantities(row: Row): HTMLElement {
  const evidence = (shift: Shift) => (shift.counts ? (shift.exact ? "exact: the values repeat" : `p ${format.pValue(shift.pValue)}`) : "no change that counts");
  const line = (title: string, shift: Shift, unit: string) =>
    h("tr", {}, h("th", { scope: "row" }, title), h("td", { class: "c-number" }, format.quantity(shift.old, unit)), h("td", { class: "c-number" }, format.quantity(shift.new, unit)), h("td", { class: "c-number" }, shift.counts ? h("span", { class: `estimate ${rowTone(row)}` }, format.change(shift.share)) : "~"), h("td", { class: "faint" }, evidence(shift)));
  const amounts = row.old.amount > 0 || row.new.amount > 0;
  const heads = ["", "Before", "Now", "Of the run", "Evidence"];
  return h(
    "table",
    { class: "quantities" },
    h("caption", { class: "unseen" }, "What the stack did before and now"),
    h("thead", {}, h("tr", {}, ...heads.map((title, at) => h("th", { scope: "col", class: at > 0 && at < 4 ? "c-number" : null }, title || unseen("Quantity"))))),
    h("tbody", {}, amounts ? line(`${clean(row.metric)} a run`, row.changes.amount, row.unit) : null, line("calls a run", row.changes.calls, ""), amounts ? line(`${clean(row.metric)} a call`, row.changes.perCall, row.unit) : null),
  );
}

const mostFiles = 12;

function filesTable(row: Row): HTMLElement | null {
  if (row.files.length === 0) return null;
  const rest = row.files.length - mostFiles;
  const amounts = row.files.some((each) => each.old > 0 || each.new > 0);
  const numbers = (before: string, now: string, tag: "td" | "th") => (amounts ? [before, now].map((text) => h(tag, { class: "c-number", scope: tag === "th" ? "col" : null }, text)) : []);
  return h(
    "table",
    { class: "files" },
    h("caption", { class: "unseen" }, "Files that it was done to"),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "File"), ...numbers("Before", "Now", "th"))),
    h("tbody", {}, ...row.files.slice(0, mostFiles).map((each) => h("tr", {}, h("th", { scope: "row", class: "c-file" }, name(each.file)), ...numbers(format.quantity(each.old, row.unit), format.quantity(each.new, row.unit), "td"))), rest > 0 ? h("tr", {}, h("td", { colspan: 3, class: "faint" }, `and ${format.plural(rest, "more file")}`)) : null),
  );
}

const likenesses = new Map([
  ["wrapped", "Taken for one stack: the functions are the same but for some that only one side has."],
  ["similar", "Taken for one stack: functions and amounts are most alike."],
]);

function likeness(row: Row): string {
  if (row.oldStack.length === 0) return "New: no stack did this before.";
  if (row.runs === 0) return "Gone: no stack does this now.";
  return likenesses.get(row.match) ?? "";
}

/** What a row shows when it is open. */
function rowDetail(row: Row, similarity: Similarity, hunks: Hunk[]): HTMLElement {
  const cause = row.cause !== null ? (similarity.causes[row.cause] ?? null) : null;
  const marks = { hunks, cause };
  const beside = row.oldStack.length > 0 && row.runs > 0 && likenesses.has(row.match);
  const words = likeness(row);
  return h(
    "div",
    { class: "row-detail" },
    h("div", { class: "row-stack" }, words ? h("p", { class: "likeness" }, words) : null, beside ? stacksBeside(row.oldStack, row.stack, marks) : stackList(row.stack, marks)),
    h("div", { class: "row-numbers" }, quantities(row), filesTable(row)),
  );
}

const place = (cause: Cause) => (cause.file ? [" (", h("bdi", {}, clean(placeText(cause.file, cause.line))), ")"] : []);

/** Where the findings arise, a sentence each; the numbers of their rows lead to them. */
function causeList(similarity: Similarity, goTo: (row: Row) => void): HTMLElement | null {
  const known = similarity.causes.map((cause) => ({ cause, rows: cause.rows.flatMap((at) => similarity.rows[at] ?? []) })).filter((each) => each.rows.length > 0);
  if (known.length === 0) return null;
  const link = (row: Row) => h("button", { type: "button", class: "link", click: () => goTo(row) }, `stack ${row.position + 1}`);
  const shown = 5;
  return h(
    "section",
    { class: "part", "aria-labelledby": "causes" },
    h("h3", { id: "causes" }, known.length === 1 ? "Where it arises" : "Where it arises, the largest effect first"),
    h(
      "ol",
      { class: "causes" },
      ...known.map(({ cause, rows }) =>
        h(
          "li",
          {},
          h("strong", { title: clean(cause.demangled).slice(0, 400) }, name(shortName(cause.demangled))),
          ...place(cause),
          cause.codeChanged ? ", whose code changed" : null,
          ": ",
          sentence(shiftWords(rows[0]!)),
          " in ",
          link(rows[0]!),
          ...rows.slice(1, shown).flatMap((row) => [", ", link(row)]),
          rows.length > shown ? ` and ${rows.length - shown} more` : null,
          ".",
        ),
      ),
    ),
  );
}

function totalsTable(similarity: Similarity): HTMLElement | null {
  if (similarity.totals.length === 0) return null;
  const change = (before: number, now: number) => (before === now ? "~" : before > 0 ? format.change(now / before - 1) : "new");
  const cells = (before: number, now: number, unit: string) => [format.quantity(before, unit), format.quantity(now, unit), change(before, now)].map((text) => h("td", { class: "c-number" }, text));
  const amounts = (each: { old: Use; new: Use }) => each.old.amount > 0 || each.new.amount > 0;
  const blank = () => [format.none, format.none, format.none].map((text) => h("td", { class: "c-number faint" }, text));
  return h(
    "div",
    { class: "scroll" },
    h(
      "table",
      { class: "totals" },
      h("caption", { class: "unseen" }, "All stacks together, per run"),
      h(
        "thead",
        {},
        h("tr", {}, ...["Metric", "Before", "Now", "Change", "Calls before", "Calls now", "Change"].map((title, at) => h("th", { scope: "col", class: at > 0 ? "c-number" : null }, title))),
      ),
      h("tbody", {}, ...similarity.totals.map((each) => h("tr", {}, h("th", { scope: "row" }, name(each.metric, "metric")), ...(amounts(each) ? cells(each.old.amount, each.new.amount, each.unit) : blank()), ...cells(each.old.calls, each.new.calls, "")))),
    ),
  );
}

export function commitLine(word: string, commit: Commit, more: string): HTMLElement {
  return h(
    "div",
    { class: "commit" },
    h("dt", {}, word),
    h("dd", {}, h("code", { title: commit.commit }, format.shortCommit(commit.commit) || format.none), h("span", { class: "subject" }, sentence(commit.subject)), h("span", { class: "faint" }, commit.time !== null && h("time", {}, format.moment(commit.time * 1000)), more && h("span", {}, more))),
  );
}

export const runsText = (runs: number, seconds: number | null): string => `${format.plural(runs, "run")}${seconds !== null ? ` of ${format.duration(seconds)}` : ""}`;

/** The outcome in one sentence. */
export function similaritySentence(similarity: Similarity): string {
  const stacks = format.plural(similarity.rowsInAll, "stack");
  if (similarity.rowsInAll === 0) return "No stack did anything that was watched.";
  if (similarity.findings === 0) return similarity.conclusive ? `No change in ${stacks}.` : `No change is certain in ${stacks}: there are too few runs to tell.`;
  const first = similarity.causes[0];
  const where = first ? `; ${similarity.causes.length === 1 ? "the change" : "most of the change"} arises in ${clean(shortName(first.demangled))}` : "";
  return `${similarity.findings.toLocaleString("en")} of ${stacks} changed${where}.`;
}

/** The tone of a report: by what its first finding does. */
export function similarityVerdict(similarity: Similarity): "regressed" | "improved" | "unchanged" | "inconclusive" {
  const first = similarity.findings > 0 ? similarity.rows.find((each) => each.finding) : undefined;
  if (first) return doesMore(first) ? "regressed" : "improved";
  return similarity.conclusive ? "unchanged" : "inconclusive";
}

function outcome(similarity: Similarity): HTMLElement {
  const verdict = similarityVerdict(similarity);
  const { old: bases } = similarity;
  return h(
    "section",
    { class: `summary ${tone(verdict)}`, "aria-labelledby": "outcome" },
    h("h3", { id: "outcome", class: "outcome" }, icon(verdict), h("span", {}, similaritySentence(similarity))),
    h(
      "dl",
      { class: "commits" },
      ...bases.map((base, at) => commitLine("old", base, at === bases.length - 1 ? runsText(similarity.oldRuns, similarity.oldSeconds) : "")),
      commitLine("new", similarity.new, runsText(similarity.newRuns, similarity.newSeconds)),
    ),
    totalsTable(similarity),
    similarity.notes.length > 0 && h("ul", { class: "notes", "aria-label": "Notes" }, ...similarity.notes.map((note) => h("li", {}, sentence(note)))),
  );
}

const mostAlike = 200;

/** The rows that did not change, made when they are asked for. */
function alikePart(similarity: Similarity, make: (rows: Row[], caption: string) => Table<Row>): HTMLElement | null {
  const alike = similarity.rows.filter((row) => !row.finding);
  const inAll = similarity.rowsInAll - similarity.findings;
  if (inAll <= 0) return null;
  const missing = inAll - Math.min(alike.length, mostAlike);
  const details = h(
    "details",
    {
      class: "alike",
      toggle: () => {
        if (details.childElementCount > 1) return;
        if (alike.length > 0) details.append(h("div", { class: "scroll" }, make(alike.slice(0, mostAlike), "Stacks that did not change").element));
        if (missing > 0) details.append(h("p", { class: "faint rest" }, `${alike.length > 0 ? "and " : ""}${format.plural(missing, alike.length > 0 ? "more stack" : "stack")} that this page does not hold`));
      },
    },
    h("summary", {}, `${format.plural(inAll, "stack")} as before`),
  );
  return details;
}

/** The whole report; `opened` is told which row was opened, and `wanted` is opened at once. */
export function similarityParts(step: Step, similarity: Similarity, wanted: number | null, opened: (row: Row) => void): HTMLElement[] {
  const rows = similarity.rows;
  const opening = { label: (row: Row) => `Stack ${row.position + 1}`, content: (row: Row) => rowDetail(row, similarity, step.hunks), opened: (row: Row, open: boolean) => open && opened(row) };
  const make = (some: Row[], caption: string) => {
    const made = table(caption, columns(similarity), some, () => {}, opening);
    made.element.classList.add("similarity");
    return made;
  };
  const findings = make(rows.filter((row) => row.finding), "Stacks that changed, the most telling first");
  findings.element.classList.add("findings");
  const goTo = (row: Row) => {
    const line = findings.open(row);
    line?.scrollIntoView({ block: "start" });
    line?.querySelector<HTMLElement>(".opener")?.focus({ preventScroll: true });
  };
  const first = wanted !== null ? rows[wanted] : undefined;
  if (first?.finding) requestAnimationFrame(() => goTo(first));
  return [
    outcome(similarity),
    unfinishedPart(similarity.unfinished),
    causeList(similarity, goTo),
    similarity.rowsInAll > 0
      ? h(
          "section",
          { class: "part", "aria-labelledby": "stacks" },
          h("h3", { id: "stacks" }, "Stacks"),
          similarity.findings > 0 ? h("div", { class: "scroll" }, findings.element) : h("p", { class: "faint" }, "Nothing changed."),
          similarity.findings > 0 ? h("p", { class: "faint legend-text" }, "SC: 1 as before, 0 in no run as before. Impact: how far a call lies outside of what calls did before; total impact: that times calls. Range diff: how far apart calls were before.") : null,
          alikePart(similarity, make),
        )
      : null,
  ].filter((each): each is HTMLElement => each !== null);
}
