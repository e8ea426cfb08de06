// What a search over commits and options found: the answer, its changes, what the program does against its
// constraints, and all that was measured.
import type { Verdict } from "./document";
import { clean, cut, h, name, sentence } from "./dom";
import { effectParts } from "./effects";
import * as format from "./format";
import { heatMap, heatRows } from "./heat";
import { table } from "./table";
import type { VariantChange, Variants } from "./variants";
import { icon, tone } from "./verdict";

const verdicts: Verdict[] = ["unchanged", "regressed", "failed", "inconclusive", "not measured"];

function verdictOf({ status, changes }: Variants): Verdict {
  if (status === 0 && changes.length > 0) return "improved";
  return verdicts[status ?? -1] ?? "not measured";
}

const fact = (title: string, value: string, more = ""): HTMLElement => h("div", { class: "fact" }, h("dt", {}, title), h("dd", {}, h("span", { class: "value" }, value), more && h("span", { class: "faint" }, more)));

const count = (value: number | null): string => (value === null ? format.none : value.toLocaleString("en"));

function facts(found: Variants): HTMLElement {
  const { effort } = found;
  return h(
    "dl",
    { class: "facts few" },
    fact("Done", format.share(found.done), "probability that there is no other change"),
    fact("Commits", count(found.commits), `measured at ${found.columns.length.toLocaleString("en")}`),
    fact("Options", count(found.options.length), `${count(effort.configurations)} configurations looked at`),
    fact("Measurements", count(effort.measurements), `of ${count(effort.cells)} cells`),
    fact("Noise", format.share(found.noise), "standard deviation of a measurement"),
    found.measured ? fact("Time", format.duration(effort.seconds), `${count(effort.builds)} builds made`) : fact("Time", format.none, "read from a table"),
  );
}

function answer(found: Variants): HTMLElement {
  const verdict = verdictOf(found);
  return h(
    "section",
    { class: `summary ${tone(verdict)}`, "aria-labelledby": "outcome" },
    h("h2", { id: "outcome", class: "outcome" }, icon(verdict), sentence(found.sentence || "No outcome is known.")),
    h("p", { class: "question" }, name(cut(found.metric), "metric"), " of ", name(cut(found.benchmark)), `; changes below ${format.share(found.threshold)} do not matter`),
    facts(found),
    found.notes.length > 0 && h("ul", { class: "notes", "aria-label": "Notes" }, ...found.notes.map((note) => h("li", {}, sentence(note)))),
  );
}

function commitCell({ commits }: VariantChange): (Node | string)[] {
  const last = commits[commits.length - 1];
  if (!last) return [format.none];
  const others = commits.length - 1;
  return [h("code", { title: cut(last.commit) }, clean(format.shortCommit(last.commit))), " ", sentence(cut(last.subject, 200)), others > 0 ? h("span", { class: "faint" }, ` or one of ${others.toLocaleString("en")} before it`) : ""];
}

const sizeCell = (row: VariantChange) => [
  h("span", { class: `verdict ${tone(row.worse ? "regressed" : "improved")}` }, icon(row.worse ? "regressed" : "improved"), h("span", { class: "estimate" }, format.change(row.estimate))),
  " ",
  h("span", { class: "range faint" }, format.changeInterval(row.low, row.high)),
];

function changes(found: Variants): HTMLElement {
  const made = table(
    "Changes, oldest first",
    [
      { key: "number", title: "No.", className: "c-number", by: (row: VariantChange) => row.number, cell: (row) => [String(row.number)] },
      { key: "commit", title: "Commit", heading: true, className: "c-subject", by: (row) => row.column, cell: commitCell },
      { key: "condition", title: "Where it shows", hint: "the options that must be on, or off, for it to show", className: "c-condition", by: (row) => row.condition, cell: (row) => [row.on.length + row.off.length > 0 ? name(row.condition) : h("span", {}, "all configurations")] },
      { key: "change", title: "Change", hint: "in the configuration that shows it best, with its interval at 95 %", className: "c-change", largestFirst: true, by: (row) => row.estimate, cell: sizeCell },
      { key: "shown", title: "Shows best with", className: "c-condition c-shown", cell: (row) => [h("span", { class: "clamp" }, clean(cut(row.shownBy.join(", "), 300)) || "no option")] },
      { key: "probability", title: "Probability", hint: "that the commit and the options are both right", className: "c-number", largestFirst: true, by: (row) => row.probability, cell: (row) => [format.probability(row.probability)] },
    ],
    found.changes,
  );
  made.element.classList.add("changes");
  return h("section", { class: "part", "aria-labelledby": "changes" }, h("h3", { id: "changes" }, "Changes"), h("div", { class: "scroll" }, made.element));
}

const disagreements = (found: Variants): HTMLElement =>
  h(
    "section",
    { class: "part", "aria-labelledby": "disagreements" },
    h("h3", { id: "disagreements" }, "Program and constraints disagree"),
    h("ul", {}, ...found.disagreements.map((each) => h("li", {}, sentence(each)))),
  );

/** All parts of the page of a search. */
export function searchedParts(found: Variants): HTMLElement[] {
  const parts = [answer(found)];
  if (found.changes.length > 0) parts.push(changes(found));
  if (found.disagreements.length > 0) parts.push(disagreements(found));
  if (found.rows.length === 0) return parts;
  const rows = heatRows(found);
  parts.push(h("section", { class: "part", "aria-labelledby": "heat" }, h("h3", { id: "heat" }, "Commits and configurations"), heatMap(found, rows)));
  const effects = effectParts(found, rows);
  if (effects.length > 0)
    parts.push(
      h(
        "section",
        { class: "part", "aria-labelledby": "effects" },
        h("h3", { id: "effects" }, "Options along the commits"),
        h("p", { class: "faint compared" }, "Mean change since the first commit of the configurations with the option on and of those with it off: the steps from commit to commit, averaged over those that are known on both sides. Where the lines part, the option matters."),
        ...effects,
      ),
    );
  return parts;
}
