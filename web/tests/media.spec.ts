// Light and dark, paper, and narrow screens.
import type { Page } from "@playwright/test";
import { comparedExplanation, explained, flushingCommit, metricsExplanation, rangeExplanation } from "./explanations";
import { exampleReport } from "./fixtures";
import { expect, test } from "./page";
import { exampleSearch, searched } from "./searches";

const luminance = (colour: string) => {
  const [red, green, blue] = colour.match(/[\d.]+/g)!.slice(0, 3).map((part) => {
    const value = Number(part) / 255;
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
};

const contrast = (a: string, b: string) => {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light! + 0.05) / (dark! + 0.05);
};

/** All texts of the page that are hard to read against what is behind them. */
async function poorTexts(page: Page): Promise<{ seen: number; poor: unknown[] }> {
  const texts = await page.evaluate(() => {
    const found: { text: string; colour: string; ground: string; opacity: number }[] = [];
    const walker = document.createTreeWalker(document.getElementById("page")!, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement!;
      if (!node.textContent?.trim() || element.closest(".unseen, noscript, details:not([open]) > :not(summary)")) continue;
      let ground = "rgba(0, 0, 0, 0)";
      for (let at: Element | null = element; at && ground === "rgba(0, 0, 0, 0)"; at = at.parentElement) ground = getComputedStyle(at).backgroundColor;
      found.push({ text: node.textContent.slice(0, 40), colour: getComputedStyle(element).color, ground, opacity: Number(getComputedStyle(element).opacity) });
    }
    return found;
  });
  return { seen: texts.length, poor: texts.filter((each) => contrast(each.colour, each.ground) < 4.5) };
}

const range = `&commit=${flushingCommit}`;
const explainedViews: [what: string, report: () => unknown, hash: string][] = [
  ["the overview", () => explained(rangeExplanation()), ""],
  ["the overview of several metrics", () => explained(metricsExplanation()), ""],
  ["the similarity report", () => explained(comparedExplanation()), "#benchmark=load&view=stacks"],
  ["the flame graph", () => explained(rangeExplanation()), `#benchmark=load&view=flame${range}`],
  ["the run report", () => explained(rangeExplanation()), `#benchmark=load&view=runs${range}`],
  ["the search over options", () => searched(exampleSearch()), ""],
  ["the diff", () => explained(rangeExplanation()), `#benchmark=load&view=diff${range}`],
];

/** Opens every row, so that all there is can be looked at. */
async function openRows(page: Page): Promise<void> {
  await page.evaluate(() => document.querySelectorAll<HTMLElement>(".opener[aria-expanded=false]").forEach((each) => each.click()));
}

for (const colorScheme of ["light", "dark"] as const) {
  for (const hash of ["", "#benchmark=load", "#benchmark=scan"])
    test(`text has contrast, ${colorScheme}, ${hash || "the list"}`, async ({ open, page }) => {
      await page.emulateMedia({ colorScheme });
      await open(exampleReport(), hash);
      const { seen, poor } = await poorTexts(page);
      expect(seen).toBeGreaterThan(30);
      expect(poor).toEqual([]);
    });
  for (const [what, report, hash] of explainedViews)
    test(`text has contrast, ${colorScheme}, ${what}`, async ({ open, page }) => {
      await page.emulateMedia({ colorScheme });
      await open(report(), hash);
      await openRows(page);
      const { seen, poor } = await poorTexts(page);
      expect(seen).toBeGreaterThan(20);
      expect(poor).toEqual([]);
    });
}

test("dark is dark, and plots follow at once", async ({ open, page }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await open(exampleReport(), "#benchmark=load");
  const picture = () => page.locator("canvas").first().evaluate((node: HTMLCanvasElement) => node.toDataURL());
  await expect(page.locator("canvas")).toHaveCount(3);
  const inScheme = async (colorScheme: "light" | "dark", before: string) => {
    await page.emulateMedia({ colorScheme });
    await expect.poll(picture).not.toBe(before);
    return picture();
  };
  const dark = await inScheme("dark", await picture());
  expect(luminance(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor))).toBeLessThan(0.02);
  const light = await inScheme("light", dark);
  expect(await inScheme("dark", light)).toBe(dark);
});

test("paper is white, without controls, and holds the logs", async ({ open, page }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await open(exampleReport(), "#benchmark=scan");
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)).toBe("rgb(255, 255, 255)");
  await expect(page.getByRole("navigation")).toHaveCount(0);
  await page.setViewportSize({ width: 690, height: 900 }); // A4 within its margins
  for (const hash of ["#benchmark=load", "#", "#benchmark=scan"]) {
    await page.evaluate((to) => (location.hash = to), hash);
    await expect(page.getByRole("main")).not.toBeEmpty();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(690);
  }
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  await expect(page.getByText("Built target larder").first()).toBeVisible();
});

test("a report prints as a few pages", async ({ open, page }) => {
  await open(exampleReport());
  const list = await page.pdf({ format: "A4" });
  await open(exampleReport(), "#benchmark=load");
  const detail = await page.pdf({ format: "A4" });
  const pages = (pdf: Buffer) => pdf.toString("latin1").match(/\/Type\s*\/Page\b/g)?.length ?? 0;
  expect(pages(list)).toBeGreaterThanOrEqual(1);
  expect(pages(list)).toBeLessThanOrEqual(2);
  expect(pages(detail)).toBeLessThanOrEqual(5);
});

for (const width of [360, 768, 1024])
  for (const hash of ["", "#benchmark=load"])
    test(`nothing is wider than a screen of ${width} pixels, ${hash || "the list"}`, async ({ open, page }) => {
      await page.setViewportSize({ width, height: 800 });
      await open(exampleReport(), hash);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      if (!hash) expect((await page.getByRole("link", { name: "mixed/zipf-0.99" }).boundingBox())!.width).toBeGreaterThan(60);
    });

for (const width of [360, 768, 1024])
  for (const [what, report, hash] of explainedViews)
    test(`nothing is wider than a screen of ${width} pixels, ${what}`, async ({ open, page }) => {
      await page.setViewportSize({ width, height: 800 });
      await open(report(), hash);
      await openRows(page);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    });

for (const [what, report, hash] of explainedViews)
  test(`${what} fits on paper, with everything open`, async ({ open, page }) => {
    await page.setViewportSize({ width: 690, height: 900 }); // A4 within its margins
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    await open(report(), hash);
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(690);
    await expect(page.getByRole("navigation")).toHaveCount(0);
    if (what === "the similarity report") await expect(page.getByText("+  ::fsync(file_);").first()).toBeVisible();
  });
