// Makes dist/report.html: the page with all styles and scripts inside, and an empty place for the data.
import { createHash } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { build } from "esbuild";

const here = (/** @type {string} */ path) => new URL(path, import.meta.url).pathname;

/** One file of the bundle as text, minified, with what it imports. */
async function bundled(/** @type {string} */ entry) {
  const result = await build({
    entryPoints: [here(entry)],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: ["chrome100", "firefox100", "safari15.4"],
    legalComments: "none",
    logLevel: "warning",
  });
  const text = result.outputFiles[0]?.text.trim() ?? "";
  if (/<\/(script|style)|<!--/i.test(text)) throw new Error(`${entry} contains what would end its own element`);
  return text;
}

const hash = (/** @type {string} */ text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

const style = await bundled("src/style.css");
const script = await bundled("src/main.ts");
const policy = [
  "default-src 'none'",
  `script-src ${hash(script)}`,
  `style-src ${hash(style)}`,
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

// The licence of what is copied into the page asks to be copied too.
const licence = `uPlot: ${(await readFile(here("node_modules/uplot/LICENSE"), "utf8")).trim()}`;
if (licence.includes("--")) throw new Error("the licence would end its own comment");

/** @type {Record<string, string>} */
const parts = { policy, licence, style, script };
const skeleton = await readFile(here("src/page.html"), "utf8");
const page = skeleton.replace(/\{\{(\w+)\}\}/g, (_, name) => parts[name] ?? "");

await mkdir(here("dist"), { recursive: true });
// A page that is the same stays as old as it is, so that no build folder compiles it in again.
if ((await readFile(here("dist/report.html"), "utf8").catch(() => "")) !== page) {
  // Whole or not at all: another build may be reading it.
  await writeFile(here(`dist/report.${process.pid}`), page);
  await rename(here(`dist/report.${process.pid}`), here("dist/report.html"));
}
