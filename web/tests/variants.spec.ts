// What a search over commits and options found: the answer, the heat map and the series of the options.
import type { Page } from "@playwright/test";
import { readFileSync } from "node:fs";
import { chained, levelsOf, pathOf } from "../src/levels";
import { variants } from "../src/variants";
import { hostileNames, randomFrom } from "./fixtures";
import { exampleSearch, hostileSearch, searched, searchOf } from "./searches";
import { expect, test } from "./page";

const map = (page: Page) => page.getByRole("group", { name: "Commits and configurations" });
const told = (page: Page) => page.getByRole("region", { name: "Commits and configurations" }).locator(".told");

test("the answer comes first: sentence, changes, disagreements and notes", async ({ open }) => {
  const page = await open(searched(exampleSearch()));
  await expect(page.getByRole("banner")).toContainText("search over commits and options");
  await expect(page.getByRole("heading", { level: 2 })).toHaveText("3 changes, 2 for the worse; the probability that there is no other one is 96.1 %.");
  await expect(page.locator(".question")).toHaveText(/^wall of load-checksum; changes below 10\.0\s% do not matter$/);
  const rows = page.getByRole("table", { name: "Changes, oldest first" }).locator("tbody tr");
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(0)).toContainText("read records as views");
  await expect(rows.nth(0)).toContainText("compress");
  await expect(rows.nth(0)).toContainText(/\+86\.0\s%\s+\+84\.8 to \+87\.2\s%/);
  await expect(rows.nth(0)).toContainText(/>\s0\.99/);
  await expect(rows.nth(1)).toContainText("checksum and not cache");
  await expect(rows.nth(1)).toContainText("or one of 1 before it");
  await expect(rows.nth(1)).toContainText("0.94");
  await expect(rows.nth(2)).toContainText("all configurations");
  await expect(rows.nth(2).locator(".verdict")).toHaveClass(/is-improved/);
  await expect(page.getByRole("region", { name: "Program and constraints disagree" }).getByRole("listitem")).toHaveText([/verify needs checksum/, /'mmap implies cache' forbids/]);
  await expect(page.getByRole("list", { name: "Notes" }).getByRole("listitem")).toHaveText([/^Does not build: 14aa000000 \(half of a change\); older commits were measured in its place\.$/, "one commit was tried in vain."]);
});

test("the arrow keys go from cell to cell, and each is told", async ({ open, page }) => {
  const search = exampleSearch();
  await open(searched(search));
  await map(page).focus();
  await page.keyboard.press("ArrowRight");
  await expect(told(page)).toHaveText(/begin \(commit 1 of 36\), compress, checksum.*: \d+\.\d\sms, 1\srun, 0\.0\s% against its first level$/);
  await page.keyboard.press("ArrowRight");
  await expect(told(page)).toHaveText(/\(commit \d+ of 36\).*(not measured|runs?,)/);
  await page.keyboard.press("End");
  await expect(told(page)).toHaveText(/\(commit 36 of 36\).*against its first level/);
  await page.keyboard.press("ArrowRight");
  await expect(told(page)).toHaveText(/\(commit 36 of 36\)/);
  await page.keyboard.press("Shift+ArrowLeft");
  await expect(told(page)).toHaveText(/\(commit \d+ of 36\).*\d\sruns?,/);
  for (let row = 0; row < 20; ++row) await page.keyboard.press("ArrowDown");
  const last = await told(page).textContent();
  await page.keyboard.press("ArrowDown");
  await expect(told(page)).toHaveText(last!);
  await expect(page.locator(".heat-cursor")).toBeVisible();
  for (let row = 0; row < 20; ++row) await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Home");
  await expect(told(page)).toHaveText(/commit 1 of 36/);
});

test("a cell under the mouse is told, at the change with its number", async ({ open, page }) => {
  const search = exampleSearch();
  await open(searched(search));
  const box = (await map(page).boundingBox())!;
  const column = search.visited.findIndex((each) => each.position === 9);
  await page.mouse.move(box.x + ((column + 0.5) * box.width) / search.visited.length, box.y + 32 + 10);
  await expect(told(page)).toHaveText(/read records as views \(commit 10 of 36\), compress.*\+8\d\.\d\s% against its first level; change 1 shows here$/);
});

test("rows that a change affects stand together, and options that matter come first", async ({ open }) => {
  const page = await open(searched(exampleSearch()));
  const labels = await page.locator(".heat-labels li").allTextContents();
  expect(labels).toHaveLength(12);
  expect(labels.slice(0, 5).every((each) => each.includes("compress"))).toBe(true);
  expect(labels.slice(5).some((each) => each.includes("compress"))).toBe(false);
  expect(labels).toContain("no option");
  expect(labels).toContain("checksum, cache, verify, mmap");
});

