// Elements made from data. Text from the report goes in as text only, never as markup.

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | null | undefined | ((event: never) => void)>;

function fill(node: Element, attributes: Attributes, children: Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name, value as EventListener);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, String(value));
  }
  for (const child of children) if (child !== null && child !== undefined && child !== false && child !== "") node.append(child);
}

/** An HTML element; attributes that are functions are listeners. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  fill(node, attributes, children);
  return node;
}

/** An SVG element. */
export function s(tag: string, attributes: Attributes = {}, ...children: Child[]): SVGElement {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  fill(node, attributes, children);
  return node;
}

const escapes = /\u001b\[[0-9;?]*[ -/]*[@-~]/g;
// Controls, and what turns the direction of text, so that a name cannot look like another.
const invisible = /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g;

const visible = (letter: string) => `\u27e8U+${letter.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}\u27e9`;

/** A name or sentence with invisible characters made visible. */
export const clean = (text: string): string => text.replace(invisible, visible);

/** What a program printed: colours taken away, lines and tabs kept. */
export const cleanLog = (text: string): string =>
  text.replace(escapes, "").replace(/\r\n?/g, "\n").replace(invisible, (letter) => (letter === "\n" || letter === "\t" ? letter : visible(letter)));

const longestTitle = 400;

/** A cut of a text for places that cannot hold much. */
export const cut = (text: string, longest = longestTitle): string =>
  text.length <= longest ? text : `${[...text.slice(0, longest)].slice(0, -1).join("")}…`;

/** A foreign name, isolated from the direction of what surrounds it. */
export const name = (text: string, className = "name"): HTMLElement => h("bdi", { class: className }, clean(text) || "(no name)");

const longSentence = 600;

/** A foreign sentence; one that is far too long scrolls in a box of its own. */
export const sentence = (text: string): HTMLElement => h("bdi", { class: text.length > longSentence ? "long" : null, tabindex: text.length > longSentence ? 0 : null }, clean(text));

/** Text for screen readers only. */
export const unseen = (text: string): HTMLElement => h("span", { class: "unseen" }, text);

let last = 0;
/** An id that no other element has. */
export const fresh = (prefix: string): string => `${prefix}-${++last}`;
