// A table that sorts by its headers and filters its rows. Rows are made once and then only moved and hidden.
import { h } from "./dom";

export interface Column<Row> {
  key: string;
  title: string;
  /** What a header says beyond its title. */
  hint?: string;
  className?: string;
  /** The cell that names the row. */
  heading?: boolean;
  /** What the column sorts by; null comes last. Without it the column does not sort. */
  by?: (row: Row) => number | string | null;
  /** Sorts from large to small at first. */
  largestFirst?: boolean;
  cell: (row: Row) => (Node | string | null)[];
}

export interface Table<Row> {
  element: HTMLTableElement;
  /** Sorts by a key, descending with "-" before it; "" restores the order in which the rows came. */
  sort(order: string): void;
  /** Shows the rows that satisfy a condition, and tells how many. */
  filter(wanted: (row: Row) => boolean): number;
}

type Key = number | string | null;

function compare(a: Key, b: Key, direction: number): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return direction * (typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en", { numeric: true }));
}

function nextOrder<Row>(column: Column<Row>, order: string): string {
  const [first, second] = column.largestFirst ? [`-${column.key}`, column.key] : [column.key, `-${column.key}`];
  return order === first ? second : order === second ? "" : first;
}

function headerCell<Row>(column: Column<Row>, press: () => void): HTMLElement {
  const content = column.by ? h("button", { type: "button", class: "sort", click: press, title: column.hint }, column.title) : column.title;
  return h("th", { scope: "col", class: column.className, title: column.by ? null : column.hint, "aria-label": column.by ? null : column.hint, "data-key": column.key }, content);
}

/** A table of rows with a caption for screen readers; `sorted` is told the order that a header asked for. */
export function table<Row>(caption: string, columns: Column<Row>[], rows: Row[], sorted: (order: string) => void = () => {}): Table<Row> {
  const lines = rows.map((row, index) => {
    const cells = columns.map((column) =>
      column.heading
        ? h("th", { scope: "row", class: column.className }, ...column.cell(row))
        : h("td", { class: column.className }, ...column.cell(row)),
    );
    return { row, index, element: h("tr", {}, ...cells) };
  });
  let order = "";
  const headers = columns.map((column) =>
    headerCell(column, () => {
      sort(nextOrder(column, order));
      sorted(order);
    }),
  );
  const body = h("tbody", {}, ...lines.map((line) => line.element));
  const element = h("table", {}, h("caption", { class: "unseen" }, caption), h("thead", {}, h("tr", {}, ...headers)), body);

  function sort(wanted: string): void {
    const key = wanted.replace(/^-/, "");
    const direction = wanted.startsWith("-") ? -1 : 1;
    const column = columns.find((each) => each.key === key && each.by);
    order = column ? wanted : "";
    for (const header of headers) {
      if (column && header.dataset.key === key) header.setAttribute("aria-sort", direction < 0 ? "descending" : "ascending");
      else header.removeAttribute("aria-sort");
    }
    const by = column?.by;
    const keyed = lines.map((line) => ({ line, key: by ? by(line.row) : null }));
    keyed.sort((a, b) => (by ? compare(a.key, b.key, direction) : 0) || a.line.index - b.line.index);
    body.append(...keyed.map((each) => each.line.element));
  }

  function filter(wanted: (row: Row) => boolean): number {
    let shown = 0;
    for (const line of lines) {
      const show = wanted(line.row);
      line.element.hidden = !show;
      shown += Number(show);
    }
    return shown;
  }

  return { element, sort, filter };
}
