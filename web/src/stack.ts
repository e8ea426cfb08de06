// Stacks, root first: in short for a line of a table, and frame by frame with source lines and what changed in them.
import { diffLines } from "./diff";
import type { Frame, Hunk } from "./explanation";
import { clean, cut, h, name, unseen } from "./dom";

const operator = /^operator\s*(\(\)|<=>|<<=?|<=?|>>=?|>=?|->\*?|[^\w\s(<>]+)?/;

/** A function's name without parameters, template arguments and the type that it returns: "Store::scan". */
export function shortName(demangled: string): string {
  const from = demangled.replaceAll("(anonymous namespace)", "{anonymous}");
  let made = "";
  let depth = 0;
  for (let at = 0; at < from.length; ++at) {
    const found = depth === 0 && from.startsWith("operator", at) && !/\w$/.test(made) ? operator.exec(from.slice(at)) : null;
    if (found) {
      made += found[0];
      at += found[0].length - 1;
    } else if (from[at] === "<") ++depth;
    else if (from[at] === ">") depth = Math.max(0, depth - 1);
    else if (depth === 0 && from[at] === "(") break;
    else if (depth === 0) made += from[at];
  }
  made = made.trim();
  return (made.includes("operator") ? made : made.slice(made.lastIndexOf(" ") + 1)) || demangled;
}

/** Whether a function belongs to the build rather than to the system. */
export const isOfBuild = (frame: Frame): boolean => frame.binary !== "" && !/^[/[]/.test(frame.binary);

const framesInShort = 4;

/** Whether its source is the project's: what headers of the system put into the build is not. */
const isOfSource = (frame: Frame): boolean => isOfBuild(frame) && !frame.file.startsWith("/");

/** "… › run › Store::flush": the innermost frames of the project's source, else of the build, else of all. */
export function stackShort(frames: Frame[]): string {
  const own = [frames.filter(isOfSource), frames.filter(isOfBuild)].find((each) => each.length > 0) ?? frames;
  const names = own.map((frame) => shortName(frame.demangled) || "?");
  const shown = names.slice(-framesInShort).join(" › ");
  return names.length > framesInShort ? `… › ${shown}` : shown || "(no stack)";
}

/** The same as an element, with all of it at hand. */
export const stackCell = (frames: Frame[]): HTMLElement =>
  h("span", { class: "clamp stack-short", title: cut(frames.map((frame) => clean(shortName(frame.demangled))).join(" › ")) }, name(cut(stackShort(frames))));

export const placeText = (file: string, line: number | null): string => file + (line !== null ? `:${line}` : "");

/** What is shown at the frames of a stack. */
export interface Marks {
  hunks: Hunk[];
  /** The function where the change arises. */
  cause: { function: string; codeChanged: boolean } | null;
}

const noMarks: Marks = { hunks: [], cause: null };

function frameParts(frame: Frame, marks: Marks): (Node | null)[] {
  const here = marks.cause !== null && marks.cause.function === frame.function;
  const changed = marks.hunks.some((each) => isOf(each, frame));
  const place = frame.file ? placeText(frame.file, frame.line) : isOfBuild(frame) ? "" : frame.binary.slice(frame.binary.lastIndexOf("/") + 1);
  return [
    h("span", { title: cut(clean(frame.demangled)) }, name(shortName(frame.demangled) || "?")),
    place ? h("bdi", { class: "faint place" }, clean(place)) : null,
    frame.inlined ? h("span", { class: "tag" }, "inlined") : null,
    here ? h("span", { class: "tag t-here" }, "the change arises here") : null,
    changed || (here && marks.cause?.codeChanged) ? h("span", { class: "tag" }, "code changed") : null,
  ];
}

const isOf = (hunk: Hunk, frame: Frame): boolean => hunk.function === frame.function && (hunk.binary === "" || frame.binary === "" || hunk.binary === frame.binary);

/** The hunks of a frame; a function that calls itself shows them once. */
function hunksOf(frame: Frame, marks: Marks, shown: Set<Hunk>): HTMLElement[] {
  const own = marks.hunks.filter((each) => isOf(each, frame) && !shown.has(each));
  own.forEach((each) => shown.add(each));
  return own.map((each) => diffLines(each.text, `Changes in ${clean(shortName(frame.demangled))}`));
}

/** A stack as a list. */
export function stackList(frames: Frame[], marks: Marks = noMarks): HTMLElement {
  const shown = new Set<Hunk>();
  return h("ol", { class: "stack", "aria-label": "Stack, root first" }, ...frames.map((frame) => h("li", {}, h("span", { class: "frame-line" }, ...frameParts(frame, marks)), ...hunksOf(frame, marks, shown))));
}

type Pair = [Frame | null, Frame | null];

/** Lengths of the longest common subsequences of what follows each two frames. */
function commonLengths(before: Frame[], now: Frame[]): (i: number, j: number) => number {
  const width = now.length + 1;
  const longest = new Uint32Array((before.length + 1) * width);
  const at = (i: number, j: number) => longest[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; --i)
    for (let j = now.length - 1; j >= 0; --j) longest[i * width + j] = before[i]!.function === now[j]!.function ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  return at;
}

/** Which frame of one stack stands beside which of the other: equal functions, and in between whatever is left. */
export function aligned(before: Frame[], now: Frame[]): Pair[] {
  const common = commonLengths(before, now);
  const pairs: Pair[] = [];
  let [i, j, gapI, gapJ] = [0, 0, 0, 0];
  const closeGap = () => {
    for (; gapI < i || gapJ < j; ++gapI, ++gapJ) pairs.push([gapI < i ? before[gapI]! : null, gapJ < j ? now[gapJ]! : null]);
  };
  while (i < before.length || j < now.length) {
    if (i < before.length && j < now.length && before[i]!.function === now[j]!.function) {
      closeGap();
      pairs.push([before[i++]!, now[j++]!]);
      [gapI, gapJ] = [i, j];
    } else if (j >= now.length || (i < before.length && common(i + 1, j) >= common(i, j + 1))) ++i;
    else ++j;
  }
  closeGap();
  return pairs;
}

const deepestAligned = 300;

/** An old stack beside the new one that was taken for the same. */
export function stacksBeside(before: Frame[], now: Frame[], marks: Marks): HTMLElement {
  const shown = new Set<Hunk>();
  const cell = (frame: Frame | null, own: Marks, only: boolean) =>
    h("td", { class: frame ? (only ? "only" : null) : "absent" }, frame ? h("span", { class: "frame-line" }, ...frameParts(frame, own)) : unseen("not there"), ...(frame ? hunksOf(frame, own, shown) : []));
  const pairs = aligned(before.slice(-deepestAligned), now.slice(-deepestAligned));
  return h(
    "table",
    { class: "beside" },
    h("caption", { class: "unseen" }, "The stack before beside the stack now, root first"),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Before"), h("th", { scope: "col" }, "Now"))),
    h("tbody", {}, ...pairs.map(([one, other]) => {
      const unlike = one?.function !== other?.function;
      return h("tr", {}, cell(one, noMarks, unlike), cell(other, marks, unlike));
    })),
  );
}
