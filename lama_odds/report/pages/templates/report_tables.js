"use strict";
// Tables that sort by a column and show the rows that hold a word.
for (const table of document.querySelectorAll("table.sorts")) {
  const body = table.tBodies[0];
  const keyOf = (row, at) => {
    const cell = row.cells[at];
    if (cell.dataset.key !== undefined) return Number(cell.dataset.key);
    if (cell.classList.contains("text")) return cell.textContent;
    if (cell.textContent === "–") return -Infinity;
    const value = Number.parseFloat(cell.textContent);
    return Number.isNaN(value) ? cell.textContent : value;
  };
  table.querySelectorAll("th button").forEach((button, at) => {
    button.addEventListener("click", () => {
      const head = button.parentElement;
      const up = head.getAttribute("aria-sort") !== "ascending";
      table.querySelectorAll("th").forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const rows = [...body.rows].map((row, place) => ({ row, place, key: keyOf(row, at) }));
      rows.sort((a, b) => {
        const order = typeof a.key === "number" && typeof b.key === "number"
          ? a.key - b.key : String(a.key).localeCompare(String(b.key), "en", { numeric: true });
        return (up ? order : -order) || a.place - b.place;
      });
      body.append(...rows.map((entry) => entry.row));
    });
  });
}
for (const input of document.querySelectorAll("input[data-table]")) {
  const rows = document.getElementById(input.dataset.table).tBodies[0].rows;
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
    }
  });
}
