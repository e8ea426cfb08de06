// What stacks did: the similarity report, the run reports, the overview, the flame graph and the diff.
import type { Page } from "@playwright/test";
import { readFileSync } from "node:fs";
import { comparedExplanation, explained, flushingCommit, hostileExplanation, metricsExplanation, newCommit, oldCommit, rangeCommits, rangeExplanation, runExplanation } from "./explanations";
import { exampleReport, hostileNames, randomFrom } from "./fixtures";
import { expect, test } from "./page";

const at = (view: string, more = "") => `#benchmark=load&view=${view}${more}`;

test("the similarity report tells the outcome, the causes and what did not finish", async ({ open }) => {
  const page = await open(explained(comparedExplanation()), at("stacks"));
  await expect(page.getByRole("heading", { level: 3 }).first()).toHaveText(/5 of 20\sstacks changed; most of the change arises in larder::Log::flush\./);
  const causes = page.getByRole("region", { name: /Where it arises/ }).getByRole("listitem");
  await expect(causes).toHaveCount(3);
  await expect(causes.first()).toHaveText(/^larder::Log::flush \(src\/log\.cpp:117\), whose code changed: written \+39\.9\sk calls a run, \+9\d\.\d\s% of the run's calls in stack 1, stack 2\.$/);
  const crashes = page.getByRole("region", { name: /runs did not finish/ });
  await expect(crashes).toContainText(/Run 3 of \w{10} crashed \(signal 6, SIGABRT\) after 210\sms/);
  await expect(crashes.getByLabel("End of the log of run 3")).toContainText("larder: error: cannot append: No space left on device");
  await expect(crashes).toContainText(/Run 1 of \w{10} failed \(exit status 2\) after 50\sms\s*It printed nothing\./);
  await expect(page.getByRole("list", { name: "Notes" }).first()).toContainText("The base was never watched");
  await expect(page.getByRole("table", { name: "All stacks together, per run" }).getByRole("row", { name: /written/ })).toContainText(/5\.10\sMiB7\.76\sMiB\+52\.\d\s%/);
});

test("findings come first, the rest is folded", async ({ open }) => {
  const page = await open(explained(comparedExplanation()), at("stacks"));
  const findings = page.getByRole("table", { name: /Stacks that changed/ });
  await expect(findings.locator("tbody tr")).toHaveCount(5);
  const texts = (await findings.locator("tbody tr").first().locator("td, th").allTextContents()).map((text) => text.replace(/\u00a0/g, " "));
  expect(texts).toEqual(["Stack 1", "1", "0.00", "40.0 k", "+39.9 k", "−63.9 KiB", "−2.44 GiB", "1.28 KiB", "5/5", "+99.7 % of calls", "written", "… › run_script › larder::Store::put › larder::Log::append › larder::Log::flush"]);
  await expect(page.getByRole("table", { name: "Stacks that did not change" })).toHaveCount(0);
  await page.getByText(/^15\sstacks as before$/).click();
  await expect(page.getByRole("table", { name: "Stacks that did not change" }).locator("tbody tr")).toHaveCount(3);
  await expect(page.getByText(/and 12\smore stacks that this page does not hold/)).toBeVisible();
  await findings.getByRole("button", { name: "Calls diff" }).click();
  await expect(findings.locator("tbody tr").first()).toContainText("fsync");
});

test("a row opens to its stack, its files and the hunk, by mouse and by keyboard", async ({ open }) => {
  const page = await open(explained(comparedExplanation()), at("stacks"));
  const opener = page.getByRole("button", { name: "Stack 1", exact: true });
  await opener.focus();
  await page.keyboard.press("Enter");
  await expect(opener).toHaveAttribute("aria-expanded", "true");
  const below = page.locator(`#${await opener.getAttribute("aria-controls")}`);
  await expect(below.getByRole("list", { name: "Stack, root first" }).getByRole("listitem")).toHaveCount(7);
  const flush = below.getByRole("listitem").filter({ hasText: "larder::Log::flush" });
  await expect(flush).toContainText("src/log.cpp:117");
  await expect(flush).toContainText("the change arises here");
  await expect(flush).toContainText("code changed");
  await expect(flush.locator("ins")).toHaveText(["+ // Each record must be on the disk before the next one.", "+ ::fsync(file_);"]);
  await expect(flush.locator("del")).toHaveCount(2);
  await expect(below.getByRole("listitem").filter({ hasText: "Store::put" })).toContainText("inlined");
  await expect(below.getByRole("row", { name: /calls a run/ })).toContainText("exact: the values repeat");
  await expect(below.getByRole("table", { name: "Files that it was done to" })).toContainText("/tmp/larder/log");
  await expect(page).toHaveURL(/row=1$/);
  await page.keyboard.press("Enter");
  await expect(below).toBeHidden();
  await page.locator(".findings > tbody > tr.opens").nth(2).click({ position: { x: 300, y: 8 } });
  await expect(page.getByText("New: no stack did this before.")).toBeVisible();
});

test("an address opens a row, and the number of a cause leads to it", async ({ open }) => {
  const page = await open(explained(comparedExplanation()), at("stacks", "&row=5"));
  await expect(page.getByText("Gone: no stack does this now.")).toBeVisible();
  await page.getByRole("button", { name: "stack 4", exact: true }).first().click();
  await expect(page.getByText("Taken for one stack: functions and amounts are most alike.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Stack 4", exact: true }).last()).toBeFocused();
});

