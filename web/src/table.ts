// A table that sorts by its headers and filters its rows, and whose rows may open. Rows are made once and then only
// moved and hidden.
import { fresh, h, unseen } from "./dom";

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
  /** Opens a row, where rows open. */
  open(row: Row): HTMLTableRowElement | null;
}

/** What a row shows when it is opened. */
export interface Opening<Row> {
  /** What it is called, for the button that opens it. */
  label: (row: Row) => string;
  content: (row: Row) => Node;
  opened?: (row: Row, open: boolean) => void;
}

interface Line<Row> {
  row: Row;
  index: number;
  element: HTMLTableRowElement;
  /** The row below it that is shown when it is open. */
  below: HTMLTableRowElement | null;
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

/** The cell with the button that opens a row; the row below is filled when it is first opened. */
function openerCell<Row>(line: Line<Row>, opening: Opening<Row>): HTMLElement {
  const id = fresh("row");
  const button = h("button", { type: "button", class: "opener", "aria-expanded": "false", click: () => toggle() }, unseen(opening.label(line.row)));
  const toggle = () => {
    const open = button.getAttribute("aria-expanded") !== "true";
    button.setAttribute("aria-expanded", String(open));
    if (open && line.below === null) {
      line.below = h("tr", { class: "below", id }, h("td", { colspan: line.element.childElementCount }, opening.content(line.row)));
      line.element.after(line.below);
      button.setAttribute("aria-controls", id);
    }
    if (line.below) line.below.hidden = !open;
    opening.opened?.(line.row, open);
  };
  // A click anywhere in the row opens it too, unless text is being selected.
  line.element.addEventListener("click", (event) => {
    if (!(event.target as Element).closest("a, button") && getSelection()?.isCollapsed) toggle();
  });
  return h("td", { class: "c-open" }, button);
}

/** A table of rows with a caption for screen readers; `sorted` is told the order that a header asked for. */
export function table<Row>(caption: string, columns: Column<Row>[], rows: Row[], sorted: (order: string) => void = () => {}, opening: Opening<Row> | null = null): Table<Row> {
  const lines = rows.map((row, index): Line<Row> => {
    const cells = columns.map((column) =>
      column.heading
        ? h("th", { scope: "row", class: column.className }, ...column.cell(row))
        : h("td", { class: column.className }, ...column.cell(row)),
    );
    const line: Line<Row> = { row, index, element: h("tr", { class: opening ? "opens" : null }, ...cells), below: null };
    if (opening) line.element.prepend(openerCell(line, opening));
    return line;
  });
  let order = "";
  const headers = columns.map((column) =>
    headerCell(column, () => {
      sort(nextOrder(column, order));
      sorted(order);
    }),
  );
  const body = h("tbody", {}, ...lines.map((line) => line.element));
  const element = h("table", {}, h("caption", { class: "unseen" }, caption), h("thead", {}, h("tr", {}, opening && h("th", { scope: "col", class: "c-open" }, unseen("Open")), ...headers)), body);

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
    body.append(...keyed.flatMap(({ line }) => (line.below ? [line.element, line.below] : [line.element])));
  }

  function filter(wanted: (row: Row) => boolean): number {
    let shown = 0;
    for (const line of lines) {
      const show = wanted(line.row);
      line.element.hidden = !show;
      if (line.below) line.below.hidden = !show || line.element.querySelector(".opener[aria-expanded=true]") === null;
      shown += Number(show);
    }
    return shown;
  }

  function open(row: Row): HTMLTableRowElement | null {
    const line = lines.find((each) => each.row === row);
    line?.element.querySelector<HTMLElement>(".opener[aria-expanded=false]")?.click();
    return line?.element ?? null;
  }

  return { element, sort, filter, open };
}
