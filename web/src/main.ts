// Reads the report inside the page and shows what the address asks for.
import { checkedDetail, seriesDetail } from "./detail";
import { type Report, readReport } from "./document";
import { clean, cut, h, name } from "./dom";
import * as format from "./format";
import { overview } from "./overview";
import { forgetPlots } from "./plot";
import { formatRoute, home, parseRoute, type Route } from "./route";
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

function showList(report: Report, route: Route): void {
  document.title = `${cut(clean(report.project), 80) || "Report"} - Dragnet`;
  if (report.check) {
    main.replaceChildren(summary(report.check), overview(report.check, route));
    if (report.seriesCount > 0) main.append(moreHistories(report));
  } else main.replaceChildren(seriesList(report, route));
}

/** The names in the order of the list, for going to the next and the previous. */
const names = (report: Report): string[] =>
  report.check ? report.check.benchmarks.map((each) => each.name) : [...new Set(report.series.map((each) => each.benchmark))];

function wayBack(report: Report, benchmark: string): HTMLElement {
  const all = names(report);
  const at = all.indexOf(benchmark);
  const step = (target: string | undefined, text: string, rel: string) =>
    target === undefined ? h("span", { class: "faint" }, text) : h("a", { rel, href: formatRoute({ benchmark: target }), title: cut(clean(target)) }, text);
  return h(
    "nav",
    { class: "way", "aria-label": "Between benchmarks" },
    h("a", { class: "back", href: lastList }, "← All benchmarks"),
    at >= 0 && all.length > 1 ? h("span", { class: "steps" }, step(all[at - 1], "Previous", "prev"), h("span", { class: "faint" }, `${at + 1} of ${all.length}`), step(all[at + 1], "Next", "next")) : null,
  );
}

function showBenchmark(report: Report, route: Route & { benchmark: string }): void {
  const { benchmark } = route;
  document.title = `${cut(clean(benchmark), 80)} - ${cut(clean(report.project), 80)} - Dragnet`;
  const found = report.check?.benchmarks.find((each) => each.name === benchmark);
  const known = found || report.series.some((each) => each.benchmark === benchmark);
  const parts = found ? checkedDetail(report, found, route, forgetPlots) : known ? seriesDetail(report, benchmark, route) : [h("p", { class: "empty" }, "This report has no such benchmark.")];
  main.replaceChildren(wayBack(report, benchmark), h("h2", { class: "title", id: "title", tabindex: -1 }, name(benchmark)), ...parts);
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

function navigate(report: Report): void {
  // The place in the list is noted before it is left; filters change the address without an event.
  addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (link && parseRoute(location.hash).benchmark === null) [lastList, listScroll] = [location.hash || "#", scrollY];
  }, true);
  addEventListener("hashchange", () => show(report, false));
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented || parseRoute(location.hash).benchmark === null) return;
    if (event.target instanceof HTMLInputElement) return;
    location.hash = lastList;
  });
  // Paper cannot be opened.
  addEventListener("beforeprint", () => {
    for (const details of main.querySelectorAll<HTMLDetailsElement>("details.log")) details.open = true;
  });
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