test("a matched stack stands beside the old one", async ({ open }) => {
  const page = await open(explained(comparedExplanation()), at("stacks", "&row=4"));
  const beside = page.getByRole("table", { name: /before beside the stack now/ });
  await expect(beside.getByRole("row")).toHaveCount(6);
  await expect(beside.locator("td.only")).toHaveText([/store_table.*219/, /write_table.*221.*arises here/]);
  await expect(page.getByRole("row", { name: /written a run/ })).toContainText(/p\s<\s0\.001/);
  await page.getByText(/15\sstacks as before/).click();
  await page.getByRole("table", { name: "Stacks that did not change" }).locator("tr.opens").nth(1).click({ position: { x: 300, y: 8 } });
  await expect(page.getByText("Taken for one stack: the functions are the same but for some")).toBeVisible();
  await expect(beside.last().locator("td.absent")).toHaveText("not there");
});

test("printing opens all findings, and afterwards they are as before", async ({ open }) => {
  const page = await open(explained(comparedExplanation()), at("stacks", "&row=1"));
  await expect(page.getByRole("button", { name: "Stack 1", exact: true })).toHaveAttribute("aria-expanded", "true");
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  await expect(page.locator(".findings .opener[aria-expanded=true]")).toHaveCount(5);
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  await expect(page.locator(".findings .opener[aria-expanded=true]")).toHaveCount(1);
  await expect(page).toHaveURL(/row=1$/);
});

test("a report without a finding says so", async ({ open }) => {
  const page = await open(explained(comparedExplanation()), "#benchmark=log%2Fappend&view=stacks");
  await expect(page.getByRole("heading", { level: 3 }).first()).toHaveText(/^No change in 15\sstacks\.$/);
  await expect(page.getByRole("region", { name: /Where it arises/ })).toHaveCount(0);
  await expect(page.getByText("Nothing changed.")).toBeVisible();
});

test("too few runs are no evidence that nothing changed", async ({ open }) => {
  const made = comparedExplanation();
  const same = made.benchmarks[1]!;
  const few = { ...same, similarity: { ...same.similarity, conclusive: false } };
  const page = await open(explained({ ...made, benchmarks: [made.benchmarks[0], few] }), "#benchmark=log%2Fappend&view=stacks");
  await expect(page.getByRole("heading", { level: 3 }).first()).toHaveText(/^No change is certain in 15\sstacks: there are too few runs to tell\.$/);
  await page.getByRole("link", { name: "All benchmarks" }).click();
  await expect(page.locator("table.explained tbody tr").nth(1).locator(".verdict")).toHaveClass(/is-inconclusive/);
});

test("several benchmarks are listed with their outcome", async ({ open }) => {
  const page = await open(explained(comparedExplanation()));
  await expect(page.getByRole("banner")).toContainText("what stacks did");
  const rows = page.getByRole("table", { name: "What the stacks of benchmarks did" }).locator("tbody tr");
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText(/5 of 20\sstacks changed/);
  await rows.nth(1).click();
  await expect(page.getByRole("heading", { level: 2 })).toHaveText("log/append");
  await page.getByRole("link", { name: "Previous" }).click();
  await expect(page.getByRole("heading", { level: 2 })).toHaveText("load");
  await page.getByRole("link", { name: "All benchmarks" }).click();
  await expect(rows).toHaveCount(2);
});

