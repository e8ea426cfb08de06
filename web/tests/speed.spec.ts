// How fast large reports are. This runs after all other tests, with nothing beside it.
import type { Page } from "@playwright/test";
import { largeExplanation } from "./explanations";
import { largeReport } from "./fixtures";
import { expect, test } from "./page";

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

test("500 benchmarks with 100 pairs each open within a second", async ({ open, page }) => {
  test.setTimeout(120_000);
  const report = JSON.stringify(largeReport());
  const times: number[] = [];
  for (let i = 0; i < 3; ++i) {
    await open(report);
    await expect(page.locator("table.benchmarks tbody tr")).toHaveCount(500);
    times.push(await openingTime(page));
    await page.goto("about:blank");
  }
  const best = Math.min(...times);
  console.log(`500 x 100, ${(report.length / 1e6).toFixed(1)} MB: opens in ${best.toFixed(0)} ms (best of ${times.map((time) => time.toFixed(0)).join(", ")})`);
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
  const times: number[] = [];
  for (let i = 0; i < 3; ++i) {
    await open(report);
    await expect(page.locator("table.explained tbody tr")).toHaveCount(40);
    times.push(await openingTime(page));
  }
  const spent = await page.evaluate(() => {
    const start = performance.now();
    location.hash = "#benchmark=load%2F7&view=stacks";
    return new Promise<number>((done) => addEventListener("hashchange", () => requestAnimationFrame(() => done(performance.now() - start)), { once: true }));
  });
  await expect(page.getByRole("table", { name: /Stacks that changed/ })).toBeVisible();
  const best = Math.min(...times);
  console.log(`500 x 100 and 40 x 300 stacks, ${(report.length / 1e6).toFixed(1)} MB: opens in ${best.toFixed(0)} ms (best of ${times.map((time) => time.toFixed(0)).join(", ")}), a report in it in ${spent.toFixed(0)} ms`);
  expect(best).toBeLessThan(1500);
  expect(spent).toBeLessThan(500);
});
