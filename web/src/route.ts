// Where the reader is, kept in the address behind #, so that links lead there and the back button works.

export interface Route {
  benchmark: string | null;
  metric: string | null;
  verdict: string;
  text: string;
  sort: string;
}

export const home: Route = { benchmark: null, metric: null, verdict: "", text: "", sort: "" };

export function parseRoute(hash: string): Route {
  const from = new URLSearchParams(hash.replace(/^#/, ""));
  return {
    benchmark: from.get("benchmark"),
    metric: from.get("metric"),
    verdict: from.get("verdict") ?? "",
    text: from.get("text") ?? "",
    sort: from.get("sort") ?? "",
  };
}

export function formatRoute(route: Partial<Route>): string {
  const into = new URLSearchParams();
  for (const key of ["benchmark", "metric", "verdict", "text", "sort"] as const) {
    const value = route[key];
    if (value !== null && value !== undefined && (value !== "" || key === "benchmark")) into.set(key, value);
  }
  return `#${into}`;
}

/** Notes a change of the view without a step for the back button. */
export function replaceRoute(route: Partial<Route>): void {
  history.replaceState(null, "", formatRoute(route));
}
