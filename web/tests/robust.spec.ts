// Data that is missing, odd or hostile, and histories without a check.
import { statSync } from "node:fs";
import { exampleReport, historyReport, hostileNames, hostileReport, randomFrom } from "./fixtures";
import { expect, pagePath, test } from "./page";

test("the page without data is small", () => {
  const { size } = statSync(pagePath);
  console.log(`page without data: ${(size / 1000).toFixed(1)} kB`);
  expect(size).toBeLessThan(200_000);
  expect(size).toBeGreaterThan(50_000);
});

for (const [what, data] of [["null", "null"], ["nothing", ""], ["a list", "[]"], ["half a document", '{"check": {']])
  test(`a page that holds ${what} says so`, async ({ open }) => {
    const page = await open(data);
    await expect(page.getByText("This page holds no report.")).toBeVisible();
  });

test("an empty document is shown as what it is", async ({ open }) => {
  const page = await open({});
  await expect(page.getByText("Nothing was measured along these commits yet.")).toBeVisible();
  await open({ check: {} });
  await expect(page.getByText("The check has no benchmarks.")).toBeVisible();
  await open({ check: { benchmarks: [{}] }, series: [{}] });
  await page.getByRole("link", { name: "(no name)" }).click();
  await expect(page.getByRole("region", { name: "Prediction" })).toBeVisible();
});

test("any field can be missing, null or of another kind", async ({ open, page }) => {
  const report = exampleReport();
  report.check.benchmarks.length = 3;
  report.series.length = 4;
  let spoiled = 0;
  for (let seed = 1; seed <= 24; ++seed) {
    const random = randomFrom(seed);
    const odd = [null, "odd", -7, 1e300, [], {}, [null, 1], true];
    // Every field and element is at risk; the name stays, so that the benchmark can be opened.
    const spoil = (value: unknown, key: string): unknown => {
      if (key !== "benchmark" && key !== "benchmarks" && key !== "check" && random() < 0.02) {
        ++spoiled;
        return random() < 0.2 ? undefined : odd[Math.floor(random() * odd.length)];
      }
      if (Array.isArray(value)) return value.map((each) => spoil(each, ""));
      if (typeof value !== "object" || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, spoil(each, name)]));
    };
    await test.step(`seed ${seed}`, async () => {
      await open(spoil(report, "check"), "#benchmark=load");
      await expect(page.getByRole("heading", { level: 2 })).toHaveText("load");
      await page.getByRole("link", { name: "All benchmarks" }).click();
      await expect(page.getByRole("main")).not.toBeEmpty();
    });
  }
  expect(spoiled).toBeGreaterThan(800);
});

test("hostile names are text, in the list and in every part of the detail", async ({ open }) => {
  const page = await open(hostileReport());
  const escaped = (text: string) => text.replace(/[\u0000-\u001f\u202e]/g, (letter) => `⟨U+${letter.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`);
  const shown = await page.locator("table.benchmarks tbody th").allTextContents();
  expect(shown.slice(0, 8)).toEqual(hostileNames.slice(0, 8).map(escaped));
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(1280);
  for (const row of await page.locator("table.benchmarks tbody tr").all()) expect((await row.boundingBox())!.height).toBeLessThan(70);
  for (let at = 0; at < hostileNames.length; ++at) {
    await page.locator("table.benchmarks tbody th a").nth(at).click();
    const name = hostileNames[at]!;
    if (!name.startsWith("\ud800")) await expect(page.getByRole("heading", { level: 2 })).toHaveText(escaped(name) || "(no name)");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(1280);
    await page.goBack();
  }
  expect(await page.title()).toContain("</script>");
  await expect(page.locator("#page img, #page script, #page iframe")).toHaveCount(0);
});

test("hostile names do not break a narrow page either", async ({ open, page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await open(hostileReport());
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.locator("table.benchmarks tbody th a").nth(3).click();
  await expect(page.getByRole("tree")).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});

test("a history without a check lists all series, with the same detail", async ({ open }) => {
  const page = await open(historyReport());
  const rows = page.locator("table.histories tbody tr:not([hidden])");
  await expect(rows).toHaveCount(14);
  await expect(rows.first()).toContainText("load");
  await expect(rows.first()).toContainText("+11.9 %");
  await expect(rows.first().locator("svg.spark path")).toHaveCount(2);
  await page.getByRole("checkbox", { name: "only with changes" }).check();
  await expect(rows).toHaveCount(12);
  await page.getByRole("searchbox").fill("scan wall");
  await expect(rows).toHaveCount(1);
  await page.getByRole("link", { name: "scan" }).click();
  await expect(page.getByRole("heading", { level: 2 })).toHaveText("scan");
  await expect(page.getByRole("region", { name: "History" }).locator("canvas")).toHaveCount(1);
  await expect(page.getByText("no value (2)")).toBeVisible();
  await page.getByRole("link", { name: "all metrics" }).click();
  await expect(page.getByRole("region", { name: "History" }).locator("canvas")).toHaveCount(2);
  await page.getByRole("link", { name: "All benchmarks" }).click();
  await expect(rows).toHaveCount(1);
});
