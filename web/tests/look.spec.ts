// How it looks: compared with pictures in golden/, in one font that every Debian has, so that the comparison tells of
// our changes and not of the machine's fonts. Small differences of rendering between versions of Chromium are allowed.
import type { Page } from "@playwright/test";
import { comparedExplanation, explained, flushingCommit, rangeExplanation } from "./explanations";
import { exampleReport, historyReport } from "./fixtures";
import { expect, test } from "./page";
import { exampleSearch, searched } from "./searches";

test.use({ contextOptions: { reducedMotion: "reduce" }, bypassCSP: true });

const tolerance = { maxDiffPixels: 3000, threshold: 0.2, animations: "disabled" as const };

/** The plain fonts, before anything is drawn. */
async function plainFonts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    addEventListener("DOMContentLoaded", () => {
      const style = document.createElement("style");
      style.textContent = ':root { --sans: "DejaVu Sans", sans-serif !important; --mono: "DejaVu Sans Mono", monospace !important; }';
      document.head.append(style);
      dispatchEvent(new Event("beforeprint"));
      dispatchEvent(new Event("afterprint"));
    });
  });
}

test.beforeEach(async ({ page }) => plainFonts(page));

test("the list", async ({ open, page }) => {
  await open(exampleReport());
  await expect(page).toHaveScreenshot("list.png", tolerance);
});

test("the list, dark", async ({ open, page }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await open(exampleReport());
  await expect(page).toHaveScreenshot("list-dark.png", tolerance);
});

test("the list on a phone", async ({ open, page }) => {
  await page.setViewportSize({ width: 390, height: 1200 });
  await open(exampleReport());
  await expect(page).toHaveScreenshot("list-phone.png", tolerance);
});

test("a benchmark", async ({ open, page }) => {
  await open(exampleReport(), "#benchmark=load");
  await expect(page.locator("canvas")).toHaveCount(3);
  await expect(page).toHaveScreenshot("detail.png", { ...tolerance, fullPage: true });
});

test("a history", async ({ open, page }) => {
  await open(historyReport());
  await expect(page).toHaveScreenshot("history.png", tolerance);
});

test("a benchmark on paper", async ({ open, page }) => {
  await page.setViewportSize({ width: 718, height: 1000 });
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await open(exampleReport(), "#benchmark=load");
  await expect(page.locator("canvas")).toHaveCount(3);
  await expect(page).toHaveScreenshot("detail-print.png", { ...tolerance, fullPage: true });
});

test("a similarity report with an open row", async ({ open, page }) => {
  await open(explained(comparedExplanation()), "#benchmark=load&view=stacks");
  for (const row of ["Stack 1", "Stack 4"]) await page.getByRole("button", { name: row, exact: true }).last().click();
  await expect(page).toHaveScreenshot("similarity.png", { ...tolerance, fullPage: true });
});

test("a similarity report, dark", async ({ open, page }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await open(explained(comparedExplanation()), "#benchmark=load&view=stacks");
  await expect(page).toHaveScreenshot("similarity-dark.png", tolerance);
});

test("a similarity report on a phone", async ({ open, page }) => {
  await page.setViewportSize({ width: 390, height: 1200 });
  await open(explained(comparedExplanation()), "#benchmark=load&view=stacks");
  await expect(page).toHaveScreenshot("similarity-phone.png", tolerance);
});

test("an overview over commits", async ({ open, page }) => {
  await open(explained(rangeExplanation()));
  await expect(page.locator("canvas")).toHaveCount(1);
  await expect(page).toHaveScreenshot("commits.png", { ...tolerance, fullPage: true });
});

test("a run report", async ({ open, page }) => {
  await open(explained(rangeExplanation()), `#benchmark=load&view=runs&commit=${flushingCommit}`);
  await expect(page).toHaveScreenshot("runs.png", { ...tolerance, fullPage: true });
});

test("a flame graph of a metric", async ({ open, page }) => {
  await open(explained(rangeExplanation()), `#benchmark=load&view=flame&commit=${flushingCommit}`);
  await expect(page.getByRole("tree")).toBeVisible();
  await expect(page).toHaveScreenshot("stack-flame.png", tolerance);
});

test("a diff", async ({ open, page }) => {
  await open(explained(rangeExplanation()), `#benchmark=load&view=diff&commit=${flushingCommit}`);
  await expect(page).toHaveScreenshot("diff.png", tolerance);
});

test("a search over options", async ({ open, page }) => {
  await open(searched(exampleSearch()));
  await expect(page.locator("canvas")).toHaveCount(4);
  await expect(page).toHaveScreenshot("variants.png", { ...tolerance, fullPage: true });
});

test("a search over options, dark", async ({ open, page }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await open(searched(exampleSearch()));
  await expect(page.locator("canvas")).toHaveCount(4);
  await expect(page).toHaveScreenshot("variants-dark.png", { ...tolerance, fullPage: true });
});

test("a search over options on a phone", async ({ open, page }) => {
  await page.setViewportSize({ width: 390, height: 1200 });
  await open(searched(exampleSearch()));
  await expect(page).toHaveScreenshot("variants-phone.png", tolerance);
});

test("the comparison can fail", async ({ open, page }, info) => {
  test.skip(info.config.updateSnapshots === "all" || info.config.updateSnapshots === "changed", "it would become the picture");
  await open(exampleReport());
  await page.evaluate(() => document.querySelectorAll(".verdict").forEach((badge) => badge.remove()));
  await expect(expect(page).toHaveScreenshot("list.png", { ...tolerance, timeout: 10_000 })).rejects.toThrow(/pixels .* are different|ratio/);
});
