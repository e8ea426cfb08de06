// The list of a check: summary, table, sorting and filtering.
import { exampleReport } from "./fixtures";
import { expect, test } from "./page";

const names = "table.benchmarks tbody tr:not([hidden]) th";

test("the outcome comes first, with commits, budget, time, rates and notes", async ({ open }) => {
  const page = await open(exampleReport());
  await expect(page.getByRole("heading", { level: 1 })).toContainText("larder");
  const summary = page.getByRole("region", { name: /2 of 12 benchmarks regressed/ });
  await expect(summary).toContainText("Probe linearly");
  await expect(summary).toContainText("Keep the index sorted");
  await expect(summary).toContainText("something regressed");
  await expect(summary).toContainText("4 min 32 s spent on measuring");
  await expect(summary).toContainText("5 min 34 s");
  await expect(summary).toContainText("95.6 %");
  await expect(summary).toContainText("66.8 % to 75.5 %, 422 cases");
  await expect(summary.getByRole("list", { name: "Notes" }).getByRole("listitem")).toHaveCount(2);
  await expect(page).toHaveTitle("larder - Dragnet");
});

test("the table tells verdict, change, metric, pairs, treatment, probability and reason", async ({ open }) => {
  const page = await open(exampleReport());
  const row = page.getByRole("row", { name: /^regressed load/ });
  for (const text of ["+11.3 %", "+10.5 to +12.1 %", "wall", "41", "measured", "0.97", "Index::find executes 40 % more"]) await expect(row).toContainText(text);
  await expect(page.getByRole("row", { name: /unchanged log\/append/ })).toContainText("~");
  await expect(page.locator(names)).toHaveText(["load", "get/hot", "scan", "get/cold", "mixed/zipf-0.99", "log/replay", "compact", "log/append", "long-keys", "large-values", "options/parse", "checksum"]);
});

test("a verdict is never told by colour alone", async ({ open }) => {
  const page = await open(exampleReport());
  const badges = page.locator("table.benchmarks .verdict");
  for (const badge of await badges.all()) {
    expect((await badge.textContent())?.trim()).not.toBe("");
    await expect(badge.locator("svg path")).toHaveCount(1);
  }
  const shapes = await page.locator(".chip .icon path").evaluateAll((paths) => paths.map((path) => path.getAttribute("d")));
  expect(new Set(shapes).size).toBe(7);
});

test("headers sort, say so, and forget it at the third press", async ({ open }) => {
  const page = await open(exampleReport());
  const header = page.getByRole("columnheader", { name: "Change" });
  const button = header.getByRole("button");
  await button.click();
  await expect(header).toHaveAttribute("aria-sort", "descending");
  await expect(page.locator(names).first()).toHaveText("load");
  await expect(page.locator(names).last()).toHaveText("checksum"); // without a change: last in both directions
  await button.click();
  await expect(header).toHaveAttribute("aria-sort", "ascending");
  await expect(page.locator(names).first()).toHaveText("compact");
  await expect(page.locator(names).last()).toHaveText("checksum");
  await button.click();
  await expect(header).not.toHaveAttribute("aria-sort");
  await expect(page.locator(names).first()).toHaveText("load");
  await page.getByRole("columnheader", { name: "Benchmark" }).getByRole("button").click();
  await expect(page.locator(names).first()).toHaveText("checksum");
  expect(page.url()).toContain("#sort=benchmark");
});

test("verdicts and words filter, together and in the address", async ({ open }) => {
  const page = await open(exampleReport());
  await page.getByRole("button", { name: "unchanged 5" }).click();
  await expect(page.locator(names)).toHaveCount(5);
  await expect(page.getByRole("button", { name: "unchanged 5" })).toHaveAttribute("aria-pressed", "true");
  await page.getByRole("searchbox").fill("CHANGED dismissed");
  await expect(page.locator(names)).toHaveText(["options/parse", "checksum"]);
  await expect(page.locator("output.count")).toContainText("2 of 12");
  await page.getByRole("searchbox").fill("no such thing");
  await expect(page.getByText("No benchmark matches.")).toBeVisible();
  await page.reload();
  await expect(page.getByRole("searchbox")).toHaveValue("no such thing");
  await page.getByRole("searchbox").fill("");
  await page.getByRole("button", { name: "all 12" }).click();
  await expect(page.locator(names)).toHaveCount(12);
});

test("filters are still there after a look at a benchmark", async ({ open }) => {
  const page = await open(exampleReport());
  await page.getByRole("searchbox").fill("get/");
  await page.getByRole("columnheader", { name: "Pairs" }).getByRole("button").click();
  await page.getByRole("link", { name: "get/hot" }).click();
  await expect(page.getByRole("heading", { name: "get/hot" })).toBeVisible();
  await page.getByRole("link", { name: "All benchmarks" }).click();
  await expect(page.locator(names)).toHaveText(["get/cold", "get/hot"]);
  await expect(page.getByRole("link", { name: "get/hot" })).toBeFocused();
});

test("a click anywhere in a row opens it", async ({ open }) => {
  const page = await open(exampleReport());
  await page.getByRole("row", { name: /get\/cold/ }).getByText("measured").click();
  await expect(page.getByRole("heading", { name: "get/cold" })).toBeVisible();
});

test("the keyboard alone is enough", async ({ open }) => {
  const page = await open(exampleReport());
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to the content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "all 12" })).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await expect(page.locator(names)).toHaveCount(2);
  const link = page.getByRole("link", { name: "get/hot" });
  for (let i = 0; i < 30 && !(await link.evaluate((node) => node === document.activeElement)); ++i) await page.keyboard.press("Tab");
  expect(await link.evaluate((node) => getComputedStyle(node).outlineStyle)).toBe("solid");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "get/hot" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(link).toBeFocused();
  await expect(page.locator(names)).toHaveCount(2);
});

test("screen readers find landmarks, headings, captions and headers", async ({ open }) => {
  const page = await open(exampleReport());
  for (const role of ["banner", "main", "contentinfo"] as const) await expect(page.getByRole(role)).toHaveCount(1);
  await expect(page.getByRole("table", { name: /Benchmarks, the weightiest/ })).toHaveCount(1);
  await expect(page.getByRole("columnheader")).toHaveCount(9);
  await expect(page.getByRole("rowheader")).toHaveCount(12);
  await expect(page.getByRole("region", { name: "Benchmarks", exact: true })).toHaveCount(1);
  expect(await page.locator("html").getAttribute("lang")).toBe("en");
});

test("histories can be opened below a check", async ({ open }) => {
  const page = await open(exampleReport());
  await page.getByText("Histories of 14 series").click();
  await expect(page.locator("table.histories tbody tr")).toHaveCount(14);
});
