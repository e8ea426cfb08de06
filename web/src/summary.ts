// The top of the page: what came out, between which commits, at what cost, and how good predictions have been.
import type { BuiltCommit, Check, Rate, Report, Verdict } from "./document";
import { h, name, s, sentence } from "./dom";
import * as format from "./format";
import { icon, tone } from "./verdict";

const meanings = ["nothing regressed", "something regressed", "something failed", "inconclusive", "nothing was measured"];
const tones: Verdict[] = ["unchanged", "regressed", "failed", "inconclusive", "not measured"];

export function masthead(report: Report): HTMLElement {
  const { host, processor, cores, memory, kernel } = report.machine;
  const about = [
    host,
    processor,
    cores !== null && format.plural(cores, "core"),
    memory !== null && format.quantity(memory, "B"),
    kernel,
  ].filter((part): part is string => typeof part === "string" && part !== "");
  return h(
    "header",
    { class: "masthead" },
    h("h1", {}, name(report.project || "Report", "project"), h("span", { class: "kind" }, report.check ? "check of a commit" : report.explanation ? "what stacks did" : report.variants ? "search over commits and options" : "history")),
    h(
      "p",
      { class: "about" },
      report.madeMs !== null && h("time", { datetime: isoTime(report.madeMs) }, format.moment(report.madeMs)),
      ...about.map(sentence),
      h("span", {}, `Dragnet${report.dragnet ? ` ${report.dragnet}` : ""}`),
    ),
  );
}

function isoTime(ms: number): string | null {
  const at = new Date(ms);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}

function commitRow(side: string, commit: BuiltCommit): HTMLElement {
  return h(
    "div",
    { class: "commit" },
    h("dt", {}, side),
    h(
      "dd",
      {},
      h("code", { title: commit.commit }, format.shortCommit(commit.commit) || format.none),
      h("span", { class: "subject" }, sentence(commit.subject)),
      h(
        "span",
        { class: "faint" },
        commit.author && sentence(commit.author),
        commit.time !== null && h("time", {}, format.moment(commit.time * 1000)),
        commit.buildSeconds !== null && h("span", {}, `built in ${format.duration(commit.buildSeconds)}`),
      ),
    ),
  );
}

const fact = (title: string, value: string, ...more: (Node | string | null)[]): HTMLElement =>
  h("div", { class: "fact" }, h("dt", {}, title), h("dd", {}, h("span", { class: "value" }, value), ...more));

const faint = (text: string) => h("span", { class: "faint" }, text);

function rateFact(title: string, meaning: string, rate: Rate): HTMLElement {
  if (rate.rate === null) return fact(title, format.none, faint(meaning), faint("no cases yet"));
  const [low, high] = [rate.low ?? 0, rate.high ?? 1];
  const bar = s(
    "svg",
    { class: "rate", viewBox: "0 0 100 6", preserveAspectRatio: "none", "aria-hidden": "true" },
    s("rect", { class: "track", width: 100, height: 6 }),
    s("rect", { class: "range", x: low * 100, width: Math.max(1, (high - low) * 100), height: 6 }),
    s("rect", { class: "mark", x: Math.min(98.5, rate.rate * 100), width: 1.5, height: 6 }),
  );
  return fact(title, format.share(rate.rate), bar, faint(meaning), faint(`${format.share(low)} to ${format.share(high)}, ${format.plural(rate.cases, "case")}`));
}

const stages = ["building", "predicting", "measuring", "explaining"] as const;

function timeFact(check: Check): HTMLElement {
  const known = stages.map((stage) => ({ stage, seconds: check.seconds[stage] ?? 0 })).filter((each) => each.seconds > 0);
  const sum = known.reduce((total, each) => total + each.seconds, 0);
  let x = 0;
  const bar = s("svg", { class: "rate", viewBox: "0 0 100 6", preserveAspectRatio: "none", "aria-hidden": "true" });
  for (const { stage, seconds } of known) {
    const width = (seconds / sum) * 100;
    bar.append(s("rect", { class: `stage ${stage}`, x, width: Math.max(0.6, width - 0.5), height: 6 }));
    x += width;
  }
  const legend = h(
    "span",
    { class: "faint stages" },
    ...known.map(({ stage, seconds }) => h("span", { class: `stage ${stage}` }, `${stage} ${format.duration(seconds)}`)),
  );
  return fact("Time", format.duration(check.seconds.total), sum > 0 ? bar : null, legend);
}

function facts(check: Check): HTMLElement {
  const spent = check.seconds.measuring;
  const remembered = check.pairsRemembered > 0 ? `and ${check.pairsRemembered.toLocaleString("en")} kept from before` : "none kept from before";
  return h(
    "dl",
    { class: "facts" },
    fact("Exit status", check.status === null ? format.none : String(check.status), faint(meanings[check.status ?? -1] ?? "")),
    fact("Budget", format.duration(check.budgetSeconds), faint(spent === null ? "" : `${format.duration(spent)} spent on measuring`)),
    timeFact(check),
    fact("Pairs measured", check.pairsMeasured.toLocaleString("en"), faint(remembered)),
    rateFact("Hit rate", "changes that were foreseen", check.hit),
    rateFact("Dismiss rate", "of those without a change", check.dismiss),
    fact(
      "Audits",
      check.audits.toLocaleString("en"),
      faint(check.trained ? `${check.auditsMissed.toLocaleString("en")} changed after all` : "the predictor is not trained yet"),
    ),
  );
}

export function summary(check: Check): HTMLElement {
  const verdict = tones[check.status ?? -1] ?? "not measured";
  const notes = [...(check.complete ? [] : ["This check was interrupted: what is shown is what was known by then."]), ...check.notes];
  return h(
    "section",
    { class: `summary ${tone(verdict)}`, "aria-labelledby": "outcome" },
    h("h2", { id: "outcome", class: "outcome" }, icon(verdict), sentence(check.sentence || meanings[check.status ?? -1] || "No outcome is known.")),
    h("dl", { class: "commits" }, commitRow("old", check.old), commitRow("new", check.new)),
    facts(check),
    notes.length > 0 && h("ul", { class: "notes", "aria-label": "Notes" }, ...notes.map((note) => h("li", {}, sentence(note)))),
  );
}
