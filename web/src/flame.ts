// The tree of calls of both sides as an icicle: the root on top, a frame as wide as its instructions, bytes or calls,
// coloured by what it does more or less. Frames are elements, so that they print, scale and can be reached by keyboard
// and screen reader as a tree; what would be narrower than a pixel or two is left out.
import type { CallNode } from "./document";
import { clean, fresh, h, name } from "./dom";
import * as format from "./format";

type Side = "old" | "new";

interface Frame {
  node: CallNode;
  parent: Frame | null;
  depth: number;
  left: number;
  width: number;
  children: Frame[];
  element: HTMLElement | null;
}

const rowHeight = 21;
const narrowest = 2.5; // pixels
const mostFrames = 3000;
const bounds = [0.02, 0.1, 0.25, 0.5, 0.8];

/** The class of a difference: -5 to 5, by its share of the largest one. */
function grade(difference: number, largest: number): number {
  if (largest <= 0) return 0;
  const size = Math.abs(difference) / largest;
  const steps = bounds.filter((bound) => size >= bound).length;
  return difference < 0 ? -steps : steps;
}

function largestDifference(root: CallNode): number {
  let largest = 0;
  const open = [root];
  for (let node = open.pop(); node; node = open.pop()) {
    largest = Math.max(largest, Math.abs(node.new - node.old));
    open.push(...node.callees);
  }
  return largest;
}

/** What frames are as wide as. */
export interface Measure {
  unit: string;
  /** What is counted, behind the number: "instructions", "written", "calls". */
  noun: string;
  /** Whether both sides are the same, because there is only one. */
  alone?: boolean;
}

const instructions: Measure = { unit: "", noun: "instructions" };

