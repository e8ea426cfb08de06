// All benchmarks of a check: a table that sorts, and filters by verdict and by text.
import { type Benchmark, type Check, type Verdict, verdicts } from "./document";
import { clean, cut, h, name, sentence, unseen } from "./dom";
import * as format from "./format";
import { commonScale, intervalBar } from "./interval";
import { formatRoute, replaceRoute, type Route } from "./route";
import { type Column, table } from "./table";
import { badge, icon, tone } from "./verdict";

function changeCell(benchmark: Benchmark): (Node | string | null)[] {
  const change = benchmark.main?.change;
  if (!change) return [h("span", { class: "estimate faint" }, format.none)];
  const range = change.exact ? "exact" : format.changeInterval(change.low, change.high);
  return [
    benchmark.verdict === "unchanged"
      ? h("span", { class: "estimate faint" }, "~", unseen(" no significant change, "))
      : h("span", { class: "estimate" }, format.change(change.estimate)),
    h("span", { class: "range faint" }, range),
  ];
}

const mainReason = (benchmark: Benchmark): string => benchmark.why[0] ?? benchmark.reasons[0] ?? benchmark.main?.rule ?? "";

function columns(check: Check): Column<Benchmark>[] {
  const scale = commonScale(check.benchmarks.flatMap((each) => (each.main ? [each.main] : [])));
  const reach = format.share(scale);
  return [
    { key: "verdict", title: "Verdict", className: "c-verdict", by: (row) => verdicts.indexOf(row.verdict), cell: (row) => [badge(row.verdict)] },
    {
      key: "benchmark",
      title: "Benchmark",
      className: "c-name",
      heading: true,
      by: (row) => row.name,
      cell: (row) => [h("a", { href: formatRoute({ benchmark: row.name }), title: cut(clean(row.name)) }, name(row.name))],
    },
    {
      key: "change",
      title: "Change",
      hint: "new / old - 1, with its interval at 95 %",
      className: "c-change",
      largestFirst: true,
      by: (row) => row.main?.change?.estimate ?? null,
      cell: changeCell,
    },
    {
      key: "interval",
      title: format.span(scale),
      hint: `The interval on a scale to ${reach}; the shaded band is the smallest effect asked for`,
      className: "c-interval",
      cell: (row) => [row.main ? intervalBar(row.main, scale) : null],
    },
    {
      key: "metric",
      title: "Metric",
      className: "c-metric",
      by: (row) => row.main?.metric ?? null,
      cell: (row) => [row.main ? name(row.main.metric, "metric") : format.none, row.metricCount > 1 ? h("span", { class: "faint" }, ` +${row.metricCount - 1}`) : null],
    },
    { key: "pairs", title: "Pairs", className: "c-number c-pairs", largestFirst: true, by: (row) => row.main?.pairs ?? null, cell: (row) => [row.main?.pairs ? String(row.main.pairs) : format.none] },
    { key: "treatment", title: "Treatment", className: "c-treatment", by: (row) => row.treatment, cell: (row) => [row.treatment || format.none] },
    {
      key: "probability",
      title: "Prob.",
      hint: "Probability of a change, as it was predicted",
      className: "c-number c-probability",
      largestFirst: true,
      by: (row) => row.probability,
      cell: (row) => [format.probability(row.probability)],
    },
    { key: "reason", title: "Main reason", className: "c-reason", cell: (row) => [h("span", { class: "clamp", title: cut(clean(mainReason(row))) }, sentence(cut(mainReason(row))))] },
  ];
}

/** The buttons that choose a verdict; the chosen one is pressed. */
function chips(check: Check, choose: (verdict: string) => void): { element: HTMLElement; mark: (verdict: string) => void } {
  const chip = (verdict: Verdict | "", count: number) =>
    h(
      "button",
      { type: "button", class: `chip ${verdict ? tone(verdict) : ""}`, "data-verdict": verdict, "aria-pressed": "false", click: () => choose(verdict) },
      verdict && icon(verdict),
      h("span", {}, verdict || "all"),
      h("span", { class: "count" }, count.toLocaleString("en")),
    );
  const present = verdicts.map((verdict) => ({ verdict, count: check.benchmarks.filter((each) => each.verdict === verdict).length })).filter((each) => each.count > 0);
  const buttons = [chip("", check.benchmarks.length), ...present.map((each) => chip(each.verdict, each.count))];
  return {
    element: h("div", { class: "chips", role: "group", "aria-label": "Show benchmarks by verdict" }, ...buttons),
    mark: (verdict) => {
      for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.verdict === verdict));
    },
  };
}

export function overview(check: Check, route: Route): HTMLElement {
  if (check.benchmarks.length === 0) return h("section", { "aria-label": "Benchmarks" }, h("p", { class: "empty" }, "The check has no benchmarks."));
  const state = { ...route };
  const known = new Map(check.benchmarks.map((each) => [each, `${each.name}\n${each.main?.metric ?? ""}\n${mainReason(each)}\n${each.treatment}`.toLowerCase()]));
  const rows = table("Benchmarks, the weightiest verdict first", columns(check), check.benchmarks, (order) => {
    state.sort = order;
    replaceRoute(state);
  });
  const count = h("output", { class: "faint count", "aria-live": "polite" });
  const nothing = h("p", { class: "empty", hidden: true }, "No benchmark matches.");
  const buttons = chips(check, (verdict) => {
    state.verdict = state.verdict === verdict ? "" : verdict;
    apply();
    replaceRoute(state);
  });
  const search = h("input", {
    type: "search",
    placeholder: "Filter by text",
    "aria-label": "Filter benchmarks by text",
    value: state.text,
    input: () => {
      state.text = search.value;
      apply();
      replaceRoute(state);
    },
  });

  function apply(): void {
    const words = state.text.toLowerCase().split(/\s+/).filter(Boolean);
    const shown = rows.filter((row) => (!state.verdict || row.verdict === state.verdict) && words.every((word) => known.get(row)!.includes(word)));
    buttons.mark(state.verdict);
    count.textContent = shown === check.benchmarks.length ? "" : `${shown} of ${format.plural(check.benchmarks.length, "benchmark")}`;
    rows.element.hidden = shown === 0;
    nothing.hidden = shown > 0;
  }

  rows.element.classList.add("benchmarks");
  rows.element.addEventListener("click", followRow);
  rows.sort(state.sort);
  apply();
  return h(
    "section",
    { class: "list", "aria-labelledby": "benchmarks" },
    h("div", { class: "bar" }, h("h2", { id: "benchmarks" }, "Benchmarks"), buttons.element, search, count),
    h("div", { class: "scroll" }, rows.element),
    nothing,
  );
}

/** A click anywhere in a row follows its link, unless text is being selected. */
export function followRow(event: MouseEvent): void {
  const target = event.target as Element;
  if (target.closest("a, button") || event.button !== 0 || !getSelection()?.isCollapsed) return;
  target.closest("tbody tr")?.querySelector("a")?.click();
}
