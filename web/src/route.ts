// Where the reader is, kept in the address behind #, so that links lead there and the back button works.

export interface Route {
  benchmark: string | null;
  metric: string | null;
  verdict: string;
  text: string;
  sort: string;
  /** What is shown of a benchmark: "" for its measurements, or one of the views of what its stacks did. */
  view: "" | View;
  /** The commit that the view is about. */
  commit: string;
  /** In the run report: the commit whose runs are shown, where it is another one. */
  of: string;
  quantity: string;
  /** The row of the similarity report that is open, from 1. */
  row: string;
}

export const views = ["stacks", "flame", "runs", "diff"] as const;
export type View = (typeof views)[number];

export const home: Route = { benchmark: null, metric: null, verdict: "", text: "", sort: "", view: "", commit: "", of: "", quantity: "", row: "" };

export function parseRoute(hash: string): Route {
  const from = new URLSearchParams(hash.replace(/^#/, ""));
  const read = (key: string) => from.get(key) ?? "";
  return {
    benchmark: from.get("benchmark"),
    metric: from.get("metric"),
    verdict: read("verdict"),
    text: read("text"),
    sort: read("sort"),
    view: views.find((each) => each === from.get("view")) ?? "",
    commit: read("commit"),
    of: read("of"),
    quantity: read("quantity"),
    row: read("row"),
  };
}

export function formatRoute(route: Partial<Route>): string {
  const into = new URLSearchParams();
  for (const key of ["benchmark", "view", "commit", "of", "metric", "quantity", "row", "verdict", "text", "sort"] as const) {
    const value = route[key];
    if (value !== null && value !== undefined && (value !== "" || key === "benchmark")) into.set(key, value);
  }
  return `#${into}`;
}

/** Notes a change of the view without a step for the back button. */
export function replaceRoute(route: Partial<Route>): void {
  history.replaceState(null, "", formatRoute(route));
}
