// The address of the page: it names the tab, the position or the game, so that a link is enough.

/** The query of the address, as an object. */
export function read() {
  return Object.fromEntries(new URLSearchParams(location.search));
}

/** What was kept beside this entry of the history. */
export const beside = () => history.state;

/** Puts a query in the address; push: as a new entry, so that Back leads to the one before. kept: beside it. */
export function write(query, push, kept = null) {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined);
  const text = new URLSearchParams(given).toString();
  const url = text ? `/?${text}` : "/";
  if (push && url !== location.pathname + location.search) history.pushState(kept, "", url);
  else history.replaceState(kept, "", url);
}
