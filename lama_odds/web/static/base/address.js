// The address of the page: it names the tab, the position or the game, so that a link is enough.

/** The query of the address, as an object. */
export function read() {
  return Object.fromEntries(new URLSearchParams(location.search));
}

/** The address of the page with a query: the page may lie below any path. */
export const linkOf = (text) => location.pathname + (text ? `?${text}` : "");

/** Puts a query in the address; push: as a new entry, so that Back leads to the one before. */
export function write(query, push) {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined);
  const text = new URLSearchParams(given).toString();
  const url = linkOf(text);
  if (push && url !== location.pathname + location.search) history.pushState(null, "", url);
  else history.replaceState(null, "", url);
}