test("the run reports of both sides are a link away", async ({ open }) => {
  const page = await open(explained(comparedExplanation()), at("stacks"));
  await page.getByRole("link", { name: `Runs before, ${oldCommit.slice(0, 10)}` }).click();
  await expect(page).toHaveTitle(`load - runs ${newCommit.slice(0, 10)} - larder - Dragnet`);
  await expect(page.getByRole("link", { name: /Runs before/ })).toHaveAttribute("aria-current", "page");
  await expect(page.getByText(/5\.10\sMiB a run in 383 calls, by 5\sstacks; the kernel counted the same\./)).toBeVisible();
  await page.getByRole("link", { name: `Runs now, ${newCommit.slice(0, 10)}` }).click();
  await expect(page.getByText(/the kernel counted 7\.77\sMiB, 4\.00\sKiB more than was seen\./)).toBeVisible();
  await expect(page.getByText(/3\srecords were lost/)).toBeVisible();
  const most = page.getByRole("region", { name: "Most in total" }).locator("tbody tr.opens");
  await expect(most.first()).toContainText("larder::Log::flush");
  await expect(page.getByRole("region", { name: "Most per call" }).locator("tbody tr.opens").first()).toContainText(/64\.0\sKiB|80\.0\sKiB/);
  await expect(page.getByRole("region", { name: "Files with most" })).toContainText("/tmp/larder/log");
  await most.first().click();
  await expect(page.getByRole("list", { name: "Stack, root first" })).toContainText("src/log.cpp:117");
  await page.getByRole("link", { name: "fsync", exact: true }).click();
  await expect(page.getByText(/40\.0\sk calls a run, by 2\sstacks\./)).toBeVisible();
  await expect(page.getByRole("region", { name: "Most per call" })).toHaveCount(0);
  await page.reload();
  await expect(page.getByText(/40\.0\sk calls a run/)).toBeVisible();
});

test("a run report alone is shown at once", async ({ open }) => {
  const page = await open(explained(runExplanation()));
  await expect(page.getByRole("heading", { level: 2 })).toHaveText("load");
  await expect(page.getByRole("region", { name: "Most in total" })).toBeVisible();
  await expect(page.getByRole("region", { name: /1\srun did not finish/ })).toBeVisible();
});

test("the overview draws the total of each commit, and its points lead on", async ({ open }) => {
  const page = await open(explained(rangeExplanation()));
  await expect(page.locator(".headline")).toHaveText(/1 of 12\scommits changed what stacks do\./);
  const plot = page.getByRole("group", { name: "written, total of a run" });
  await expect(plot.locator("canvas")).toHaveCount(1);
  await expect(plot).toHaveAccessibleDescription(/1 of 12\scommits changed what stacks do\..*Enter opens what the point leads to/);
  await expect(page.getByText("not watched (1)")).toBeVisible();
  await plot.focus();
  await page.keyboard.press("Home");
  for (let i = 0; i < 4; ++i) await page.keyboard.press("ArrowRight");
  await expect(page.locator("figure output").first()).toContainText(/Flush after each record: 7\.\d+\sMiB \(.* to .*\), 40\.4\sk calls, 5\sruns; 5\sstacks changed, first … › run_script › larder::Store::put.*; 1\srun did not finish/);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`view=stacks&commit=${flushingCommit}`));
  await expect(page.getByRole("heading", { level: 3 }).first()).toHaveText(/5 of 20\sstacks changed/);
  await page.goBack();
  await expect(plot.locator("canvas")).toHaveCount(1);
  await clickPoint(page, 4);
  await expect(page).toHaveURL(new RegExp(`view=stacks&commit=${flushingCommit}`));
  await page.getByRole("link", { name: "All commits" }).click();
  await page.getByRole("table", { name: "Commits, oldest first" }).getByRole("link", { name: /Flush after each record/ }).click();
  await expect(page).toHaveURL(new RegExp(`view=stacks&commit=${flushingCommit}`));
});