export function flameGraph(root: CallNode, measure = instructions): HTMLElement {
  const total = root.old || root.new || 1;
  const largest = largestDifference(root);
  const parents = new Map<CallNode, CallNode>();
  let side: Side = root.new > 0 ? "new" : "old";
  let zoomed = root;
  let wanted = "";
  let frames: Frame[] = [];
  let focused: CallNode = root;

  const more = (node: CallNode) => format.shareChange((node.new - node.old) / total);
  const describe = (node: CallNode) => (measure.alone ? describeAlone(node) : describeBoth(node));
  const describeAlone = (node: CallNode) => `${clean(node.name) || "(no name)"}: ${format.quantity(node.new, measure.unit)} ${clean(measure.noun)} (${format.share(node.new / (root.new || 1))})`;
  const describeBoth = (node: CallNode) =>
    `${clean(node.name) || "(no name)"}: old ${format.quantity(node.old, measure.unit)} ${clean(measure.noun)} (${format.share(node.old / (root.old || 1))}), ` +
    `new ${format.quantity(node.new, measure.unit)} (${format.share(node.new / (root.new || 1))}), ${more(node)} of the run before`;

  // From the zoomed node down; each callee gets its part of the width of its caller.
  function layOut(pixels: number): Frame[] {
    const made: Frame[] = [];
    const path: CallNode[] = [];
    for (let node = parents.get(zoomed); node; node = parents.get(node)) path.unshift(node);
    let parent: Frame | null = null;
    for (const node of path) parent = add(node, parent, 0, 1);
    const open = [add(zoomed, parent, 0, 1)];
    for (let frame = open.shift(); frame && made.length < mostFrames; frame = open.shift()) {
      const sum = frame.node.callees.reduce((all, callee) => all + callee[side], 0);
      const whole = Math.max(frame.node[side], sum) || 1;
      let left = frame.left;
      for (const callee of [...frame.node.callees].sort((a, b) => b[side] - a[side])) {
        const width = (callee[side] / whole) * frame.width;
        if (width * pixels >= narrowest) open.push(add(callee, frame, left, width));
        left += width;
      }
    }
    return made;

    function add(node: CallNode, above: Frame | null, left: number, width: number): Frame {
      if (above && !parents.has(node)) parents.set(node, above.node);
      const frame: Frame = { node, parent: above, depth: above ? above.depth + 1 : 0, left, width, children: [], element: null };
      above?.children.push(frame);
      made.push(frame);
      return frame;
    }
  }

  const matches = (node: CallNode) => wanted !== "" && node.name.toLowerCase().includes(wanted);

  function element(frame: Frame, pixels: number): HTMLElement {
    const { node } = frame;
    const wide = frame.width * pixels;
    const difference = node.new - node.old;
    const classes = ["frame", `d${grade(difference, largest)}`];
    if (wanted) classes.push(matches(node) ? "found" : "dim");
    if (frame.width === 1 && node !== zoomed && frame.depth < depthOf(zoomed)) classes.push("above");
    const made = h(
      "div",
      {
        class: classes.join(" "),
        role: "treeitem",
        "aria-level": frame.depth + 1,
        "aria-label": describe(node),
        "aria-selected": node === focused ? "true" : "false",
        "aria-expanded": node.callees.length ? "true" : null,
        tabindex: node === focused ? 0 : -1,
      },
      wide > 22 ? h("bdi", { class: "label" }, clean(node.name).slice(0, 200)) : null,
      wide > 150 && difference !== 0 ? h("span", { class: "delta" }, more(node)) : null,
    );
    made.style.left = `${frame.left * 100}%`;
    made.style.width = `${frame.width * 100}%`;
    made.style.top = `${frame.depth * rowHeight}px`;
    frame.element = made;
    return made;
  }

  function depthOf(node: CallNode): number {
    let depth = 0;
    for (let at = parents.get(node); at; at = parents.get(at)) ++depth;
    return depth;
  }

  const tree = h("div", { class: "flame", role: "tree", "aria-label": measure.alone ? "Calls" : "Calls of both sides, coloured by their difference" });
  const told = h("output", { class: "told", "aria-live": "off" });
  const found = h("output", { class: "faint", "aria-live": "polite" });
  const reset = h("button", { type: "button", class: "plain", hidden: true, click: () => zoom(root) }, "Show all");

  function draw(): void {
    const hadFocus = tree.contains(document.activeElement);
    const pixels = tree.clientWidth || 900;
    frames = layOut(pixels);
    if (!frames.some((frame) => frame.node === focused)) focused = zoomed;
    tree.replaceChildren(...frames.map((frame) => element(frame, pixels)));
    tree.style.height = `${(Math.max(...frames.map((frame) => frame.depth)) + 1) * rowHeight}px`;
    reset.hidden = zoomed === root;
    if (hadFocus) frameOf(focused)?.element?.focus();
    tellFound();
  }

  const frameOf = (node: CallNode) => frames.find((frame) => frame.node === node);
  const frameAt = (target: EventTarget | null) => {
    const hit = target instanceof Element ? target.closest(".frame") : null;
    return frames.find((frame) => frame.element === hit);
  };

  // Counts only the outermost matches, so that recursion is not counted twice.
  function tellFound(): void {
    if (!wanted) {
      found.textContent = "";
      return;
    }
    let [count, sum] = [0, 0];
    const open: [CallNode, boolean][] = [[root, false]];
    for (let at = open.pop(); at; at = open.pop()) {
      const [node, inside] = at;
      const hit = matches(node);
      count += Number(hit);
      if (hit && !inside) sum += node[side];
      for (const callee of node.callees) open.push([callee, inside || hit]);
    }
    found.textContent = count ? `${format.plural(count, "frame")}, ${format.share(sum / (root[side] || 1))} of ${measure.alone ? "all" : side}` : "nothing found";
  }

  function zoom(node: CallNode): void {
    zoomed = focused = node;
    draw();
    told.textContent = describe(node);
  }

  function focus(frame: Frame | undefined | null): void {
    if (!frame?.element) return;
    const before = frameOf(focused)?.element;
    before?.setAttribute("tabindex", "-1");
    before?.setAttribute("aria-selected", "false");
    focused = frame.node;
    frame.element.setAttribute("tabindex", "0");
    frame.element.setAttribute("aria-selected", "true");
    frame.element.focus();
    told.textContent = describe(frame.node);
  }

  function sibling(frame: Frame, step: number): Frame | undefined {
    const row = frames.filter((each) => each.depth === frame.depth).sort((a, b) => a.left - b.left);
    return row[row.indexOf(frame) + step];
  }

  tree.addEventListener("keydown", (event) => {
    const frame = frameAt(event.target);
    if (!frame || event.altKey || event.ctrlKey || event.metaKey) return;
    const actions: Record<string, () => void> = {
      ArrowDown: () => focus(frame.children[0]),
      ArrowUp: () => focus(frame.parent),
      ArrowLeft: () => focus(sibling(frame, -1)),
      ArrowRight: () => focus(sibling(frame, 1)),
      Home: () => focus(frames[0]),
      Enter: () => zoom(frame.node),
      " ": () => zoom(frame.node),
      Escape: () => zoom(root),
      Backspace: () => zoom(parents.get(zoomed) ?? root),
    };
    const action = actions[event.key];
    // With nothing zoomed, Escape is left to the page.
    if (!action || (event.key === "Escape" && zoomed === root)) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  });
  tree.addEventListener("click", (event) => {
    const frame = frameAt(event.target);
    if (frame) zoom(frame.node);
  });
  tree.addEventListener("pointerover", (event) => {
    const frame = frameAt(event.target);
    if (frame) told.textContent = describe(frame.node);
  });
  tree.addEventListener("pointerleave", () => (told.textContent = describe(focused)));

  const search = h("input", {
    type: "search",
    placeholder: "Find a function",
    "aria-label": "Find a function in the flame graph",
    input: () => {
      wanted = search.value.trim().toLowerCase();
      draw();
    },
  });
  const group = fresh("width");
  const choice = (value: Side) =>
    h(
      "label",
      { class: "toggle" },
      h("input", { type: "radio", name: group, value, checked: value === side, change: () => { side = value; draw(); } }),
      value,
    );

  told.textContent = describe(root);
  let seen = 0;
  new ResizeObserver(() => {
    if (tree.clientWidth === seen) return;
    seen = tree.clientWidth;
    draw();
  }).observe(tree);
  return h(
    "figure",
    { class: "figure wide" },
    h(
      "div",
      { class: "bar" },
      measure.alone ? null : h("fieldset", { class: "choices" }, h("legend", {}, "Width by"), choice("new"), choice("old")),
      search,
      found,
      reset,
      measure.alone ? null : legend(largest / total),
    ),
    told,
    tree,
    h("figcaption", { class: "faint" }, "Click or Enter zooms in, Escape zooms out, arrows move along the tree.", ...(measure.alone ? [] : [" The colour is the difference in ", clean(measure.noun), " of a function and what it calls, as a share of the run before."])),
  );
}

