// Values of a document, read forgivingly: whatever is missing or of the wrong kind becomes empty.

export type Fields = Record<string, unknown>;

export const fields = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
export const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
export const text = (value: unknown): string => (typeof value === "string" ? value : typeof value === "number" ? String(value) : "");
export const number = (value: unknown): number | null => (typeof value === "number" && Number.isFinite(value) ? value : null);
export const texts = (value: unknown): string[] => list(value).map(text).filter((line) => line !== "");

/** An object whose properties are made when they are first asked for. */
export function lazily<Shape extends object>(makers: { [Key in keyof Shape]: () => Shape[Key] }): Shape {
  const made = {} as Shape;
  for (const key of Object.keys(makers) as (keyof Shape)[]) {
    let known: { value: unknown } | undefined;
    Object.defineProperty(made, key, { enumerable: true, get: () => (known ??= { value: makers[key]() }).value });
  }
  return made;
}

export interface Commit {
  commit: string;
  subject: string;
  author: string;
  time: number | null;
}

export function commit(value: unknown): Commit {
  const from = fields(value);
  return { commit: text(from.commit), subject: text(from.subject), author: text(from.author), time: number(from.time) };
}

/** A place in the tree of calls, with what both sides did in it and below it. */
export interface CallNode {
  name: string;
  old: number;
  new: number;
  callees: CallNode[];
}

const deepest = 400;

function node(value: unknown, depth: number): CallNode {
  const from = fields(value);
  return {
    name: text(from.name),
    old: Math.max(0, number(from.old) ?? 0),
    new: Math.max(0, number(from.new) ?? 0),
    callees: depth < deepest ? list(from.callees).map((callee) => node(callee, depth + 1)) : [],
  };
}

/** The tree in a value, or null where there is none. */
export const callTree = (value: unknown): CallNode | null => (typeof value === "object" && value !== null ? node(value, 0) : null);
