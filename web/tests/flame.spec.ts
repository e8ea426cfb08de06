// The differential flame graph: widths, colours, zoom, search and keyboard.
import type { Locator } from "@playwright/test";
import { exampleReport } from "./fixtures";
import { expect, test } from "./page";

const widthOf = async (frame: Locator) => (await frame.boundingBox())!.width;

test("frames are as wide as their instructions, of new or of old", async ({ open }) => {
  const page = await open(exampleReport(), "#benchmark=load");
  const tree = page.getByRole("tree");
  const share = async (name: RegExp) => (await widthOf(tree.getByRole("treeitem", { name }).first())) / (await widthOf(tree));
  expect(await share(/^main:/)).toBeCloseTo(1, 2);
  expect(await share(/^Store::put:/)).toBeCloseTo((0.5 + 0.119 * 0.6) / 1.119, 2);
  await expect(tree.getByRole("treeitem", { name: /^next_slot/ })).toHaveCount(1);
  await page.getByRole("radio", { name: "old" }).check();
  expect(await share(/^Store::put:/)).toBeCloseTo(0.5, 2);
  await expect(tree.getByRole("treeitem", { name: /^next_slot/ })).toHaveCount(0);
  await expect(tree.getByRole("treeitem", { name: /^probe_slot/ })).toHaveCount(1);
});

test("colours, words and the legend tell the difference", async ({ open }) => {
  const page = await open(exampleReport(), "#benchmark=load");
  const frame = (name: RegExp) => page.getByRole("treeitem", { name }).first();
  await expect(frame(/^main:.*\+11\.9\s% of the run before/)).toHaveClass(/d5/);
  await expect(frame(/^Log::append:.*0\.0\s%/)).toHaveClass(/d0/);
  await expect(frame(/^Store::scan:.*−0\.4\s%/)).toHaveClass(/d-1/);
  await expect(page.getByRole("img", { name: /Colours from −11\.9\s% \(less\)/ })).toBeVisible();
  await expect(page.locator(".most")).toHaveText(/In themselves: Index::find \+5\.7\s%/);
});

test("a click zooms in, and the way out is there", async ({ open }) => {
  const page = await open(exampleReport(), "#benchmark=load");
  const tree = page.getByRole("tree");
  const get = tree.getByRole("treeitem", { name: /^Store::get:/ });
  await get.click();
  expect((await widthOf(get)) / (await widthOf(tree))).toBeCloseTo(1, 2);
  await expect(tree.getByRole("treeitem", { name: /^Store::put:/ })).toHaveCount(0);
  await expect(tree.getByRole("treeitem", { name: /^main:/ })).toHaveCount(1);
  await page.getByRole("button", { name: "Show all" }).click();
  await expect(tree.getByRole("treeitem", { name: /^Store::put:/ })).toHaveCount(1);
  await expect(page.getByRole("button", { name: "Show all" })).toBeHidden();
});

test("search marks frames and sums them up", async ({ open }) => {
  const page = await open(exampleReport(), "#benchmark=load");
  const search = page.getByRole("searchbox", { name: "Find a function in the flame graph" });
  await search.fill("index::FIND");
  await expect(page.locator(".frame.found")).toHaveCount(2);
  await expect(page.getByText(/^2\sframes, 37\.\d\s% of new$/)).toBeVisible();
  await search.fill("no such function");
  await expect(page.getByText("nothing found")).toBeVisible();
  await search.fill("");
  await expect(page.locator(".frame.dim")).toHaveCount(0);
});

test("the arrow keys walk along the tree, Enter and Escape zoom", async ({ open }) => {
  const page = await open(exampleReport(), "#benchmark=load");
  const tree = page.getByRole("tree");
  const at = (name: RegExp) => expect(tree.getByRole("treeitem", { name }).and(page.locator(":focus"))).toHaveCount(1);
  await expect(tree.locator("[tabindex='0']")).toHaveCount(1);
  await tree.locator("[tabindex='0']").focus();
  await page.keyboard.press("ArrowDown");
  await at(/^run_script/);
  await page.keyboard.press("ArrowDown");
  await at(/^Store::put/);
  await page.keyboard.press("ArrowRight");
  await at(/^Store::get/);
  await page.keyboard.press("Enter");
  await at(/^Store::get/);
  await expect(tree.getByRole("treeitem", { name: /^Store::put/ })).toHaveCount(0);
  await page.keyboard.press("ArrowUp");
  await at(/^run_script/);
  await page.keyboard.press("Escape");
  await at(/^main/);
  await expect(tree.getByRole("treeitem", { name: /^Store::put/ })).toHaveCount(1);
  await expect(tree.locator("[tabindex='0']")).toHaveCount(1);
  await page.keyboard.press("Escape"); // nothing is zoomed: back to the list
  await expect(page.locator("table.benchmarks")).toBeVisible();
});

test("a deep and broad tree is drawn at once", async ({ open }) => {
  interface Call { name: string; old: number; new: number; callees: Call[] }
  const grow = (depth: number, size: number): Call => ({
    name: `f${depth}`, old: size, new: size * 1.01,
    callees: depth < 12 ? [grow(depth + 1, size * 0.5), grow(depth + 1, size * 0.3), grow(depth + 1, size * 0.1)].slice(0, depth > 8 ? 2 : 3) : [],
  });
  const deep = (depth: number): Call => ({ name: `deep${depth}`, old: 5, new: 5, callees: depth < 300 ? [deep(depth + 1)] : [] });
  const report = exampleReport();
  report.check.benchmarks[0]!.tree = grow(0, 1e9);
  report.check.benchmarks[1]!.tree = deep(0);
  const page = await open(report, "#benchmark=load");
  expect(await page.locator(".frame").count()).toBeLessThan(3100);
  expect(await page.locator(".frame").count()).toBeGreaterThan(200);
  await page.goto(page.url().replace("load", "get%2Fhot"));
  await expect(page.getByRole("treeitem", { name: /^deep300:/ })).toHaveCount(1);
});
