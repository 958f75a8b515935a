// What has been tapped of an entry that is not whole: kept per game until it has moved on.

const NAME = "lama-odds.draft";

function kept() {
  try {
    return JSON.parse(sessionStorage.getItem(NAME)) ?? {};
  } catch {
    return {};
  }
}

/** The tokens tapped in a game of this version. */
export function draftOf(path, version) {
  const found = kept()[path];
  return found?.version === version && Array.isArray(found.tokens) ? found.tokens : [];
}

export function keepDraft(path, version, tokens) {
  try {
    const all = kept();
    if (tokens.length) all[path] = { version, tokens };
    else delete all[path];
    sessionStorage.setItem(NAME, JSON.stringify(all));
  } catch {
    // a browser that keeps nothing
  }
}