test("each metric has its graph over the commits, and stays chosen", async ({ open }) => {
  const page = await open(explained(metricsExplanation()));
  const metrics = page.getByRole("navigation", { name: "Metrics" }).getByRole("link");
  await expect(metrics).toHaveText(["network", /^written 1/, /^fsync 1/]);
  await expect(metrics.nth(1)).toHaveAttribute("aria-current", "true");
  await expect(page.getByRole("group", { name: "written, total of a run" })).toBeVisible();
  await page.getByRole("link", { name: "fsync 1 commit changed" }).click();
  await expect(page.getByRole("group", { name: "calls, fsync, total of a run" })).toBeVisible();
  await page.getByRole("table", { name: "Commits, oldest first" }).getByRole("link", { name: /Flush after each record/ }).first().click();
  await page.getByRole("link", { name: "Flame graph" }).click();
  await expect(page.getByRole("heading", { level: 3 })).toHaveText("Calls that count as fsync, before and now");
  await page.getByRole("link", { name: /^Runs now/ }).click();
  await expect(page.getByText(/40\.0\sk calls a run, by 2\sstacks\./)).toBeVisible();
  await page.getByRole("link", { name: "All commits" }).click();
  await expect(page.getByRole("group", { name: "calls, fsync, total of a run" })).toBeVisible();
});

test("where only calls differ, they are drawn, and amounts are a link away", async ({ open }) => {
  const made = rangeExplanation();
  for (const point of made.benchmarks[0]!.overview.points) if (point.runs > 0) Object.assign(point, { mean: { ...point.mean, amount: 6e6 }, low: 6e6, high: 6e6 });
  const page = await open(explained(made));
  const plot = page.getByRole("group", { name: "calls, written, total of a run" });
  await expect(plot.locator("canvas")).toHaveCount(1);
  await expect(plot).toHaveAccessibleDescription(/Flush after each record: 40\.4\sk calls, 5\sruns; 5\sstacks changed/);
  await expect(page.getByRole("columnheader", { name: "written" })).toBeVisible();
  const quantities = page.getByRole("navigation", { name: "Drawn by" }).getByRole("link");
  await expect(quantities).toHaveText(["amount", "calls"]);
  await expect(quantities.nth(1)).toHaveAttribute("aria-current", "true");
  await quantities.first().click();
  await expect(page.getByRole("group", { name: "written, total of a run", exact: true })).toBeVisible();
  await expect(page).toHaveURL(/metric=written&quantity=amount$/);
});

async function clickPoint(page: Page, index: number): Promise<void> {
  const over = page.locator(".plot .u-over").first();
  const box = (await over.boundingBox())!;
  await over.click({ position: { x: ((index + 0.8) / (rangeCommits.length - 1 + 1.6)) * box.width, y: box.height / 2 } });
}

test("from a commit of a range to its neighbours, its runs and its diff", async ({ open }) => {
  const page = await open(explained(rangeExplanation()), at("stacks", `&commit=${flushingCommit}`));
  const nav = page.getByRole("navigation", { name: "Reports of this commit" });
  await expect(nav.getByRole("link")).toHaveText(["All commits", "Similarity report", "Flame graph", /^Runs before/, /^Runs now/, "Diff"]);
  await page.getByRole("link", { name: "Later commit" }).click();
  await expect(page.getByRole("heading", { level: 3 }).first()).toHaveText(/No change in/);
  await page.getByRole("link", { name: "Diff" }).click();
  await expect(page.getByText("The source is the same.")).toBeVisible();
  await page.goBack();
  await page.getByRole("link", { name: "Earlier commit" }).click();
  await nav.getByRole("link", { name: /^Runs before/ }).click();
  await expect(page.getByRole("region", { name: "Commit" })).toContainText(rangeCommits[3]!.commit.slice(0, 10));
  await nav.getByRole("link", { name: "Diff" }).click();
  const blocks = page.locator("details.log");
  await expect(blocks.locator("summary")).toHaveText(["src/log.cpp +2 −2", "src/compact.cpp +2 −1"]);
  await expect(blocks.nth(1).locator("ins")).toHaveCount(2);
  await expect(blocks.nth(1).locator("del")).toHaveCount(1);
  await expect(page.getByText(/The last 1\.46\sKiB of the diff are left out here\./)).toBeVisible();
});

