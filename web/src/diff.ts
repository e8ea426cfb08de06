// Diffs as text: lines that came and went are told by their sign as well as by their colour.
import type { Diff } from "./explanation";
import { clean, cleanLog, h, name } from "./dom";
import * as format from "./format";

/** The lines of a unified diff. */
export function diffLines(text: string, label: string): HTMLElement {
  const pre = h("pre", { class: "diff", tabindex: 0, "aria-label": label });
  for (const line of cleanLog(text).replace(/\n$/, "").split("\n")) {
    const kind = /^(\+\+\+|---) /.test(line) ? "span" : line.startsWith("+") ? "ins" : line.startsWith("-") ? "del" : "span";
    pre.append(h(kind, { class: line.startsWith("@@") ? "at" : null }, `${line}\n`));
  }
  return pre;
}

interface FileDiff {
  file: string;
  text: string;
}

/** The diff of each file; what stands before the first one belongs to none. */
function filesOf(text: string): FileDiff[] {
  const starts = [...text.matchAll(/^diff --git .*$/gm)].map((found) => found.index);
  if (starts.length === 0 || starts[0]! > 0) starts.unshift(0);
  return starts.map((start, index) => {
    const part = text.slice(start, starts[index + 1]);
    const named = /^\+\+\+ (?:b\/)?(.+)$/m.exec(part)?.[1];
    const before = /^--- (?:a\/)?(.+)$/m.exec(part)?.[1];
    const both = /^diff --git (?:a\/)?(.+) b\/.+$/m.exec(part)?.[1];
    return { file: (named === "/dev/null" ? before : named) ?? both ?? "", text: part };
  });
}

const count = (text: string, sign: RegExp) => (text.match(sign) ?? []).length;

function fileBlock({ file, text }: FileDiff): HTMLElement {
  const [more, less] = [count(text, /^\+(?!\+\+ )/gm), count(text, /^-(?!-- )/gm)];
  return h(
    "details",
    { class: "log", open: true },
    h("summary", {}, file ? name(file) : "Changes", h("span", { class: "faint" }, ` +${more} \u2212${less}`)),
    diffLines(text, `Changes of ${clean(file) || "the source"}`),
  );
}

/** The diffs that lead to a commit, one for each that it is compared with. */
export function diffParts(diffs: Diff[]): HTMLElement[] {
  return diffs.map((diff) =>
    h(
      "section",
      { class: "part", "aria-label": `Diff from ${format.shortCommit(diff.old)}` },
      h("h3", {}, "Diff from ", h("code", { title: diff.old }, format.shortCommit(diff.old)), " to ", h("code", { title: diff.new }, format.shortCommit(diff.new))),
      ...(diff.text ? filesOf(diff.text).map(fileBlock) : [h("p", { class: "faint" }, diff.leftOut > 0 ? "The diff is too large for this page." : "The source is the same.")]),
      diff.leftOut > 0 && diff.text ? h("p", { class: "faint" }, `The last ${format.quantity(diff.leftOut, "B")} of the diff are left out here.`) : null,
    ),
  );
}
