// One benchmark: links to it, its plots, functions, flame graph and logs.
import { exampleReport } from "./fixtures";
import { expect, test } from "./page";

test("a link leads to a benchmark, and the back button back", async ({ open }) => {
  const page = await open(exampleReport(), "#benchmark=get%2Fhot");
  await expect(page.getByRole("heading", { level: 2 })).toHaveText("get/hot");
  await expect(page).toHaveTitle("get/hot - larder - Dragnet");
  await page.getByRole("link", { name: "Next" }).click();
  await expect(page.getByRole("heading", { level: 2 })).toHaveText("scan");
  await page.goBack();
  await expect(page.getByRole("heading", { level: 2 })).toHaveText("get/hot");
  await page.getByRole("link", { name: "All benchmarks" }).click();
  await expect(page.getByRole("heading", { name: "Benchmarks", exact: true })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("heading", { level: 2 })).toHaveText("get/hot");
});

test("an unknown benchmark is said to be unknown", async ({ open }) => {
  const page = await open(exampleReport(), "#benchmark=nothing");
  await expect(page.getByText("This report has no such benchmark.")).toBeVisible();
  await page.getByRole("link", { name: "All benchmarks" }).click();
  await expect(page.locator("table.benchmarks")).toBeVisible();
});

test("everything that is known of a benchmark is there", async ({ open }) => {
  const page = await open(exampleReport(), "#benchmark=load");
  for (const part of ["Why", "Metrics", "Pairs of wall", "History", "Functions", "Calls", "Prediction", "Logs"]) await expect(page.getByRole("region", { name: part, exact: true })).toBeVisible();
  await expect(page.locator(".headline")).toContainText("369.5 ms → 411.3 ms");
  await expect(page.getByRole("region", { name: "Why", exact: true }).getByRole("listitem")).toHaveCount(3);
  await expect(page.getByRole("region", { name: "Prediction" })).toContainText("learned from earlier outcomes");
  await expect(page.getByRole("row", { name: /instructions/ }).first()).toContainText("1.14 G");
  await expect(page.getByRole("row", { name: /memory/ })).toContainText("39.1 MiB");
});

test("parts without anything to show are left out", async ({ open }) => {
  const page = await open(exampleReport(), "#benchmark=options%2Fparse");
  await expect(page.getByRole("region", { name: "Prediction" })).toContainText("executes nothing that changed");
  for (const part of ["Metrics", "Functions", "Calls", "History"]) await expect(page.getByRole("region", { name: part, exact: true })).toHaveCount(0);
});

test("the pairs are drawn, told by keyboard, and there as a table", async ({ open }) => {
  const page = await open(exampleReport(), "#benchmark=load");
  const figure = page.locator("figure", { hasText: "Each pair: new / old" });
  const plot = figure.getByRole("group", { name: "Each pair: new / old" });
  await expect(plot.locator("canvas")).toHaveCount(1);
  expect(await inkOf(plot.locator("canvas"))).toBeGreaterThan(2000);
  await expect(plot).toHaveAccessibleDescription(/41\spairs of wall\. The change is \+11\.3\s%/);
  await plot.focus();
  await page.keyboard.press("End");
  await expect(figure.locator("output")).toContainText("pair 41 (confirming)");
  await page.keyboard.press("ArrowLeft");
  await expect(figure.locator("output")).toContainText("pair 40 (confirming)");
  await page.keyboard.press("Home");
  await expect(figure.locator("output")).toContainText(/^pair 1: \d+\.\d\sms → \d+\.\d\sms, \+\d+\.\d\s%$/);
  await figure.getByText("As a table").click();
  await expect(figure.getByRole("row")).toHaveCount(42);
  await expect(figure.getByRole("row").last()).toContainText("confirming");
});

test("another metric can be chosen, and is linked", async ({ open }) => {
  const page = await open(exampleReport(), "#benchmark=load");
  await page.getByRole("button", { name: "instructions", exact: true }).click();
  await expect(page.getByRole("region", { name: "Pairs of instructions" })).toBeVisible();
  await expect(page.getByRole("region", { name: "History" })).toContainText("instructions, counted");
  await page.reload();
  await expect(page.getByRole("region", { name: "Pairs of instructions" })).toBeVisible();
  await expect(page.getByRole("button", { name: "instructions", exact: true })).toHaveAttribute("aria-pressed", "true");
});

test("the history shows levels and changes with commits and sizes", async ({ open }) => {
  const page = await open(exampleReport(), "#benchmark=load");
  const history = page.getByRole("region", { name: "History" });
  expect(await inkOf(history.locator("canvas"))).toBeGreaterThan(2000);
  const changes = history.getByRole("table").getByRole("row");
  await expect(changes).toHaveCount(3);
  await expect(changes.nth(1)).toContainText("−7.0 %");
  await expect(changes.nth(2)).toContainText("+11.9 %");
  await expect(changes.nth(2)).toContainText("Probe linearly");
  const plot = history.getByRole("group");
  await expect(plot).toHaveAccessibleDescription(/25\spoints over 25\scommits\. Changes: −7\.0\s%/);
  await plot.focus();
  await page.keyboard.press("End");
  await expect(history.locator("output").first()).toContainText("here it became worse, +11.9 %");
});

test("functions tell their shares, what they explain and where they are", async ({ open }) => {
  const page = await open(exampleReport(), "#benchmark=load");
  const table = page.getByRole("table", { name: /Functions whose cost/ });
  const row = table.getByRole("row").nth(1);
  for (const text of ["larder::Index::find", "src/index.cpp:48", "code changed", "+10.4 %", "21.2 % → 29.7 %", "inlined code changed: larder::hash_key"]) await expect(row).toContainText(text);
  await table.getByRole("button", { name: "Explains" }).click();
  await table.getByRole("button", { name: "Explains" }).click();
  await expect(table.getByRole("row").nth(1)).toContainText("probe_slot");
});

test("logs are there as text, without colours of a terminal", async ({ open }) => {
  const page = await open(exampleReport(), "#benchmark=scan");
  await expect(page.getByLabel("Run that did not finish")).toBeVisible();
  await expect(page.getByLabel("Run that did not finish")).toContainText("larder: error: record 31877");
  await page.getByText("Build of old").click();
  await expect(page.getByText("Built target larder").first()).toBeVisible();
});

/** How many pixels of a canvas are drawn on. */
async function inkOf(canvas: import("@playwright/test").Locator): Promise<number> {
  await expect(canvas).toBeVisible();
  return canvas.evaluate((node: HTMLCanvasElement) => {
    const { data } = node.getContext("2d")!.getImageData(0, 0, node.width, node.height);
    return data.filter((value, at) => at % 4 === 3 && value > 0).length;
  });
}