test("colours of a diff differ, and its signs stay", async ({ open }) => {
  const page = await open(explained(rangeExplanation()), at("diff", `&commit=${flushingCommit}`));
  const colour = (kind: string) => page.locator(`.diff ${kind}`).first().evaluate((node) => getComputedStyle(node).backgroundColor);
  expect(await colour("ins")).not.toBe(await colour("del"));
  await expect(page.locator(".diff ins").first()).toHaveText(/^\+/);
  await expect(page.locator(".diff del").first()).toHaveText(/^-/);
});

test("the flame graph of any metric, by amount and by calls", async ({ open }) => {
  const page = await open(explained(comparedExplanation()), at("stacks"));
  await page.getByRole("link", { name: "Flame graph" }).click();
  await expect(page.getByRole("heading", { level: 3 })).toHaveText("Amount of written, before and now");
  const frame = (name: RegExp) => page.getByRole("treeitem", { name }).first();
  await expect(frame(/^larder::compact: old 0\sB written \(0\s%\), new 2\.50\sMiB \(32\.\d\s%\), \+49\.\d\s% of the run before/)).toBeVisible();
  await page.getByRole("radio", { name: "calls" }).check();
  await expect(page.getByRole("heading", { level: 3 })).toHaveText("Calls that count as written, before and now");
  await expect(frame(/^larder::Log::flush: old 64 calls, written.*, \+10,4\d\d\s% of the run before/)).toHaveClass(/d5/);
  await expect(page.getByRole("img", { name: /^Colours from less over no difference to \+10,4\d\d\s% \(more\)$/ })).toBeVisible();
  await expect(page.getByRole("radio", { name: "calls" })).toBeFocused();
  await page.getByLabel("Metric").selectOption("fsync");
  await expect(page.getByRole("heading", { level: 3 })).toHaveText("Calls that count as fsync, before and now");
  await expect(page.getByRole("radio", { name: "amount" })).toBeDisabled();
  await expect(page).toHaveURL(/view=flame.*metric=fsync&quantity=calls/);
  await page.reload();
  await expect(page.getByRole("heading", { level: 3 })).toHaveText("Calls that count as fsync, before and now");
});

test("the flame graph of one commit knows no sides", async ({ open }) => {
  const page = await open(explained(runExplanation()));
  await page.getByRole("link", { name: "Flame graph" }).click();
  await expect(page.getByRole("heading", { level: 3 })).toHaveText("Amount of written, by stack");
  await expect(page.getByRole("treeitem", { name: /^larder::compact: 2\.50\sMiB written \(32\.\d\s%\)$/ })).toBeVisible();
  await expect(page.getByText("Width by")).toHaveCount(0);
  await expect(page.locator(".flame-legend")).toHaveCount(0);
});

test("beside a check, stacks are listed and linked from the benchmark", async ({ open }) => {
  const page = await open({ ...exampleReport(), explanation: comparedExplanation() });
  await expect(page.locator("table.benchmarks tbody tr")).toHaveCount(12);
  await expect(page.getByRole("region", { name: /^Stacks/ })).toBeVisible();
  await page.locator("table.benchmarks").getByRole("link", { name: "load" }).click();
  await expect(page.getByRole("region", { name: "Metrics", exact: true })).toBeVisible();
  await page.getByRole("link", { name: "What its stacks did" }).click();
  await expect(page.getByRole("region", { name: "Metrics", exact: true })).toHaveCount(0);
  await expect(page.getByRole("table", { name: /Stacks that changed/ })).toBeVisible();
  await page.getByRole("link", { name: "Measurements" }).click();
  await expect(page.getByRole("region", { name: "Metrics", exact: true })).toBeVisible();
  await page.goto(page.url().replace("load", "scan"));
  await expect(page.getByRole("link", { name: "Measurements" })).toHaveCount(0);
});

test("what is not there is said not to be there", async ({ open }) => {
  const page = await open(explained(rangeExplanation()), at("stacks", "&commit=ffff"));
  await expect(page.getByText("This report tells nothing about that commit.")).toBeVisible();
  await open(explained(rangeExplanation()), at("runs", `&commit=${flushingCommit}&of=ffff`));
  await expect(page.getByText("This report has no runs of that commit.")).toBeVisible();
  await open(explained(rangeExplanation()), at("diff", `&commit=${rangeCommits[0]!.commit}`));
  await expect(page.getByText("This report has no diff of that commit.")).toBeVisible();
  await open(explained(rangeExplanation()), at("flame", `&commit=${rangeCommits[0]!.commit}`));
  await expect(page.getByText("There is no tree of calls for this.")).toBeVisible();
  await open(explained({ benchmarks: [{ benchmark: "load" }] }));
  await expect(page.getByText("Nothing is known about the stacks of this benchmark.")).toBeVisible();
  await open(explained({}));
  await expect(page.getByRole("region", { name: /^Stacks/ })).toBeVisible();
});

