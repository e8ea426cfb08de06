// How fast large reports are. This runs after all other tests, with nothing beside it.
import type { Page } from "@playwright/test";
import { largeExplanation } from "./explanations";
import { largeReport } from "./fixtures";
import { expect, test } from "./page";
import { largeSearch, searched } from "./searches";

/** From the start of the navigation until everything is parsed and the first picture is there. */
const openingTime = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((done) => {
        const measure = () => {
          const navigation = performance.getEntriesByType("navigation")[0] as PerformanceNavigationTiming;
          const painted = Math.max(...performance.getEntriesByType("paint").map((entry) => entry.startTime));
          done(Math.max(navigation.loadEventEnd, painted));
        };
        requestAnimationFrame(() => setTimeout(measure, 50));
      }),
  );

/** The best time of a page to open. Whatever else the machine does only adds to it: a slow try is repeated. */
async function bestOpening(page: Page, limit: number, open: () => Promise<void>): Promise<{ best: number; told: string }> {
  const times: number[] = [];
  while (times.length < 3 || (times.length < 10 && Math.min(...times) >= limit)) {
    await open();
    times.push(await openingTime(page));
    await page.goto("about:blank");
  }
  const best = Math.min(...times);
  return { best, told: `${best.toFixed(0)} ms (best of ${times.map((time) => time.toFixed(0)).join(", ")})` };
}

test("500 benchmarks with 100 pairs each open within a second", async ({ open, page }) => {
  test.setTimeout(120_000);
  const report = JSON.stringify(largeReport());
  const { best, told } = await bestOpening(page, 1000, async () => {
    await open(report);
    await expect(page.locator("table.benchmarks tbody tr")).toHaveCount(500);
  });
  console.log(`500 x 100, ${(report.length / 1e6).toFixed(1)} MB: opens in ${told}`);
  expect(best).toBeLessThan(1000);
});

test("a large table sorts and filters without delay", async ({ open, page }) => {
  await open(largeReport());
  const spent = await page.evaluate(() => {
    const start = performance.now();
    document.querySelector<HTMLElement>("th[data-key=change] button")!.click();
    const search = document.querySelector<HTMLInputElement>("input[type=search]")!;
    search.value = "scan";
    search.dispatchEvent(new Event("input"));
    document.body.getBoundingClientRect();
    return performance.now() - start;
  });
  console.log(`sorting and filtering 500 rows: ${spent.toFixed(0)} ms`);
  await expect(page.locator("table.benchmarks tbody tr:not([hidden])")).toHaveCount(100);
  expect(spent).toBeLessThan(1000);
});

test("an explanation of 40 benchmarks beside them opens soon, and a report in it at once", async ({ open, page }) => {
  test.setTimeout(120_000);
  const report = JSON.stringify({ ...largeReport(), explanation: largeExplanation() });
  const { best, told } = await bestOpening(page, 1500, async () => {
    await open(report);
    await expect(page.locator("table.explained tbody tr")).toHaveCount(40);
  });
  await open(report);
  const spent = await page.evaluate(() => {
    const start = performance.now();
    location.hash = "#benchmark=load%2F7&view=stacks";
    return new Promise<number>((done) => addEventListener("hashchange", () => requestAnimationFrame(() => done(performance.now() - start)), { once: true }));
  });
  await expect(page.getByRole("table", { name: /Stacks that changed/ })).toBeVisible();
  console.log(`500 x 100 and 40 x 300 stacks, ${(report.length / 1e6).toFixed(1)} MB: opens in ${told}, a report in it in ${spent.toFixed(0)} ms`);
  expect(best).toBeLessThan(1500);
  expect(spent).toBeLessThan(500);
});

test("a search with 64 options and thousands of cells over 10,000 commits opens within a second", async ({ open, page }) => {
  test.setTimeout(120_000);
  const search = largeSearch();
  const report = JSON.stringify(searched(search));
  const { best, told } = await bestOpening(page, 1000, async () => {
    await open(report);
    await expect(page.locator(".heat-map canvas")).toHaveCount(1);
  });
  await open(report);
  const spent = await page.evaluate(() => {
    const start = performance.now();
    document.querySelector<HTMLElement>(".heat-map")!.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" }));
    return performance.now() - start;
  });
  console.log(`${search.cells.length} cells at ${search.visited.length} of 10,000 commits, ${(report.length / 1e6).toFixed(1)} MB: opens in ${told}, a key in ${spent.toFixed(0)} ms`);
  expect(search.cells.length).toBeGreaterThan(3000);
  expect(best).toBeLessThan(1000);
  expect(spent).toBeLessThan(100);
});