test("all measured cells are in a table, too", async ({ open }) => {
  const search = exampleSearch();
  const page = await open(searched(search));
  const region = page.getByRole("region", { name: "Commits and configurations" });
  await region.getByText("As a table").click();
  const rows = region.getByRole("table", { name: "Measured cells" }).locator("tbody tr");
  await expect(rows).toHaveCount(search.cells.length);
  await region.getByRole("button", { name: "Against its first level" }).click();
  await expect(rows.first()).toContainText("compress");
  await expect(rows.first()).toContainText(/\+\d+\s%/);
});

test("the options that matter are drawn on and off, the others are folded", async ({ open, page }) => {
  await open(searched(exampleSearch()));
  const region = page.getByRole("region", { name: "Options along the commits" });
  await expect(region.getByRole("heading", { level: 4 })).toHaveText(["compress", "checksum", "cache"]);
  await expect(region.locator("canvas")).toHaveCount(3);
  await region.getByRole("group", { name: "compress" }).focus();
  await page.keyboard.press("End");
  await expect(region.locator(".told").first()).toHaveText(/: on \+\d+\.\d\s%, off .*%$/);
  await region.getByText("As a table").first().click();
  const rows = region.getByRole("table", { name: /with compress on and off/ }).locator("tbody tr");
  await expect(rows.first()).toContainText(/0\.0\s%0\.0\s%/);
  await region.getByText(/3\soptions that no change depends on/).click();
  await expect(region.getByRole("heading", { level: 4 })).toHaveCount(6);
  await expect(region.locator("canvas")).toHaveCount(6);
});

test("levels are concluded only where the commits around agree or a change explains the step", () => {
  const search = searchOf({ commits: 9, options: ["a"], configurations: [["a"], []], changes: [{ position: 4, on: ["a"], size: 1 }], measured: (configuration, position) => (configuration ? position % 4 === 0 : position === 0 || position === 3 || position === 4 || position === 8) });
  search.cells.find((cell) => cell.configuration === 1 && cell.position === 8)!.value *= 3;
  const found = variants(search)!;
  expect(found.columns.map((each) => each.position)).toEqual([0, 3, 4, 8]);
  const levels = found.rows.map((row) => levelsOf(row, 4, found.changes, found.threshold));
  expect(levels[1]!.map((each) => each && each.measured)).toEqual([true, false, true, true]);
  expect(chained([pathOf(levels[0]!)], 4).map((each) => each && Math.round(Math.expm1(each) * 100))).toEqual([0, 0, 100, 100]);
  const wide = { on: new Set(["a"]), cells: new Map([[0, { value: 1, runs: 1 }], [3, { value: 2, runs: 1 }]]) };
  expect(levelsOf(wide, 4, found.changes, 0.1).map((each) => each?.value)).toEqual([1, 1, 2, 2]);
  expect(levelsOf(wide, 4, [], 0.1).map((each) => each?.value)).toEqual([1, undefined, undefined, 2]);
});

test("a mean over configurations does not move when another one joins", () => {
  const known = (values: (number | null)[]) => pathOf(values.map((value) => (value === null ? null : { value, measured: true })));
  const mean = chained([known([1, 1, 2, 2, null]), known([null, null, null, 50, 50])], 5);
  expect(mean.map((each) => each && Math.exp(each).toFixed(3))).toEqual([0, 0, "2.000", "2.000", "2.000"]);
  expect(chained([], 3)).toEqual([null, null, null]);
  expect(chained([known([null, 3, null, null])], 4)).toEqual([null, 0, null, null]);
});

test("where higher is better, more is better", async ({ open }) => {
  const plan = { commits: 5, options: ["a"], configurations: [["a"], []], changes: [{ position: 2, on: ["a"], size: 0.5 }], better: "higher", metric: "throughput", unit: "", measured: () => true };
  const page = await open(searched(searchOf(plan)));
  await expect(page.locator(".k-heat")).toHaveText(/^better, \+50\.0\s% or more−33\.3\s% or more, worse$/);
  await expect(page.locator(".summary")).toHaveClass(/is-improved/);
});

test("no change, no measurement and no cells are said", async ({ open, page }) => {
  await open(searched({ ...searchOf({ commits: 4, options: ["a"], configurations: [["a"], []], changes: [], measured: () => true }) }));
  await expect(page.getByRole("heading", { level: 2 })).toContainText("No change of 10 % or more was found");
  await expect(page.getByRole("table", { name: "Changes, oldest first" })).toHaveCount(0);
  await expect(map(page)).toBeVisible();
  await open(searched({ status: 4, sentence: "Nothing was measured." }));
  await expect(page.getByRole("heading", { level: 2 })).toHaveText("Nothing was measured.");
  await expect(map(page)).toHaveCount(0);
  await open(searched({}));
  await expect(page.getByRole("heading", { level: 2 })).toHaveText("No outcome is known.");
});

