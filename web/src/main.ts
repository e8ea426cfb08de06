// Reads the report inside the page and shows what the address asks for.
import { checkedDetail, seriesDetail } from "./detail";
import { type Report, readReport } from "./document";
import { clean, cut, h, name } from "./dom";
import { explainedList, explainedNote, explainedParts, viewTitle } from "./explained";
import type { ExplainedBenchmark } from "./explanation";
import * as format from "./format";
import { overview } from "./overview";
import { forgetPlots } from "./plot";
import { formatRoute, home, parseRoute, type Route } from "./route";
import { searchedParts } from "./searched";
import { seriesList } from "./series";
import { masthead, summary } from "./summary";

const page = document.getElementById("page")!;
const main = h("main", { id: "main", tabindex: -1 });
let lastList = "#";
let listScroll = 0;
let lastBenchmark: string | null = null;

function moreHistories(report: Report): HTMLElement {
  const details = h(
    "details",
    { class: "more", toggle: () => details.childElementCount === 1 && details.append(seriesList(report, home, () => {})) },
    h("summary", {}, `Histories of ${format.plural(report.seriesCount, "series", "series")}`),
  );
  return details;
}

/** The only benchmark that a report explains, where it has no check: it is shown at once. */
const sole = (report: Report): ExplainedBenchmark | null => (!report.check && report.explanation?.benchmarks.length === 1 ? report.explanation.benchmarks[0]! : null);

function showList(report: Report, route: Route): void {
  document.title = `${cut(clean(report.project), 80) || "Report"} - Dragnet`;
  const { check, explanation, variants } = report;
  const only = sole(report);
  if (explanation && only) main.replaceChildren(h("h2", { class: "title" }, name(only.name)), ...explainedParts(explanation, only, home));
  else if (check) main.replaceChildren(summary(check), overview(check, route), ...(explanation ? [explainedList(explanation)] : []));
  else if (explanation) main.replaceChildren(explainedList(explanation));
  else if (variants) main.replaceChildren(...searchedParts(variants));
  else main.replaceChildren(seriesList(report, route));
  if (report.seriesCount > 0 && (check || explanation)) main.append(moreHistories(report));
}

/** The names in the order of the list, for going to the next and the previous. */
const names = (report: Report): string[] => [
  ...new Set([
    ...(report.check?.benchmarks.map((each) => each.name) ?? []),
    ...(report.explanation?.benchmarks.map((each) => each.name) ?? []),
    ...(report.check || report.explanation ? [] : report.series.map((each) => each.benchmark)),
  ]),
];

function wayBack(report: Report, benchmark: string): HTMLElement {
  const all = names(report);
  const at = all.indexOf(benchmark);
  const step = (target: string | undefined, text: string, rel: string) =>
    target === undefined ? h("span", { class: "faint" }, text) : h("a", { rel, href: formatRoute({ benchmark: target }), title: cut(clean(target)) }, text);
  return h(
    "nav",
    { class: "way", "aria-label": "Between benchmarks" },
    h("a", { class: "back", href: lastList }, all.length > 1 || !sole(report) ? "← All benchmarks" : "← Start of the report"),
    at >= 0 && all.length > 1 ? h("span", { class: "steps" }, step(all[at - 1], "Previous", "prev"), h("span", { class: "faint" }, `${at + 1} of ${all.length}`), step(all[at + 1], "Next", "next")) : null,
  );
}

/** The two sides of a benchmark that was both measured and explained. */
function kinds(benchmark: string, view: string): HTMLElement {
  const link = (text: string, to: Partial<Route>, current: boolean) => h("a", { class: "chip", href: formatRoute({ benchmark, ...to }), "aria-current": current ? "page" : null }, text);
  return h("nav", { class: "chips", "aria-label": "Of this benchmark" }, link("Measurements", {}, view === ""), link("Stacks", { view: "stacks" }, view !== ""));
}

function benchmarkParts(report: Report, route: Route & { benchmark: string }): HTMLElement[] {
  const { benchmark } = route;
  const { explanation } = report;
  const found = report.check?.benchmarks.find((each) => each.name === benchmark);
  const measured = found || report.series.some((each) => each.benchmark === benchmark);
  const explained = explanation?.benchmarks.find((each) => each.name === benchmark);
  const switcher = measured && explained ? [kinds(benchmark, route.view)] : [];
  if (explanation && explained && (route.view || !measured)) return [...switcher, ...explainedParts(explanation, explained, route)];
  const note = explained ? [explainedNote(explained)] : [];
  if (found) return [...switcher, ...checkedDetail(report, found, route, forgetPlots), ...note];
  return measured ? [...switcher, ...seriesDetail(report, benchmark, route), ...note] : [h("p", { class: "empty" }, "This report has no such benchmark.")];
}

function showBenchmark(report: Report, route: Route & { benchmark: string }): void {
  const { benchmark } = route;
  document.title = [cut(clean(benchmark), 80), viewTitle(route), cut(clean(report.project), 80), "Dragnet"].filter(Boolean).join(" - ");
  main.replaceChildren(wayBack(report, benchmark), h("h2", { class: "title", id: "title", tabindex: -1 }, name(benchmark)), ...benchmarkParts(report, route));
}

/** Back in the list, the reader is where he left it. */
function restoreList(): void {
  scrollTo(0, listScroll);
  if (lastBenchmark === null) return;
  const href = formatRoute({ benchmark: lastBenchmark });
  const link = [...main.querySelectorAll<HTMLAnchorElement>("tbody th a")].find((each) => each.getAttribute("href")?.startsWith(href));
  link?.focus({ preventScroll: true });
}

function show(report: Report, first: boolean): void {
  const route = parseRoute(location.hash);
  forgetPlots();
  if (route.benchmark !== null) {
    showBenchmark(report, { ...route, benchmark: route.benchmark });
    scrollTo(0, 0);
    if (!first) document.getElementById("title")?.focus({ preventScroll: true });
    lastBenchmark = route.benchmark;
  } else {
    showList(report, route);
    if (!first) restoreList();
  }
}

/** Paper cannot be opened: everything is open while it is printed, and the address stays. */
function openForPrint(): void {
  let opened: HTMLElement[] = [];
  addEventListener("beforeprint", () => {
    const address = location.href;
    for (const details of main.querySelectorAll<HTMLDetailsElement>("details.log")) details.open = true;
    opened = [...main.querySelectorAll<HTMLElement>(".findings .opener[aria-expanded=false]")];
    for (const opener of opened) opener.click();
    history.replaceState(null, "", address);
  });
  addEventListener("afterprint", () => {
    for (const opener of opened.splice(0)) if (opener.getAttribute("aria-expanded") === "true") opener.click();
  });
}

function navigate(report: Report): void {
  // The place in the list is noted before it is left; filters change the address without an event.
  addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (link && parseRoute(location.hash).benchmark === null) [lastList, listScroll] = [location.hash || "#", scrollY];
  }, true);
  addEventListener("hashchange", () => show(report, false));
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented || parseRoute(location.hash).benchmark === null) return;
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return;
    location.hash = lastList;
  });
  openForPrint();
}

function start(): void {
  document.querySelector(".skip")?.addEventListener("click", (event) => {
    event.preventDefault();
    main.focus();
  });
  const report = readReport(document.getElementById("report")?.textContent ?? "");
  if (!report) {
    page.replaceChildren(h("main", { id: "main" }, h("p", { class: "empty" }, "This page holds no report.")));
    return;
  }
  page.replaceChildren(masthead(report), main, h("footer", { class: "foot" }, "Made by Dragnet. This file holds everything that it shows."));
  navigate(report);
  show(report, true);
}

start();