test("what the program writes is what the page reads", async ({ open }) => {
  const sample = JSON.parse(readFileSync(new URL("samples/explanation.json", import.meta.url), "utf8"));
  const page = await open(explained(sample));
  await expect(page.getByRole("heading", { level: 2 })).toHaveText("insert");
  await expect(page.locator(".headline").first()).toHaveText(/1 of 2\scommits changed what stacks do\./);
  await page.getByRole("table", { name: "Commits, oldest first" }).getByRole("link", { name: /New one/ }).click();
  await expect(page.getByRole("heading", { level: 3 }).first()).toHaveText(/1 of 2\sstacks changed; the change arises in flush\./);
  await page.getByRole("button", { name: "Stack 1", exact: true }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "flush" }).last()).toContainText("src/app.cpp:40");
  await expect(page.locator(".diff ins")).toHaveText("+b");
  await page.getByRole("link", { name: "Flame graph" }).click();
  await expect(page.getByRole("treeitem", { name: /^flush: old 40\.0\sKiB written/ })).toHaveCount(1);
  await page.getByRole("link", { name: /^Runs before/ }).click();
  await expect(page.getByText(/42\.0\sKiB a run in 30 calls, by 2\sstacks\./)).toBeVisible();
  await page.getByRole("link", { name: "Diff" }).click();
  await expect(page.locator(".diff del")).toHaveText("-a");
});

test("any field of an explanation can be missing or of another kind", async ({ open, page }) => {
  const whole = { ...comparedExplanation(), benchmarks: [...rangeExplanation().benchmarks, ...comparedExplanation().benchmarks.map((each) => ({ ...each, benchmark: `${each.benchmark}/pair` }))] };
  let spoiled = 0;
  for (let seed = 1; seed <= 12; ++seed) {
    const random = randomFrom(seed);
    const odd = [null, "odd", -7, 1e300, [], {}, [null, 1], true, "__proto__", "constructor"];
    const spoil = (value: unknown, key: string): unknown => {
      if (!["benchmark", "benchmarks", "commit", "steps"].includes(key) && random() < 0.03) {
        ++spoiled;
        return random() < 0.2 ? undefined : odd[Math.floor(random() * odd.length)];
      }
      if (Array.isArray(value)) return value.map((each) => spoil(each, ""));
      if (typeof value !== "object" || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, spoil(each, name)]));
    };
    await open(explained(spoil(whole, "benchmarks")), "#");
    for (const view of ["stacks", "flame", "runs", "diff"])
      for (const where of [`#benchmark=load&view=${view}`, `#benchmark=load&view=${view}&commit=${flushingCommit}`, `#benchmark=load%2Fpair&view=${view}`]) {
        await page.evaluate((hash) => (location.hash = hash), where);
        await expect(page.getByRole("main")).not.toBeEmpty();
        for (const opener of await page.locator(".opener").all()) await opener.evaluate((node: HTMLElement) => node.click());
      }
  }
  expect(spoiled).toBeGreaterThan(2000);
});

test("hostile names are text in every view", async ({ open, page }) => {
  const report = explained(hostileExplanation());
  await open(report);
  await expect(page.locator("table.explained tbody tr")).toHaveCount(3);
  const look = async () => {
    await expect(page.getByRole("main")).not.toBeEmpty();
    for (const opener of await page.locator(".opener").all()) await opener.evaluate((node: HTMLElement) => node.click());
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(1280);
    await expect(page.locator("#page img, #page script, #page iframe")).toHaveCount(0);
    expect(await page.title()).not.toBe("owned");
  };
  await look();
  for (const [name, commit] of [[hostileNames[0], flushingCommit], [hostileNames[1], newCommit], [hostileNames[2], newCommit]])
    for (const view of ["stacks", "flame", "runs", "diff"])
      for (const more of ["", `&commit=${commit}`]) {
        const hash = `#${new URLSearchParams({ benchmark: name!, view })}${more}`;
        await page.evaluate((to) => (location.hash = to), hash);
        await look();
      }
});