test("what the program writes is what the page reads", async ({ open }) => {
  const sample = JSON.parse(readFileSync(new URL("samples/variants.json", import.meta.url), "utf8"));
  const page = await open(searched(sample));
  await expect(page.getByRole("heading", { level: 2 })).toHaveText("1 change, all for the worse; the probability that there is no other one is 96.0 %.");
  const row = page.getByRole("table", { name: "Changes, oldest first" }).locator("tbody tr");
  await expect(row).toContainText("go on or one of 1 before it");
  await expect(row).toContainText("compress and not cache");
  await expect(row).toContainText(/\+25\.0\s%/);
  await expect(page.getByRole("region", { name: "Commits and configurations" }).getByRole("heading", { level: 4 })).toHaveText(/^2\sconfigurations at 2 of 3\scommits, 4\scells measured\.$/);
  await expect(page.getByRole("list", { name: "Notes" })).toContainText("'root' is on in all rows.");
  await expect(page.getByRole("region", { name: "Program and constraints disagree" })).toContainText("cache and not compress");
  await map(page).focus();
  await page.keyboard.press("End");
  await expect(told(page)).toHaveText(/^cccc go on \(commit 3 of 3\), compress: 1\.25\ss, 2\sruns, \+25\.0\s% against its first level; change 1 shows here$/);
});

test("any field of a search can be missing or of another kind", async ({ open, page }) => {
  let spoiled = 0;
  for (let seed = 1; seed <= 16; ++seed) {
    const random = randomFrom(seed);
    const odd = [null, "odd", -7, 1e300, [], {}, [null, 1], true, "__proto__", "constructor"];
    const spoil = (value: unknown, key: string): unknown => {
      if (key !== "variants" && random() < 0.03) {
        ++spoiled;
        return random() < 0.2 ? undefined : odd[Math.floor(random() * odd.length)];
      }
      if (Array.isArray(value)) return value.map((each) => spoil(each, ""));
      if (typeof value !== "object" || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, spoil(each, name)]));
    };
    await test.step(`seed ${seed}`, async () => {
      await open(searched(spoil(exampleSearch(), "variants")));
      await expect(page.getByRole("heading", { level: 2 })).not.toBeEmpty();
      if ((await map(page).count()) === 0) return;
      await map(page).focus();
      for (const key of ["ArrowRight", "ArrowDown", "End", "Shift+ArrowLeft"]) await page.keyboard.press(key);
    });
  }
  expect(spoiled).toBeGreaterThan(300);
});

test("hostile names are text everywhere", async ({ open, page }) => {
  await open(searched(hostileSearch()));
  await expect(page.getByRole("heading", { level: 2 })).toHaveText(hostileNames[1]!);
  await page.getByText("As a table").first().click();
  await expect(page.getByRole("table", { name: "Measured cells" }).locator("tbody tr").first()).toContainText("onerror");
  await map(page).focus();
  await page.keyboard.press("ArrowRight");
  await expect(told(page)).toContainText("<script>document.title='owned'</script>");
  expect(await page.title()).not.toBe("owned");
  await expect(page.locator("#page img, #page script, #page iframe")).toHaveCount(0);
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
});

test("the map is drawn in the colours of the scheme, and blue tells its ends apart", async ({ open, page }) => {
  const search = searchOf({ commits: 3, options: ["a", "b"], configurations: [["a"], ["b"], []], changes: [{ position: 1, on: ["a"], size: 1 }, { position: 1, on: ["b"], size: -0.5 }], measured: () => true });
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await open(searched(search));
    const ends = await page.evaluate(() => {
      const canvas = document.querySelector<HTMLCanvasElement>(".heat-map canvas")!;
      const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
      const at = (row: number, column: number) => {
        const pixel = (32 + row * 20 + 5) * canvas.width + Math.floor(((column + 0.25) * canvas.width) / 3);
        return [...data.slice(4 * pixel, 4 * pixel + 3)];
      };
      return { worse: at(0, 2), better: at(1, 2), same: at(2, 2), before: at(0, 0) };
    });
    const style = await page.evaluate(() => ["worse", "better", "same"].map((each) => getComputedStyle(document.documentElement).getPropertyValue(`--heat-${each}`).trim()));
    const hex = (colour: number[]) => `#${colour.map((each) => each.toString(16).padStart(2, "0")).join("")}`;
    expect([ends.worse, ends.better, ends.same].map(hex)).toEqual(style);
    expect(ends.before).toEqual(ends.same);
    // Those who do not tell red from green still have blue: it is the stronger part at one end and the weaker at the other.
    expect(ends.worse[0]! - ends.worse[2]!).toBeGreaterThan(120);
    expect(ends.better[2]! - ends.better[0]!).toBeGreaterThan(120);
  }
});