function legend(largest: number): HTMLElement {
  // Nothing can lose more than the whole run before.
  const less = largest <= 1 ? format.shareChange(-largest) : "";
  const grades = [-5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5];
  return h(
    "div",
    { class: "flame-legend", role: "img", "aria-label": `Colours from ${less ? `${less} (less)` : "less"} over no difference to ${format.shareChange(largest)} (more)` },
    h("span", {}, `less ${less}`),
    ...grades.map((each) => h("i", { class: `d${each}` })),
    h("span", {}, `${format.shareChange(largest)} more`),
  );
}

/** For those who want the tree's outline in words: the largest differences. */
export function largestDifferences(root: CallNode): HTMLElement | null {
  const total = root.old || root.new || 1;
  // What a node does more by itself, without its callees.
  const own = new Map<string, number>();
  const open = [root];
  for (let node = open.pop(); node; node = open.pop()) {
    const below = node.callees.reduce((sum, callee) => sum + callee.new - callee.old, 0);
    own.set(node.name, (own.get(node.name) ?? 0) + node.new - node.old - below);
    open.push(...node.callees);
  }
  const most = [...own].filter(([, difference]) => Math.abs(difference) / total >= 0.0005).sort((a, b) => Math.abs(b[1]) - Math.abs(a[1])).slice(0, 5);
  if (most.length === 0) return null;
  return h("p", { class: "most" }, "In themselves: ", ...most.flatMap(([each, difference], index) => [index ? ", " : "", name(each), ` ${format.shareChange(difference / total)}`]), ".");
}
