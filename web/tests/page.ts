// Opens reports in the browser as a reader does: as files, with the data put in as src/report/page.cpp does it.
import { test as base, expect, type Page } from "@playwright/test";
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

export const pagePath = new URL("../dist/report.html", import.meta.url).pathname;
const opening = '<script type="application/json" id="report">';

/** The page with a JSON text as its data. */
export function filledPage(json: string): string {
  const page = readFileSync(pagePath, "utf8");
  const at = page.indexOf(opening) + opening.length;
  const escaped = json.replace(/</g, "\\u003c").replace(/\u2028/g, "\\u2028").replace(/\u2029/g, "\\u2029");
  return page.slice(0, at) + escaped + page.slice(page.indexOf("</script>", at));
}

interface Fixtures {
  /** Opens a report, at a place behind #; every error that the page meets fails the test. */
  open: (report: unknown, hash?: string) => Promise<Page>;
}

export const test = base.extend<Fixtures>({
  open: async ({ page }, use, info) => {
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") errors.push(message.text());
    });
    page.on("request", (request) => {
      if (!/^(file|data):/.test(request.url())) errors.push(`asked the network for ${request.url()}`);
    });
    let count = 0;
    await use(async (report, hash = "") => {
      // A name of its own: going to another # of the same file would not load it again.
      const file = info.outputPath(`report-${++count}.html`);
      writeFileSync(file, filledPage(typeof report === "string" ? report : JSON.stringify(report)));
      await page.goto(pathToFileURL(file).href + hash);
      return page;
    });
    expect(errors).toEqual([]);
  },
});

export { expect };
